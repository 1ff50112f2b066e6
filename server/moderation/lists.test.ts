import { beforeEach, describe, expect, test } from 'vitest'
import { openExports } from '#server/export/files.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { someEpisodes } from '#scripts/testing/episodes.ts'
import { aServer, aSignedInMember, aTitle, anUpload, findCounterFaults } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { deleteOwnList } from '#server/lists/removed.ts'
import { lockList } from '#server/lists/store.ts'
import { removeOrphans } from '#server/uploads/orphans.ts'
import { openModeration } from './work.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as, services } = server
const start = new Date('2026-05-04T12:00:00.000Z')
const later = (days: number) => new Date(start.getTime() + days * 24 * 60 * 60_000)

const moderator: Member = { ...(await aSignedInMember(db)), role: 'moderator' }
await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()

async function runTasks(now: Date) {
  const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() }
  const queue = openModeration({ live: services.live }, { db, log, now: () => now, pollMs: 0 })
  await queue.runDue()
  await queue.close()
}

async function decide(
  target: { type: 'list' | 'user'; id: number },
  action: 'remove' | 'suspend' | 'removeAll',
  now = start,
) {
  const call = as(moderator, { now }).moderation
  const { id } = (await call.open({ target })).case
  return (await call.decide({ id, action, reason: 'Why.' })).decisionId
}
const undo = (id: number, now = start) => as(moderator, { now }).moderation.undo({ id })

let [owner, reader, titleId, listId] = [moderator, moderator, 0, 0]
beforeEach(async () => {
  ;[owner, reader] = [await aSignedInMember(db), await aSignedInMember(db)]
  titleId = await aTitle(db)
  const call = as(owner, { now: start }).lists
  const { list } = await call.create({ title: `Buy ${titleId}`, visibility: 'public', tags: ['ads'] })
  listId = list.id
  await call.addItem({ id: listId, itemId: titleId, note: 'At evil.example.' })
  await as(reader, { now: start }).lists.like({ id: listId })
  await as(reader, { now: start }).lists.follow({ id: listId })
})

/** Everything that shows the list to a viewer. */
async function read(viewer: Member | null) {
  const { lists } = as(viewer)
  const ids = ({ lists: found }: { lists: { id: number }[] }) => found.some(({ id }) => id === listId)
  return [
    await lists.byId({ id: listId }).then(
      () => true,
      () => false,
    ),
    ids(await lists.search({ limit: 100 })),
    ids(await lists.search({ q: String(titleId) })),
    ids(await lists.search({ tag: 'ads', sort: 'popular', limit: 100 })),
    ids(await lists.ofTitle({ id: titleId })),
    ids(await lists.ofUser({ id: owner.id })),
  ]
}
const everywhere = Array.from({ length: 6 }, () => true)
const nowhere = everywhere.map(() => false)

test('a report keeps the whole text of a list, with its tags and notes', async () => {
  const target = { type: 'list' as const, id: listId }
  await as(reader, { now: start }).moderation.report({ target, category: 'spam' })
  const { case: found } = await as(moderator, { now: start }).moderation.open({ target })
  expect(found.member?.id).toBe(owner.id)
  expect(found.snapshot.text).toBe(`Buy ${titleId}\n\n#ads\n\nAt evil.example.`)
})

