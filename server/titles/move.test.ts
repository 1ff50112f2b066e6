import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { seeded } from '#scripts/testing/random.ts'
import type { Member } from '#server/calls/context.ts'
import { diaryStatuses } from '#shared/domain/kinds.ts'
import { aMember, aServer, aTitle, findCounterFaults } from '#server/testing.ts'
import { features } from '#server/router.ts'
import { isTitleUsed, moveTitle, removeTitle } from './move.ts'
import { insertParts, listParts } from './parts-store.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })

const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 4, 1, 12, minute)) })
const move = (from: number, to: number) =>
  db.transaction().execute((trx) => moveTitle(features, trx, from, to))
const remove = (id: number) => db.transaction().execute((trx) => removeTitle(features, trx, id))
const registered = features.flatMap(({ titles }) => titles?.tables ?? [])
/** The history of members, whose rows keep the id of the title that they were about. */
const histories = ['changes', 'webhook_deliveries']

const noDetails = { release_date: null, runtime: null, source: 'tmdb' }

/** Returns the tables with rows of a title. */
async function tablesOf(titleId: number): Promise<string[]> {
  const found: string[] = []
  for (const table of registered) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where media_id = ${titleId} limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(table)
  }
  return found.sort()
}

const review = (member: Member, titleId: number) =>
  db
    .selectFrom('reviews')
    .selectAll()
    .where('user_id', '=', member.id)
    .where('media_id', '=', titleId)
    .executeTakeFirstOrThrow()
const entriesOf = (member: Member) =>
  db.selectFrom('diary_entries').selectAll().where('user_id', '=', member.id).orderBy('id').execute()

test('every table with the id of a title is registered by one feature: `titles` of server/<feature>/feature.ts', async () => {
  const tables = (await db.introspection.getTables())
    .filter(({ columns }) => columns.some(({ name }) => ['media_id', 'item_id'].includes(name)))
    .map(({ name }) => name)
  expect([...registered, ...histories].sort()).toEqual(tables.sort())
})

test('a table of a title either has what members keep of it, or is listed here: `isUsed` of server/<feature>/title-rows.ts', () => {
  const { sql: condition } = sql`select ${isTitleUsed(features)}`.compile(db)
  const ofNobody = [
    'external_ids',
    'story_titles',
    'title_facets',
    'title_names',
    'parts',
    'part_checks',
    'announced_seasons',
    'offers',
    'offer_checks',
    'rating_counts',
  ]
  const ofImports = ['past_writes', 'import_titles', 'import_keys', 'import_changes']
  // Nothing that anybody sees.
  const removed = ['removed_reviews']
  const used = registered.filter((table) => new RegExp(`from "?${table}"?\\b`).test(condition))
  expect([...used, ...ofNobody, ...ofImports, ...removed].sort()).toEqual([...registered].sort())
})

test('rows do not move to another kind, to the title itself, or to a title that does not exist', async () => {
  const [movie, book] = [await aTitle(db), await aTitle(db, 'book')]
  for (const to of [book, movie, 999_999_999])
    await expect(move(movie, to)).rejects.toThrow('Rows move between two titles of one kind.')
})

