import { afterAll, expect, test } from 'vitest'
import { passTimeByTurns } from '#scripts/testing/time.ts'
import { readConfig } from '#server/config.ts'
import { html, json, startFake, startFakeOpenLibrary, documentedSources } from './fakes.ts'
import { openSources } from './open.ts'

passTimeByTurns()

const log = { info: () => {}, warn: () => {} }
const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
const dune = { isbn13: '9780441013593' }

/** Returns a URL that refuses connections. */
async function unreachableUrl() {
  const fake = await startFake(() => json({}))
  await fake.close()
  return fake.url
}

test('without keys, movies, TV shows and games come from the starter catalogue, and the result names it', async () => {
  const { screens, games } = documentedSources(openSources(readConfig({}), log))
  const movies = await screens.search('matrix')
  expect(movies.source).toBe('starter')
  expect(movies.results[0]).toMatchObject({ tmdbId: 603, mediaType: 'movie', name: 'The Matrix' })
  expect((await games.search('zelda')).source).toBe('starter')
  expect(await screens.find({ tmdbId: 603, mediaType: 'movie' })).toMatchObject({
    source: 'starter',
    name: 'The Matrix',
  })
  expect(await screens.find({ tmdbId: 603, mediaType: 'tv' })).toBeUndefined()
})

test('with keys, TMDB and IGDB are called, without the starter catalogue as a fallback', async () => {
  const url = await unreachableUrl()
  const config = readConfig({
    TMDB_TOKEN: 't',
    TMDB_API_URL: url,
    IGDB_CLIENT_ID: 'c',
    IGDB_CLIENT_SECRET: 's',
    IGDB_API_URL: url,
    IGDB_AUTH_URL: url,
  })
  const { screens, games } = documentedSources(openSources(config, log))
  expect([screens.name, games.name]).toEqual(['tmdb', 'igdb'])
  await expect(screens.search('matrix')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(games.search('zelda')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('without a network, books fall back to the starter catalogue, and the result names it', async () => {
  const { books } = documentedSources(
    openSources(readConfig({ OPEN_LIBRARY_URL: await unreachableUrl() }), log),
  )
  expect(books.name).toBe('openlibrary')
  const { results, source } = await books.search('dune')
  expect(source).toBe('starter')
  expect(results[0]).toMatchObject({ title: 'Dune', isbn13: dune.isbn13 })
  expect(await books.find(dune)).toMatchObject({ source: 'starter', name: 'Dune' })
})

test('without a network, a book missing in the starter catalogue is SERVICE_UNAVAILABLE, not missing', async () => {
  const { books } = documentedSources(
    openSources(readConfig({ OPEN_LIBRARY_URL: await unreachableUrl() }), log),
  )
  await expect(books.find({ olid: 'OL424242W' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('a failing source throws until its circuit breaker opens; then the starter catalogue is the fallback until the source recovers', async () => {
  const fake = await startFakeOpenLibrary({
    records: {},
    docs: [{ key: '/works/OL1W', title: 'Dune, from the source' }],
  })
  afterAll(fake.close)
  const { books } = documentedSources(openSources(readConfig({ OPEN_LIBRARY_URL: fake.url }), log))
  fake.replyAlways(html(500))
  for (let count = 0; count < 5; count++) {
    await expect(books.search(`dune ${count}`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  }
  expect(await books.search('dune')).toMatchObject({ source: 'starter' })
  expect(fake.requests).toHaveLength(5)

  fake.replyAlways(undefined)
  await wait(11)
  expect(await books.search('dune')).toMatchObject({
    source: 'openlibrary',
    results: [{ title: 'Dune, from the source' }],
  })
})
