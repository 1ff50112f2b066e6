import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { saveSeasons, someEpisodes } from '#scripts/testing/episodes.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { seeded } from '#scripts/testing/random.ts'
import { variation } from '#scripts/testing/variation.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import { aTitle, findCounterFaults, recountAll } from '#server/testing.ts'

/** Ratings and reviews of seasons and episodes, from the upload to the undo. The starter catalogue has the episodes of Breaking Bad. */
const server = await anImportServer()
const { db, newCaller, upload, work } = server

const sample = (path: string) => readFileSync(join(import.meta.dirname, 'fixtures', path))

async function aMember() {
  const caller = await newCaller()
  const call = server.as(caller)
  const byId = async (id: number) => (await call.imports.byId({ id })).import
  const after = (change: (id: number) => Promise<unknown>) => async (id: number) => {
    await change(id)
    await work()
    return byId(id)
  }
  return {
    caller,
    call,
    byId,
    async rehearse(file: string | Buffer) {
      // The server reads files in another process.
      const id = await withoutWatch(() => upload(caller, file))
      await work()
      return byId(id)
    },
    update: (id: number, options: object) => after(() => call.imports.update({ id, ...options }))(id),
    apply: after((id) => call.imports.start({ id })),
    undo: after((id) => call.imports.undo({ id })),
    /** As `2×5 4 “A text”`; a season has no number. */
    async reviews() {
      const rows = await db
        .selectFrom('reviews')
        .innerJoin('parts', 'parts.id', 'reviews.part_id')
        .select(['parts.season', 'parts.number', 'parts.type', 'rating', 'rating_given', 'text', 'rated_at'])
        .where('user_id', '=', caller.id)
        .execute()
      const shown = rows.map(({ type, season, number, rating, rating_given, text, rated_at }) =>
        [
          type === 'season' ? `season ${number}` : `${season}×${number}`,
          rating / 10,
          rating_given ?? '–',
          rated_at.slice(0, 10),
          text && `“${text}”`,
        ]
          .filter(Boolean)
          .join(' '),
      )
      return shown.sort()
    },
    async titleReviews() {
      const rows = db.selectFrom('reviews').select('rating').where('user_id', '=', caller.id)
      return (await rows.where('media_id', 'is not', null).execute()).map(({ rating }) => rating / 10)
    },
    async rows() {
      const rows = await db.selectFrom('reviews').selectAll().where('user_id', '=', caller.id).execute()
      return rows.map((row) => JSON.stringify({ ...row, id: 0, wrote_at: null })).sort()
    },
  }
}
type Member = Awaited<ReturnType<typeof aMember>>

let tmdbId = 880_000
async function aShow() {
  const id = await aTitle(db, 'tvShow', `Show ${++tmdbId}`)
  const ids = { source: 'tmdb-tv', external_id: String(tmdbId), media_id: id } as const
  await db.insertInto('external_ids').values(ids).execute()
  return { id, name: `Show ${tmdbId}`, tmdb: tmdbId }
}

type Show = Awaited<ReturnType<typeof aShow>>
const traktShow = ({ name, tmdb }: Show) => ({ title: name, year: 2020, ids: { trakt: tmdb, tmdb } })
const rated = (show: Show, season: number, number: number | null, rating: unknown, ids = {}) => ({
  rated_at: '2024-02-15T23:30:00.000Z',
  rating,
  show: traktShow(show),
  ...(number === null
    ? { type: 'season', season: { number: season, ids } }
    : { type: 'episode', episode: { season, number, title: 'A name', ids } }),
})
type Rated = ReturnType<typeof rated>

const trakt = (episodes: readonly Rated[], seasons: readonly Rated[] = []) =>
  zipOf({
    'ratings-episodes.json': JSON.stringify(episodes),
    'ratings-seasons.json': JSON.stringify(seasons),
  })

async function checkCounters() {
  expect(await findCounterFaults(db)).toEqual([])
}

async function checkAgain(member: Member, file: string | Buffer) {
  const again = await member.rehearse(file)
  expect(again).toMatchObject({ changes: 0, parts: { partReviews: 0 } })
}

