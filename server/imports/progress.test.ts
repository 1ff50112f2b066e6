import { expect, test } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { aTitle, findCounterFaults, recountAll } from '#server/testing.ts'
import { listEpisodes } from '#server/progress/episodes-store.ts'
import { saveParts } from '#server/titles/parts.ts'
import type { FoundPart } from '#server/titles/sources/source.ts'
import type { ExportFile } from '#shared/contracts/export.ts'
import type { Kind } from '#shared/domain/kinds.ts'

/** How far a member is, from an export of one installation to another. */
const [here, there] = [await anImportServer(), await anImportServer()]
type Server = typeof here
type Caller = Awaited<ReturnType<Server['newCaller']>>

let ids = 900_000
/** On both, with other ids of the database. */
async function aSharedTitle(kind: Kind, source: 'tmdb-tv' | 'tmdb-movie' | 'olid-work' | 'igdb') {
  const external_id = source === 'olid-work' ? `OL${++ids}W` : String(++ids)
  const name = `Shared ${kind} ${external_id}`
  await aTitle(there.db)
  const [own, other] = [await aTitle(here.db, kind, name), await aTitle(there.db, kind, name)]
  for (const [{ db }, media_id] of [
    [here, own],
    [there, other],
  ] as const)
    await db.insertInto('external_ids').values({ source, external_id, media_id }).execute()
  return { own, other }
}

/** The third episode has no id, and there the first two have changed their places. */
async function aSharedShow() {
  const titles = await aSharedTitle('tvShow', 'tmdb-tv')
  const season = (number: number, episodes: readonly (number | null)[]): FoundPart => ({
    type: 'season',
    number,
    name: null,
    releaseDate: null,
    runtime: null,
    ids: [],
    parts: episodes.map((id, at) => ({
      type: 'episode',
      number: at + 1,
      name: null,
      releaseDate: `2020-0${number + 1}-0${at + 1}`,
      runtime: null,
      ids: id === null ? [] : [{ source: 'tmdb-episode', external_id: `${titles.own}0${id}` }],
    })),
  })
  const save = async ({ db }: Server, id: number, parts: FoundPart[]) => {
    await db.transaction().execute((trx) => saveParts(trx, { id, kind: 'tvShow' }, parts, 'tmdb'))
    return (await listEpisodes(db, id)).map((episode) => episode.id)
  }
  const episodes = await save(here, titles.own, [season(0, [9]), season(1, [1, 2, null]), season(2, [4, 5])])
  await save(there, titles.other, [season(0, [9]), season(1, [2, 1, null]), season(2, [4, 5])])
  return { ...titles, episodes }
}

async function exportOf({ app }: Server, { token }: Caller): Promise<ExportFile> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await app.inject({ url: '/export?format=json', headers })
  expect(response.statusCode).toBe(200)
  return response.json()
}

/** What does not depend on the installation. */
function told(file: ExportFile) {
  const names = new Map(file.titles.map(({ ref, name }) => [ref, name]))
  const of = ({ title, ...item }: { title: number }) => JSON.stringify([names.get(title), item])
  return {
    plays: file.plays
      .map(
        ({
          title,
          season: _season,
          episode: _episode,
          source: _source,
          origin: _origin,
          createdAt: _createdAt,
          ...play
        }) => of({ title, ...play }),
      )
      .sort(),
    diary: file.diary
      .map(({ ref: _ref, origin: _origin, createdAt: _createdAt, updatedAt: _updatedAt, ...entry }) =>
        of(entry),
      )
      .sort(),
  }
}

/** Without the ids of the installation. */
function toldOfReviews({ titles, reviews, partReviews }: ExportFile) {
  const names = new Map(titles.map(({ ref, name }) => [ref, name]))
  const of = ({
    title,
    safeUpTo,
    ...review
  }: ExportFile['reviews'][number] & { place?: string | number | null }) => {
    const { episodeId: _, ...safe } = safeUpTo ?? {}
    return JSON.stringify([names.get(title), review, safeUpTo && safe])
  }
  return {
    reviews: reviews.map(of).sort(),
    // There, two episodes have changed their places.
    partReviews: partReviews
      .map(({ episode, partId, ...review }) => of({ ...review, place: partId ?? episode }))
      .sort(),
  }
}

async function restore(caller: Caller, file: ExportFile, on = there) {
  const id = await withoutWatch(() => on.upload(caller, JSON.stringify(file)))
  await on.work({ instance: on.config.publicUrl })
  const rehearsed = (await on.as(caller).imports.byId({ id })).import
  return {
    rehearsed,
    async apply() {
      await on.as(caller).imports.start({ id })
      await on.work({ instance: on.config.publicUrl })
      return (await on.as(caller).imports.byId({ id })).import
    },
    async undo() {
      await on.as(caller).imports.undo({ id })
      await on.work({ instance: on.config.publicUrl })
      return (await on.as(caller).imports.byId({ id })).import
    },
  }
}

