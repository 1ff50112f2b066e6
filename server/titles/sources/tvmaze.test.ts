import { afterAll, expect, test } from 'vitest'
import { passTimeByTurns } from '#scripts/testing/time.ts'
import { readConfig } from '#server/config.ts'
import { html, json, redirect, startFakeTvmaze, tooManyRequests } from './fakes.ts'
import { openSources } from './open.ts'

passTimeByTurns()

const episode = (id: number, season: number, number: number | null, fields: object = {}) => ({
  id,
  season,
  number,
  name: `The ${id}th`,
  type: number === null ? 'significant_special' : 'regular',
  airdate: '2013-02-01',
  airtime: '22:00',
  airstamp: '2013-02-02T03:00:00+00:00',
  runtime: 50,
  summary: '<p>Text</p>',
  ...fields,
})

const ferry = [
  episode(12, 1, 2, { airtime: '', airstamp: '2013-02-01T12:00:00+00:00' }),
  episode(11, 1, 1, { name: '<b>The &amp; Pilot</b>' }),
  episode(21, 2, 1, { airdate: '', airstamp: null, runtime: null, name: 'Episode 1' }),
  episode(33, 2, null, { airdate: '' }),
  episode(32, 2, null, { airdate: '2014-12-24' }),
  episode(31, 1, null, { airdate: '2013-12-24' }),
  { id: 'x', season: 1, number: 3 },
  { ...episode(13, 1, 3), season: null },
  null,
]
// About 2.5 MB, in six seasons.
const soap = Array.from({ length: 5_000 }, (_, at) =>
  episode(10_000 + at, 1 + Math.floor(at / 840), 1 + (at % 840), { summary: 'x'.repeat(320) }),
)
const fake = await startFakeTvmaze({
  'thetvdb 500': { id: 5, episodes: ferry },
  'imdb tt0000007': { id: 7, episodes: soap },
  'thetvdb 900': { id: 9, episodes: [] },
  'thetvdb 901': { id: 1, episodes: [] },
})
afterAll(() => fake.close())

const ids = (source: 'tvdb' | 'imdb' | 'tmdb-tv', external_id: string) => [{ source, external_id }]
/** Each has a circuit breaker and limits of its own. */
function open() {
  const log = { info: () => {}, warn: () => {} }
  const { episodes } = openSources(readConfig({ TVMAZE_URL: fake.url }), log)
  expect(episodes.map(({ name }) => name)).toEqual(['tvmaze'])
  return episodes[0]!
}

test('TVmaze’s episodes are in seasons, with its specials by date as season 0', async () => {
  const seasons = (await open().findEpisodes(ids('tvdb', '500')))!
  expect(seasons.map(({ number, parts }) => [number, parts!.map((one) => one.ids[0]!.external_id)])).toEqual([
    [0, ['31', '32', '33']],
    [1, ['11', '12']],
    [2, ['21']],
  ])
  expect(seasons[1]).toMatchObject({ type: 'season', releaseDate: '2013-02-01', name: null })
  expect(seasons[1]!.parts).toMatchObject([
    {
      number: 1,
      name: 'The & Pilot',
      releaseDate: '2013-02-01',
      airsAt: '2013-02-02T03:00:00.000Z',
      runtime: 50,
      ids: [{ source: 'tvmaze-episode', external_id: '11' }],
    },
    // TVmaze writes noon if it does not know the time of day.
    { number: 2, airsAt: null },
  ])
  expect(seasons[2]!.parts).toMatchObject([{ name: null, releaseDate: null, airsAt: null, runtime: null }])
  expect(seasons[0]!.parts!.map(({ number, releaseDate }) => [number, releaseDate])).toEqual([
    [1, '2013-12-24'],
    [2, '2014-12-24'],
    [3, null],
  ])
  expect(fake.requests.at(-1)!.query.get('specials')).toBe('1')
})

test('a list of 5,000 episodes that is too large for one response is read by season', async () => {
  const seasons = (await open().findEpisodes(ids('imdb', 'tt0000007')))!
  expect(seasons).toHaveLength(6)
  expect(seasons.flatMap(({ parts }) => parts)).toHaveLength(5_000)
})

test('a show that TVmaze does not have, or of which it has no episodes, is undefined', async () => {
  const source = open()
  expect(await source.findEpisodes(ids('tvdb', '1'))).toBeUndefined()
  expect(await source.findEpisodes(ids('tvdb', '900'))).toBeUndefined()
  const before = fake.requests.length
  expect(await source.findEpisodes(ids('tmdb-tv', '500'))).toBeUndefined()
  expect(fake.requests).toHaveLength(before)
})

test('an administrator’s check asks without waiting, and throws while TVmaze fails', async () => {
  await open().check!()
  expect(fake.requests.at(-1)!.path).toBe('/shows/1')
  fake.replyOnce(json({}, 500))
  await expect(open().check!()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('TVMAZE_URL=off leaves no source of episodes, other URLs must be valid', () => {
  const log = { info: () => {}, warn: () => {} }
  expect(openSources(readConfig({ TVMAZE_URL: ' off ' }), log).episodes).toEqual([])
  for (const TVMAZE_URL of ['on', 'OFF', 'ftp://shows.example', 'shows.example'])
    expect(() => readConfig({ TVMAZE_URL }), TVMAZE_URL).toThrow(/TVMAZE_URL/)
})

test('each answer and each failure is observed', async () => {
  const observed: [string, boolean][] = []
  const log = { info: () => {}, warn: () => {} }
  const observe = (source: string, error?: unknown) => void observed.push([source, error === undefined])
  const [source] = openSources(readConfig({ TVMAZE_URL: fake.url }), log, observe).episodes
  await source!.findEpisodes(ids('tvdb', '1'))
  fake.replyOnce(json({}, 500))
  await source!.findEpisodes(ids('tvdb', '1')).catch(() => {})
  expect(observed).toEqual([
    ['tvmaze', true],
    ['tvmaze', false],
  ])
})

test('a hostile or failing TVmaze throws, and is not taken for a missing show', async () => {
  const cases = [
    [json([]), 'BAD_GATEWAY'],
    [json({ id: 'x' }), 'BAD_GATEWAY'],
    [html(404), 'BAD_GATEWAY'],
    [redirect('https://elsewhere.example/shows/5'), 'BAD_GATEWAY'],
    [redirect('/people/5'), 'BAD_GATEWAY'],
    [json({}, 500), 'SERVICE_UNAVAILABLE'],
    [tooManyRequests(), 'SERVICE_UNAVAILABLE'],
  ] as const
  for (const [reply, code] of cases) {
    fake.replyOnce(reply)
    await expect(open().findEpisodes(ids('tvdb', '500'))).rejects.toMatchObject({ code })
  }
  fake.replyOnce(json({ id: 5 }), json({ episodes: [] }))
  await expect(open().findEpisodes(ids('tvdb', '500'))).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
})

test('the calls are a second apart: TVmaze allows 20 in ten seconds', async () => {
  const source = open()
  const before = fake.requests.length
  await Promise.all(Array.from({ length: 3 }, () => source.findEpisodes(ids('tvdb', '1'))))
  const [first, , third] = fake.requests.slice(before).map(({ at }) => at)
  expect(third! - first!).toBeGreaterThan(1_800)
})
