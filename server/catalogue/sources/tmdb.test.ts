import { afterAll, afterEach, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { aFakeTmdb, brokenOff, halfJson, hang, html, json, tooMany } from './fakes.ts'
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
const found = [
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

const fake = await aFakeTmdb({ token: 'tmdb-token', titles, found })
afterAll(fake.close)
afterEach(() => fake.always(undefined))
const log = { info: () => {}, warn: () => {} }
const config = readConfig({ TMDB_TOKEN: 'tmdb-token', TMDB_API_URL: fake.url })
const aSource = (second = 200) => openSources(config, log, second).screens

test('a search lists movies and TV shows; persons, collections, unknown kinds and adult titles are left out', async () => {
  const { results, source } = await aSource().search('glass')
  expect(source).toBe('tmdb')
  expect(results.map(({ mediaType, tmdbId, name }) => [mediaType, tmdbId, name])).toEqual([
    ['movie', 7001, 'The Glass Harbour'],
    ['tv', 7001, 'Night Ferry'],
    ['movie', 5, 'Dateless'],
    ['tv', 6, 'Odd Date'],
  ])
  const asked = fake.requests.at(-1)!
  expect(Object.fromEntries(asked.query)).toEqual({
    query: 'glass',
    include_adult: 'false',
    language: 'en-US',
    page: '1',
  })
})

test('a hit has a clean overview, a picture of the known host and a real date, or null', async () => {
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

test('a movie is found with its directors, each once', async () => {
  expect(await aSource().find({ tmdbId: 7001, mediaType: 'movie' })).toEqual({
    source: 'tmdb',
    kind: 'movie',
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

test('a TV show of the same number is another title, with its creators and the length of an episode', async () => {
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

test('a title of which hardly anything is known is found all the same', async () => {
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

test('an id that nobody has, and a title for adults, are not found', async () => {
  expect(await aSource().find({ tmdbId: 1, mediaType: 'tv' })).toBeUndefined()
  expect(await aSource().find({ tmdbId: 7003, mediaType: 'movie' })).toBeUndefined()
})

test('the token goes into a header and never into an address', async () => {
  await aSource().find({ tmdbId: 7001, mediaType: 'movie' })
  for (const { path, query, headers } of fake.requests) {
    expect(`${path}?${query}`).not.toContain('tmdb-token')
    expect(headers.authorization).toBe('Bearer tmdb-token')
  }
})

test.for([
  ['another title than was asked for', json({ id: 9, title: 'Another' }), 'BAD_GATEWAY'],
  ['a title without a name', json({ id: 7001 }), 'BAD_GATEWAY'],
  ['a list where a title should be', json([]), 'BAD_GATEWAY'],
  ['the 404 of a gateway', html(404), 'BAD_GATEWAY'],
  ['a 404 that says something else', json({ success: false }, 404), 'BAD_GATEWAY'],
  ['that the token is not known', json({ status_code: 7, success: false }, 401), 'BAD_GATEWAY'],
  ['HTML with 403', html(403), 'BAD_GATEWAY'],
  ['half of its JSON', halfJson, 'BAD_GATEWAY'],
  ['a part, then nothing', brokenOff, 'BAD_GATEWAY'],
  ['errors of the second shape', json({ errors: ['query must be provided'] }, 422), 'BAD_GATEWAY'],
  ['429', tooMany('0'), 'SERVICE_UNAVAILABLE'],
  ['that it is in maintenance', json({ status_code: 46, success: false }, 503), 'SERVICE_UNAVAILABLE'],
  ['nothing', hang, 'SERVICE_UNAVAILABLE'],
] as const)(
  'where TMDB answers %s, that is an error and not “no such title”, and the next call is answered',
  async ([, reply, code]) => {
    const source = aSource()
    fake.next(reply)
    await expect(source.find({ tmdbId: 7001, mediaType: 'movie' })).rejects.toMatchObject({ code })
    expect(await source.find({ tmdbId: 7001, mediaType: 'movie' })).toMatchObject({
      name: 'The Glass Harbour',
    })
  },
)

test('a search answer without results is nonsense, and a 429 is no empty list', async () => {
  const source = aSource()
  fake.next(json({ page: 1 }))
  await expect(source.search('glass')).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  fake.next(tooMany())
  await expect(source.search('glass')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await source.search('glass')).results).toHaveLength(4)
})
