import { TRPCError } from '@trpc/server'
import { beforeEach, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { saveTitle } from '#server/titles/save.ts'
import { aMember, aServer } from '#server/testing.ts'
import { orderSources } from './open.ts'
import type { ExternalId, FoundTitle, Source } from './source.ts'

// A made-up source of TV shows beside TMDB. Its own ids are stored as IGDB’s, since the schema has no others.

const show: FoundTitle = {
  source: 'tmdb',
  kind: 'tvShow',
  name: 'Night Ferry',
  overview: 'A ferry that runs at night.',
  tagline: null,
  image: null,
  backdrop: 'https://image.tmdb.org/t/p/w1280/ferry.jpg',
  releaseDate: '2019-03-01',
  runtime: null,
  pageCount: null,
  genres: ['Drama'],
  creators: [],
  platforms: [],
  rating: 80,
  popularity: 20,
  ids: [
    { source: 'tmdb-tv', external_id: '71' },
    { source: 'tvdb', external_id: '371' },
  ],
}
const sameShow: FoundTitle = {
  ...show,
  source: 'tvmaze' as never,
  name: 'Night Ferry (TV)',
  overview: 'Another text.',
  image: 'https://shows.example/ferry.jpg',
  releaseDate: '2019',
  runtime: 45,
  creators: ['Ada Example'],
  ids: [
    { source: 'igdb', external_id: '9071' },
    { source: 'tvdb', external_id: '371' },
  ],
}
const otherShow: FoundTitle = {
  ...sameShow,
  name: 'Ferry Tales',
  ids: [{ source: 'igdb', external_id: '9072' }],
}

function aSource(name: string, idSources: Source['idSources'], titles: FoundTitle[]) {
  const source = {
    name: name as never,
    kinds: ['movie' as const, 'tvShow' as const],
    idSources,
    lookup: null,
    isDown: false,
    async answer<T>(value: T): Promise<T> {
      if (source.isDown) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE' })
      return value
    },
    search: () => source.answer({ results: titles, source: name as never }),
    find: (_kind: string, { external_id }: ExternalId) =>
      source.answer(titles.find(({ ids }) => ids.some((id) => id.external_id === external_id))),
  }
  return source
}

const first = aSource('tmdb', ['tmdb-tv'], [show])
const second = aSource('tvmaze', ['igdb', 'tvdb'], [{ ...sameShow, name: 'night ferry' }, otherShow])
const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const member = await aMember(db)
server.services.sources = orderSources([first, second])
const visitor = () => server.as().sources
const calls = () => server.as(member).sources

beforeEach(async () => {
  for (const source of [first, second]) source.isDown = false
  await db.deleteFrom('media').execute()
})

const titles = () =>
  db.selectFrom('media').select(['id', 'name', 'source', 'field_sources', 'overview', 'runtime']).execute()

test('a search returns the titles of all sources of a kind once, the first source’s first', async () => {
  const { results, source } = await visitor().search({ q: 'ferry', tab: 'screen' })
  expect(source).toBe('tmdb')
  expect(results.map(({ name, ids }) => [name, ids[0]!.source])).toEqual([
    ['Night Ferry', 'tmdb-tv'],
    ['Ferry Tales', 'igdb'],
  ])
  // The documented search has the titles with an id of TMDB.
  expect((await visitor().searchTmdb({ q: 'ferry' })).results.map(({ tmdbId }) => tmdbId)).toEqual([71])
})

test('while a source is down, the results of the others are returned; a search fails only if all are', async () => {
  second.isDown = true
  expect((await visitor().search({ q: 'ferry', tab: 'screen' })).results).toHaveLength(1)
  first.isDown = true
  second.isDown = false
  expect(await visitor().search({ q: 'ferry', tab: 'screen' })).toMatchObject({
    source: 'tvmaze',
    results: [{ name: 'night ferry' }, { name: 'Ferry Tales' }],
  })
  second.isDown = true
  const failed = visitor().search({ q: 'ferry', tab: 'screen' })
  await expect(failed).rejects.toMatchObject({ message: messages.searchFailed })
})

test('a title that is added from one source is completed by the others, and knows where each field came from', async () => {
  const { id } = await calls().sync({ kind: 'tvShow', source: 'tmdb-tv', id: '71' })
  const [title] = await titles()
  expect(title).toMatchObject({ id, name: 'Night Ferry', source: 'tmdb', overview: show.overview })
  expect(JSON.parse(title!.field_sources!)).toEqual({
    image: 'tvmaze',
    runtime: 'tvmaze',
    creators: 'tvmaze',
  })
  const { tvShow } = await server.as().tvShows.byId({ id })
  expect(tvShow).toMatchObject({
    imageUrl: sameShow.image,
    runtime: 45,
    creators: ['Ada Example'],
    source: 'tmdb',
  })
  // By an id of either source it is the same title, and fresh.
  expect(await calls().sync({ kind: 'tvShow', source: 'igdb', id: '9071' })).toEqual({ id })
  const { results } = await visitor().search({ q: 'ferry', tab: 'screen' })
  expect(results.map(({ localId }) => localId)).toEqual([id, null])
})

test('a source never replaces a field of an earlier one, whichever was asked first, and a failing one changes nothing', async () => {
  first.isDown = true
  const { id } = await calls().sync({ kind: 'tvShow', source: 'igdb', id: '9071' })
  expect(await titles()).toMatchObject([{ name: 'night ferry', source: 'tvmaze', field_sources: null }])
  first.isDown = false
  second.isDown = true
  expect(await calls().sync({ kind: 'tvShow', source: 'tmdb-tv', id: '71' })).toEqual({ id })
  const [title] = await titles()
  expect(title).toMatchObject({ name: 'Night Ferry', source: 'tmdb', overview: show.overview, runtime: 45 })
  expect(JSON.parse(title!.field_sources!)).toEqual({
    image: 'tvmaze',
    runtime: 'tvmaze',
    creators: 'tvmaze',
  })
  await saveTitle(db, { ...sameShow, overview: 'Newer.', runtime: 50 }, new Date())
  expect(await titles()).toMatchObject([{ id, overview: show.overview, runtime: 50, source: 'tmdb' }])
})

test('what a member wrote stays, and sources fill in what is missing', async () => {
  const { movie } = await server.as(member).movies.create({ name: 'My Own Ferry', description: 'Mine.' })
  await saveTitle(db, { ...show, kind: 'movie' }, new Date(), movie.id)
  const [title] = await titles()
  expect(title).toMatchObject({ name: 'My Own Ferry', overview: 'Mine.', source: null })
  expect(JSON.parse(title!.field_sources!)).toMatchObject({ genres: 'tmdb', backdrop: 'tmdb' })
})

test('a shared id identifies a title of the same kind only', async () => {
  const { id } = await saveTitle(db, show, new Date())
  const film: FoundTitle = { ...sameShow, kind: 'movie', ids: [{ source: 'tvdb', external_id: '371' }] }
  expect((await saveTitle(db, film, new Date())).id).not.toBe(id)
  expect((await saveTitle(db, { ...film, kind: 'tvShow' }, new Date())).id).toBe(id)
})
