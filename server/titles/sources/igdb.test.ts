import { afterAll, afterEach, expect, test } from 'vitest'
import { passTimeByTurns } from '#scripts/testing/time.ts'
import { readConfig } from '#server/config.ts'
import { abortMidBody, hang, html, json, startFakeIgdb, tooManyRequests, documentedSources } from './fakes.ts'
import { openFetcher } from './fetcher.ts'
import { igdb } from './igdb.ts'
import { openSources } from './open.ts'
import type { WantedTitle } from './source.ts'

passTimeByTurns()

const seconds = (date: string) => Date.parse(date) / 1000
const company = (id: number, name: string, developer: boolean) => ({
  id,
  developer,
  publisher: !developer,
  company: { id, name },
})

const game = {
  id: 501,
  name: 'Lantern Keep',
  summary: 'Hold the <b>light</b>.',
  cover: { id: 1, image_id: 'co1abc', url: '//images.igdb.com/igdb/image/upload/t_thumb/co1abc.jpg' },
  artworks: [77, { id: 78, image_id: 'ar9' }],
  screenshots: [{ id: 79, image_id: 'sc9' }],
  first_release_date: seconds('2007-10-09'),
  release_dates: [
    164715,
    { id: 2, date: seconds('2007-10-09'), date_format: 0 },
    { id: 3, date: seconds('2008-12-31'), date_format: 2 },
  ],
  genres: [{ id: 9, name: 'Puzzle' }, 12],
  platforms: [6, { id: 48, name: 'PlayStation 4' }, { id: 6, name: 'PC (Microsoft Windows)' }],
  involved_companies: [company(1, 'Valley', true), company(2, 'Valley', true), company(3, 'Press', false), 9],
  rating: 92.64136526637739,
  rating_count: 2209,
  themes: [{ id: 1, name: 'Action' }],
  alternative_names: [
    { id: 1, name: 'ランタンキープ', comment: 'Japanese title - original' },
    { id: 2, name: 'Rantan Kīpu', comment: 'Japanese title - romanization' },
    { id: 3, name: 'Keep of Light', comment: 'Japanese title - translated' },
    { id: 4, name: 'Laternenburg', comment: 'German title' },
    { id: 5, name: 'LK', comment: 'Acronym' },
    { id: 6, name: 'Lantern' },
    7,
  ],
  game_localizations: [
    { id: 1, name: '랜턴 킵', region: { id: 2, identifier: 'ko-KR', category: 'locale' } },
    { id: 2, name: 'Lantern Keep EU', region: { id: 1, identifier: 'EU', category: 'continent' } },
    { id: 3, region: 3 },
  ],
}
const released = (id: number, date: string | number, format?: number) => {
  const first = typeof date === 'number' ? date : seconds(date)
  const dates = format === undefined ? [5] : [{ id: 1, date: first, date_format: format }]
  return { id, name: `Lantern ${id}`, first_release_date: first, release_dates: dates }
}
const games = [
  game,
  { id: 502, name: 'Lantern Keep: Gold Edition', version_parent: { id: 501 } },
  { id: 503, name: 'Lantern After Dark', themes: [{ id: 1 }, { id: 42 }] },
  { id: 504, name: 'Lantern Dawn', themes: [42] },
  { id: 505, name: 'Lantern Bare' },
  {
    id: 506,
    name: 'Say "Lantern\\"; fields *;',
    cover: { id: 6, url: '//images.igdb.com/igdb/image/upload/t_thumb/co6.jpg' },
  },
  released(510, '2020-06-30', 1),
  released(511, '2020-12-31', 2),
  released(512, '2020-03-31', 3),
  released(513, '2020-12-31', 7),
  released(514, '2020-05-05'),
  released(515, 0, 0),
  released(516, '1962-04-01', 0),
  released(517, 1e15, 0),
]

const credentials = { clientId: 'client', clientSecret: 's3cret' }
const fake = await startFakeIgdb({ ...credentials, games })
afterAll(fake.close)
afterEach(() => fake.replyAlways(undefined))
const logged: string[] = []
const log = { info: () => {}, warn: (...line: unknown[]) => void logged.push(JSON.stringify(line)) }
const config = readConfig({
  IGDB_CLIENT_ID: 'client',
  IGDB_CLIENT_SECRET: 's3cret',
  IGDB_API_URL: fake.url,
  IGDB_AUTH_URL: fake.authUrl,
})
const aSource = () => documentedSources(openSources(config, log)).games
const requestCount = (path: string) => fake.requests.filter((request) => request.path === path).length

