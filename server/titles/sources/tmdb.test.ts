import { afterAll, afterEach, expect, test } from 'vitest'
import { passTimeByTurns } from '#scripts/testing/time.ts'
import { readConfig } from '#server/config.ts'
import { titleNamesMax } from '#shared/domain/title-names.ts'
import type { WantedTitle } from './source.ts'
import {
  abortMidBody,
  hang,
  html,
  json,
  startFakeTmdb,
  tooManyRequests,
  truncatedJson,
  documentedSources,
} from './fakes.ts'
import { openSources } from './open.ts'

passTimeByTurns()

const translation = (iso_639_1: string, iso_3166_1: string, data: object) => ({
  iso_3166_1,
  iso_639_1,
  name: 'Name of the language',
  english_name: 'Language',
  data,
})
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
  original_language: 'sv',
  translations: {
    translations: [
      translation('en', 'US', { title: 'The Glass Harbour', overview: 'A pilot.' }),
      translation('de', 'DE', {
        title: 'Der \u202egläserne Hafen',
        overview: 'Eine <i>Lotsin</i>.',
        tagline: 'Ein letztes Schiff.',
        homepage: '',
      }),
      translation('fr', 'FR', { title: '', overview: 'Une pilote.' }),
      translation('es', 'MX', { title: 'El puerto', overview: 'Una piloto.' }),
      translation('cn', 'HK', { title: '玻璃港' }),
      translation('ja', 'JP', { title: 'ガラスの港', overview: null }),
      translation('ja', 'JP', { title: 'ガラスの港', overview: '船。' }),
      translation('??', '', { title: 'Nowhere' }),
      translation('it', 'IT', { title: '' }),
      { iso_639_1: 'nl' },
      null,
    ],
  },
  alternative_titles: {
    titles: [
      { iso_3166_1: 'US', title: 'Harbour of Glass', type: 'working title' },
      { iso_3166_1: 'SE', title: 'Glashamnen (romanized)', type: 'Romanization' },
      { iso_3166_1: 'SE', title: 5, type: '' },
      'nonsense',
    ],
  },
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
  last_air_date: '2021-11-05',
  number_of_seasons: 2,
  seasons: [
    { id: 71, season_number: 0, name: 'Specials', air_date: null, episode_count: 3 },
    { id: 72, season_number: 1, name: '', air_date: '2019-10-01', episode_count: 8, overview: null },
    { id: 'x', season_number: 2 },
    { id: 74, season_number: -1 },
    null,
  ],
  episode_run_time: [],
  last_episode_to_air: { id: 1, runtime: 47 },
  created_by: [{ id: 1, name: 'Ruth Creator', profile_path: null }],
  genres: [{ id: 10765, name: 'Sci-Fi & Fantasy' }],
  vote_average: 0,
  vote_count: 0,
}
const season = { type: 'season', name: null, releaseDate: null, runtime: null }
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
  '/movie/7010': {
    id: 7010,
    title: 'Paper Lanterns',
    release_date: '1999-03-01',
    imdb_id: 'tt0107010',
    credits: { crew: [{ job: 'Director', name: 'Noor Director' }] },
  },
  '/movie/7011': { id: 7011, title: 'Paper Lanterns', release_date: '2005-03-01', imdb_id: '' },
  '/movie/7013': { id: 7013, title: 'Paper Lanterns Burn', release_date: '1999-01-01', imdb_id: 'nonsense' },
  '/movie/7014': { id: 7014, title: 'Say "It\\" & wait; OR (not) - y:2001', release_date: '2001-01-01' },
  '/tv/7020': {
    id: 7020,
    name: 'Salt Road',
    seasons: Array.from({ length: 65 }, (_, at) => ({ id: 500 + at, season_number: at, episode_count: 1 })),
    'season/1': {
      episodes: [
        { id: 9001, episode_number: 1, name: 'Salt &amp; <b>Iron</b>', air_date: '2020-01-05', runtime: 51 },
        { id: 9002, episode_number: 2, name: 'Episode 2', air_date: '2021-02-30', runtime: 0, crew: [{}] },
        { id: 9003, episode_number: -1 },
        { id: 'x', episode_number: 4 },
        null,
      ],
    },
  },
  '/tv/7012': {
    id: 7012,
    name: 'The Long Winter',
    first_air_date: '2019-10-01',
    external_ids: { imdb_id: 'tt0107012', tvdb_id: 307012, wikidata_id: null },
  },
}

