import { describe, expect, test } from 'vitest'
import { kindNames, kinds } from '#shared/domain/kinds.ts'
import { noCounts } from '#shared/domain/ratings.ts'
import { loadStarter } from '#server/titles/load-starter.ts'
import { starterTitles } from '#server/starter/titles.ts'
import { insertMany } from '#server/db/dialect.ts'
import { aMember, anUpload, aServer, aTitle, findCounterFaults } from '#server/testing.ts'
import { isOneTypo, mostPopular } from './rules.ts'
import { findTitles } from './search.ts'

const server = await aServer()
const { as, db } = server
const now = new Date('2026-06-15T12:00:00.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

describe('popular', () => {
  test('counts only ratings within the window, ordered by number of ratings, average and release date', async () => {
    const [often, high, low, old] = await Promise.all(
      ['Often', 'High', 'Low', 'Old'].map((name) => aTitle(db, 'game', name)),
    )
    const members = await Promise.all([1, 2, 3].map(() => aMember(db)))
    const rate = (member: number, gameId: number, rating: number, at: Date) =>
      as(members[member]!, { now: at }).reviews.save({ gameId, rating })
    for (const member of [0, 1, 2]) await rate(member, often!, 1, daysAgo(2))
    for (const member of [0, 1]) await rate(member, high!, 5, daysAgo(3))
    for (const member of [0, 1]) await rate(member, low!, 2, daysAgo(1))
    for (const member of [0, 1, 2]) await rate(member, old!, 5, daysAgo(8))

    const { popular } = await as(null, { now }).games.popular({})
    expect(popular).toMatchObject([
      { id: often, name: 'Often', reviewCount: 3, reviewAverage: 1 },
      { id: high, reviewCount: 2, reviewAverage: 5 },
      { id: low, reviewCount: 2, reviewAverage: 2 },
    ])
    expect((await as(null, { now }).games.popular({ days: 9, limit: 1 })).popular).toMatchObject([
      { id: old },
    ])
    expect((await as(null, { now }).books.popular({})).popular).toEqual([])
  })

  test('counts a changed rating from the time of the change', async () => {
    const movieId = await aTitle(db, 'movie', 'Again')
    const member = await aMember(db)
    await as(member, { now: daysAgo(20) }).reviews.save({ movieId, rating: 2 })
    expect((await as(null, { now }).movies.popular({})).popular).toEqual([])
    await as(member, { now: daysAgo(1) }).reviews.save({ movieId, rating: 3 })
    expect((await as(null, { now }).movies.popular({})).popular).toMatchObject([
      { id: movieId, reviewAverage: 3 },
    ])
  })

  test('compares averages without rounding', async () => {
    const total = (id: number, fives: number, fours: number) => ({
      id,
      count: fives + fours,
      sum: 50 * fives + 40 * fours,
    })
    const totals = [total(1, 12_000, 12_001), total(2, 12_001, 12_000)]
    const card = (id: number) => ({
      id,
      kind: 'movie' as const,
      name: `${id}`,
      image: null,
      release_date: null,
      release_year: null,
      created_at: '',
      details: '{"creators":[]}',
      rating_count: 0,
      rating_sum: 0,
    })
    const { popular } = await mostPopular('movie', totals, 1, async (ids) => ids.map(card))
    expect(popular).toMatchObject([{ id: 2, reviewAverage: 4.5 }])
  })
})

describe('a title', () => {
  test.each(kindNames)('of kind %s without details has empty lists and null averages', async (kind) => {
    const id = await aTitle(db, kind, `A ${kind}`)
    const { router } = kinds[kind]
    const response = (await as()[router].byId({ id })) as unknown as Record<string, Record<string, unknown>>
    expect(response.stats).toEqual({ avg: null, count: 0 })
    const title = response[kind]!
    for (const key of ['genres', 'creators', 'authors', 'categories', 'platforms', 'developers']) {
      if (key in title) expect(title[key]).toEqual([])
    }
    expect(await as()[router].ratingHistogram({ id })).toEqual({
      ...noCounts(),
      total: 0,
      avg: null,
    })
    expect(await as()[router].overallRating({ id })).toEqual({ avg: null, count: 0 })
  })

  test('created by a member has normalized text and can be searched immediately', async () => {
    const member = await aMember(db)
    const { movie } = await as(member).movies.create({
      name: '  Zürich\u0000 by\tnight ',
      description: 'One\r\nTwo\u202e',
    })
    expect(movie).toMatchObject({
      name: 'Zürich by night',
      overview: 'One\nTwo',
      description: 'One\nTwo',
      imageUrl: null,
    })
    expect((await as().movies.search({ q: 'zurich ni' })).results).toMatchObject([{ id: movie.id }])
    expect((await as().movies.byId({ id: movie.id })).movie?.name).toBe('Zürich by night')
  })

  test('needs a name and a member, and refuses pictures from other hosts', async () => {
    const member = await aMember(db)
    await expect(as(member).movies.create({ name: ' \u0000 ' })).rejects.toThrow('Please enter a name.')
    await expect(
      as(member).movies.create({ name: 'X', imageUrl: 'https://evil.example/x.webp' }),
    ).rejects.toThrow(/Upload/)
    await expect(as().movies.create({ name: 'X' })).rejects.toThrow('Please log in.')
  })

  test('accepts only a picture that was uploaded', async () => {
    const member = await aMember(db)
    const imageUrl = await anUpload(db)
    expect((await as(member).movies.create({ name: 'Shown', imageUrl })).movie).toMatchObject({ imageUrl })
    await expect(
      as(member).movies.create({ name: 'Never created', imageUrl: '/uploads/never-uploaded-640.webp' }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/Upload/) })
    expect((await as().movies.search({ q: 'never created' })).results).toEqual([])
  })
})