test('an export has the plays of a member, and another installation restores them: days, unknown days, times and passes', async () => {
  const ada = await here.newCaller()
  const me = here.as(ada)
  const { own, episodes } = await aSharedShow()
  const [special, first, second, third, fourth] = episodes as [number, number, number, number, number]
  const mark = (episodeIds: number[], watchedOn: string, pass = 1) =>
    me.progress.mark({ id: own, episodeIds, watchedOn, pass })
  await mark([first], '2021-01-02')
  await mark([second, special], 'unknown')
  await mark([third], 'now')
  await mark([fourth], 'airDate')
  // The second time without the first episode, and one again on the same day.
  await mark([second], '2022-02-03', 2)
  await mark([third, first], '2022-02-04', 2)
  await mark([first], '2022-02-04', 3)
  const { entries } = await me.diary.mine({ tvShowId: own })
  await me.diary.edit({
    id: entries.find(({ status }) => status === 'started')!.id,
    status: 'paused',
    text: 'With Bo.',
  })
  const dropped = await aSharedShow()
  await me.progress.mark({ id: dropped.own, episodeIds: [dropped.episodes[1]!], watchedOn: '2023-05-06' })
  await me.diary.edit({
    id: (await me.diary.mine({ tvShowId: dropped.own })).entries[0]!.id,
    status: 'dropped',
  })
  const finished = await aSharedShow()
  await me.progress.mark({ id: finished.own, upTo: finished.episodes.at(-1)!, watchedOn: '2024-07-08' })
  const wanted = await aSharedShow()
  await me.diary.create({ tvShowId: wanted.own, status: 'want' })
  const stated = await aSharedShow()
  await me.diary.create({ tvShowId: stated.own, status: 'finished', finishedOn: '2019-01-01' })

  const bob = await there.newCaller()
  const before = JSON.stringify(await there.everything())
  const file = await exportOf(here, ada)
  const imported = await restore(bob, file)
  expect(imported.rehearsed).toMatchObject({ unknownEpisodes: 0, notKept: {} })
  const done = await imported.apply()
  expect(done.parts.episodes).toBe(file.plays.length)
  const restored = await exportOf(there, bob)
  expect(told(restored)).toEqual(told(file))
  expect((await restore(bob, file)).rehearsed.changes).toBe(0)
  expect((await restore(bob, restored)).rehearsed.changes).toBe(0)
  // Into the account that it is from, a file brings nothing.
  await imported.undo()
  expect(JSON.stringify(await there.everything())).toBe(before)
  expect((await exportOf(there, bob)).plays).toEqual([])
  await recountAll(there.db)
  expect(await findCounterFaults(there.db)).toEqual([])
})

test('an export has the reviews of seasons and episodes, and another installation restores them, with how far readers must be', async () => {
  const ada = await here.newCaller()
  const me = here.as(ada)
  const { own, other, episodes } = await aSharedShow()
  const [special, first, second, third] = episodes as [number, number, number, number]
  const seasonIds = (await me.progress.seasons({ id: own })).seasons.map(({ id }) => id)
  await me.reviews.save({ tvShowId: own, rating: 4.5, text: 'The show.', safeUpTo: { episodeId: third } })
  await me.reviews.save({ episodeId: first, rating: 5, text: 'First.', hasSpoilers: true })
  await me.reviews.save({ episodeId: second, rating: 2.5 })
  await me.reviews.save({ episodeId: special, rating: 3, text: 'For later.', safeUpTo: { episodeId: third } })
  await me.reviews.save({ seasonId: seasonIds[1]!, rating: 1, text: 'The season.' })
  await me.reviews.save({ seasonId: seasonIds[2]!, rating: 4, text: 'For everybody.' })
  const { review: open } = await me.reviews.mine({ seasonId: seasonIds[2]! })
  await me.reviews.edit({ id: open.id, safeUpTo: null })
  const book = await aSharedTitle('book', 'olid-work')
  await me.reviews.save({ bookId: book.own, rating: 3, text: 'A book.', safeUpTo: { page: 120 } })
  const movie = await aSharedTitle('movie', 'tmdb-movie')
  await me.reviews.save({ movieId: movie.own, rating: 2, text: 'A movie.', safeUpTo: { percent: 50 } })
  await here.db.updateTable('reviews').set({ rating_given: '7.5/10' }).where('rating', '=', 25).execute()

  const bob = await there.newCaller()
  const before = JSON.stringify(await there.everything())
  const file = await exportOf(here, ada)
  expect(file.partReviews).toHaveLength(5)
  const imported = await restore(bob, file)
  expect(imported.rehearsed).toMatchObject({ unknownEpisodes: 0, notKept: [] })
  expect(imported.rehearsed.parts).toMatchObject({ ratings: 3, reviews: 3, partReviews: 5 })
  await imported.apply()
  const restored = await exportOf(there, bob)
  expect(toldOfReviews(restored)).toEqual(toldOfReviews(file))
  expect((await there.as(bob).reviews.mine({ tvShowId: other })).review.safeUpTo).toMatchObject({ number: 3 })
  expect((await restore(bob, file)).rehearsed.changes).toBe(0)
  expect((await restore(bob, restored)).rehearsed.changes).toBe(0)
  expect((await restore(ada, file, here)).rehearsed.changes).toBe(0)
  await imported.undo()
  expect(JSON.stringify(await there.everything())).toBe(before)
  expect(await findCounterFaults(there.db)).toEqual([])
})

