import { expect, test } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { partsMax } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { aServer, aTitle } from '#server/testing.ts'
import { listByExternalIds } from './external-ids-store.ts'
import { loadStarter } from './load-starter.ts'
import { listPartIds, listParts } from './parts-store.ts'
import { saveParts } from './parts.ts'
import { saveTitle } from './save.ts'
import type { FoundPart, FoundTitle } from './sources/source.ts'

const { db } = await aServer()

const blank = { releaseDate: null, runtime: null, name: null }
let count = 0
/** Returns ids of a show of its own: the ids of parts are unique. */
function aShow() {
  const first = ++count * 1_000
  const episode = (id: number, number: number): FoundPart => ({
    ...blank,
    type: 'episode',
    number,
    ids: [{ source: 'tmdb-episode', external_id: String(first + id) }],
  })
  const season = (id: number, number: number, parts?: FoundPart[]): FoundPart => ({
    ...blank,
    type: 'season',
    number,
    ids: [{ source: 'tmdb-season', external_id: String(first + id) }],
    ...(parts && { parts }),
  })
  return { season, episode }
}
const save = (id: number, parts: FoundPart[], source = 'tmdb', kind: Kind = 'tvShow') =>
  db.transaction().execute((trx) => saveParts(trx, { id, kind }, parts, source))

/** Returns the parts by name of their place, such as `S1E2`. */
async function placesOf(titleId: number): Promise<Map<string, number>> {
  const rows = await listParts(db, titleId)
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  return new Map(
    rows.map(({ id, type, parent_id, number }) => [
      parent_id === null
        ? `${type === 'season' ? 'S' : 'V'}${number}`
        : `S${numbers.get(parent_id)}E${number}`,
      id,
    ]),
  )
}

test('a show has seasons with episodes, in their order', async () => {
  const id = await aTitle(db, 'tvShow')
  const { season, episode } = aShow()
  await save(id, [season(1, 1, [episode(12, 2), episode(11, 1)]), season(2, 0, [episode(21, 1)])])
  expect([...(await placesOf(id)).keys()]).toEqual(['S0', 'S1', 'S1E1', 'S1E2', 'S0E1'])
  expect(await listPartIds(db, id)).toHaveLength(5)
})

test('a season can have more episodes than a statement has values', async () => {
  const id = await aTitle(db, 'tvShow')
  const { season, episode } = aShow()
  // Above the ids of other shows.
  const episodes = Array.from({ length: 11_000 }, (_, at) => episode(1_000_000 + at, at + 1))
  await withoutWatch(() => save(id, [season(1, 1, episodes)]))
  expect(await listPartIds(db, id)).toHaveLength(1 + episodes.length)
})

test('a part keeps its id when its number, its season or its source’s id changes', async () => {
  const id = await aTitle(db, 'tvShow')
  const { season, episode } = aShow()
  await save(id, [season(1, 1, [episode(11, 1), episode(12, 2), episode(13, 3)]), season(2, 2, [])])
  const before = await placesOf(id)
  // The first two change places, the third moves to the other season, and another one takes its place.
  const third = [episode(14, 3), episode(12, 1), episode(11, 2)]
  await save(id, [season(1, 1, third), season(2, 2, [episode(13, 1)])])
  const after = await placesOf(id)
  expect(after.get('S1E2')).toBe(before.get('S1E1'))
  expect(after.get('S1E1')).toBe(before.get('S1E2'))
  expect(after.get('S2E1')).toBe(before.get('S1E3'))
  expect([...before.values()]).not.toContain(after.get('S1E3'))
  // A record that the source has replaced is recognized by its number.
  await save(id, [season(1, 1, third), season(3, 2, [episode(15, 1)])])
  expect(await placesOf(id)).toEqual(after)
})