test('a search returns games, without other editions of a game and adult games', async () => {
  const { results, source } = await aSource().search('lantern')
  expect(source).toBe('igdb')
  expect(results.map(({ igdbId }) => igdbId)).toEqual([501, 505, 506, 510, 511, 512, 513, 514, 515, 516, 517])
  expect(results[0]).toEqual({
    igdbId: 501,
    name: 'Lantern Keep',
    summary: 'Hold the light.',
    releaseYear: 2007,
    platforms: ['PlayStation 4', 'PC (Microsoft Windows)'],
    genres: ['Puzzle'],
    coverUrl: 'https://images.igdb.com/igdb/image/upload/t_cover_big/co1abc.jpg',
    rating: 92.6,
  })
})

test('missing fields are null or empty lists', async () => {
  const { results } = await aSource().search('lantern bare')
  expect(results).toEqual([
    {
      igdbId: 505,
      name: 'Lantern Bare',
      summary: null,
      releaseYear: null,
      platforms: [],
      genres: [],
      coverUrl: null,
      rating: null,
    },
  ])
})

test('quotes and backslashes in a search are escaped', async () => {
  const { results } = await aSource().search('"Lantern\\"; fields *;')
  expect(results.map(({ igdbId }) => igdbId)).toEqual([506])
})

test('find returns a game with its developers, without duplicates', async () => {
  expect(await aSource().find({ igdbId: 501 })).toEqual({
    source: 'igdb',
    kind: 'game',
    name: 'Lantern Keep',
    overview: 'Hold the light.',
    tagline: null,
    image: 'https://images.igdb.com/igdb/image/upload/t_cover_big/co1abc.jpg',
    backdrop: 'https://images.igdb.com/igdb/image/upload/t_1080p/ar9.jpg',
    releaseDate: '2007-10-09',
    runtime: null,
    pageCount: null,
    genres: ['Puzzle'],
    creators: ['Valley'],
    platforms: ['PlayStation 4', 'PC (Microsoft Windows)'],
    rating: 92.6,
    popularity: 89,
    ids: [{ source: 'igdb', external_id: '501' }],
    names: expect.any(Array),
  })
})

test('the request for a game brings its alternative names and localizations', async () => {
  const before = requestCount('/v4/games')
  const { names = [] } = (await aSource().find({ igdbId: 501 }))!
  expect(names.map(({ kind, language, name }) => [kind, language, name])).toEqual([
    ['local', 'ko', '랜턴 킵'],
    ['other', '', 'Lantern Keep EU'],
    ['original', 'ja', 'ランタンキープ'],
    ['romanised', 'ja', 'Rantan Kīpu'],
    ['other', '', 'Keep of Light'],
    ['local', 'de', 'Laternenburg'],
    ['other', '', 'LK'],
    ['other', '', 'Lantern'],
  ])
  expect(requestCount('/v4/games')).toBe(before + 1)
})

test.for([
  [510, 'the month', '2020-06'],
  [511, 'the year', '2020'],
  [512, 'the quarter', '2020'],
  [513, 'unknown precision', null],
  [514, 'a release that was not expanded', '2020'],
  [515, 'the day, the first of 1970', '1970-01-01'],
  [516, 'the day, before 1970', '1962-04-01'],
  [517, 'a time out of range', null],
] as const)('the date of game %i is as precise as its release: %s', async ([igdbId, , releaseDate]) => {
  expect((await aSource().find({ igdbId }))!.releaseDate).toBe(releaseDate)
})

test('a picture URL without a scheme becomes an https URL', async () => {
  const source = aSource()
  const picture = 'https://images.igdb.com/igdb/image/upload/t_cover_big/co6.jpg'
  fake.replyOnce(
    json({ access_token: 'any', expires_in: 100 }),
    json([
      { id: 506, name: 'x', cover: { id: 1, url: '//images.igdb.com/igdb/image/upload/t_thumb/co6.jpg' } },
    ]),
  )
  expect((await source.find({ igdbId: 506 }))!.image).toBe(picture)
  fake.replyOnce(
    json([{ id: 507, name: 'x', cover: { id: 1, url: '//evil.test/igdb/image/upload/t_thumb/co6.jpg' } }]),
  )
  expect((await source.find({ igdbId: 507 }))!.image).toBeNull()
})