describe('Trakt', () => {
  test('ratings of seasons and episodes are counted, come along, and go again with an undo', async () => {
    const show = await aShow()
    await someEpisodes(db, show.id)
    const member = await aMember()
    const file = trakt(
      [
        rated(show, 1, 1, 9),
        rated(show, 1, 2, 7),
        rated(show, 0, 1, 10),
        // By its id at TMDB: the season has another order there.
        rated(show, 9, 9, 2, { tmdb: 0 }),
        rated(show, 7, 3, 8),
      ],
      [rated(show, 1, null, 8), rated(show, 5, null, 8)],
    )
    const rehearsed = await member.rehearse(file)
    expect(rehearsed).toMatchObject({
      changes: 1,
      unknownEpisodes: 3,
      notKept: [],
      parts: { ratings: 0, reviews: 0, partReviews: 4 },
      halfStars: { count: 2, turnsOn: true },
    })
    const { titles } = await member.call.imports.titles({ id: rehearsed.id })
    expect(titles[0]!.notes).toEqual([
      'Seasons that are not known here: 5',
      'Episodes that are not known here: 7×3, 9×9',
    ])
    expect(titles[0]!.verdicts).toEqual({ partReviews: 'new' })
    expect(await member.reviews()).toEqual([])

    expect((await member.apply(rehearsed.id)).parts).toMatchObject({ ratings: 0, partReviews: 4 })
    expect(await member.reviews()).toEqual([
      '0×1 5 10/10 2024-02-15',
      '1×1 4.5 9/10 2024-02-15',
      '1×2 3.5 7/10 2024-02-15',
      'season 1 4 8/10 2024-02-15',
    ])
    expect(await member.titleReviews()).toEqual([])
    const { seasons } = await member.call.progress.seasons({ id: show.id })
    expect(seasons[1]).toMatchObject({ avg: 4, count: 1, mine: { rating: 4 } })
    await checkCounters()
    await checkAgain(member, file)

    expect((await member.call.imports.previewUndo({ id: rehearsed.id })).removes).toMatchObject({
      reviews: 0,
      partReviews: 4,
    })
    expect((await member.undo(rehearsed.id)).parts.partReviews).toBe(0)
    expect(await member.rows()).toEqual([])
    await checkCounters()
  })

  test('a rating of the member stays unless the file wins, and an undo brings it back as it was', async () => {
    const show = await aShow()
    const [, first, second, third] = (await someEpisodes(db, show.id)) as [number, number, number, number]
    const member = await aMember()
    await member.call.reviews.save({ episodeId: first, rating: 2, text: 'Mine.' })
    await member.call.reviews.save({ episodeId: second, rating: 4 })
    const before = await member.rows()
    const file = trakt([rated(show, 1, 1, 10), rated(show, 1, 2, 8), rated(show, 1, 3, 6)])
    const { id, counts, parts } = await member.rehearse(file)
    expect([counts, parts.partReviews]).toEqual([{ conflict: 1 }, 1])
    const won = await member.update(id, { conflicts: 'file' })
    expect(won.parts.partReviews).toBe(2)
    await member.apply(id)
    expect((await member.reviews()).map((one) => one.slice(0, 6))).toEqual(['1×1 5 ', '1×2 4 ', '1×3 3 '])
    await checkAgain(member, file)
    // Rated again since: stays.
    await member.call.reviews.save({ episodeId: third, rating: 1 })
    expect(await member.call.imports.previewUndo({ id })).toMatchObject({ keepsCount: 1, restores: 1 })
    await member.undo(id)
    const left = await member.rows()
    expect(left).toHaveLength(3)
    expect(left).toEqual(expect.arrayContaining(before))
    await checkCounters()
  })

  test('a rating that the member has deleted since does not come back by itself', async () => {
    const show = await aShow()
    const [, first] = (await someEpisodes(db, show.id)) as [number, number]
    const member = await aMember()
    const file = trakt([rated(show, 1, 1, 10), rated(show, 1, 2, 8)])
    await member.apply((await member.rehearse(file)).id)
    const { review } = await member.call.reviews.mine({ episodeId: first })
    // They are not among what is said about the show as a whole.
    expect((await member.call.imports.origins({ itemId: show.id })).writes).toEqual([])
    expect((await member.call.imports.reviewOrigin({ id: review.id })).writes).toMatchObject([
      { what: 'review', id: review.id, lines: [{ given: '10/10' }], after: { rating: 5 }, isCurrent: true },
    ])
    await member.call.reviews.remove({ id: review.id })
    const again = await member.rehearse(file)
    expect([again.counts, again.parts.partReviews]).toEqual([{ conflict: 1 }, 0])
    // A newer rating at the service replaces what the import wrote.
    const newer = await member.rehearse(trakt([rated(show, 1, 2, 4)]))
    expect([newer.counts, newer.parts.partReviews]).toEqual([{ newer: 1 }, 1])
    await member.apply(newer.id)
    expect(await member.reviews()).toEqual(['1×2 2 4/10 2024-02-15'])
    await member.undo(newer.id)
    expect(await member.reviews()).toEqual(['1×2 4 8/10 2024-02-15'])
    await checkCounters()
  })

  test('halves that were rounded to whole stars are restored', async () => {
    const show = await aShow()
    await someEpisodes(db, show.id)
    const member = await aMember()
    const { id } = await member.rehearse(trakt([rated(show, 1, 1, 9)], [rated(show, 2, null, 5)]))
    await member.update(id, { halfStars: false })
    await member.apply(id)
    const whole = await member.rows()
    expect(await member.reviews()).toEqual(['1×1 5 9/10 2024-02-15', 'season 2 3 5/10 2024-02-15'])
    expect((await member.call.imports.originals()).count).toBe(2)
    const { import: originals } = await member.call.imports.restoreOriginals()
    await work()
    expect(await member.reviews()).toEqual(['1×1 4.5 9/10 2024-02-15', 'season 2 2.5 5/10 2024-02-15'])
    await checkAgain(member, trakt([rated(show, 1, 1, 9)], [rated(show, 2, null, 5)]))
    await member.undo(originals.id)
    expect(await member.rows()).toEqual(whole)
    await member.undo(id)
    expect(await member.rows()).toEqual([])
    await checkCounters()
  })

  test('numbers, ratings and dates that cannot be are left out, and nothing goes to the show itself', async () => {
    const show = await aShow()
    await someEpisodes(db, show.id)
    const member = await aMember()
    const wrong = [-1, 1.5, 1e9, '1; drop', '', null, {}, Number.MAX_SAFE_INTEGER]
    const file = trakt(
      [
        ...wrong.map((number) => rated(show, 1, (number ?? '') as number, 8)),
        ...wrong.map((season) => rated(show, season as number, 1, 8)),
        ...[0, 11, -3, 'ten', '', null, {}, 1e300].map((rating) => rated(show, 1, 1, rating)),
        { ...rated(show, 1, 2, 8), rated_at: '9999-12-31T23:59:59Z' },
        { ...rated(show, 1, 3, 8), rated_at: 'yesterday' },
        rated(show, 1, 3, 8, { tmdb: '1; drop' }),
        // The same episode twice: the newer rating counts.
        { ...rated(show, 2, 1, 4), rated_at: '2024-03-01T00:00:00.000Z' },
        rated(show, 2, 1, 10),
      ],
      wrong.map((number) => rated(show, number as number, null, 8)),
    )
    const { id } = await member.rehearse(file)
    await member.apply(id)
    expect(await member.titleReviews()).toEqual([])
    expect((await member.reviews()).map((one) => one.slice(0, 5))).toEqual(['1×2 4', '1×3 4', '2×1 2'])
    await checkCounters()
  })
})

