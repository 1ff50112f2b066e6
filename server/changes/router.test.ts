import { features } from '#server/router.ts'
import { expect, test } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { seeded } from '#scripts/testing/random.ts'
import { openChangeSweep } from './sweep.ts'
import { removeStale } from '#server/accounts/sweep.ts'
import { buildApp } from '#server/app.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aMember, aServer, aSession, aTitle, settleChanges } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { byArea, type Change } from '#shared/contracts/changes.ts'
import { allKinds, kinds } from '#shared/domain/kinds.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const day = 24 * 60 * 60_000

async function newCursor(member: Member) {
  await settleChanges(db)
  const { changes, nextCursor, hasMore } = await as(member).changes.list({})
  expect({ changes, hasMore }).toEqual({ changes: [], hasMore: false })
  return nextCursor
}
async function changesSince(member: Member, cursor: string) {
  await settleChanges(db)
  const { changes } = await as(member).changes.list({ since: cursor })
  return changes.map(({ area, action, id, itemId }) => ({ area, action, id, itemId }))
}

test('each own review, diary entry, favorite and follow is listed with what it is now', async () => {
  const [member, other] = [await aMember(db), await aMember(db)]
  const movieId = await aTitle(db, 'movie', 'Before the Changes')
  const since = await newCursor(member)
  const call = as(member)
  const { review } = await call.reviews.save({ movieId, rating: 4, text: 'First.' })
  const { entry } = await call.diary.create({ movieId, status: 'want' })
  await call.favoriteMovies.add({ movieId })
  await call.social.follow({ userIdToFollow: other.id })
  await call.reviews.edit({ id: review.id, rating: 5 })
  // None of these is a change of the member's own.
  await as(other).reviews.react({ id: review.id, reaction: 'like' })
  await as(other).reviews.addComment({ id: review.id, text: 'Yes.' })
  await as(other).reviews.save({ movieId, rating: 1 })
  // Neither is an edit that changes nothing.
  await call.reviews.edit({ id: review.id, rating: 5 })

  await settleChanges(db)
  const { changes, hasMore } = await call.changes.list({ since })
  expect(hasMore).toBe(false)
  const title = { id: movieId, kind: 'movie', name: 'Before the Changes', imageUrl: null, releaseYear: null }
  const shown = (await call.reviews.byId({ id: review.id })).review
  expect(shown).toMatchObject({ rating: 5, likeCount: 1, commentCount: 1 })
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
  expect(changes).toEqual([
    { area: 'review', action: 'created', id: review.id, at, itemId: movieId, review: { ...shown, title } },
    {
      area: 'diary',
      action: 'created',
      id: entry.id,
      at,
      itemId: movieId,
      entry: { ...entry, rating: 5 },
    },
    { area: 'favorite', action: 'created', id: movieId, at, itemId: movieId, title },
    {
      area: 'follow',
      action: 'created',
      id: other.id,
      at,
      user: { id: other.id, username: other.username, profilePicture: null },
    },
    { area: 'review', action: 'updated', id: review.id, at, itemId: movieId, review: { ...shown, title } },
  ])

  const later = (await call.changes.list({ since })).nextCursor
  await call.reviews.remove({ id: review.id })
  await call.diary.remove({ id: entry.id })
  await call.favoriteMovies.remove({ id: movieId })
  await call.social.unfollow({ userIdToUnfollow: other.id })
  await settleChanges(db)
  const deleted = (await call.changes.list({ since: later })).changes
  expect(deleted).toEqual([
    { area: 'review', action: 'deleted', id: review.id, at, itemId: movieId },
    { area: 'diary', action: 'deleted', id: entry.id, at, itemId: movieId },
    { area: 'favorite', action: 'deleted', id: movieId, at, itemId: movieId },
    { area: 'follow', action: 'deleted', id: other.id, at },
  ])
  // Read from the start, the log reports nothing that no longer exists.
  expect((await call.changes.list({ since })).changes.map(({ action }) => action)).toEqual(
    Array.from({ length: 9 }, () => 'deleted'),
  )
})