test('find returns undefined for games that a search leaves out and for unknown ids', async () => {
  const source = aSource()
  for (const igdbId of [502, 503, 99]) expect(await source.find({ igdbId })).toBeUndefined()
})

test('concurrent calls request one token, and later calls reuse it', async () => {
  const before = requestCount('/oauth2/token')
  const source = aSource()
  await Promise.all([source.search('lantern'), source.find({ igdbId: 501 }), source.find({ igdbId: 505 })])
  await source.search('keep')
  expect(requestCount('/oauth2/token') - before).toBe(1)
})

test('a call whose token has expired is retried with a new token', async () => {
  const source = aSource()
  await source.search('lantern')
  fake.expireTokens()
  const before = requestCount('/oauth2/token')
  const [a, b] = await Promise.all([source.find({ igdbId: 501 }), source.find({ igdbId: 505 })])
  expect([a?.name, b?.name]).toEqual(['Lantern Keep', 'Lantern Bare'])
  expect(requestCount('/oauth2/token') - before).toBe(1)
})

test('a call throws if a new token is refused too, and the next call succeeds', async () => {
  const source = aSource()
  const refusal = json({ message: 'Authorization Failure. Have you tried:' }, 401)
  await source.search('lantern')
  const before = requestCount('/v4/games')
  fake.replyOnce(refusal, json({ access_token: 'new', expires_in: 100 }), refusal)
  await expect(source.find({ igdbId: 501 })).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  expect(requestCount('/v4/games') - before).toBe(2)
  expect(await source.find({ igdbId: 501 })).toMatchObject({ name: 'Lantern Keep' })
})

test('a token is renewed a minute before it expires', async () => {
  let now = 0
  const fetcher = openFetcher({ log, userAgent: 'x' })
  const settings = { igdb: { apiUrl: fake.url, authUrl: fake.authUrl, ...credentials } }
  const source = documentedSources({
    all: [igdb(fetcher, settings, () => now)!],
    lookups: [],
    episodes: [],
  }).games
  await source.find({ igdbId: 501 })
  const before = requestCount('/oauth2/token')
  now = 4_999_930_000
  await source.find({ igdbId: 505 })
  expect(requestCount('/oauth2/token') - before).toBe(0)
  now = 4_999_950_000
  await source.find({ igdbId: 510 })
  expect(requestCount('/oauth2/token') - before).toBe(1)
})

test('the error of a wrong secret does not contain the secret', async () => {
  const wrong = readConfig({
    IGDB_CLIENT_ID: 'client',
    IGDB_CLIENT_SECRET: 'wr0ng-secret',
    IGDB_API_URL: fake.url,
    IGDB_AUTH_URL: fake.authUrl,
  })
  const error = await documentedSources(openSources(wrong, log))
    .games.search('lantern')
    .catch((error: unknown) => error as Error)
  expect(error).toMatchObject({ code: 'BAD_GATEWAY' })
  expect(`${String(error)} ${logged.join(' ')}`).not.toMatch(/wr0ng-secret|s3cret/)
})

test.for([
  [
    'an array of errors with 400',
    json([{ title: 'Syntax Error', status: 400, cause: 'x' }], 400),
    'BAD_GATEWAY',
  ],
  ['an object instead of a list', json({ message: 'odd' }), 'BAD_GATEWAY'],
  ['403', json({ message: 'Forbidden' }, 403), 'BAD_GATEWAY'],
  ['HTML with 404', html(404), 'BAD_GATEWAY'],
  ['part of a response', abortMidBody, 'BAD_GATEWAY'],
  [
    'an array of errors with 500',
    json([{ title: 'Internal server error', status: 500 }], 500),
    'SERVICE_UNAVAILABLE',
  ],
  ['429 without Retry-After', tooManyRequests(), 'SERVICE_UNAVAILABLE'],
  ['no response', hang, 'SERVICE_UNAVAILABLE'],
] as const)(
  'if IGDB sends %s, find throws instead of returning undefined, and the next call succeeds',
  async ([, reply, code]) => {
    const source = aSource()
    await source.search('keep')
    fake.replyOnce(reply)
    await expect(source.find({ igdbId: 501 })).rejects.toMatchObject({ code })
    expect(await source.find({ igdbId: 501 })).toMatchObject({ name: 'Lantern Keep' })
  },
)

