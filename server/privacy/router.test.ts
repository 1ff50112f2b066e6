import { afterEach, describe, expect, test } from 'vitest'
import { aMember, aServer, aTitle, findCounterFaults } from '#server/testing.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Member } from '#server/calls/context.ts'

const server = await aServer()
const { db, as } = server

const people = async (count: number) => Promise.all(Array.from({ length: count }, () => aMember(db)))
const follow = (by: Member, of: Member) => as(by).social.follow({ userIdToFollow: of.id })
const statusOf = (by: Member, of: Member) => as(by).social.followStatus({ id: of.id })
const requestsOf = async (member: Member) => (await as(member).privacy.requests({})).users.map(({ id }) => id)
const setPrivate = (member: Member, isPrivate = true) => as(member).privacy.change({ isPrivate })

afterEach(async () => {
  expect(await findCounterFaults(db)).toEqual([])
})

describe('a private member', () => {
  test('is asked before somebody follows them, keeps earlier followers, and is told apart in lists by a mark', async () => {
    const [ada, before, asking] = (await people(3)) as [Member, Member, Member]
    await follow(before, ada)
    await setPrivate(ada)
    expect(await follow(asking, ada)).toEqual({ isFollowing: false, isRequested: true, followersCount: 1 })
    expect(await follow(asking, ada)).toEqual({ isFollowing: false, isRequested: true, followersCount: 1 })
    expect(await statusOf(asking, ada)).toEqual({ isFollowing: false, isRequested: true })
    expect(await statusOf(before, ada)).toEqual({ isFollowing: true })
    expect(await requestsOf(ada)).toEqual([asking.id])
    const found = await as(asking).social.searchUsers({ q: ada.username })
    expect(found.results).toContainEqual(expect.objectContaining({ id: ada.id, isPrivate: true }))
    const { user } = await as(asking).accounts.profile({ id: ada.id })
    expect(user).toMatchObject({ isPrivate: true, isClosed: true, bio: '', followersCount: 1 })
    expect((await as(before).accounts.profile({ id: ada.id })).user).not.toHaveProperty('isClosed')
  })

  test('accepts or rejects a request once, and the one who asked can withdraw it', async () => {
    const [ada, first, second, third] = (await people(4)) as [Member, Member, Member, Member]
    await setPrivate(ada)
    for (const one of [first, second, third]) await follow(one, ada)
    expect(await as(ada).privacy.accept({ userId: first.id })).toEqual({ followersCount: 1 })
    expect(await as(ada).privacy.reject({ userId: second.id })).toEqual({ followersCount: 1 })
    await as(third).social.unfollow({ userIdToUnfollow: ada.id })
    expect(await requestsOf(ada)).toEqual([])
    for (const one of [first, second, third])
      await expect(as(ada).privacy.accept({ userId: one.id })).rejects.toThrow(messages.requestNotFound)
    expect(await statusOf(first, ada)).toEqual({ isFollowing: true })
    expect(await statusOf(second, ada)).toEqual({ isFollowing: false })
  })

  test('accepts all requests by becoming public, more than one transaction takes', async () => {
    const [ada] = (await people(1)) as [Member]
    await setPrivate(ada)
    const asking = await people(120)
    for (const one of asking) await follow(one, ada)
    expect((await as(ada).privacy.requests({ limit: 100 })).total).toBe(120)
    expect((await setPrivate(ada, false)).privacy.isPrivate).toBe(false)
    expect((await as(null).accounts.profile({ id: ada.id })).user.followersCount).toBe(120)
    expect(await requestsOf(ada)).toEqual([])
  })

  test('accepts by becoming public the request of a member who is suspended', async () => {
    const [ada, bea] = (await people(2)) as [Member, Member]
    const setStanding = (standing: 'active' | 'suspended') =>
      db.updateTable('users').set({ standing }).where('id', '=', bea.id).execute()
    await setPrivate(ada)
    await follow(bea, ada)
    await setStanding('suspended')
    expect(await requestsOf(ada)).toEqual([])
    await setPrivate(ada, false)
    await setStanding('active')
    expect(await requestsOf(ada)).toEqual([])
    expect(await statusOf(bea, ada)).toEqual({ isFollowing: true })
  })

  test('has reviews that do not exist for others, whatever they try', async () => {
    const [ada, stranger] = (await people(2)) as [Member, Member]
    await setPrivate(ada)
    const { review } = await as(ada).reviews.save({ itemId: await aTitle(db), rating: 5, text: 'Mine.' })
    const { snapshot } = await as(ada).reviews.snapshot({ itemId: review.itemId })
    const { byId, edit, remove, restore, react, addComment, comments } = as(stranger).reviews
    const attempts: ((id: number) => Promise<unknown>)[] = [
      (id) => byId({ id }),
      (id) => edit({ id, rating: 1 }),
      (id) => remove({ id }),
      (id) => restore({ ...snapshot!, id }),
      (id) => react({ id, reaction: 'like' }),
      (id) => addComment({ id, text: 'Seen.' }),
      (id) => comments({ id }),
    ]
    const none = { code: 'NOT_FOUND', message: messages.reviewNotFound }
    for (const id of [review.id, 999_999])
      for (const attempt of attempts) await expect(attempt(id)).rejects.toMatchObject(none)
  })

  test('removes a follower, who has to ask again', async () => {
    const [ada, bea] = (await people(2)) as [Member, Member]
    await follow(bea, ada)
    await setPrivate(ada)
    expect(await as(ada).privacy.removeFollower({ userId: bea.id })).toEqual({ followersCount: 0 })
    expect(await as(ada).privacy.removeFollower({ userId: bea.id })).toEqual({ followersCount: 0 })
    expect(await follow(bea, ada)).toMatchObject({ isRequested: true })
  })
})