describe('a member with rows of both titles', () => {
  test('keeps the review with a text, with the newer rating and the replies to both', async () => {
    const [author, reader, other] = [await aMember(db), await aMember(db), await aMember(db)]
    const [from, to] = [await aTitle(db), await aTitle(db)]
    const { review: rated } = await as(author, at(5)).reviews.save({ movieId: from, rating: 2 })
    const { review: written } = await as(author, at(1)).reviews.save({
      movieId: to,
      rating: 5,
      text: 'The text.',
    })
    for (const id of [rated.id, written.id]) {
      await as(reader, at(6)).reviews.react({ id, reaction: 'like' })
      await as(reader, at(6)).reviews.addComment({ id, text: `About ${id}.`, hasSpoilers: false })
    }
    await as(other, at(6)).reviews.react({ id: rated.id, reaction: 'dislike' })

    await move(from, to)
    expect(await review(author, to)).toMatchObject({
      id: written.id,
      rating: 20,
      text: 'The text.',
      rated_at: at(5).now.toISOString(),
      updated_at: at(1).now.toISOString(),
      comment_count: 2,
      like_count: 1,
      dislike_count: 1,
    })
    expect(await entriesOf(author)).toEqual([])
    expect(await tablesOf(from)).toEqual(['title_facets'])
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('keeps the newer of two texts as the review, and the other one as the note of an entry', async () => {
    const [author, watcher] = [await aMember(db), await aMember(db)]
    const [from, to] = [await aTitle(db), await aTitle(db)]
    for (const member of [author, watcher]) {
      await as(member, at(1)).reviews.save({ movieId: from, rating: 1, text: 'Older.' })
      await as(member, at(2)).reviews.save({ movieId: to, rating: 4, text: 'Newer.' })
    }
    await as(watcher, at(3)).diary.create({ itemId: from, status: 'finished', finishedOn: '2026-04-01' })

    await move(from, to)
    for (const member of [author, watcher]) {
      expect(await review(member, to)).toMatchObject({ rating: 40, text: 'Newer.' })
      const [entry, ...others] = await entriesOf(member)
      expect(entry).toMatchObject({
        media_id: to,
        status: 'finished',
        finished_on: member === watcher ? '2026-04-01' : null,
        text: 'Older.',
        rating_given: '1/5',
      })
      expect(others).toEqual([])
    }
  })

  test('keeps one entry on the want list and one under way, with the notes of both', async () => {
    const member = await aMember(db)
    const [from, to] = [await aTitle(db), await aTitle(db)]
    const { entry: older } = await as(member, at(1)).diary.create({
      itemId: from,
      status: 'want',
      text: 'A.',
    })
    await as(member, at(2)).diary.create({ itemId: to, status: 'want', text: 'B.' })
    await as(member, at(3)).diary.create({ itemId: from, status: 'paused', startedOn: '2026-01-01' })
    const { entry: later } = await as(member, at(4)).diary.create({
      itemId: to,
      status: 'started',
      text: 'C.',
    })
    await as(member, at(5)).diary.create({ itemId: from, status: 'finished' })

    await move(from, to)
    expect(await entriesOf(member)).toMatchObject([
      { id: older.id, media_id: to, status: 'want', text: 'A.\n\nB.' },
      { id: later.id, media_id: to, status: 'started', started_on: '2026-01-01', text: 'C.' },
      { media_id: to, status: 'finished' },
    ])
  })

  test('keeps one favorite, and one title of a list with a note', async () => {
    const member = await aMember(db)
    const [from, to] = [await aTitle(db), await aTitle(db)]
    for (const movieId of [from, to]) await as(member).favoriteMovies.add({ movieId })
    const { list } = await as(member).lists.create({ title: 'Both', visibility: 'public' })
    for (const itemId of [to, from]) await as(member).lists.addItem({ id: list.id, itemId })
    await as(member).lists.editItem({ id: list.id, itemId: from, note: 'A note.' })

    await move(from, to)
    const { items } = await as(member).lists.items({ id: list.id })
    expect(items).toMatchObject([{ title: { id: to }, note: 'A note.' }])
    expect(await tablesOf(to)).toEqual(['favorites', 'list_items', 'title_facets'])
    expect(await tablesOf(from)).toEqual(['title_facets'])
    expect(await findCounterFaults(db)).toEqual([])
  })
})

test('what decisions removed and what imports wrote moves with its title', async () => {
  const [member, both] = [await aMember(db), await aMember(db)]
  const [from, to] = [await aTitle(db), await aTitle(db)]
  const moderator = await aMember(db)
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
  const call = as({ ...moderator, role: 'moderator' }).moderation
  const decisions: number[] = []
  for (const [author, movieId] of [
    [member, from],
    [both, from],
    [both, to],
  ] as const) {
    const { review } = await as(author).reviews.save({ movieId, rating: 1, text: `About ${movieId}.` })
    const opened = await call.open({ target: { type: 'review', id: review.id } })
    const decided = await call.decide({
      id: opened.case.id,
      action: 'remove',
      keepsRating: false,
      reason: 'Spam.',
    })
    decisions.push(decided.decisionId)
  }
  const imported = await db
    .insertInto('imports')
    .values({
      user_id: member.id,
      service: 'csv',
      file_name: 'a.csv',
      file_hash: '',
      options: '{}',
      facts: '{}',
      state: 'done',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = {
    import_id: imported.id,
    user_id: member.id,
    media_id: from,
    title_id: null,
    before: null,
    after: '{}',
  }
  await db
    .insertInto('import_changes')
    .values((['favorite', 'title'] as const).map((what) => ({ ...own, what, target_id: from })))
    .execute()
  await db
    .insertInto('import_keys')
    .values({ user_id: member.id, key: 'a', media_id: from, import_id: imported.id })
    .execute()

  await move(from, to)
  const kept = await db.selectFrom('removed_reviews').selectAll().orderBy('review_id').execute()
  expect(kept.map(({ user_id, media_id }) => [user_id, media_id])).toEqual([
    [member.id, to],
    [both.id, to],
  ])
  const changes = await db
    .selectFrom('import_changes')
    .select(['what', 'media_id', 'target_id'])
    .orderBy('id')
    .execute()
  // Its undo must not remove the other title.
  expect(changes).toEqual([
    { what: 'favorite', media_id: to, target_id: to },
    { what: 'title', media_id: from, target_id: from },
  ])
  await expect(as(member).reviews.save({ movieId: to, rating: 5 })).rejects.toThrow()
  for (const decisionId of decisions) await call.undo({ id: decisionId })
  expect(await review(member, to)).toMatchObject({ rating: 10, text: `About ${from}.` })
  expect(await review(both, to)).toMatchObject({ rating: 10, text: `About ${to}.` })
  expect(await findCounterFaults(db)).toEqual([])
})

test('clients that keep a copy learn that a review and an entry moved', async () => {
  const member = await aMember(db)
  const [from, to] = [await aTitle(db), await aTitle(db)]
  const { nextCursor: start } = await as(member).changes.list({})
  const { review: saved } = await as(member).reviews.save({ movieId: from, rating: 3 })
  const { entry } = await as(member).diary.create({ itemId: from, status: 'finished' })
  // On Postgres, a change is listed once all earlier transactions of the server have ended, including the transactions of other tests.
  const since = await vi.waitFor(async () => {
    const { changes, nextCursor } = await as(member).changes.list({ since: start })
    expect(changes).toHaveLength(2)
    return nextCursor
  })
  await move(from, to)
  await vi.waitFor(async () =>
    expect((await as(member).changes.list({ since })).changes).toMatchObject([
      { area: 'diary', action: 'updated', id: entry.id },
      { area: 'review', action: 'updated', id: saved.id },
    ]),
  )
})

test.each([1, 2])(
  'whatever members have of two titles, nothing is left of the first, and all counters are exact (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const below = (limit: number) => Math.floor(random() * limit)
    const [from, to] = [await aTitle(db), await aTitle(db)]
    const members = await Promise.all(Array.from({ length: 8 }, () => aMember(db)))
    const reviewIds: number[] = []
    for (const member of members)
      for (const movieId of [from, to]) {
        const call = as(member, at(below(50)))
        if (random() < 0.7) {
          const text = random() < 0.6 ? `Text ${below(3)}.` : ''
          const saved = await call.reviews.save({ movieId, rating: 1 + below(5), text })
          reviewIds.push(saved.review.id)
        }
        for (const status of diaryStatuses)
          if (random() < 0.4) await call.diary.create({ itemId: movieId, status }).catch(() => undefined)
        if (random() < 0.4) await call.favoriteMovies.add({ movieId })
        if (random() < 0.4) {
          const { list } = await call.lists.create({ title: 'Some', visibility: 'public' })
          for (const itemId of random() < 0.5 ? [from, to] : [movieId])
            await call.lists.addItem({ id: list.id, itemId })
        }
        for (const id of reviewIds) {
          if (random() < 0.2) await call.reviews.react({ id, reaction: random() < 0.5 ? 'like' : 'dislike' })
          if (random() < 0.2) await call.reviews.addComment({ id, text: 'Hm.', hasSpoilers: false })
        }
      }
    await db
      .insertInto('external_ids')
      .values([
        { source: 'imdb', external_id: `tt00000${seed}`, media_id: from },
        { source: 'tmdb-movie', external_id: `${seed}`, media_id: to },
      ])
      .execute()
    await db
      .insertInto('story_titles')
      .values([from, to].map((media_id) => ({ story: `Story ${seed}`, media_id })))
      .execute()
    const season = async (media_id: number, number: number) => {
      const part = { media_id, type: 'season', number, parent_id: null, ...noDetails } as const
      return [...(await insertParts(db, [part])).values()][0]!
    }
    const first = await season(from, 1)
    const own = [await season(to, 1), await season(from, 2)]
    for (const parent_id of [first, own[1]!])
      await insertParts(db, [{ media_id: from, type: 'episode', number: 1, parent_id, ...noDetails }])
    const rated = await db
      .selectFrom('reviews')
      .select('user_id')
      .distinct()
      .where('media_id', 'in', [from, to])
      .execute()
    const comments = () =>
      db
        .selectFrom('comments')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    const before = await comments()

    await move(from, to)
    expect(await tablesOf(from)).toEqual(['title_facets'])
    expect(await findCounterFaults(db)).toEqual([])
    expect(await comments()).toEqual(before)
    const { stats } = await as().movies.byId({ id: to })
    expect(stats.count).toBe(rated.length)
    const parts = await listParts(db, to)
    expect(parts.map(({ id, type, parent_id }) => (type === 'season' ? id : `within ${parent_id}`))).toEqual([
      ...own,
      ...own.map((id) => `within ${id}`),
    ])
    const ids = await db.selectFrom('external_ids').select('source').where('media_id', '=', to).execute()
    expect(ids.map(({ source }) => source).sort()).toEqual(['imdb', 'tmdb-movie'])

    await remove(to)
    expect(await tablesOf(to)).toEqual([])
    expect(await findCounterFaults(db)).toEqual([])
  },
)