test('a sync saves the seasons of a show', async () => {
  const { season } = aShow()
  const found: FoundTitle = {
    source: 'tmdb',
    kind: 'tvShow',
    name: 'Night Ferry',
    overview: null,
    tagline: null,
    image: null,
    backdrop: null,
    releaseDate: '2019',
    runtime: null,
    pageCount: null,
    genres: [],
    creators: [],
    platforms: [],
    rating: null,
    popularity: 0,
    ids: [{ source: 'tmdb-tv', external_id: String(count) }],
    parts: [{ ...season(1, 1), name: 'The first', releaseDate: '2019-10' }],
  }
  const { id } = await saveTitle(db, found, new Date())
  // A list of results has no seasons.
  const { parts: _, ...partial } = found
  await saveTitle(db, partial, new Date())
  expect(await listParts(db, id)).toMatchObject([
    { type: 'season', number: 1, name: 'The first', release_date: '2019-10', source: 'tmdb' },
  ])
})

test('what the source has no longer is removed, with what is within it', async () => {
  const id = await aTitle(db, 'tvShow')
  const { season, episode } = aShow()
  await save(id, [season(1, 1, [episode(11, 1), episode(12, 2)]), season(2, 2, [episode(21, 1)])])
  await save(id, [season(1, 1, [episode(12, 2)])])
  expect([...(await placesOf(id)).keys()]).toEqual(['S1', 'S1E2'])
  expect(await listPartIds(db, id)).toHaveLength(2)
})

test('seasons whose episodes were not asked for keep them', async () => {
  const id = await aTitle(db, 'tvShow')
  const { season, episode } = aShow()
  await save(id, [season(1, 1, [episode(11, 1)]), season(2, 2, [episode(21, 1)])])
  await save(id, [season(1, 1), season(2, 2, [])])
  expect([...(await placesOf(id)).keys()]).toEqual(['S1', 'S2', 'S1E1'])
})

test('the parts of a title are from the first of its sources', async () => {
  const id = await aTitle(db, 'tvShow')
  const { season } = aShow()
  await save(id, [season(1, 1)], 'igdb')
  await save(id, [season(2, 1), season(3, 2)], 'tmdb')
  await save(id, [season(4, 5)], 'igdb')
  expect([...(await placesOf(id)).keys()]).toEqual(['S1', 'S2'])
})

test('a title has the parts of its kind, each once, and a bounded number of them', async () => {
  const [movie, book, show] = [await aTitle(db), await aTitle(db, 'book'), await aTitle(db, 'tvShow')]
  const { season } = aShow()
  await save(movie, [season(1, 1)], 'tmdb', 'movie')
  expect(await listParts(db, movie)).toEqual([])
  await save(book, [{ ...blank, type: 'volume', number: 2, ids: [] }], 'openlibrary', 'book')
  expect([...(await placesOf(book)).keys()]).toEqual(['V2'])
  await save(show, [
    season(1, 1),
    season(2, 1),
    ...Array.from({ length: 600 }, (_, n) => season(n + 3, n + 2)),
  ])
  expect((await placesOf(show)).size).toBeLessThanOrEqual(partsMax)
})

test('the starter catalogue brings the episodes of its shows, once, and changes no others', async () => {
  await loadStarter(db, new Date())
  const count = async () =>
    Number(
      (
        await db
          .selectFrom('parts')
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    )
  const [show] = await listByExternalIds(db, 'starter', ['tv-shows/chernobyl'])
  const rows = await listParts(db, show!.media_id)
  expect(
    rows.map(({ type, number, name, release_date }) => [type, number, name, release_date]).slice(0, 3),
  ).toEqual([
    ['season', 1, '', '2019-05-06'],
    ['episode', 1, '1:23:45', '2019-05-06'],
    ['episode', 2, 'Please Remain Calm', '2019-05-13'],
  ])
  const loaded = await count()
  await db
    .transaction()
    .execute((trx) =>
      saveParts(
        trx,
        { id: show!.media_id, kind: 'tvShow' },
        [aShow().season(1, 1, [aShow().episode(1, 1)])],
        'tmdb',
      ),
    )
  const synced = await count()
  expect(synced).toBe(loaded - 4)
  await loadStarter(db, new Date())
  expect(await count()).toBe(synced)
})
