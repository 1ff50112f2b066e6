import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { buildApp } from '#server/app.ts'
import { aMember, aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/web.ts'
import { aFakeIgdb, aFakeOpenLibrary, aFakeTmdb, halfJson, hang, html, tooMany } from './fakes.ts'
import { openSources } from './open.ts'
import { starterSources } from './starter.ts'

const type = (name: string) => ({ key: `/type/${name}` })
const editionOf = (work: string, title: string, isbn: string) => ({
  type: type('edition'),
  title,
  works: [{ key: `/works/${work}` }],
  isbn_13: [isbn],
  number_of_pages: 200,
})

const tmdb = await aFakeTmdb({
  token: 'tmdb-token',
  titles: {
    '/movie/7001': {
      id: 7001,
      title: 'The Glass Harbour',
      release_date: '2011-05-20',
      runtime: 104,
      vote_count: 10,
    },
    '/tv/7001': { id: 7001, name: 'Night Ferry', first_air_date: '' },
    '/movie/7002': { id: 7002, title: 'Twice at Once' },
  },
  found: [{ id: 7001, media_type: 'movie', title: 'The Glass Harbour' }],
})
const library = await aFakeOpenLibrary({
  records: {
    '/works/OL1W': { type: type('work'), title: 'The Salt Road', first_publish_date: '1988' },
    '/books/OL10M': editionOf('OL1W', 'The Salt Road', '9780140328721'),
    '/books/OL11M': editionOf('OL1W', 'El camino de la sal', '9780804429573'),
    '/works/OL2W': { type: type('work'), title: 'Twice at Once' },
    '/books/OL20M': editionOf('OL2W', 'Twice at Once', '9780306406157'),
    '/works/OL3W': { type: type('redirect'), location: '/works/OL1W' },
    '/works/OL4W': { type: type('delete') },
    '/works/OL27448W': { type: type('work'), title: 'Known Outside' },
    '/books/OL50M': { ...editionOf('OL27448W', 'Known Outside', '9780261103573'), isbn_10: ['0261103571'] },
  },
  isbns: {
    '9780140328721': '/books/OL10M',
    '9780804429573': '/books/OL11M',
    '9780306406157': '/books/OL20M',
    '9780261103573': '/books/OL50M',
  },
})
const igdb = await aFakeIgdb({
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

/** Milliseconds that a source's second lasts here. */
const second = 300
const log = { info: () => {}, warn: () => {} }

// New for each test, so that none finds what another made the sources remember.
beforeEach(() => {
  server.services.sources = openSources(server.config, log, second)
})
afterEach(() => {
  for (const fake of [tmdb, library, igdb]) fake.always(undefined)
})
/** Procedures of the sources that this test has. */
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

await db
  .insertInto('sessions')
  .values({
    token_hash: hashToken('a-session'),
    user_id: member.id,
    created_at: new Date().toISOString(),
    last_used_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  .execute()

const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

/** Posts at the REST door, with the sources of this test. */
async function post(url: string, body: object = {}, token: string | null = 'a-session') {
  const response = await app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  return { status: response.statusCode, body: response.json() }
}

test('a movie is taken over once: 201 with the whole record, then 200 with the same one', async () => {
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

test('a TV show with the number of a movie is another title', async () => {
  const { tvShow } = await calls().syncTmdb({ tmdbId: 7001, mediaType: 'tv' })
  expect(tvShow).toMatchObject({ name: 'Night Ferry', firstAirDate: null, tmdbId: 7001 })
})

test('a game is taken over once', async () => {
  const first = await post('/games/sync/501')
  expect(first).toMatchObject({
    status: 201,
    body: { game: { name: 'Lantern Keep', releaseDate: '2007-10-09', igdbId: 501, source: 'igdb' } },
  })
  expect(await post('/games/sync/501')).toEqual({ status: 200, body: first.body })
})

test('a sync that is called many times at once makes one title, and tells one caller that it is new', async () => {
  const syncs = await Promise.all(
    Array.from({ length: 5 }, () => post('/tmdb/sync/7002', { mediaType: 'movie' })),
  )
  expect(syncs.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
  expect(new Set(syncs.map(({ body }) => body.movie.id)).size).toBe(1)
  expect(await titlesNamed('Twice at Once')).toHaveLength(1)
})

test('a book that is synced by its ISBN, its edition and its work at once is one book', async () => {
  const syncs = await Promise.all([
    post('/books/sync/978-0-306-40615-7'),
    post('/books/sync', { olid: 'OL20M' }),
    post('/books/sync', { olid: 'OL2W' }),
  ])
  expect(syncs.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(new Set(syncs.map(({ body }) => body.book.id)).size).toBe(1)
})

test('a book by its ISBN, then by another edition, its work and a record that was merged into it, is one book', async () => {
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

test('what is deleted at the source, or was never there, is 404', async () => {
  await expect(calls().syncBookByOlid({ olid: 'OL4W' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(calls().syncBookByIsbn({ isbn13: '9780451524935' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(calls().syncTmdb({ tmdbId: 1, mediaType: 'tv' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await post('/games/sync/99')).toMatchObject({ status: 404, body: { message: messages.notFound } })
})

test('an ISBN with a wrong check digit is 400 and asked of nobody', async () => {
  const before = library.requests.length
  expect(await post('/books/sync/9780140328722')).toMatchObject({
    status: 400,
    body: { message: messages.isbnInvalid },
  })
  expect(library.requests).toHaveLength(before)
})

test('a sync is for members', async () => {
  expect(await post('/tmdb/sync/7001', { mediaType: 'movie' }, null)).toMatchObject({
    status: 401,
    body: { message: messages.pleaseLogIn },
  })
  await expect(visitor().syncGame({ igdbId: 501 })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test.for([
  ['is silent', hang, 'SERVICE_UNAVAILABLE'],
  ['is overrun', tooMany(), 'SERVICE_UNAVAILABLE'],
  ['fails', html(500), 'SERVICE_UNAVAILABLE'],
  ['answers half of its JSON', halfJson, 'BAD_GATEWAY'],
] as const)(
  'while a source %s, searches and syncs say so, what is here is still found, and then all is well again',
  async ([, reply, code]) => {
    await calls().syncTmdb({ tmdbId: 7001, mediaType: 'movie' })
    for (const fake of [tmdb, library, igdb]) fake.next(reply, reply)
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

test('at the REST door a source that is down is 503, and one that answers nonsense 502', async () => {
  tmdb.next(html(500))
  expect(await post('/tmdb/sync/99', { mediaType: 'tv' })).toMatchObject({
    status: 503,
    body: { message: messages.sourceDown },
  })
  tmdb.next(halfJson)
  expect(await post('/tmdb/sync/99', { mediaType: 'tv' })).toMatchObject({
    status: 502,
    body: { message: messages.sourceDown },
  })
})

test('a title that has grown old is asked for again; while its source is down it is answered as it was', async () => {
  const { movie } = await calls().syncTmdb({ tmdbId: 7001, mediaType: 'movie' })
  const inTwoMonths = { now: new Date(Date.now() + 60 * 86_400_000) }
  const asked = () => tmdb.requests.filter(({ path }) => path === '/movie/7001').length
  const before = asked()
  await calls().syncTmdb({ tmdbId: 7001, mediaType: 'movie' })
  expect(asked()).toBe(before)

  server.services.sources = openSources(server.config, log, second)
  tmdb.next(html(500))
  expect(await server.as(member, inTwoMonths).sources.syncTmdb({ tmdbId: 7001, mediaType: 'movie' })).toEqual(
    { movie },
  )
  expect(await server.as(member, inTwoMonths).sources.syncTmdb({ tmdbId: 7001, mediaType: 'movie' })).toEqual(
    { movie },
  )
  expect(asked()).toBe(before + 2)
})

test('without keys the starter catalogue answers, and what it gives is one title however often it is taken', async () => {
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

test('where the starter catalogue stands in, it leaves what the source told as it is', async () => {
  // An edition of the work that the starter catalogue has under another ISBN.
  const { book } = await calls().syncBookByIsbn({ isbn13: '9780261103573' })
  expect(book).toMatchObject({ title: 'Known Outside', source: 'openlibrary' })

  const offline = { ...server.config, openLibrary: { url: 'http://127.0.0.1:1' } }
  server.services.sources = openSources(offline, log, second)
  expect(await visitor().searchBooks({ q: 'lord of the rings' })).toMatchObject({
    source: 'starter',
    results: [{ olid: 'OL27448W' }],
  })
  const found = await calls().syncBookByIsbn({ isbn13: '9780618640157' })
  expect(found.book).toMatchObject({ id: book.id, title: 'Known Outside', source: 'openlibrary' })
  expect(await idsOf(book.id)).toContain('isbn13 9780618640157')
  await expect(calls().syncBookByOlid({ olid: 'OL424242W' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: messages.sourceDown,
  })
})
