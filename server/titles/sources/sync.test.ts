import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { aSession, aMember, aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'
import {
  hang,
  html,
  startFakeIgdb,
  startFakeOpenLibrary,
  startFakeTmdb,
  tooManyRequests,
  truncatedJson,
} from './fakes.ts'
import { loadStarter } from '#server/titles/load-starter.ts'
import { openSources } from './open.ts'
import { starterSources } from '#server/starter/source.ts'

const type = (name: string) => ({ key: `/type/${name}` })
const editionOf = (work: string, title: string, isbn: string) => ({
  type: type('edition'),
  title,
  works: [{ key: `/works/${work}` }],
  isbn_13: [isbn],
  number_of_pages: 200,
})

const screenResults = [{ id: 7001, media_type: 'movie', title: 'The Glass Harbour' }]
const tmdb = await startFakeTmdb({
  token: 'tmdb-token',
  titles: {
    '/movie/7001': {
      id: 7001,
      title: 'The Glass Harbour',
      release_date: '2011-05-20',
      runtime: 104,
      vote_count: 10,
      original_title: 'Glashamnen',
      original_language: 'sv',
      translations: {
        translations: [{ iso_639_1: 'de', iso_3166_1: 'DE', data: { title: 'Der gläserne Hafen' } }],
      },
    },
    '/tv/7001': { id: 7001, name: 'Night Ferry', first_air_date: '' },
    '/movie/7002': { id: 7002, title: 'Twice at Once' },
    '/movie/7009': {
      id: 7009,
      title: 'Own Harbour',
      translations: {
        translations: [{ iso_639_1: 'de', iso_3166_1: 'DE', data: { title: 'Ein eigener Hafen' } }],
      },
    },
    '/movie/7003': { id: 7003, title: 'One Id for Two', imdb_id: 'tt0107003' },
    '/tv/7003': {
      id: 7003,
      name: 'One Id for Two',
      external_ids: { imdb_id: 'tt0107003', tvdb_id: 307003 },
    },
  },
  searchResults: screenResults,
})
const library = await startFakeOpenLibrary({
  records: {
    '/works/OL1W': { type: type('work'), title: 'The Salt Road', first_publish_date: '1988' },
    '/books/OL10M': editionOf('OL1W', 'The Salt Road', '9780140328721'),
    '/books/OL11M': editionOf('OL1W', 'El camino de la sal', '9780804429573'),
    '/works/OL2W': { type: type('work'), title: 'Twice at Once' },
    '/books/OL20M': editionOf('OL2W', 'Twice at Once', '9780306406157'),
    '/works/OL3W': { type: type('redirect'), location: '/works/OL1W' },
    '/works/OL4W': { type: type('delete') },
    '/works/OL27448W': { type: type('work'), title: 'Known at the Source' },
    '/books/OL50M': {
      ...editionOf('OL27448W', 'Known at the Source', '9780261103573'),
      isbn_10: ['0261103571'],
    },
  },
  isbns: {
    '9780140328721': '/books/OL10M',
    '9780804429573': '/books/OL11M',
    '9780306406157': '/books/OL20M',
    '9780261103573': '/books/OL50M',
  },
})
const igdb = await startFakeIgdb({
  clientId: 'client',
  clientSecret: 's3cret',
  games: [
    {
      id: 501,
      name: 'Lantern Keep',
      first_release_date: 1191888000,
      release_dates: [{ date: 1191888000, date_format: 0 }],
    },
  ],
})
afterAll(() => Promise.all([tmdb.close(), library.close(), igdb.close()]))

const server = await aServer({
  TMDB_TOKEN: 'tmdb-token',
  TMDB_API_URL: tmdb.url,
  OPEN_LIBRARY_URL: library.url,
  IGDB_CLIENT_ID: 'client',
  IGDB_CLIENT_SECRET: 's3cret',
  IGDB_API_URL: igdb.url,
  IGDB_AUTH_URL: igdb.authUrl,
  RATE_LIMITS: 'off',
})
const { db } = server
const member = await aMember(db)

const log = { info: () => {}, warn: () => {} }

// New sources for each test: caches and circuit breakers must not leak between tests.
beforeEach(() => {
  server.services.sources = openSources(server.config, log)
})
afterEach(() => {
  for (const fake of [tmdb, library, igdb]) fake.replyAlways(undefined)
})
const calls = () => server.as(member).sources
const visitor = () => server.as().sources

const titlesNamed = async (name: string) =>
  db.selectFrom('media').select(['id', 'source']).where('name', '=', name).execute()
const idsOf = async (mediaId: number) => {
  const rows = await db
    .selectFrom('external_ids')
    .select(['source', 'external_id'])
    .where('media_id', '=', mediaId)
    .execute()
  return rows.map(({ source, external_id }) => `${source} ${external_id}`).sort()
}

const session = await aSession(db, member)

const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

/** Sends a POST through the REST adapter. */
async function post(url: string, body: object = {}, token: string | null = session) {
  const response = await app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  return { status: response.statusCode, body: response.json() }
}

test('syncing a movie returns 201 with all its fields, then 200 with the same movie', async () => {
  const first = await post('/tmdb/sync/7001', { mediaType: 'movie' })
  expect(first).toMatchObject({
    status: 201,
    body: {
      movie: {
        name: 'The Glass Harbour',
        releaseDate: '2011-05-20',
        runtime: 104,
        tmdbId: 7001,
        source: 'tmdb',
      },
    },
  })
  const again = await post('/tmdb/sync/7001', { mediaType: 'movie' })
  expect(again).toEqual({ status: 200, body: first.body })
  expect(await titlesNamed('The Glass Harbour')).toHaveLength(1)
})

test('a synced movie is found by each of its names, and a later sync keeps the name that a member gave the title', async () => {
  await post('/tmdb/sync/7001', { mediaType: 'movie' })
  const search = async (q: string) =>
    (await server.as().items.search({ q, category: 'movie' })).results.map(({ name }) => name)
  for (const q of ['der glaserne hafen', 'Glashamnen', 'glass harbour'])
    expect(await search(q), q).toEqual(['The Glass Harbour'])
  const { movie } = await server.as(member).movies.create({ name: 'My Own Harbour' })
  await db
    .insertInto('external_ids')
    .values({ source: 'tmdb-movie', external_id: '7009', media_id: movie.id })
    .execute()
  await calls().syncTmdb({ tmdbId: 7009, mediaType: 'movie' })
  expect(await titlesNamed('My Own Harbour')).toEqual([{ id: movie.id, source: null }])
  expect(await search('eigener hafen')).toEqual(['My Own Harbour'])
})

test('a TV show with the TMDB id of a movie is another title', async () => {
  const { tvShow } = await calls().syncTmdb({ tmdbId: 7001, mediaType: 'tv' })
  expect(tvShow).toMatchObject({ name: 'Night Ferry', firstAirDate: null, tmdbId: 7001 })
})

test('syncing a game returns 201, then 200 with the same game', async () => {
  const first = await post('/games/sync/501')
  expect(first).toMatchObject({
    status: 201,
    body: { game: { name: 'Lantern Keep', releaseDate: '2007-10-09', igdbId: 501, source: 'igdb' } },
  })
  expect(await post('/games/sync/501')).toEqual({ status: 200, body: first.body })
})

test('concurrent syncs of a movie create one title, and only one returns 201', async () => {
  const syncs = await Promise.all(
    Array.from({ length: 5 }, () => post('/tmdb/sync/7002', { mediaType: 'movie' })),
  )
  expect(syncs.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
  expect(new Set(syncs.map(({ body }) => body.movie.id)).size).toBe(1)
  expect(await titlesNamed('Twice at Once')).toHaveLength(1)
})

test('concurrent syncs of a book by ISBN, edition and work create one book', async () => {
  const syncs = await Promise.all([
    post('/books/sync/978-0-306-40615-7'),
    post('/books/sync', { olid: 'OL20M' }),
    post('/books/sync', { olid: 'OL2W' }),
  ])
  expect(syncs.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(new Set(syncs.map(({ body }) => body.book.id)).size).toBe(1)
})

test('syncs of a book by ISBN, another edition, its work and a merged record return the same book', async () => {
  const { book } = await calls().syncBookByIsbn({ isbn13: '9780140328721' })
  expect(book).toMatchObject({
    title: 'The Salt Road',
    isbn13: '9780140328721',
    olid: 'OL10M',
    pageCount: 200,
    source: 'openlibrary',
  })
  for (const olid of ['OL10M', 'OL1W', 'OL11M', 'OL3W']) {
    expect((await calls().syncBookByOlid({ olid })).book.id).toBe(book.id)
  }
  expect((await calls().syncBookByIsbn({ isbn13: '9780804429573' })).book.id).toBe(book.id)
  expect(await idsOf(book.id)).toEqual([
    'isbn13 9780140328721',
    'isbn13 9780804429573',
    'olid-edition OL10M',
    'olid-edition OL11M',
    'olid-work OL1W',
    'olid-work OL3W',
  ])
  expect((await server.as().books.existsByIsbn({ isbn13s: '9780140328721,9780261103573' })).exists).toEqual({
    '9780140328721': book.id,
  })
})

test('syncing a title that is deleted or unknown at the source is 404', async () => {
  await expect(calls().syncBookByOlid({ olid: 'OL4W' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(calls().syncBookByIsbn({ isbn13: '9780451524935' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(calls().syncTmdb({ tmdbId: 1, mediaType: 'tv' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await post('/games/sync/99')).toMatchObject({ status: 404, body: { message: messages.notFound } })
})

test('an ISBN with a wrong check digit is 400, without a request to the source', async () => {
  const before = library.requests.length
  expect(await post('/books/sync/9780140328722')).toMatchObject({
    status: 400,
    body: { message: messages.isbnInvalid },
  })
  expect(library.requests).toHaveLength(before)
})

test('a sync without a session is 401', async () => {
  expect(await post('/tmdb/sync/7001', { mediaType: 'movie' }, null)).toMatchObject({
    status: 401,
    body: { message: messages.pleaseLogIn },
  })
  await expect(visitor().syncGame({ igdbId: 501 })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test.for([
  ['times out', hang, 'SERVICE_UNAVAILABLE'],
  ['returns 429', tooManyRequests(), 'SERVICE_UNAVAILABLE'],
  ['returns 500', html(500), 'SERVICE_UNAVAILABLE'],
  ['sends truncated JSON', truncatedJson, 'BAD_GATEWAY'],
] as const)(
  'while a source %s, searches and new syncs throw, titles of the catalogue are still found, and then calls succeed again',
  async ([, reply, code]) => {
    await calls().syncTmdb({ tmdbId: 7001, mediaType: 'movie' })
    for (const fake of [tmdb, library, igdb]) fake.replyOnce(reply, reply)
    await Promise.all([
      expect(visitor().searchTmdb({ q: 'glass' })).rejects.toMatchObject({
        code,
        message: messages.searchFailed,
      }),
      expect(visitor().searchBooks({ q: 'salt' })).rejects.toMatchObject({
        code,
        message: messages.searchFailed,
      }),
      expect(visitor().searchGames({ q: 'lantern' })).rejects.toMatchObject({
        code,
        message: messages.searchFailed,
      }),
      expect(calls().syncTmdb({ tmdbId: 1, mediaType: 'movie' })).rejects.toMatchObject({
        message: messages.sourceDown,
      }),
      expect(calls().syncBookByOlid({ olid: 'OL999W' })).rejects.toMatchObject({
        message: messages.sourceDown,
      }),
      expect(calls().syncTmdb({ tmdbId: 7001, mediaType: 'movie' })).resolves.toMatchObject({
        movie: { name: 'The Glass Harbour' },
      }),
      expect(server.as().movies.search({ q: 'glass har' })).resolves.toMatchObject({
        results: [{ name: 'The Glass Harbour' }],
      }),
    ])
    expect(await visitor().searchTmdb({ q: 'glass' })).toMatchObject({
      source: 'tmdb',
      results: [{ tmdbId: 7001 }],
    })
  },
)

test('in the REST API a source that is down is 503, and an invalid response of a source is 502', async () => {
  tmdb.replyOnce(html(500))
  expect(await post('/tmdb/sync/99', { mediaType: 'tv' })).toMatchObject({
    status: 503,
    body: { message: messages.sourceDown },
  })
  tmdb.replyOnce(truncatedJson)
  expect(await post('/tmdb/sync/99', { mediaType: 'tv' })).toMatchObject({
    status: 502,
    body: { message: messages.sourceDown },
  })
})

test('a stale title is fetched again, and returned unchanged while its source is down', async () => {
  const { movie } = await calls().syncTmdb({ tmdbId: 7001, mediaType: 'movie' })
  const inTwoMonths = { now: new Date(Date.now() + 60 * 86_400_000) }
  const requestCount = () => tmdb.requests.filter(({ path }) => path === '/movie/7001').length
  const before = requestCount()
  await calls().syncTmdb({ tmdbId: 7001, mediaType: 'movie' })
  expect(requestCount()).toBe(before)

  server.services.sources = openSources(server.config, log)
  tmdb.replyOnce(html(500))
  expect(await server.as(member, inTwoMonths).sources.syncTmdb({ tmdbId: 7001, mediaType: 'movie' })).toEqual(
    { movie },
  )
  expect(await server.as(member, inTwoMonths).sources.syncTmdb({ tmdbId: 7001, mediaType: 'movie' })).toEqual(
    { movie },
  )
  expect(requestCount()).toBe(before + 2)
})

test('without keys, searches use the starter catalogue, and repeated syncs from it return the same title', async () => {
  server.services.sources = starterSources
  expect(await visitor().searchTmdb({ q: 'matrix' })).toMatchObject({
    source: 'starter',
    results: [{ tmdbId: 603, name: 'The Matrix' }],
  })
  const { movie } = await calls().syncTmdb({ tmdbId: 603, mediaType: 'movie' })
  expect(movie).toMatchObject({ name: 'The Matrix', source: 'starter', tmdbId: 603 })
  expect(await calls().syncTmdb({ tmdbId: 603, mediaType: 'movie' })).toEqual({ movie })
  await expect(calls().syncTmdb({ tmdbId: 999_999_999, mediaType: 'movie' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a search returns titles of the catalogue that the source does not find, and allows one typo if both find nothing', async () => {
  await loadStarter(server.db, new Date())
  const books = async (q: string) => (await visitor().searchBooks({ q })).results.map(({ title }) => title)
  expect(await books('the')).toContain('The Hobbit')
  expect(await books('1984')).toEqual(['Nineteen Eighty-Four'])
  expect(await books('hobit')).toEqual(['The Hobbit'])
  expect(await books('qqqqq')).toEqual([])
  const [book] = (await visitor().searchBooks({ q: 'hobbit tolkien' })).results
  expect(book).toMatchObject({ isbn13: expect.stringMatching(/^978/), authors: ['J.R.R. Tolkien'] })

  const screens = async (q: string) => (await visitor().searchTmdb({ q })).results
  // TMDB finds one; the catalogue adds none that TMDB returned.
  expect((await screens('glass')).map(({ name }) => name)).toEqual(['The Glass Harbour'])
  const all = screenResults.splice(0)
  onTestFinished(() => void screenResults.push(...all))
  const found = await screens('star wrs')
  expect(found).toMatchObject([{ tmdbId: 11, mediaType: 'movie', name: 'Star Wars' }])
  expect((await visitor().searchGames({ q: 'zelda' })).results.map(({ name }) => name)).toContain(
    'The Legend of Zelda: Ocarina of Time',
  )
})

test('the starter catalogue as a fallback does not overwrite data from the source', async () => {
  // An edition of the work that the starter catalogue has under another ISBN.
  const { book } = await calls().syncBookByIsbn({ isbn13: '9780261103573' })
  expect(book).toMatchObject({ title: 'Known at the Source', source: 'openlibrary' })

  const offline = { ...server.config, openLibrary: { url: 'http://127.0.0.1:1' } }
  server.services.sources = openSources(offline, log)
  expect(await visitor().searchBooks({ q: 'lord of the rings' })).toMatchObject({
    source: 'starter',
    results: [{ olid: 'OL27448W' }],
  })
  const found = await calls().syncBookByIsbn({ isbn13: '9780618640157' })
  expect(found.book).toMatchObject({ id: book.id, title: 'Known at the Source', source: 'openlibrary' })
  expect(await idsOf(book.id)).toContain('isbn13 9780618640157')
  await expect(calls().syncBookByOlid({ olid: 'OL424242W' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: messages.sourceDown,
  })
})

test('a sync stores IMDb and TVDB ids, and a show with the IMDb id of a movie is a title of its own', async () => {
  const movie = await post('/tmdb/sync/7003', { mediaType: 'movie' })
  const show = await post('/tmdb/sync/7003', { mediaType: 'tv' })
  expect([movie.status, show.status]).toEqual([201, 201])
  expect(show.body.tvShow.id).not.toBe(movie.body.movie.id)
  expect(await idsOf(movie.body.movie.id)).toEqual(['imdb tt0107003', 'tmdb-movie 7003'])
  expect(await idsOf(show.body.tvShow.id)).toEqual(['tmdb-tv 7003', 'tvdb 307003'])
})