describe('suggestions', () => {
  test('list the best known titles first, and match words, creators and names without accents', async () => {
    await loadStarter(db, now)
    const names = async (q: string) => (await as().movies.search({ q })).results.map((movie) => movie.name)
    expect((await names('matr'))[0]).toBe('The Matrix')
    expect(await names('the mat')).toContain('The Matrix')
    expect((await names('wachow')).length).toBeGreaterThan(0)
    expect(await names('amelie')).toEqual(await names('Amélie'))
    expect(await names('qqqqq')).toEqual([])
  })

  test.each(['chihiros reise', '千と千尋の神隠し', '神隠し', 'sen to chihiro', 'spirited away'])(
    'find a starter title by %s',
    async (q) => {
      expect((await as().items.search({ q })).results[0]?.name).toBe('Spirited Away')
    },
  )

  test('have the names that a later version of the starter catalogue brings', async () => {
    const rows = () =>
      db
        .selectFrom('title_names')
        .selectAll()
        .orderBy('media_id')
        .orderBy('kind')
        .orderBy('language')
        .execute()
    const before = await rows()
    await db.deleteFrom('title_names').where('language', '=', 'ja').execute()
    await db.updateTable('title_names').set({ name: 'Falsch' }).where('name', '=', 'Der Pate').execute()
    await loadStarter(db, now)
    expect(await rows()).toEqual(before)
  })

  test('rank names that start with the query first, with or without an article, then names that have its words', async () => {
    const names = async (q: string) => (await as().items.search({ q })).results.map(({ name }) => name)
    expect((await names('the ho'))[0]).toBe('The Hobbit')
    expect((await names('hobb'))[0]).toBe('The Hobbit')
    const starts = await names('ho')
    const last = starts.findLastIndex((name) => /^(the )?ho/i.test(name))
    expect(last).toBeGreaterThan(0)
    expect(starts.slice(0, last).every((name) => /^(the )?ho/i.test(name))).toBe(true)
    expect(starts).toContain('The Grand Budapest Hotel')
  })

  test.each(['"', '*', 'a*b"c', "'; drop table media; --", 'NEAR(', ':* & |', '%', '_', '\\', '日本'])(
    'accept %s',
    async (q) => {
      expect((await as().movies.search({ q })).results).toBeInstanceOf(Array)
    },
  )

  test('for one letter respect the limit', async () => {
    const { results } = await as().movies.search({ q: 't', limit: 3 })
    expect(results).toHaveLength(3)
  })

  test('cover all kinds, or one kind if requested', async () => {
    const search = async (input: Parameters<ReturnType<typeof as>['items']['search']>[0]) =>
      (await as().items.search(input)).results
    const found = await search({ q: 'the' })
    expect(new Set(found.map((item) => item.category)).size).toBeGreaterThan(1)
    expect((await search({ q: 'tolkien', category: 'book' })).map((item) => item.category)).toContain('Book')
    expect(await search({ q: 'tolkien', category: 'game' })).toEqual([])
    expect((await search({ q: 'o', limit: 5 })).length).toBe(5)
    expect(await search({ q: 'nineteen eighty' })).toMatchObject([
      { name: 'Nineteen Eighty-Four', category: 'Book', releaseYear: 1949 },
    ])
  })

  test('can be limited to titles that no external source has', async () => {
    const names = async (input: Parameters<ReturnType<typeof as>['items']['search']>[0]) =>
      (await as().items.search(input)).results.map(({ name }) => name)
    expect(await names({ q: 'star', category: 'game' })).toEqual(['Stardew Valley', 'StarCraft'])
    expect(await names({ q: 'star', category: 'game', local: true })).toEqual(['StarCraft'])
    expect(await names({ q: 'star', local: true })).toEqual(['StarCraft'])
    expect(await names({ q: 'starcrfat' })).toEqual(['StarCraft'])
    expect(await names({ q: 'starcrfat', local: true })).toEqual([])
    const author = await aMember(db)
    for (const name of ['Local Film One', 'Local Film Two']) await as(author).movies.create({ name })
    expect(await names({ q: 'local film', local: true })).toHaveLength(2)
    expect(await names({ q: 'local film', local: true, limit: 1 })).toHaveLength(1)
  })

  test('find a title by another name, also one that an earlier version loaded without it', async () => {
    const names = async (q: string) => (await as().items.search({ q })).results.map(({ name }) => name)
    expect(await names('1984')).toEqual(['Nineteen Eighty-Four'])
    expect(await names('sen to chihiro')).toEqual(['Spirited Away'])
    const details = JSON.stringify({ genres: [], creators: ['George Orwell'], platforms: [], rating: null })
    const search_text = 'nineteen eighty four george orwell'
    await db
      .updateTable('media')
      .set({ details, search_text })
      .where('name', '=', 'Nineteen Eighty-Four')
      .execute()
    expect(await names('1984')).toEqual([])
    await loadStarter(db, now)
    expect(await names('1984 orwell')).toEqual(['Nineteen Eighty-Four'])
  })

  test.each([
    ['star wrs', 'Star Wars'],
    ['satr wars', 'Star Wars'],
    ['matirx', 'The Matrix'],
    ['the godfahter', 'The Godfather'],
    ['interstelar', 'Interstellar'],
    ['nterstell', 'Interstellar'],
    ['casablanka', 'Casablanca'],
  ])('allow one typo if nothing matches: %s', async (q, name) => {
    const { results } = await as().movies.search({ q })
    expect(results.map((movie) => movie.name)).toContain(name)
    expect(results.length).toBeLessThan(4)
    expect(await as().items.search({ q, category: 'game' })).toEqual({ results: [] })
  })

  test.each(['xyz', 'qq', 'matirxx', 'wrs', 'zzzzzz zzzzzz zzzzzz zzzzzz zzzzzz zzzzzz'])(
    'allow no more than one typo, and none in a short word: %s',
    async (q) => {
      expect(await as().movies.search({ q })).toEqual({ results: [] })
    },
  )

  test('for a word of hundreds of books find the movies with it', async () => {
    const details = JSON.stringify({ genres: [], creators: [], platforms: [], rating: null })
    const titles = Array.from({ length: 405 }, (_, at) => ({
      kind: at < 400 ? 'book' : 'movie',
      name: `Manga ${at}`,
      name_folded: `manga ${at}`,
      search_text: `manga ${at}`,
      details,
      created_at: now.toISOString(),
      popularity: at,
    }))
    await insertMany(db, 'media', titles)
    const names = (results: { name: string }[]) => results.map(({ name }) => name)
    expect(names((await as().items.search({ q: 'manga 39', limit: 2 })).results)).toEqual([
      'Manga 39',
      'Manga 399',
    ])
    const movies = ['Manga 404', 'Manga 403', 'Manga 402', 'Manga 401', 'Manga 400']
    expect(names((await as().movies.search({ q: 'mang' })).results)).toEqual(movies)
    expect(names((await as().items.search({ q: 'mang', limit: 6 })).results)).toEqual([
      ...movies,
      'Manga 399',
    ])
    expect(names((await as().items.search({ q: 'mang', limit: 2 })).results)).toEqual(movies.slice(0, 2))
    expect((await as().movies.search({ q: 'mang 39' })).results).toEqual([])
  })

  test('leave out what only matches with a typo if they are asked to, whatever was searched before', async () => {
    const find = (allowsTypo: boolean) => findTitles(db, { q: 'matirx', kind: 'movie', limit: 5, allowsTypo })
    for (const allowsTypo of [true, false, true]) expect((await find(allowsTypo)).length > 0).toBe(allowsTypo)
  })

  test('for a blank query are refused', async () => {
    await expect(as().movies.search({ q: '  ' })).rejects.toThrow('Please enter something to search for.')
  })
})

