import { afterAll, afterEach, expect, test } from 'vitest'
import { passTimeByTurns } from '#scripts/testing/time.ts'
import { readConfig } from '#server/config.ts'
import {
  abortMidBody,
  endlessBody,
  html,
  json,
  startFakeTmdb,
  tooManyRequests,
  truncatedJson,
} from './fakes.ts'
import { openSources } from './open.ts'

passTimeByTurns()

const provider = (provider_id: number, provider_name: string, fields: object = {}) => ({
  provider_id,
  provider_name,
  logo_path: `/logo-${provider_id}.jpg`,
  display_priority: provider_id,
  ...fields,
})
const link = 'https://www.themoviedb.org/movie/603-the-matrix/watch?locale=DE'
const offers = {
  DE: {
    link,
    flatrate: [provider(9, 'Nine'), provider(8, '<b>Eight</b> &amp; more'), provider(9, 'Nine again')],
    rent: [provider(2, 'Two', { logo_path: null })],
    ads: [provider(8, 'Eight, with ads')],
    flatrate_and_buy: [provider(77, 'Unknown type')],
  },
  AT: { link: 'javascript:alert(1)', buy: [provider(2, 'Two', { logo_path: '/../x.svg' })] },
  CH: { link: 'https://www.themoviedb.org.evil.example/', free: [provider(5, '<i>Five</i>')] },
  FR: { link, flatrate: [] },
  de: { link, flatrate: [provider(9, 'Nine')] },
  US: {
    link: 7,
    flatrate: 'none',
    rent: [null, 7, provider(3, 'Three'), { provider_id: '4' }, provider(4, '')],
  },
  GB: null,
}
const fake = await startFakeTmdb({
  token: 'the-token',
  titles: {
    '/movie/603': { id: 603, title: 'The Matrix', 'watch/providers': offers },
    '/tv/12': { id: 12, name: 'Low Tide', 'watch/providers': {} },
  },
  searchResults: [],
  services: {
    DE: [
      provider(9, 'Nine', { display_priorities: { DE: 3, US: 0 } }),
      provider(8, 'Eight', { display_priorities: { DE: 1 } }),
      provider(5, 'Five', { display_priority: 2, display_priorities: 'none' }),
      { provider_name: 'Nobody' },
    ],
  },
})
afterAll(() => fake.close())
afterEach(() => {
  fake.replyAlways(undefined)
  fake.requests.length = 0
})

const movie = [{ source: 'tmdb-movie' as const, external_id: '603' }]
/** Each has a circuit breaker and limits of its own. */
function open() {
  const log = { info: () => {}, warn: () => {} }
  return openSources(readConfig({ TMDB_TOKEN: 'the-token', TMDB_API_URL: fake.url }), log).offers!
}
const namesIn = async (country: string) =>
  (await open().findOffers(movie, 'sync'))!
    .find((one) => one.country === country)
    ?.offers.map(({ type, service }) => `${type} ${service.id} ${service.name}`)

test('TMDB’s offers are by country, type and its order, with cleaned names', async () => {
  expect(await namesIn('DE')).toEqual([
    'stream 8 Eight & more',
    'stream 9 Nine',
    'ads 8 Eight & more',
    'rent 2 Two',
  ])
  expect(await namesIn('US')).toEqual(['rent 3 Three'])
  const found = await open().findOffers(movie, 'sync')
  expect(found!.map(({ country }) => country)).toEqual(['DE', 'AT', 'CH', 'US'])
})

test('only links to TMDB and pictures of TMDB remain', async () => {
  const found = (await open().findOffers(movie, 'sync'))!
  expect(found.map((one) => one.link)).toEqual([link, null, null, null])
  const images = found.flatMap((one) => one.offers.map(({ service }) => [service.id, service.image]))
  expect(Object.fromEntries(images)).toEqual({
    2: null,
    3: 'https://image.tmdb.org/t/p/w92/logo-3.jpg',
    5: 'https://image.tmdb.org/t/p/w92/logo-5.jpg',
    8: 'https://image.tmdb.org/t/p/w92/logo-8.jpg',
    9: 'https://image.tmdb.org/t/p/w92/logo-9.jpg',
  })
  expect(JSON.stringify(found)).not.toContain('<')
})

test('the call names the title and nothing else', async () => {
  await open().findOffers([{ source: 'imdb', external_id: 'tt1' }, ...movie], 'import')
  expect(fake.requests.map(({ path, query }) => [path, [...query]])).toEqual([
    ['/movie/603/watch/providers', []],
  ])
})

test('a title without an id of TMDB is not asked for; one that TMDB does not know, or that nobody has, has no offers', async () => {
  expect(await open().findOffers([{ source: 'imdb', external_id: 'tt1' }], 'sync')).toBeUndefined()
  expect(fake.requests).toEqual([])
  expect(await open().findOffers([{ source: 'tmdb-movie', external_id: '9' }], 'sync')).toEqual([])
  expect(await open().findOffers([{ source: 'tmdb-tv', external_id: '12' }], 'sync')).toEqual([])
})

test('the services of a country are those of movies and shows, in the order of the country', async () => {
  const services = await open().listServices('DE')
  expect(services.map(({ name }) => name)).toEqual(['Eight', 'Five', 'Nine'])
  expect(fake.requests.map(({ path }) => path)).toEqual(['/watch/providers/movie', '/watch/providers/tv'])
  expect(fake.requests[0]!.query.get('watch_region')).toBe('DE')
  expect(await open().listServices('XX')).toEqual([])
})

test.each([
  ['HTML', html(200)],
  ['a body that is cut off', truncatedJson],
  ['a connection that closes', abortMidBody],
  ['an endless body', endlessBody],
  ['429', tooManyRequests('3')],
  ['500', json({ status_code: 11 }, 500)],
  ['a 404 of a proxy', html(404)],
  ['no object', json([])],
  ['results of another type', json({ results: 7 })],
  ['no results', json({ id: 603 })],
])('%s is an error of the source', async (_name, reply) => {
  fake.replyAlways(reply)
  const code = expect.stringMatching(/^(SERVICE_UNAVAILABLE|BAD_GATEWAY)$/)
  await expect(open().findOffers(movie, 'sync')).rejects.toMatchObject({ code })
  await expect(open().listServices('DE')).rejects.toMatchObject({ code })
})

test('ten thousand services in hundreds of countries are cut', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ provider_id: at + 1, provider_name: 'n' }))
  fake.replyAlways(json({ results: { DE: { flatrate: many } } }))
  const [found] = (await open().findOffers(movie, 'sync'))!
  expect(found!.offers).toHaveLength(100)
  fake.replyAlways(json({ results: many }))
  expect(await open().listServices('DE')).toHaveLength(1_000)

  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  const all = letters.flatMap((one) => letters.map((other) => one + other))
  const ofCountry = (at: number) => ({
    buy: Array.from({ length: 20 }, (_, n) => ({ provider_id: 20 * at + n + 1, provider_name: 'n' })),
  })
  fake.replyAlways(json({ results: Object.fromEntries(all.map((code, at) => [code, ofCountry(at)])) }))
  const everywhere = (await open().findOffers(movie, 'sync'))!
  expect(everywhere.flatMap(({ offers }) => offers)).toHaveLength(1_000)
})