test('Yamtrack: scores of seasons and episodes become their ratings', async () => {
  const show = await aShow()
  await someEpisodes(db, show.id)
  const member = await aMember()
  const row = (type: string, season: string, episode: string, score: string) =>
    [show.tmdb, 'tmdb', type, show.name, season, episode, score, 'Completed', '2024-02-19'].join(',')
  const file = [
    'media_id,source,media_type,title,season_number,episode_number,score,status,end_date',
    row('tv', '', '', '9.0'),
    row('season', '1', '', '8.0'),
    row('season', '2', '', ''),
    row('episode', '1', '1', '6.4'),
    row('episode', '1', '2', ''),
    row('episode', '8', '1', '6'),
    row('season', '-1', '', '7'),
  ].join('\n')
  const rehearsed = await member.rehearse(file)
  expect(rehearsed).toMatchObject({ unknownEpisodes: 1, notKept: [{ what: 'seasons', count: 2 }] })
  expect(rehearsed.parts).toMatchObject({ ratings: 1, partReviews: 2, episodes: 2 })
  await member.apply(rehearsed.id)
  expect(await member.reviews()).toEqual(['1×1 3 6.4/10 2024-02-19', 'season 1 4 8/10 2024-02-19'])
  expect(await member.titleReviews()).toEqual([4.5])
  await checkAgain(member, file)
  await member.undo(rehearsed.id)
  expect(await member.rows()).toEqual([])
  await checkCounters()
})

test('Serializd: a text about an episode is withheld from those who have not seen it', async () => {
  const member = await aMember()
  const file = sample('serializd/serializd.csv')
  const rehearsed = await member.rehearse(file)
  expect(rehearsed.parts.partReviews).toBe(2)
  await member.apply(rehearsed.id)
  expect(await member.reviews()).toEqual([
    '1×1 4 8/10 2022-01-02',
    'season 1 4.5 9/10 2022-01-01 “Good start”',
  ])
  const { id } = await db
    .selectFrom('reviews')
    .select('id')
    .where('user_id', '=', member.caller.id)
    .where('text', '=', 'Good start')
    .executeTakeFirstOrThrow()
  const { review } = await server.as(await newCaller()).reviews.byId({ id })
  expect(review).toMatchObject({ text: '', isWithheld: true, safeUpTo: { season: 1 } })
  await checkAgain(member, file)
  await member.undo(rehearsed.id)
  expect(await member.rows()).toEqual([])
  await checkCounters()
})