test.each([
  ['wars', 'wrs', true],
  ['wars', 'warss', true],
  ['wars', 'wats', true],
  ['wars', 'wasr', true],
  ['wars', 'awrs', true],
  ['wars', 'wars', false],
  ['wars', 'was', true],
  ['wars', 'sraw', false],
  ['wars', 'w', false],
  ['wars', 'rwas', false],
  ['', 'a', true],
])('%s and %s differ by one typo: %s', (a, b, expected) => {
  expect([isOneTypo(a, b), isOneTypo(b, a)]).toEqual([expected, expected])
})

describe('items', () => {
  test('are the whole catalogue in pages, or one kind if requested', async () => {
    const first = await as().items.list({ limit: 10 })
    const second = await as().items.list({ limit: 10, page: 2 })
    expect(first.items).toHaveLength(10)
    expect(new Set([...first.items, ...second.items].map((item) => item.id)).size).toBe(20)
    expect(first.pagination.totalPages).toBe(Math.ceil(first.pagination.total / 10))
    const books = await as().items.list({ category: 'book', limit: 100 })
    expect(new Set(books.items.map((item) => item.category))).toEqual(new Set(['Book']))
    const [item] = first.items
    expect((await as().items.byId({ id: item!.id })).item).toEqual(item)
    await expect(as().items.byId({ id: 1e9 })).rejects.toThrow('Item not found.')
  })
})

