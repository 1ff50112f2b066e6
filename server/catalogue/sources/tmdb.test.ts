import { afterAll, afterEach, expect, test } from 'vitest'
import { shortSecondMs as secondMs } from '#scripts/testing/event-loop.ts'
import { readConfig } from '#server/config.ts'
import { abortMidBody, hang, html, json, startFakeTmdb, tooManyRequests, truncatedJson } from './fakes.ts'
import { openSources } from './open.ts'

const movie = {
  id: 7001,
  adult: false,
  title: 'The Glass Harbour',
  original_title: 'Glashamnen',
  overview: 'A pilot &amp; her <i>brother</i>\r bring one last ship in.',
  tagline: '',
  poster_path: '/pOsTer-1.jpg',
  backdrop_path: '/back_drop.jpg',
  release_date: '2011-05-20',
  runtime: 104,
  genres: [{ id: 18, name: 'Drama' }, { id: 53 }, 7],
  popularity: 3.1,
  vote_average: 7.25,
  vote_count: 410,
  credits: {
    cast: [{ name: 'Somebody', order: 0 }],
    crew: [
      { job: 'Writer', name: 'Ana Writer' },
      { job: 'Director', name: 'Ida Director' },
      { job: 'Director', name: 'Ida Director' },
      { job: 'Director' },
    ],
  },
}
const show = {
  id: 7001,
  name: 'Night Ferry',
  overview: '',
  tagline: null,
  poster_path: null,
  first_air_date: '2019-10-01',
  last_air_date: null,
  episode_run_time: [],
  last_episode_to_air: { id: 1, runtime: 47 },
  created_by: [{ id: 1, name: 'Ruth Creator', profile_path: null }],
  genres: [{ id: 10765, name: 'Sci-Fi & Fantasy' }],
  vote_average: 0,
  vote_count: 0,
}
const searchResults = [
  { ...movie, media_type: 'movie', genre_ids: [18] },
  { ...show, media_type: 'tv', genre_ids: {} },
  { id: 1, media_type: 'person', name: 'Glass Person', known_for: [] },
  { id: 2, media_type: 'collection', title: 'Glass Collection', poster_path: null },
  { id: 3, media_type: 'hologram', title: 'Glass Hologram' },
  { id: 4, media_type: 'movie', title: 'Glass for Adults', adult: true },
  { id: 5, media_type: 'movie', title: 'Dateless', release_date: '', poster_path: 'javascript:alert(1)' },
  { id: 6, media_type: 'tv', name: 'Odd Date', first_air_date: '2020-02-31', overview: null },
  { id: '7', media_type: 'movie', title: 'Id of Text' },
  { id: 8, media_type: 'movie', title: '' },
  null,
  'nonsense',
]
const titles = {
  '/movie/7001': movie,
  '/tv/7001': show,
  '/movie/7002': { id: 7002, title: 'Bare' },
  '/movie/7003': { id: 7003, title: 'Grown', adult: true },
  '/movie/7004': {
    id: 7004,
    title: 'Blank',
    release_date: '',
    runtime: 0,
    overview: '',
    genres: {},
    credits: [],
    poster_path: '/../x.jpg',
  },
  '/movie/7005': { id: 9, title: 'Another' },
}

const fake = await startFakeTmdb({ token: 'tmdb-token', titles, searchResults })
afterAll(fake.close)
afterEach(() => fake.replyAlways(undefined))
const log = { info: () => {}, warn: () => {} }
const config = readConfig({ TMDB_TOKEN: 'tmdb-token', TMDB_API_URL: fake.url })
const aSource = () => openSources(config, log, secondMs).screens

test('a search returns movies and TV shows, without people, collections, unknown types and adult titles', async () => {
  const { results, source } = await aSource().search('glass')
  expect(source).toBe('tmdb')
  expect(results.map(({ mediaType, tmdbId, name }) => [mediaType, tmdbId, name])).toEqual([
    ['movie', 7001, 'The Glass Harbour'],
    ['tv', 7001, 'Night Ferry'],
    ['movie', 5, 'Dateless'],
    ['tv', 6, 'Odd Date'],
  ])
  const request = fake.requests.at(-1)!
  expect(Object.fromEntries(request.query)).toEqual({
    query: 'glass',
    include_adult: 'false',
    language: 'en-US',
    page: '1',
  })
})

test('a hit has an overview without HTML, a picture on TMDB’s host and a valid date, or null', async () => {
  const { results } = await aSource().search('glass')
  expect(results[0]).toEqual({
    tmdbId: 7001,
    mediaType: 'movie',
    name: 'The Glass Harbour',
    overview: 'A pilot & her brother\nbring one last ship in.',
    imageUrl: 'https://image.tmdb.org/t/p/w500/pOsTer-1.jpg',
    releaseDate: '2011-05-20',
  })
  expect(results[2]).toMatchObject({ imageUrl: null, releaseDate: null, overview: null })
  expect(results[3]).toMatchObject({ releaseDate: null, overview: null })
})