test.for([
  ['no response', hang],
  ['HTML', html(503)],
  ['a response without a token', json({ expires_in: 5 })],
] as const)(
  'if the token endpoint sends %s, the call throws and the next one succeeds',
  async ([, reply]) => {
    const source = aSource()
    fake.replyOnce(reply)
    await expect(source.search('keep')).rejects.toBeInstanceOf(Error)
    expect((await source.search('keep')).results).toHaveLength(1)
  },
)

const wanted = (name: string, id?: string): WantedTitle => ({
  kind: 'game',
  name,
  otherNames: [],
  year: 2020,
  authors: [],
  ids: id === undefined ? [] : [{ source: 'igdb', id }],
})
const aLookup = () => openSources(config, log).lookups.find(({ name }) => name === 'igdb')!

/** Looks titles up. Returns the ids of their candidates, and the queries of the requests. */
async function lookUp(...titles: WantedTitle[]) {
  const before = fake.requests.length
  const candidates = await aLookup().findCandidates(titles)
  const requests = fake.requests.slice(before).filter(({ path }) => path === '/v4/games')
  return {
    candidates,
    found: candidates.map((each) => each.map(({ ids }) => ids[0]!.external_id)),
    queries: requests.map(({ body }) => /(?:where (?:id|name)|search) .*?(?=;| & version)/.exec(body)?.[0]),
  }
}

test('an import finds games by id with one request, and the others by name, with all details', async () => {
  const { found, candidates, queries } = await lookUp(
    wanted('x', '501'),
    wanted('lantern keep'),
    wanted('x', '505'),
    wanted('Unheard of', '99'),
    wanted('x', '501'),
  )
  expect(found).toEqual([['501'], ['501'], ['505'], [], ['501']])
  expect(queries).toEqual([
    'where id = (501,505,99)',
    'where name ~ "lantern keep"',
    'where name ~ "Unheard of"',
    'search "Unheard of"',
  ])
  expect(candidates[1]![0]).toMatchObject({ creators: ['Valley'], releaseDate: '2007-10-09' })
})

test('without a game of exactly this name, an import gets those that a search finds, at most five', async () => {
  const { found } = await lookUp(wanted('Lantern'))
  expect(found[0]).toHaveLength(5)
  expect(found[0]).not.toContain('503')
})

test('quotes, backslashes and ids of imports cannot change the query', async () => {
  expect((await lookUp(wanted('Say "Lantern\\"; fields *;'))).found).toEqual([['506']])
  const { queries } = await lookUp(wanted('?', '1); fields *'), wanted('"\\', '0'), wanted('', '-5'))
  expect(queries).toEqual([])
  await lookUp(wanted(`${'"'.repeat(300)}a\n\u0000`), wanted(`b${'\u0301\u0323'.repeat(10_000)}`))
})

test.for([
  ['an array of errors with 400', json([{ title: 'Syntax Error', status: 400 }], 400), 'BAD_GATEWAY'],
  ['an object instead of a list', json({ message: 'odd' }), 'BAD_GATEWAY'],
  ['HTML with 403', html(403), 'BAD_GATEWAY'],
  ['part of a response', abortMidBody, 'BAD_GATEWAY'],
  ['500', html(500), 'SERVICE_UNAVAILABLE'],
  ['429', tooManyRequests(), 'SERVICE_UNAVAILABLE'],
  ['no response', hang, 'SERVICE_UNAVAILABLE'],
] as const)('if IGDB sends %s, no call of an import finds nothing', async ([, reply, code]) => {
  const sources = openSources(config, log)
  await documentedSources(sources).games.search('keep')
  const lookup = sources.lookups.find(({ name }) => name === 'igdb')!
  for (const title of [wanted('x', '501'), wanted('Lantern Keep')]) {
    fake.replyOnce(reply)
    await expect(lookup.findCandidates([title])).rejects.toMatchObject({ code })
    expect((await lookup.findCandidates([title]))[0]).toHaveLength(1)
  }
})