describe('a block', () => {
  test('ends follows, requests and shared lists in both directions, and unblocking restores none of them', async () => {
    const [ada, bea] = (await people(2)) as [Member, Member]
    await follow(ada, bea)
    await follow(bea, ada)
    const { list } = await as(ada).lists.create({ title: 'Ours', visibility: 'public' })
    await as(ada).lists.invite({ id: list.id, userId: bea.id })
    expect(await as(ada).privacy.block({ id: bea.id })).toEqual({ isBlocked: true })
    await as(ada).privacy.block({ id: bea.id })
    expect(await statusOf(ada, bea)).toEqual({ isFollowing: false, isBlocked: true })
    await expect(as(bea).lists.accept({ id: list.id })).rejects.toThrow(messages.invitationNotFound)
    expect((await as(ada).privacy.blocks({})).users.map(({ id }) => id)).toEqual([bea.id])
    await expect(follow(ada, bea)).rejects.toThrow(messages.unblockFirst)
    await as(ada).privacy.unblock({ id: bea.id })
    expect(await statusOf(ada, bea)).toEqual({ isFollowing: false })
    expect(await statusOf(bea, ada)).toEqual({ isFollowing: false })
  })

  test('looks to the blocked member like a private profile, also when they ask to follow', async () => {
    const [ada, bea, carl, stranger] = (await people(4)) as [Member, Member, Member, Member]
    await setPrivate(carl)
    await as(ada).privacy.block({ id: bea.id })
    const seen = async (member: Member) => {
      const { user } = await as(bea).accounts.profile({ id: member.id })
      return [{ ...user, id: 0, username: '' }, await follow(bea, member), await statusOf(bea, member)]
    }
    expect(await seen(ada)).toEqual(await seen(carl))
    expect(await requestsOf(ada)).toEqual([])
    await expect(as(ada).privacy.accept({ userId: bea.id })).rejects.toThrow(messages.requestNotFound)
    // Neither a change of the settings nor the end of the block turns it into a follow.
    await setPrivate(ada)
    await setPrivate(ada, false)
    await as(ada).privacy.unblock({ id: bea.id })
    expect(await statusOf(bea, ada)).toEqual({ isFollowing: false })
    expect((await as(stranger).accounts.profile({ id: ada.id })).user).not.toHaveProperty('isPrivate')
  })

  test('is not possible of oneself, nor of a member who does not exist', async () => {
    const [ada] = (await people(1)) as [Member]
    for (const name of ['block', 'mute'] as const) {
      await expect(as(ada).privacy[name]({ id: ada.id })).rejects.toThrow(messages.blockSelf)
      await expect(as(ada).privacy[name]({ id: 999_999 })).rejects.toThrow(messages.userNotFound)
    }
  })
})

test('muting keeps the follow, and is listed with its time', async () => {
  const [ada, bea] = (await people(2)) as [Member, Member]
  await follow(ada, bea)
  expect(await as(ada).privacy.mute({ id: bea.id })).toEqual({ isMuted: true })
  expect(await statusOf(ada, bea)).toEqual({ isFollowing: true, isMuted: true })
  const { users, total } = await as(ada).privacy.mutes({})
  expect(users).toEqual([
    { id: bea.id, username: bea.username, profilePicture: null, since: expect.any(String) },
  ])
  expect(total).toBe(1)
  expect(await as(ada).privacy.unmute({ id: bea.id })).toEqual({ isMuted: false })
  expect(await statusOf(ada, bea)).toEqual({ isFollowing: true })
})

test('a member can hide whom they follow, and who follows them, from everybody else', async () => {
  const [ada, bea] = (await people(2)) as [Member, Member]
  await follow(ada, bea)
  await follow(bea, ada)
  await as(ada).privacy.change({ hidesFollows: true })
  for (const list of ['followers', 'following'] as const) {
    for (const viewer of [null, bea])
      await expect(as(viewer).social[list]({ id: ada.id })).rejects.toThrow(messages.followsHidden)
    expect((await as(ada).social[list]({ id: ada.id })).users).toHaveLength(1)
  }
  expect((await as(null).accounts.profile({ id: ada.id })).user).toMatchObject({ followersCount: 1 })
})

test('a member who hides from suggestions is not suggested', async () => {
  const [ada, bea] = (await people(2)) as [Member, Member]
  await as(ada).reviews.save({ itemId: await aTitle(db), rating: 5 })
  const suggested = async () => (await as(bea).social.suggestedPeople({})).people.map(({ id }) => id)
  expect(await suggested()).toContain(ada.id)
  await as(ada).privacy.change({ hidesFromSuggestions: true })
  expect(await suggested()).not.toContain(ada.id)
})

test('privacy settings change one by one', async () => {
  const [ada] = (await people(1)) as [Member]
  const none = { isPrivate: false, hidesFromSuggestions: false, hidesFollows: false }
  expect(await as(ada).privacy.get()).toEqual({ privacy: none })
  expect(await as(ada).privacy.change({ hidesFollows: true })).toEqual({
    privacy: { ...none, hidesFollows: true },
  })
  expect(await as(ada).privacy.change({})).toEqual({ privacy: { ...none, hidesFollows: true } })
})