test.each([1, 2, 3])(
  'random imports that are undone, the newest first, leave everything as it was (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
    const shows = [await aShow(), await aShow()]
    const member = await aMember()
    const earlier = server.as(member.caller, { now: new Date('2018-01-02T03:04:05.006Z') }).reviews
    for (const show of shows) {
      const episodeIds = await someEpisodes(db, show.id)
      const parts = (await member.call.progress.seasons({ id: show.id })).seasons.map(({ id }) => ({
        seasonId: id,
      }))
      for (const part of [...parts, ...episodeIds.map((episodeId) => ({ episodeId })), { itemId: show.id }])
        if (random() < 0.4)
          await earlier.save({
            ...part,
            rating: pick([1, 2.5, 4]),
            ...(random() < 0.5 && { text: 'Of my own.' }),
          })
    }
    const line = () => {
      const { name, tmdb } = pick(shows)
      const text = pick(['', '', 'Words.', 'Other words.'])
      const number = pick(['', '', '1', '2', '3', '9'])
      const season = number === '' && random() < 0.3 ? '' : pick(['Specials', 'Season 1', 'Season 2'])
      return [name, tmdb, pick(['2020-03-04', '']), '', season, number, pick([1, 5, 8, 10]), text].join(',')
    }
    const file = () =>
      [
        'title,showId,date,isRewatch,seasonName,episodeNumber,rating,review',
        ...Array.from({ length: 20 }, line),
      ].join('\n')
    const before = await server.everything()
    const ids: number[] = []
    for (let count = 0; count < 4; count++) {
      const { id } = await member.rehearse(file())
      await member.update(id, { conflicts: pick(['file', 'mine']), entries: false })
      await member.apply(id)
      await checkCounters()
      ids.push(id)
    }
    expect(await server.everything()).not.toEqual(before)
    for (const id of ids.toReversed()) {
      await member.call.imports.previewUndo({ id })
      await member.undo(id)
      await checkCounters()
    }
    expect(await server.everything()).toEqual(before)
  },
)

variation(
  '5,000 ratings of episodes of one show come along and go again, while the event loop is never held',
  async () => {
    const show = await aShow()
    const days = (count: number) => Array.from({ length: count }, () => '2020-01-01')
    await withoutWatch(() =>
      saveSeasons(db, show.id, Object.fromEntries([1, 2, 3, 4, 5].map((season) => [season, days(1_000)]))),
    )
    const member = await aMember()
    const episodes = [1, 2, 3, 4, 5].flatMap((season) =>
      days(1_000).map((_, at) => rated(show, season, at + 1, 1 + (at % 10))),
    )
    const id = await withoutWatch(() => upload(member.caller, trakt(episodes)))
    await work()
    expect((await member.byId(id)).parts.partReviews).toBe(5_000)
    await member.call.imports.start({ id })
    await work()
    expect(await member.byId(id)).toMatchObject({
      state: 'done',
      parts: { partReviews: 5_000 },
      counts: { taken: 1 },
    })
    expect(await member.reviews()).toHaveLength(5_000)
    await checkCounters()
    const again = await member.rehearse(trakt(episodes))
    expect(again.changes).toBe(0)
    await member.call.imports.undo({ id })
    await work()
    expect(await member.rows()).toEqual([])
    await checkCounters()
  },
)

variation(
  'a thousand ratings are rounded, restored, changed and undone, while the event loop is never held',
  async () => {
    const show = await aShow()
    const days = Array.from({ length: 1_000 }, () => '2020-01-01')
    await withoutWatch(() => saveSeasons(db, show.id, { 1: days }))
    const member = await aMember()
    const { id } = await member.rehearse(trakt(days.map((_, at) => rated(show, 1, at + 1, 9))))
    await member.update(id, { halfStars: false })
    await member.apply(id)
    await member.call.imports.restoreOriginals()
    await work()
    const preview = () => member.call.imports.previewUndo({ id })
    expect((await preview()).removes.partReviews).toBe(1_000)
    const ofMember = db.selectFrom('reviews').select('id').where('user_id', '=', member.caller.id)
    const ids = (await ofMember.orderBy('id').execute()).map((row) => row.id)
    const changed = db.updateTable('reviews').set({ rating: 20 }).where('user_id', '=', member.caller.id)
    await changed.where('id', '>', ids[499]!).execute()
    await recountAll(db)
    expect(await preview()).toMatchObject({ removes: { partReviews: 500 } })
    await member.undo(id)
    expect(await member.rows()).toHaveLength(500)
    await checkCounters()
  },
)