const fake = await startFakeTmdb({ token: 'tmdb-token', titles, searchResults, episodes: ['tt0900000'] })
afterAll(fake.close)
afterEach(() => fake.replyAlways(undefined))
const log = { info: () => {}, warn: () => {} }
const config = readConfig({ TMDB_TOKEN: 'tmdb-token', TMDB_API_URL: fake.url })
const aSource = () => documentedSources(openSources(config, log)).screens

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
    names: expect.any(Array),
  })
})

test('the one request for a title brings its names, overviews and taglines in languages', async () => {
  const before = fake.requests.length
  const found = await aSource().find({ tmdbId: 7001, mediaType: 'movie' })
  const named = (kind: string, language: string, name: string, more = {}) => ({
    kind,
    language,
    name,
    overview: null,
    tagline: null,
    ...more,
  })
  expect(found!.names).toEqual([
    named('original', 'sv', 'Glashamnen'),
    named('romanised', 'sv', 'Glashamnen (romanized)'),
    named('local', 'de', 'Der gläserne Hafen', {
      overview: 'Eine Lotsin.',
      tagline: 'Ein letztes Schiff.',
    }),
    named('local', 'fr', '', { overview: 'Une pilote.' }),
    named('local', 'ja', 'ガラスの港'),
    named('local', 'ja', 'ガラスの港', { overview: '船。' }),
    named('local', 'en', 'The Glass Harbour'),
    named('local', 'es-MX', 'El puerto'),
    named('local', 'yue', '玻璃港'),
    named('other', '', 'Harbour of Glass'),
  ])
  expect(fake.requests.slice(before).map(({ path }) => path)).toEqual(['/movie/7001'])
})

test('ten thousand translations are bounded, and malformed ones are left out', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => translation('de', 'DE', { title: `Hafen ${at}` }))
  fake.replyOnce(json({ ...movie, translations: { translations: many } }))
  const found = await aSource().find({ tmdbId: 7001, mediaType: 'movie' })
  expect(found!.names!.length).toBeLessThanOrEqual(2 * titleNamesMax)
  fake.replyOnce(json({ ...movie, translations: 'x', alternative_titles: { titles: {}, results: null } }))
  expect(await aSource().find({ tmdbId: 7001, mediaType: 'movie' })).toMatchObject({
    names: [{ name: 'Glashamnen' }],
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
    lastAirYear: 2021,
    seasonCount: 2,
    parts: [
      { ...season, number: 0, name: 'Specials', ids: [{ source: 'tmdb-season', external_id: '71' }] },
      {
        ...season,
        number: 1,
        releaseDate: '2019-10-01',
        ids: [{ source: 'tmdb-season', external_id: '72' }],
      },
    ],
    creators: ['Ruth Creator'],
    rating: null,
    popularity: 0,
    ids: [{ source: 'tmdb-tv', external_id: '7001' }],
  })
})

test('find returns the episodes of each season, cleaned, in calls of at most 20 seasons', async () => {
  const before = fake.requests.length
  const found = await aSource().find({ tmdbId: 7020, mediaType: 'tv' })
  const calls = fake.requests
    .slice(before + 1)
    .map(({ query }) => query.get('append_to_response')!.split(','))
  expect(calls.flat()).toHaveLength(60)
  expect(Math.max(...calls.map((seasons) => seasons.length))).toBe(20)
  expect(found!.parts!).toHaveLength(65)
  expect(found!.parts![1]!.parts).toEqual([
    {
      type: 'episode',
      number: 1,
      name: 'Salt & Iron',
      releaseDate: '2020-01-05',
      runtime: 51,
      ids: [{ source: 'tmdb-episode', external_id: '9001' }],
    },
    {
      type: 'episode',
      number: 2,
      name: null,
      releaseDate: null,
      runtime: null,
      ids: [{ source: 'tmdb-episode', external_id: '9002' }],
    },
  ])
  // TMDB no longer has the third season: its episodes are unknown, not none.
  expect(found!.parts![3]).not.toHaveProperty('parts')
})