test('what disappears with a title or with another account is listed as deleted', async () => {
  const [member, other] = [await aMember(db), await aMember(db)]
  const bookId = await aTitle(db, 'book')
  const { review } = await as(member).reviews.save({ bookId, rating: 4 })
  await as(member).favoriteBooks.add({ bookId })
  await as(member).social.follow({ userIdToFollow: other.id })
  const since = await newCursor(member)
  await db.deleteFrom('media').where('id', '=', bookId).execute()
  await db.deleteFrom('users').where('id', '=', other.id).execute()
  const changes = await changesSince(member, since)
  expect(changes).toHaveLength(3)
  expect(changes).toEqual(
    expect.arrayContaining([
      { area: 'review', action: 'deleted', id: review.id, itemId: bookId },
      { area: 'favorite', action: 'deleted', id: bookId, itemId: bookId },
      { area: 'follow', action: 'deleted', id: other.id, itemId: undefined },
    ]),
  )
})

test('a cursor stays valid when the newest changes are removed with another account', async () => {
  const [member, other] = [await aMember(db), await aMember(db)]
  const movieId = await aTitle(db)
  await as(other).favoriteMovies.add({ movieId })
  const since = await newCursor(member)
  await db.deleteFrom('users').where('id', '=', other.id).execute()
  expect(await changesSince(member, since)).toEqual([])
  await as(member).favoriteMovies.add({ movieId })
  expect(await changesSince(member, since)).toMatchObject([{ area: 'favorite', action: 'created' }])
})

test('the log of an account is deleted with it', async () => {
  const member = await aMember(db)
  const movieId = await aTitle(db)
  await as(member).reviews.save({ movieId, rating: 4 })
  await as(member).favoriteMovies.add({ movieId })
  await db.updateTable('users').set({ verified_at: null }).where('id', '=', member.id).execute()
  await removeStale(db, features, new Date(Date.now() + 700 * day))
  const rows = await db.selectFrom('changes').select('id').where('user_id', '=', member.id).execute()
  expect(rows).toEqual([])
})