test('a text about an episode that is not known there gets a mark for spoilers', async () => {
  const ada = await here.newCaller()
  const { own, other, episodes } = await aSharedShow()
  await here
    .as(ada)
    .reviews.save({ tvShowId: own, rating: 4, text: 'So.', safeUpTo: { episodeId: episodes.at(-1)! } })
  const file = await exportOf(here, ada)
  file.reviews[0]!.safeUpTo!.number = 99
  const bob = await there.newCaller()
  await (await restore(bob, file)).apply()
  const { review } = await there.as(bob).reviews.mine({ tvShowId: other })
  expect(review).toMatchObject({ text: 'So.', hasSpoilers: true })
  expect(review).not.toHaveProperty('safeUpTo')
})

test('an export has how far the member was in books, games and movies, and another installation restores it with its entry', async () => {
  const ada = await here.newCaller()
  const me = here.as(ada)
  const [book, movie, game] = [
    await aSharedTitle('book', 'olid-work'),
    await aSharedTitle('movie', 'tmdb-movie'),
    await aSharedTitle('game', 'igdb'),
  ]
  const begin = async (keys: object) =>
    (await me.diary.create({ ...keys, status: 'started', startedOn: '2024-01-01' })).entry.id
  const reading = await begin({ bookId: book.own })
  await me.diary.addStep({ id: reading, page: 40, on: '2024-01-02', text: 'The harbour,\nat last.' })
  await me.diary.addStep({ id: reading, page: 12, on: '2024-01-01' })
  await me.diary.addStep({ id: reading, percent: 60, on: '2024-01-02' })
  await me.diary.addStep({ id: await begin({ movieId: movie.own }), minutes: 55, on: '2024-02-01' })
  await me.diary.addStep({ id: await begin({ gameId: game.own }), hours: 12.25, on: '2024-03-01' })
  const file = await exportOf(here, ada)
  expect(file.steps).toHaveLength(5)
  const told = ({ titles, steps, diary }: ExportFile) => {
    const names = new Map(titles.map(({ ref, name }) => [ref, name]))
    const entries = new Map(diary.map(({ ref, status, startedOn }) => [ref, `${status} ${startedOn}`]))
    return steps.map(({ title, entry, ...step }) => [names.get(title), entries.get(entry), step])
  }
  const bob = await there.newCaller()
  const before = JSON.stringify(await there.everything())
  const imported = await restore(bob, file)
  expect(imported.rehearsed).toMatchObject({ notKept: [], parts: { entries: 3 } })
  await imported.apply()
  const restored = await exportOf(there, bob)
  expect(told(restored)).toEqual(told(file))
  const { entries } = await there.as(bob).diary.mine({ bookId: book.other })
  expect(entries[0]!.progress).toMatchObject({ unit: 'percent', value: 60 })
  expect((await restore(bob, file)).rehearsed.changes).toBe(0)
  await imported.undo()
  expect(JSON.stringify(await there.everything())).toBe(before)
  expect((await exportOf(there, bob)).steps).toEqual([])
  expect(await findCounterFaults(there.db)).toEqual([])

  const steps = [
    { ...file.steps[0]!, unit: 'hours' as const },
    { ...file.steps[0]!, value: -1 },
    { ...file.steps[0]!, value: 1e9 },
    { ...file.steps[0]!, unit: 'percent' as const, value: 101 },
    { ...file.steps[0]!, on: '2024-02-31' },
    { ...file.steps[0]!, entry: 999_999_999 },
    { ...file.steps[0]!, on: '2199-01-01' },
  ]
  const wrong = await restore(bob, { ...file, steps })
  expect(wrong.rehearsed.notKept).toEqual([{ what: 'steps', count: 1 }])
  await wrong.apply()
  expect((await exportOf(there, bob)).steps).toEqual([])
})
