import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { aFake, aFakeOpenLibrary, html, json } from './fakes.ts'
import { openSources } from './open.ts'

const log = { info: () => {}, warn: () => {} }
const second = 100
const later = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * second))
const dune = { isbn13: '9780441013593' }

/** The address of a server that is not there. */
async function anEmptyAddress() {
  const fake = await aFake(() => json({}))
  await fake.close()
  return fake.url
}

test('without keys the starter catalogue answers for movies, TV shows and games, and says so', async () => {
  const { screens, games } = openSources(readConfig({}), log)
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

test('with keys TMDB and IGDB are asked, and the starter catalogue does not stand in for them', async () => {
  const url = await anEmptyAddress()
  const { screens, games } = openSources(
    readConfig({
      TMDB_TOKEN: 't',
      TMDB_API_URL: url,
      IGDB_CLIENT_ID: 'c',
      IGDB_CLIENT_SECRET: 's',
      IGDB_API_URL: url,
      IGDB_AUTH_URL: url,
    }),
    log,
    second,
  )
  expect([screens.name, games.name]).toEqual(['tmdb', 'igdb'])
  await expect(screens.search('matrix')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(games.search('zelda')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('without a network the starter catalogue answers for books, and says so', async () => {
  const { books } = openSources(readConfig({ OPEN_LIBRARY_URL: await anEmptyAddress() }), log, second)
  expect(books.name).toBe('openlibrary')
  const { results, source } = await books.search('dune')
  expect(source).toBe('starter')
  expect(results[0]).toMatchObject({ title: 'Dune', isbn13: dune.isbn13 })
  expect(await books.find(dune)).toMatchObject({ source: 'starter', name: 'Dune' })
})

test('without a network a book that the starter catalogue does not know is not said to be nowhere', async () => {
  const { books } = openSources(readConfig({ OPEN_LIBRARY_URL: await anEmptyAddress() }), log, second)
  await expect(books.find({ olid: 'OL424242W' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('a source that is there and fails is an error, until it is left alone; then the starter catalogue stands in, and it comes back by itself', async () => {
  const fake = await aFakeOpenLibrary({
    records: {},
    docs: [{ key: '/works/OL1W', title: 'Dune, by the outside' }],
  })
  afterAll(fake.close)
  const { books } = openSources(readConfig({ OPEN_LIBRARY_URL: fake.url }), log, second)
  fake.always(html(500))
  for (let count = 0; count < 5; count++) {
    await expect(books.search(`dune ${count}`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  }
  expect(await books.search('dune')).toMatchObject({ source: 'starter' })
  expect(fake.requests).toHaveLength(5)

  fake.always(undefined)
  await later(11)
  expect(await books.search('dune')).toMatchObject({
    source: 'openlibrary',
    results: [{ title: 'Dune, by the outside' }],
  })
})