test('a member sees no changes of others, also with a cursor of theirs', async () => {
  const [member, other] = [await aMember(db), await aMember(db)]
  const since = await newCursor(other)
  await as(other).reviews.save({ movieId: await aTitle(db), rating: 4 })
  expect(await changesSince(member, since)).toEqual([])
  await expect(as(null).changes.list({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test(
  'a copy that follows 1,000 random changes, with lost responses, ends equal',
  { timeout: 180_000 },
  async () => {
    const random = seeded(16)
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
    const member = await aMember(db)
    const people = [await aMember(db), await aMember(db), await aMember(db)]
    const titles: { kind: (typeof allKinds)[number]['kind']; id: number }[] = []
    for (const { kind } of allKinds)
      for (let at = 0; at < 3; at++) titles.push({ kind, id: await aTitle(db, kind) })
    const call = as(member)
    const changeSomething = async () => {
      const { kind, id } = pick(titles)
      const { idKey, favorites } = kinds[kind]
      const review = await db
        .selectFrom('reviews')
        .select('id')
        .where('user_id', '=', member.id)
        .where('media_id', '=', id)
        .executeTakeFirst()
      const { entries } = await call.diary.mine({ itemId: id })
      switch (Math.floor(random() * 8)) {
        case 0:
        case 1:
          return call.reviews.save({
            itemId: id,
            rating: 1 + Math.floor(random() * 5),
            text: pick(['', 'A.', 'B.']),
          })
        case 2:
          return review && call.reviews.remove(review)
        case 3:
          return entries[0]
            ? call.diary.edit({ id: entries[0].id, text: `Note ${Math.floor(random() * 9)}` })
            : call.diary.create({ itemId: id, status: 'want' })
        case 4:
          return entries[0] && call.diary.remove({ id: entries[0].id })
        case 5:
          return random() < 0.6
            ? call[favorites.router].add({ [idKey]: id } as never)
            : call[favorites.router].remove({ id })
        case 6:
          return call.social.follow({ userIdToFollow: pick(people).id })
        default:
          return call.social.unfollow({ userIdToUnfollow: pick(people).id })
      }
    }

    const copy = new Map<string, unknown>()
    const apply = ({ area, action, id, at: _at, itemId: _itemId, ...thing }: Change) =>
      action === 'deleted' ? copy.delete(`${area} ${id}`) : copy.set(`${area} ${id}`, thing)
    let cursor = await newCursor(member)
    const poll = async () => {
      for (;;) {
        const page = await call.changes.list({ since: cursor, limit: 1 + Math.floor(random() * 20) })
        // The response is lost, or only a part of it is applied before the client stops: it reads from the old cursor again.
        if (random() < 0.3) {
          for (const change of page.changes.slice(0, Math.floor(random() * 5))) apply(change)
          continue
        }
        for (const change of page.changes) apply(change)
        cursor = page.nextCursor
        if (!page.hasMore) return
      }
    }
    for (let count = 0; count < 1_000; count++) {
      await changeSomething()
      if (random() < 0.1) await poll()
    }
    await settleChanges(db)
    await poll()

    const expected = new Map<string, unknown>()
    for (const { title, ...review } of (await call.reviews.ofMe({ limit: 100 })).reviews)
      expected.set(`review ${review.id}`, { review: { ...review, title } })
    for (const { id } of titles)
      for (const entry of (await call.diary.mine({ itemId: id })).entries)
        expected.set(`diary ${entry.id}`, { entry })
    for (const { kind, id } of titles)
      if ((await call[kinds[kind].favorites.router].isFavorite({ id })).isFavorite)
        expected.set(`favorite ${id}`, { title: expect.objectContaining({ id, kind }) as unknown })
    for (const { id, username, profilePicture } of (await call.social.following({ id: member.id })).users)
      expected.set(`follow ${id}`, { user: { id, username, profilePicture } })
    expect([...copy.keys()].sort()).toEqual([...expected.keys()].sort())
    for (const [key, thing] of expected) {
      // The rating of a diary entry is the review’s, so its change is listed as a change of the review.
      if (key.startsWith('diary'))
        (copy.get(key) as { entry: { rating: unknown } }).entry.rating = expect.anything()
      else expect(copy.get(key)).toEqual(thing)
    }
  },
)

test.runIf(!isSqlite(db))('a change that commits after a later one is not skipped', async () => {
  const member = await aMember(db)
  const [first, second] = [await aTitle(db), await aTitle(db)]
  const since = await newCursor(member)
  const call = as(member)
  const favorite = (media_id: number) => ({
    user_id: member.id,
    media_id,
    kind: 'movie' as const,
    created_at: '2026-01-01T00:00:00.000Z',
  })
  let cursor = since
  const seen: number[] = []
  const poll = async () => {
    const page = await call.changes.list({ since: cursor })
    seen.push(...page.changes.map(({ id }) => id))
    cursor = page.nextCursor
  }
  await db.transaction().execute(async (slow) => {
    await slow.insertInto('favorites').values(favorite(first)).execute()
    await db.insertInto('favorites').values(favorite(second)).execute()
    await poll()
    expect(seen).toEqual([])
  })
  await settleChanges(db)
  await poll()
  expect(seen).toEqual([first, second])
})

test('a cursor is valid for 90 days after the last request', async () => {
  const member = await aMember(db)
  const movieId = await aTitle(db)
  const start = Date.now()
  const listAt = (days: number, since?: string, limit?: number) =>
    as(member, { now: new Date(start + days * day) }).changes.list({ since, limit })
  const { nextCursor: first } = await listAt(0)
  await as(member).favoriteMovies.add({ movieId })
  await settleChanges(db)
  const { nextCursor: second, changes } = await listAt(89, first)
  expect(changes).toHaveLength(1)
  expect((await listAt(178, second)).changes).toEqual([])
  // After a page that is followed by others, the client has not read all changes.
  await as(member).favoriteMovies.add({ movieId: await aTitle(db) })
  await settleChanges(db)
  const page = await listAt(89, first, 1)
  expect(page.hasMore).toBe(true)
  expect((await listAt(89, page.nextCursor, 1)).hasMore).toBe(false)
  await expect(listAt(91, page.nextCursor)).rejects.toMatchObject({ reason: 'CURSOR_EXPIRED' })
  for (const days of [91, 500])
    await expect(listAt(days, first)).rejects.toMatchObject({ code: 'BAD_REQUEST', reason: 'CURSOR_EXPIRED' })
})

test('the sweep removes changes older than 90 days, and the oldest ones beyond the limit of an area', async () => {
  const member = await aMember(db)
  const rowsOf = () =>
    db
      .selectFrom('changes')
      .select(['area', 'thing_id'])
      .where('user_id', '=', member.id)
      .orderBy('id')
      .execute()
  const ids = []
  for (let count = 0; count < 5; count++) ids.push(await aTitle(db))
  for (const movieId of ids) await as(member).favoriteMovies.add({ movieId })
  await as(member).reviews.save({ movieId: ids[0]!, rating: 3 })
  const sweep = openChangeSweep(db, 2)
  await sweep(new Date())
  expect(await rowsOf()).toMatchObject([
    { area: 'favorite', thing_id: ids[3] },
    { area: 'favorite', thing_id: ids[4] },
    { area: 'review' },
  ])
  await as(member).favoriteMovies.remove({ id: ids[3]! })
  await sweep(new Date(Date.now() + 90 * day))
  expect(await rowsOf()).toMatchObject([{ thing_id: ids[4] }, { area: 'review' }, { thing_id: ids[3] }])
  await sweep(new Date(Date.now() + 92 * day))
  expect(await rowsOf()).toEqual([])
})

test('a cursor from before the changes that an area keeps is expired', async () => {
  const member = await aMember(db)
  const since = await newCursor(member)
  const row = (id: number) => ({ user_id: member.id, area: 'favorite', action: 'deleted', thing_id: id })
  await withoutWatch(() =>
    insertMany(
      db,
      'changes',
      Array.from({ length: 50_000 }, (_, at) => row(at + 1)),
    ),
  )
  await settleChanges(db)
  await expect(as(member).changes.list({ since })).rejects.toMatchObject({ reason: 'CURSOR_EXPIRED' })
  // A client that continues from there has read all earlier changes.
  const position = await db
    .selectFrom('changes')
    .select(['xid', 'id'])
    .where('user_id', '=', member.id)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const cursor = Buffer.from(JSON.stringify([position.xid, position.id, Date.now()])).toString('base64url')
  expect((await as(member).changes.list({ since: cursor })).changes[0]!.id).toBe(2)
})

test.each([
  '',
  'WzFd',
  'x'.repeat(300),
  Buffer.from('[-1,2,3]').toString('base64url'),
  Buffer.from('["a",2,3]').toString('base64url'),
])('the cursor %j is refused', async (since) => {
  const member = await aMember(db)
  await expect(as(member).changes.list({ since })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('a cursor from after the end of the log, as after restoring a backup, is expired', async () => {
  const position = isSqlite(db) ? [0, 9_999_999] : [9_999_999, 0]
  const since = Buffer.from(JSON.stringify([...position, Date.now()])).toString('base64url')
  await expect(as(await aMember(db)).changes.list({ since })).rejects.toMatchObject({
    reason: 'CURSOR_EXPIRED',
  })
})

test('the activity has a time per area and an ETag that changes with them', async () => {
  const member = await aMember(db)
  expect(await as(member).changes.activity()).toEqual(byArea(() => null))
  const app = await buildApp({ ...server.services }, { web: noWeb })
  const token = await aSession(db, member)
  const get = (etag?: string) =>
    app.inject({
      url: '/users/me/activity',
      headers: { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) },
    })
  const first = await get()
  expect(first.statusCode).toBe(200)
  const etag = first.headers.etag as string
  const second = await get(etag)
  expect([second.statusCode, second.body]).toEqual([304, ''])
  await as(member).favoriteMovies.add({ movieId: await aTitle(db) })
  await settleChanges(db)
  const third = await get(etag)
  expect(third.statusCode).toBe(200)
  expect(third.json()).toMatchObject({ reviews: null, favorites: expect.any(String) as string })
  await app.close()
})