test('find returns a movie with its directors, without duplicates', async () => {
  expect(await aSource().find({ tmdbId: 7001, mediaType: 'movie' })).toEqual({
    source: 'tmdb',
    kind: 'movie',
    otherNames: ['Glashamnen'],
    name: 'The Glass Harbour',
    overview: 'A pilot & her brother\nbring one last ship in.',
    tagline: null,
    image: 'https://image.tmdb.org/t/p/w500/pOsTer-1.jpg',
    backdrop: 'https://image.tmdb.org/t/p/w1280/back_drop.jpg',
    releaseDate: '2011-05-20',
    runtime: 104,
    pageCount: null,
    genres: ['Drama'],
    creators: ['Ida Director'],
    platforms: [],
    rating: 72.5,
    popularity: 57,
    ids: [{ source: 'tmdb-movie', external_id: '7001' }],
  })
})

test('a TV show with the id of a movie is another title, with its creators and the runtime of an episode', async () => {
  expect(await aSource().find({ tmdbId: 7001, mediaType: 'tv' })).toMatchObject({
    kind: 'tvShow',
    name: 'Night Ferry',
    overview: null,
    image: null,
    releaseDate: '2019-10-01',
    runtime: 47,
    creators: ['Ruth Creator'],
    rating: null,
    popularity: 0,
    ids: [{ source: 'tmdb-tv', external_id: '7001' }],
  })
})

test('a title with most fields missing is found', async () => {
  for (const tmdbId of [7002, 7004]) {
    expect(await aSource().find({ tmdbId, mediaType: 'movie' })).toMatchObject({
      overview: null,
      image: null,
      backdrop: null,
      releaseDate: null,
      runtime: null,
      genres: [],
      creators: [],
      rating: null,
    })
  }
})

test('find returns undefined for an unknown id and for an adult title', async () => {
  expect(await aSource().find({ tmdbId: 1, mediaType: 'tv' })).toBeUndefined()
  expect(await aSource().find({ tmdbId: 7003, mediaType: 'movie' })).toBeUndefined()
})

test('the token is sent in a header and never in a URL', async () => {
  await aSource().find({ tmdbId: 7001, mediaType: 'movie' })
  for (const { path, query, headers } of fake.requests) {
    expect(`${path}?${query}`).not.toContain('tmdb-token')
    expect(headers.authorization).toBe('Bearer tmdb-token')
  }
})

test.for([
  ['another title than requested', json({ id: 9, title: 'Another' }), 'BAD_GATEWAY'],
  ['a title without a name', json({ id: 7001 }), 'BAD_GATEWAY'],
  ['a list instead of a title', json([]), 'BAD_GATEWAY'],
  ['a 404 from a proxy', html(404), 'BAD_GATEWAY'],
  ['a 404 without status code 34', json({ success: false }, 404), 'BAD_GATEWAY'],
  ['401, for an invalid token', json({ status_code: 7, success: false }, 401), 'BAD_GATEWAY'],
  ['HTML with 403', html(403), 'BAD_GATEWAY'],
  ['truncated JSON', truncatedJson, 'BAD_GATEWAY'],
  ['part of a response', abortMidBody, 'BAD_GATEWAY'],
  ['an error of the second format', json({ errors: ['query must be provided'] }, 422), 'BAD_GATEWAY'],
  ['429', tooManyRequests('0'), 'SERVICE_UNAVAILABLE'],
  ['503, for maintenance', json({ status_code: 46, success: false }, 503), 'SERVICE_UNAVAILABLE'],
  ['no response', hang, 'SERVICE_UNAVAILABLE'],
] as const)(
  'if TMDB sends %s, find throws instead of returning undefined, and the next call succeeds',
  async ([, reply, code]) => {
    const source = aSource()
    fake.replyOnce(reply)
    await expect(source.find({ tmdbId: 7001, mediaType: 'movie' })).rejects.toMatchObject({ code })
    expect(await source.find({ tmdbId: 7001, mediaType: 'movie' })).toMatchObject({
      name: 'The Glass Harbour',
    })
  },
)

test('a search response without a list of results, and a 429, throw instead of returning an empty list', async () => {
  const source = aSource()
  fake.replyOnce(json({ page: 1 }))
  await expect(source.search('glass')).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  fake.replyOnce(tooManyRequests())
  await expect(source.search('glass')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await source.search('glass')).results).toHaveLength(4)
})