describe('the starter catalogue', () => {
  test('is inserted once and has the promised number of titles', async () => {
    expect(await loadStarter(db, now)).toBe(0)
    expect(starterTitles.movie.length).toBeGreaterThanOrEqual(60)
    expect(starterTitles.tvShow.length).toBeGreaterThanOrEqual(40)
    expect(starterTitles.book.length).toBeGreaterThanOrEqual(60)
    expect(starterTitles.game.length).toBeGreaterThanOrEqual(60)
    expect(await findCounterFaults(db)).toEqual([])
  })

  test.each(kindNames)('has unique ids and valid facts for each %s', (kind) => {
    const seen = new Set<string>()
    for (const title of starterTitles[kind]) {
      for (const id of [
        title.slug,
        title.isbn13,
        title.olid,
        title.tmdbId && `t${title.tmdbId}`,
        title.igdbId && `g${title.igdbId}`,
      ]) {
        if (!id) continue
        expect(seen.has(id), `${title.name}: ${id} twice`).toBe(false)
        seen.add(id)
      }
      expect(title.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(title.releaseDate).toMatch(/^\d{4}(-\d{2}-\d{2})?$/)
      expect(new Date(title.releaseDate).getTime(), title.name).toBeLessThan(now.getTime())
      expect(title.overview.split(/\s+/).length, title.name).toBeGreaterThanOrEqual(25)
      expect(title.genres.length).toBeGreaterThan(0)
      expect(title.creators.length).toBeGreaterThan(0)
      if (title.isbn13) {
        const sum = [...title.isbn13].reduce(
          (total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1),
          0,
        )
        expect(title.isbn13.length === 13 && sum % 10 === 0, `${title.name}: ${title.isbn13}`).toBe(true)
      }
    }
  })

  test('can be looked up by external ids', async () => {
    const { exists } = await as().movies.existsByTmdb({ tmdbIds: '603,999999999' })
    expect(Object.keys(exists)).toEqual(['603'])
    expect((await as().movies.byId({ id: exists['603']! })).movie).toMatchObject({
      name: 'The Matrix',
      tmdbId: 603,
      source: 'starter',
    })
    await expect(as().movies.existsByTmdb({ tmdbIds: '1,x' })).rejects.toThrow(/tmdbIds|ids with commas/)
    await expect(
      as().movies.existsByTmdb({ tmdbIds: Array.from({ length: 101 }, (_, i) => i + 1).join() }),
    ).rejects.toThrow()
  })
})