test.for([
  ['a season without a list of episodes', json({ id: 7020, 'season/1': { episodes: 'none' } })],
  ['a list instead of a show', json([])],
  ['HTML with 502', html(502)],
  ['truncated JSON', truncatedJson],
  ['no response', hang],
] as const)(
  'if TMDB sends %s for its seasons, the show is found without their episodes',
  async ([, reply]) => {
    const source = aSource()
    const details = json({
      id: 7020,
      name: 'Salt Road',
      seasons: [{ id: 1, season_number: 1, episode_count: 2 }],
    })
    fake.replyOnce(details, reply)
    const found = await source.find({ tmdbId: 7020, mediaType: 'tv' })
    expect(found).toMatchObject({ name: 'Salt Road', parts: [{ number: 1 }] })
    expect(found!.parts![0]).not.toHaveProperty('parts')
  },
)

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

test('find returns the IMDb id of a movie, and the IMDb and TVDB ids of a show', async () => {
  expect((await aSource().find({ tmdbId: 7010, mediaType: 'movie' }))!.ids).toEqual([
    { source: 'tmdb-movie', external_id: '7010' },
    { source: 'imdb', external_id: 'tt0107010' },
  ])
  expect((await aSource().find({ tmdbId: 7012, mediaType: 'tv' }))!.ids).toEqual([
    { source: 'tmdb-tv', external_id: '7012' },
    { source: 'imdb', external_id: 'tt0107012' },
    { source: 'tvdb', external_id: '307012' },
  ])
  expect((await aSource().find({ tmdbId: 7013, mediaType: 'movie' }))!.ids).toHaveLength(1)
})

const wanted = (name: string, more: Partial<WantedTitle> = {}): WantedTitle => ({
  kind: 'movie',
  name,
  otherNames: [],
  year: 1999,
  authors: [],
  ids: [],
  ...more,
})
const aLookup = () => openSources(config, log).lookups.find(({ name }) => name === 'tmdb')!

/** Looks a title up. Returns its candidates in short, and the paths that were requested. */
async function lookUp(title: WantedTitle) {
  const before = fake.requests.length
  const [candidates = []] = await aLookup().findCandidates([title])
  return {
    candidates,
    found: candidates.map(({ ids, isPartial }) => [ids[0]!.source, ids[0]!.external_id, isPartial ?? false]),
    paths: fake.requests.slice(before).map(({ path }) => path),
  }
}

test.for([
  [
    'its TMDB id',
    wanted('x', { ids: [{ source: 'tmdb-movie', id: '7010' }] }),
    ['/movie/7010'],
    ['tmdb-movie', '7010', false],
  ],
  [
    'its IMDb id',
    wanted('x', { ids: [{ source: 'imdb', id: 'tt0107010' }] }),
    ['/find/tt0107010', '/movie/7010'],
    ['tmdb-movie', '7010', false],
  ],
  [
    'its TVDB id',
    wanted('x', { kind: 'tvShow', ids: [{ source: 'tvdb', id: '307012' }] }),
    ['/find/307012', '/tv/7012'],
    ['tmdb-tv', '7012', false],
  ],
  [
    'an IMDb id that belongs to a show',
    wanted('x', { ids: [{ source: 'imdb', id: 'tt0107012' }] }),
    ['/find/tt0107012', '/tv/7012'],
    ['tmdb-tv', '7012', false],
  ],
  [
    'its name and year, if no id is valid',
    wanted('paper lanterns', {
      ids: [
        { source: 'imdb', id: 'tt1/../../account' },
        { source: 'tmdb-movie', id: '7010?x=1' },
        { source: 'tvdb', id: '307012' },
        { source: 'letterboxd', id: 'aEh4' },
      ],
    }),
    ['/search/movie', '/movie/7010'],
    ['tmdb-movie', '7010', false],
  ],
  [
    'its name and year, if TMDB does not know its id',
    wanted('Paper Lanterns', { year: 2005, ids: [{ source: 'imdb', id: 'tt0000001' }] }),
    ['/find/tt0000001', '/search/movie', '/movie/7011'],
    ['tmdb-movie', '7011', false],
  ],
] as const)('an import finds a title by %s, with all its details', async ([, title, paths, first]) => {
  const result = await lookUp(title)
  expect(result.found[0]).toEqual(first)
  expect(result.paths).toEqual(paths)
})