test('nobody can report a private list, and moderators do not read one', async () => {
  await as(owner).lists.edit({ id: listId, visibility: 'private' })
  const target = { type: 'list' as const, id: listId }
  for (const call of [
    () => as(reader).moderation.report({ target, category: 'spam' }),
    () => as(moderator).moderation.open({ target }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

describe('a removed list', () => {
  test('is hidden from everybody but its owner, who can only delete it, and returns as it was', async () => {
    const editor = await aSignedInMember(db)
    await as(owner, { now: start }).lists.invite({ id: listId, userId: editor.id })
    await as(editor, { now: start }).lists.accept({ id: listId })
    const row = () => db.selectFrom('lists').selectAll().where('id', '=', listId).executeTakeFirst()
    const before = await row()
    const { nextCursor } = await as(owner).changes.list({})
    const id = await decide({ type: 'list', id: listId }, 'remove')

    for (const viewer of [null, reader, editor, moderator]) expect(await read(viewer)).toEqual(nowhere)
    expect((await as(editor).lists.mine({})).lists).toEqual([])
    expect((await as(reader).lists.followed({})).lists).toEqual([])
    const own = await as(owner).lists.byId({ id: listId })
    expect(own.list).toMatchObject({ isRemoved: true, title: `Buy ${titleId}` })
    for (const call of [
      () => as(owner).lists.edit({ id: listId, title: 'Again' }),
      () => as(owner).lists.removeItem({ id: listId, itemId: titleId }),
    ])
      await expect(call()).rejects.toMatchObject({ reason: 'CONTENT_REMOVED' })
    await expect(as(editor).lists.removeItem({ id: listId, itemId: titleId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const last = async () => (await as(owner).changes.list({ since: nextCursor })).changes.at(-1)
    await expect.poll(last).toMatchObject({ area: 'list', action: 'deleted', id: listId })
    expect(await findCounterFaults(db)).toEqual([])

    await undo(id)
    expect(await row()).toEqual(before)
    for (const viewer of [null, reader, editor]) expect(await read(viewer)).toEqual(everywhere)
    expect((await as(reader).lists.followed({})).lists).toHaveLength(1)
    await decide({ type: 'list', id: listId }, 'remove')
    await as(owner).lists.remove({ id: listId })
    expect(await row()).toBeUndefined()
  })

  test('is in no Atom feed, link preview or sitemap', async () => {
    const app = await buildApp(services, { web: noWeb })
    const url = `${services.config.publicUrl}/list/${listId}`
    const pages = [`/lists/${listId}`, `/lists/${listId}.atom`, `/oembed?url=${encodeURIComponent(url)}`]
    const sitemap = async () => (await app.inject('/sitemaps/lists-1.xml')).body.includes(`/list/${listId}<`)
    try {
      for (const page of pages) expect((await app.inject(page)).statusCode, page).toBe(200)
      expect(await sitemap()).toBe(true)
      await decide({ type: 'list', id: listId }, 'remove')
      for (const page of pages) expect((await app.inject(page)).statusCode, page).toBe(404)
      expect(await sitemap()).toBe(false)
    } finally {
      await app.close()
    }
  })

  test('is destroyed after 30 days', async () => {
    await decide({ type: 'list', id: listId }, 'remove')
    await runTasks(later(31))
    expect((await as(owner).lists.mine({})).lists).toEqual([])
    expect(await findCounterFaults(db)).toEqual([])
  })

  test.each(['one', 'all'] as const)(
    'that its owner has deleted is remembered by a hash of its name, until the removal of %s ends',
    async (removed) => {
      const known = async () => {
        const rows = db.selectFrom('removed_lists').selectAll().where('user_id', '=', owner.id)
        return (await rows.execute()).map(({ list_id, name_hash }) => [list_id, name_hash.length])
      }
      const remove = async () => {
        const call = as(owner, { now: start }).lists
        const { list } = await call.create({ title: 'Buy', visibility: 'public' })
        const id =
          removed === 'one'
            ? await decide({ type: 'list', id: list.id }, 'remove')
            : await decide({ type: 'user', id: owner.id }, 'removeAll', later(1))
        await runTasks(later(1))
        // A suspended member cannot delete it until the suspension ends.
        await deleteOwnList(db, (await lockList(db, list.id))!)
        expect(await known()).toEqual([[list.id, 43]])
        return id
      }
      await undo(await remove(), later(2))
      await runTasks(later(2))
      expect(await known()).toEqual([])
      await remove()
      await runTasks(later(33))
      expect(await known()).toEqual([])
    },
  )
})

describe('when everything of a member is removed', () => {
  const shownPictures = async () => {
    const title = db.selectFrom('media').select('image').where('id', '=', titleId)
    const { profilePicture } = (await as(owner).accounts.me()).user
    return [(await title.executeTakeFirstOrThrow()).image, profilePicture]
  }
  let paths: string[] = []
  beforeEach(async () => {
    paths = [await anUpload(db, { ownerId: owner.id, at: start }), await anUpload(db, { at: start })]
    await db.updateTable('media').set({ image: paths[0]! }).where('id', '=', titleId).execute()
    await db.updateTable('users').set({ picture: paths[1]! }).where('id', '=', owner.id).execute()
  })

  test('lists and pictures go too, and return with the undo', async () => {
    const id = await decide({ type: 'user', id: owner.id }, 'removeAll', later(1))
    await runTasks(later(1))
    expect(await read(null).catch(() => nowhere)).toEqual(nowhere)
    expect(await shownPictures()).toEqual([null, null])
    await removeOrphans(db, services.storage, later(10))
    await undo(id, later(2))
    await runTasks(later(2))
    expect(await read(null)).toEqual(everywhere)
    expect(await shownPictures()).toEqual(paths)
  })

  test('a picture that was replaced meanwhile stays replaced', async () => {
    const id = await decide({ type: 'user', id: owner.id }, 'removeAll', later(1))
    await runTasks(later(1))
    const other = await anUpload(db)
    await db.updateTable('media').set({ image: other }).where('id', '=', titleId).execute()
    await undo(id, later(2))
    await runTasks(later(2))
    expect(await shownPictures()).toEqual([other, paths[1]])
  })

  test('lists and the files of the pictures are destroyed after 30 days', async () => {
    await decide({ type: 'user', id: owner.id }, 'removeAll', later(1))
    await runTasks(later(1))
    await runTasks(later(32))
    expect(await db.selectFrom('lists').select('id').where('user_id', '=', owner.id).execute()).toEqual([])
    await removeOrphans(db, services.storage, later(33))
    expect(await db.selectFrom('uploads').select('path').where('path', 'in', paths).execute()).toEqual([])
  })

  test('the export of the member has it all', async () => {
    const { id } = (
      await as(owner, { now: start }).reviews.save({ movieId: titleId, rating: 1, text: 'Buy!' })
    ).review
    const episodes = await someEpisodes(db, await aTitle(db, 'tvShow'))
    const { review: ofPart } = await as(owner, { now: start }).reviews.save({
      episodeId: episodes[2]!,
      rating: 2.5,
      text: 'Buy this!',
    })
    const call = as(moderator, { now: start }).moderation
    for (const removed of [id, ofPart.id]) {
      const opened = (await call.open({ target: { type: 'review', id: removed } })).case
      await call.decide({ id: opened.id, action: 'remove', keepsRating: false })
    }
    await decide({ type: 'list', id: listId }, 'remove')
    const { begin, files } = openExports(services.features)
    const about = (await begin(db, owner.id, '', start))!
    let text = ''
    for await (const part of files['medley.json']!(about)) text += part
    const { reviews, partReviews, lists, titles } = JSON.parse(text) as Record<string, object[]>
    expect(reviews).toMatchObject([{ text: 'Buy!', rating: 1 }])
    const safeUpTo = { episodeId: episodes[2] }
    expect(partReviews).toMatchObject([{ text: 'Buy this!', rating: 2.5, season: 1, episode: 2, safeUpTo }])
    expect(partReviews![0]).toHaveProperty('partId', expect.stringContaining('tmdb-episode:'))
    expect(lists).toMatchObject([{ name: `Buy ${titleId}` }])
    expect(titles).toHaveLength(2)
  })
})
