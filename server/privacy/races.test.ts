import { expect, test } from 'vitest'
import { seeded } from '#scripts/testing/random.ts'
import { removeAccount } from '#server/accounts/deletion.ts'
import { aMember, aServer, findCounterFaults } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'

const server = await aServer()
const { db, as } = server
const random = seeded(26)
const rounds = 30

/** Starts calls in a random order, and waits for all of them. Some may fail: the other one was first. */
async function race(...calls: (() => Promise<unknown>)[]): Promise<void> {
  const order = calls.map((call) => ({ call, at: random() })).sort((a, b) => a.at - b.at)
  const outcomes = await Promise.allSettled(order.map(({ call }) => call()))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toHaveProperty('code', expect.stringMatching(/NOT_FOUND|CONFLICT/))
}

const two = async () => [await aMember(db), await aMember(db)] as [Member, Member]
const rowsBetween = async (table: 'follows' | 'follow_requests', ids: readonly number[]) =>
  db.selectFrom(table).selectAll().where('follower_id', 'in', ids).where('followee_id', 'in', ids).execute()
const setPrivate = (member: Member, isPrivate: boolean) => as(member).privacy.change({ isPrivate })
const follow = (by: Member, of: Member) => as(by).social.follow({ userIdToFollow: of.id })

test('a block that meets follows in both directions leaves none', async () => {
  for (let round = 0; round < rounds; round++) {
    const [ada, bea] = await two()
    if (random() < 0.5) await setPrivate(ada, true)
    const accept = () => as(ada).privacy.accept({ userId: bea.id })
    await race(
      () => follow(ada, bea),
      () => follow(bea, ada),
      () => as(ada).privacy.block({ id: bea.id }),
      accept,
    )
    expect(await rowsBetween('follows', [ada.id, bea.id])).toEqual([])
  }
  expect(await findCounterFaults(db)).toEqual([])
})

test('a block that meets an invitation to edit a list, in either direction, leaves none', async () => {
  for (let round = 0; round < rounds; round++) {
    const [ada, bea] = await two()
    const { list } = await as(ada).lists.create({ title: 'Shared' })
    const [by, of] = random() < 0.5 ? [ada, bea] : [bea, ada]
    await race(
      () => as(ada).lists.invite({ id: list.id, userId: bea.id }),
      () => as(by).privacy.block({ id: of.id }),
      () => as(bea).lists.accept({ id: list.id }),
    )
    const editors = await db.selectFrom('list_editors').selectAll().where('list_id', '=', list.id).execute()
    expect(editors).toEqual([])
  }
})

test('a request that meets its member becoming public becomes a follow, and no request is left', async () => {
  for (let round = 0; round < rounds; round++) {
    const [ada, bea] = await two()
    const cem = await aMember(db)
    await setPrivate(ada, true)
    await follow(cem, ada)
    await race(
      () => follow(bea, ada),
      () => setPrivate(ada, false),
      () => as(ada).privacy.accept({ userId: cem.id }),
    )
    const ids = [ada.id, bea.id, cem.id]
    expect(await rowsBetween('follow_requests', ids)).toEqual([])
    expect(await rowsBetween('follows', ids)).toHaveLength(2)
  }
  expect(await findCounterFaults(db)).toEqual([])
})

test('a member who is deleted while their request is accepted leaves neither a request nor a follow', async () => {
  for (let round = 0; round < rounds; round++) {
    const [ada, bea] = await two()
    await setPrivate(ada, true)
    await follow(bea, ada)
    const now = new Date()
    await db.updateTable('users').set({ deletion_at: now.toISOString() }).where('id', '=', bea.id).execute()
    await race(
      () => removeAccount(db, server.services, bea.id, now),
      () => as(ada).privacy.accept({ userId: bea.id }),
    )
    expect(await rowsBetween('follows', [ada.id, bea.id])).toEqual([])
    expect(await rowsBetween('follow_requests', [ada.id, bea.id])).toEqual([])
  }
  expect(await findCounterFaults(db)).toEqual([])
})

test('a member who is deleted while they are unfollowed, removed and blocked leaves right counters', async () => {
  for (let round = 0; round < rounds; round++) {
    const [ada, bea] = await two()
    const others = [await aMember(db), await aMember(db), await aMember(db)] as const
    for (const other of others) {
      await follow(other, ada)
      await follow(ada, other)
    }
    await follow(bea, ada)
    const now = new Date()
    await db.updateTable('users').set({ deletion_at: now.toISOString() }).where('id', '=', ada.id).execute()
    await race(
      () => removeAccount(db, server.services, ada.id, now),
      () => as(others[0]).social.unfollow({ userIdToUnfollow: ada.id }),
      () => as(others[1]).privacy.removeFollower({ userId: ada.id }),
      () => as(others[2]).privacy.block({ id: ada.id }),
      () => follow(bea, others[0]),
    )
    expect(await rowsBetween('follows', [ada.id, ...others.map(({ id }) => id)])).toEqual([])
  }
  expect(await findCounterFaults(db)).toEqual([])
})