test('the details of a title found by name contain its directors and its IMDb id', async () => {
  const { candidates } = await lookUp(wanted('Paper Lanterns'))
  expect(candidates[0]).toMatchObject({
    creators: ['Noor Director'],
    ids: [
      { source: 'tmdb-movie', external_id: '7010' },
      { source: 'imdb', external_id: 'tt0107010' },
    ],
  })
  expect(candidates[0]).not.toHaveProperty('isPartial')
})

test('the id of an episode is not the id of its show, and the name is not searched instead', async () => {
  expect(
    await lookUp(wanted('Paper Lanterns', { ids: [{ source: 'imdb', id: 'tt0900000' }] })),
  ).toMatchObject({
    found: [],
    paths: ['/find/tt0900000'],
  })
})

test('without a year, an import gets all titles of the name from one search, the best first', async () => {
  expect(await lookUp(wanted('The Paper Lanterns!', { name: 'Paper Lanterns', year: null }))).toMatchObject({
    found: [
      ['tmdb-movie', '7010', true],
      ['tmdb-movie', '7011', true],
      ['tmdb-movie', '7013', true],
    ],
    paths: ['/search/movie'],
  })
})

test('if no title of the name is of the year, an import gets titles of other years and of the other kind, at most five', async () => {
  const { found, paths } = await lookUp(wanted('Night Ferry', { year: 2019 }))
  expect(paths).toEqual(['/search/movie', '/search/multi'])
  expect(found[0]).toEqual(['tmdb-tv', '7001', true])
  expect(found.length).toBeLessThanOrEqual(5)
})

test('quotes, operators and long names of imports are sent as text, and a name of signs alone is not sent', async () => {
  expect((await lookUp(wanted('Say "It\\" & wait; OR (not) - y:2001', { year: 2001 }))).found[0]).toEqual([
    'tmdb-movie',
    '7014',
    false,
  ])
  await lookUp(wanted(`${'a\u0301\u0323'.repeat(100_000)}\n\u0000`))
  const sent = fake.requests.at(-1)!.query.get('query')!
  expect(Array.from(sent).length).toBeLessThanOrEqual(200)
  for (const name of ['???', '', '\n\t', '\u0301\u0301']) {
    expect(await lookUp(wanted(name))).toMatchObject({ found: [], paths: [] })
  }
})

test.for([
  ['HTML with 403', html(403), 'BAD_GATEWAY'],
  ['a response without lists', json({ page: 1 }), 'BAD_GATEWAY'],
  ['truncated JSON', truncatedJson, 'BAD_GATEWAY'],
  ['a 404 from a proxy', html(404), 'BAD_GATEWAY'],
  ['401', json({ status_code: 7, success: false }, 401), 'BAD_GATEWAY'],
  ['429', tooManyRequests('0'), 'SERVICE_UNAVAILABLE'],
  ['503', html(503), 'SERVICE_UNAVAILABLE'],
  ['no response', hang, 'SERVICE_UNAVAILABLE'],
] as const)('if TMDB sends %s, no call of an import finds nothing', async ([, reply, code]) => {
  const byId = wanted('x', { ids: [{ source: 'imdb', id: 'tt0107010' }] })
  const results = [{ id: 7010, title: 'Paper Lanterns', release_date: '1999-03-01' }]
  const calls = [
    [byId, []],
    [byId, [json({ movie_results: results, tv_results: [] })]],
    [wanted('Paper Lanterns'), []],
    [wanted('Paper Lanterns'), [json({ results })]],
    [wanted('Night Ferry'), [json({ results: [] })]],
  ] as const
  for (const [title, earlier] of calls) {
    const lookup = aLookup()
    fake.replyOnce(...earlier, reply)
    await expect(lookup.findCandidates([title])).rejects.toMatchObject({ code })
    expect((await lookup.findCandidates([title]))[0]).not.toEqual([])
  }
})

test('imports ask TMDB at most five times a second', async () => {
  const before = fake.requests.length
  const titles = Array.from({ length: 12 }, () =>
    wanted('x', { ids: [{ source: 'tmdb-movie', id: '7010' }] }),
  )
  expect(await aLookup().findCandidates(titles)).toHaveLength(12)
  const times = fake.requests.slice(before).map(({ at }) => at)
  expect(times).toHaveLength(12)
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(2_000 - 10)
})
