import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { passTimeByTurns } from '#scripts/testing/time.ts'
import { readConfig } from '#server/config.ts'
import {
  abortMidBody,
  type Fake,
  hang,
  html,
  json,
  redirect,
  startFakeOpenLibrary,
  tooManyRequests,
  truncatedJson,
  documentedSources,
} from './fakes.ts'
import { openSources } from './open.ts'
import type { WantedTitle } from './source.ts'

passTimeByTurns()

const type = (name: string) => ({ key: `/type/${name}` })
const role = (olid: string) => ({ author: { key: `/authors/${olid}` }, type: type('author_role') })
const merged = (into: string) => ({ type: type('redirect'), location: into })

const records = {
  '/works/OL1W': {
    type: type('work'),
    title: 'The Salt Road',
    authors: [role('OL1A')],
    description: {
      type: '/type/text',
      value:
        'Two *sisters* walk north.\r\n\r\nNobody follows ([source][1]).\r\n\r\n----------\r\nAlso contained in: [Omnibus](http://x.test)\r\n\r\n[1]: http://y.test',
    },
    covers: [-1, null, 'x', 900],
    subjects: [
      'Fantasy',
      'fantasy',
      'Fiction',
      'Foxes, fiction',
      'nyt:fiction=2012',
      'Accessible book',
      'Sea stories',
      'Ficción juvenil',
      'Sisters',
      'Travel',
      'Winter',
    ],
    first_publish_date: 'October 1, 1988',
  },
  '/books/OL10M': {
    type: type('edition'),
    title: 'The Salt Road (paperback)',
    works: [{ key: '/works/OL1W' }],
    authors: [{ key: '/authors/OL1A' }],
    isbn_13: ['9780000000013', '978-0-14-032872-1'],
    isbn_10: ['0140328726'],
    covers: [901],
    number_of_pages: 288,
    publish_date: '1996',
    description: 'The description of an edition.',
  },
  '/books/OL11M': {
    type: type('edition'),
    title: 'El camino de la sal',
    works: [{ key: '/works/OL1W' }],
    languages: [{ key: '/languages/spa' }],
    translation_of: 'Der Salzweg',
    translated_from: [{ key: '/languages/ger' }],
    other_titles: ['La ruta de la sal', 5],
    isbn_10: ['0-8044-2957-X'],
    covers: [-1],
  },
  // Nothing but a title, and no work.
  '/books/OL12M': {
    type: type('edition'),
    title: 'Alone',
    publish_date: 'c1923.',
    authors: [{ key: '/authors/OL2A' }, { key: 'nonsense' }, 5],
  },
  '/works/OL2W': {
    type: type('work'),
    title: 'Unknown to the Index',
    authors: [{ key: '/authors/OL2A' }, role('OL3A')],
    description: '',
  },
  '/authors/OL2A': { type: type('author'), name: 'Ina Author' },
  '/works/OL3W': merged('/works/OL4W'),
  '/works/OL4W': merged('/works/OL1W'),
  '/books/OL13M': merged('/books/OL10M'),
  '/books/OL14M': { type: type('edition'), title: 'Of a Merged Work', works: [{ key: '/works/OL3W' }] },
  '/works/OL5W': { type: type('delete') },
  '/books/OL15M': { type: type('edition'), title: 'Of a Deleted Work', works: [{ key: '/works/OL5W' }] },
  '/works/OL6W': merged('/works/OL7W'),
  '/works/OL7W': merged('/works/OL6W'),
  '/works/OL8W': merged('http://evil.test/works/../../etc/passwd'),
  '/works/OL9W': { type: type('work') },
}
const docs = [
  {
    key: '/works/OL1W',
    title: 'The Salt Road',
    subtitle: 'A Journey',
    author_name: ['Mara Author', 'Mara Author'],
    author_key: ['OL1A'],
    first_publish_year: 1988,
    cover_i: 905,
    isbn: ['0140328726', '9780140328721', '9780804429573'],
    number_of_pages_median: 300,
    ratings_average: 4.2,
    ratings_count: 31,
    readinglog_count: 420,
    series_name: ['The Roads'],
    series_position: ['2'],
    editions: {
      numFound: 1,
      start: 0,
      numFoundExact: true,
      docs: [{ key: '/books/OL11M', isbn: ['080442957X'], cover_i: -1, publish_date: ['June 2002'] }],
    },
  },
  { key: '/works/OL20W', title: 'Salt' },
  {
    key: '/works/OL21M',
    title: 'Salt, an Orphan',
    editions: { numFound: 0, start: 0, docs: [] },
    first_publish_year: 12,
  },
  { key: '/authors/OL1A', title: 'Salt, no book at all' },
  { key: '/works/OL22W' },
]
const isbns = { '9780140328721': '/books/OL10M', '9780804429573': '/books/OL11M' }

const fake = await startFakeOpenLibrary({ records, docs, isbns })
afterAll(fake.close)
afterEach(() => fake.replyAlways(undefined))
const log = { info: () => {}, warn: () => {} }
const aSource = (url = fake.url) =>
  documentedSources(
    openSources(
      readConfig({
        OPEN_LIBRARY_URL: url,
        PUBLIC_URL: 'https://medley.test',
        MAIL_FROM: 'Medley <ops@medley.test>',
      }),
      log,
    ),
  ).books

/** Returns the paths that the fake received during a call. */
async function pathsOf(call: () => Promise<unknown>): Promise<string[]> {
  const before = fake.requests.length
  await call()
  return fake.requests.slice(before).map(({ path }) => path)
}

const work = { source: 'olid-work', external_id: 'OL1W' }
const edition = { source: 'olid-edition', external_id: 'OL10M' }
const isbn = { source: 'isbn13', external_id: '9780140328721' }

test('a search returns books; missing fields are null or empty lists', async () => {
  const { results, source } = await aSource().search('salt')
  expect(source).toBe('openlibrary')
  expect(results).toEqual([
    {
      isbn13: '9780804429573',
      olid: 'OL1W',
      key: '/works/OL1W',
      title: 'The Salt Road',
      authors: ['Mara Author'],
      publishYear: 2002,
      firstPublishYear: 1988,
      coverUrl: 'https://covers.openlibrary.org/b/id/905-L.jpg',
      description: null,
      subtitle: 'A Journey',
    },
    {
      isbn13: null,
      olid: 'OL20W',
      key: '/works/OL20W',
      title: 'Salt',
      authors: [],
      publishYear: null,
      firstPublishYear: null,
      coverUrl: null,
      description: null,
      subtitle: null,
    },
    expect.objectContaining({
      title: 'Salt, an Orphan',
      olid: 'OL21M',
      key: '/books/OL21M',
      firstPublishYear: null,
    }),
  ])
})

test('a search for an ISBN returns the book with that ISBN', async () => {
  const { results } = await aSource().search('9780140328721')
  expect(results.map(({ isbn13 }) => isbn13)).toEqual(['9780140328721'])
})

test.for(['ab', ' a ', 'the', 'The', 'é1'])(
  'a search for “%s”, which Open Library would refuse, returns no results without a request',
  async (q) => {
    const source = aSource()
    expect(
      await pathsOf(async () =>
        expect(await source.search(q)).toEqual({ results: [], source: 'openlibrary' }),
      ),
    ).toEqual([])
  },
)

test('a search that Open Library refuses as too short returns no results', async () => {
  fake.replyOnce(json({ detail: [{ type: 'value_error', loc: ['query', 'q'] }] }, 422))
  expect((await aSource().search('...')).results).toEqual([])
})

test('every call sends a user agent with a contact address', async () => {
  await aSource().search('salt')
  expect(fake.requests.at(-1)!.headers['user-agent']).toMatch(
    /^Medley\/\d+\.\d+\.\d+ \(\+https:\/\/medley\.test; ops@medley\.test\)$/,
  )
})

test('a book found by ISBN is the work, with the ids of the ISBN, the edition and the work', async () => {
  expect(await aSource().find({ isbn13: '9780140328721' })).toEqual({
    source: 'openlibrary',
    kind: 'book',
    name: 'The Salt Road',
    overview: 'Two sisters walk north.\n\nNobody follows.',
    tagline: null,
    image: 'https://covers.openlibrary.org/b/id/905-L.jpg',
    backdrop: null,
    releaseDate: '1988-10-01',
    runtime: null,
    pageCount: 288,
    series: 'The Roads, 2',
    genres: ['Fantasy', 'Sea stories', 'Ficción juvenil', 'Sisters', 'Travel'],
    creators: ['Mara Author'],
    platforms: [],
    rating: 84,
    popularity: 61,
    ids: [isbn, edition, work],
    names: [
      { kind: 'other', language: '', name: 'The Salt Road (paperback)', overview: null, tagline: null },
    ],
    hasOtherNames: true,
  })
})

test('an edition brings its name in its language, its other names, and the name of the original', async () => {
  const { names = [] } = (await aSource().find({ olid: 'OL11M' }))!
  expect(names.map(({ kind, language, name }) => [kind, language, name])).toEqual([
    ['original', 'de', 'Der Salzweg'],
    ['local', 'es', 'El camino de la sal'],
    ['other', '', 'La ruta de la sal'],
  ])
})

test('finding a book takes at most four requests, one of them for all its authors', async () => {
  const source = aSource()
  expect(await pathsOf(() => source.find({ isbn13: '9780140328721' }))).toEqual([
    '/isbn/9780140328721.json',
    '/books/OL10M.json',
    expect.stringMatching(/^\/(works\/OL1W|search)\.json$/),
    expect.stringMatching(/^\/(works\/OL1W|search)\.json$/),
  ])
})

test('the ISBN-10 of an edition without an ISBN-13 is converted', async () => {
  const found = await aSource().find({ olid: 'OL11M' })
  expect(found!.ids).toEqual([
    { source: 'isbn13', external_id: '9780804429573' },
    { source: 'olid-edition', external_id: 'OL11M' },
    work,
  ])
  expect(found).toMatchObject({ name: 'The Salt Road', pageCount: 300 })
})

test('a work has the ids of itself and of one edition, not the ISBNs of all editions', async () => {
  expect((await aSource().find({ olid: 'OL1W' }))!.ids).toEqual([
    { source: 'isbn13', external_id: '9780804429573' },
    work,
    { source: 'olid-edition', external_id: 'OL11M' },
  ])
})

test('an edition without a work is a book', async () => {
  expect(await aSource().find({ olid: 'OL12M' })).toMatchObject({
    name: 'Alone',
    overview: null,
    image: null,
    releaseDate: '1923',
    pageCount: null,
    genres: [],
    creators: ['Ina Author'],
    ids: [{ source: 'olid-edition', external_id: 'OL12M' }],
  })
})

test('authors of a work that is not in the index are fetched one by one, and missing authors are left out', async () => {
  expect(await aSource().find({ olid: 'OL2W' })).toMatchObject({
    name: 'Unknown to the Index',
    overview: null,
    creators: ['Ina Author'],
  })
})

test('a merged record resolves to the remaining one, and the book has the ids of both', async () => {
  const found = await aSource().find({ olid: 'OL3W' })
  expect(found).toMatchObject({ name: 'The Salt Road' })
  expect(found!.ids).toEqual(
    expect.arrayContaining(
      ['OL3W', 'OL4W', 'OL1W'].map((external_id) => ({ source: 'olid-work', external_id })),
    ),
  )
  expect((await aSource().find({ olid: 'OL13M' }))!.ids).toEqual(
    expect.arrayContaining([isbn, edition, work, { ...edition, external_id: 'OL13M' }]),
  )
})

test('an edition of a merged work belongs to the remaining work', async () => {
  const found = await aSource().find({ olid: 'OL14M' })
  expect(found).toMatchObject({ name: 'The Salt Road', creators: ['Mara Author'] })
  expect(found!.ids).toEqual(expect.arrayContaining([work]))
})

test('a deleted work is not found, but an edition of it is', async () => {
  expect(await aSource().find({ olid: 'OL5W' })).toBeUndefined()
  expect(await aSource().find({ olid: 'OL15M' })).toMatchObject({
    name: 'Of a Deleted Work',
    ids: [{ source: 'olid-edition', external_id: 'OL15M' }],
  })
})

test('a loop of merged records throws, and a merge into an invalid record is not found', async () => {
  const before = fake.requests.length
  await expect(aSource().find({ olid: 'OL6W' })).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  expect(fake.requests.length - before).toBeLessThanOrEqual(4)
  expect(await aSource().find({ olid: 'OL8W' })).toBeUndefined()
})

test('an unknown book is not found, whether the 404 has JSON or HTML', async () => {
  expect(await aSource().find({ isbn13: '9780306406157' })).toBeUndefined()
  expect(await aSource().find({ olid: 'OL999W' })).toBeUndefined()
  expect(await aSource().find({ olid: 'OL999M' })).toBeUndefined()
})

test('an invalid id is not sent', async () => {
  const source = aSource()
  expect(await pathsOf(() => source.find({ olid: '../admin' }))).toEqual([])
})

test('a redirect from an edition to its work is followed', async () => {
  fake.replyOnce(redirect('/works/OL1W.json', 301))
  expect(await aSource().find({ olid: 'OL10M' })).toMatchObject({ name: 'The Salt Road' })
})

test('a redirect to another host is refused', async () => {
  const source = aSource()
  fake.replyOnce(redirect('http://127.0.0.1:1/books/OL10M.json'))
  await expect(source.find({ isbn13: '9780140328721' })).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  expect(await source.find({ isbn13: '9780140328721' })).toMatchObject({ name: 'The Salt Road' })
})

test.for([
  ['a month', 'Oct 1988', '1988-10'],
  ['a day before the month', '1 October 1988', '1988-10-01'],
  ['a short month', 'Jun 11, 2002', '2002-06-11'],
  ['numbers', '1978-03', '1978-03'],
  ['an uncertain year', '[1950?]', '1950'],
  ['a copyright', '©1988, c1990', '1988'],
  ['an invalid day', 'February 31, 1999', '1999'],
  ['no date', 'n.d.', null],
  ['too many digits', '19881', null],
] as const)(
  'a date in free text is parsed as precisely as possible: %s',
  async ([, publish_date, releaseDate]) => {
    const source = aSource()
    fake.replyOnce(json({ key: '/books/OL30M', type: type('edition'), title: 'Dated', publish_date }))
    expect((await source.find({ olid: 'OL30M' }))!.releaseDate).toBe(releaseDate)
  },
)

test.for([
  ['a record without a key', json({ title: 'x' }), 'BAD_GATEWAY'],
  ['a list', json([]), 'BAD_GATEWAY'],
  ['HTML with 403', html(403), 'BAD_GATEWAY'],
  ['HTML with 200', html(200), 'BAD_GATEWAY'],
  ['truncated JSON', truncatedJson, 'BAD_GATEWAY'],
  ['part of a response', abortMidBody, 'BAD_GATEWAY'],
  ['429 without Retry-After', tooManyRequests(), 'SERVICE_UNAVAILABLE'],
  ['429 with a Retry-After of 0', tooManyRequests('0'), 'SERVICE_UNAVAILABLE'],
  ['502', html(502), 'SERVICE_UNAVAILABLE'],
  ['no response', hang, 'SERVICE_UNAVAILABLE'],
] as const)(
  'if Open Library sends %s, find throws instead of returning undefined, and the next call succeeds',
  async ([, reply, code]) => {
    const source = aSource()
    fake.replyOnce(reply)
    await expect(source.find({ olid: 'OL12M' })).rejects.toMatchObject({ code })
    expect(await source.find({ olid: 'OL12M' })).toMatchObject({ name: 'Alone' })
  },
)

test('a work without a title throws', async () => {
  await expect(aSource().find({ olid: 'OL9W' })).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
})

test('a search response without a list throws instead of returning an empty list', async () => {
  const source = aSource()
  fake.replyOnce(json({ numFound: 0 }))
  await expect(source.search('salt')).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  expect((await source.search('salt')).results).toHaveLength(3)
})

test('a search and a sync time out after 5 seconds, all their requests included', async () => {
  const slow: Fake = await startFakeOpenLibrary({ records, docs, isbns })
  onTestFinished(slow.close)
  const source = aSource(slow.url)
  slow.replyAlways(hang)
  const began = Date.now()
  await expect(source.search('salt')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(source.find({ isbn13: '9780140328721' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(Date.now() - began).toBeLessThan(2 * 7_000)
})

const wanted = (name: string, more: Partial<WantedTitle> = {}): WantedTitle => ({
  kind: 'book',
  name,
  otherNames: [],
  year: null,
  authors: [],
  ids: [],
  ...more,
})
const byIsbn = (id: string) => wanted('x', { ids: [{ source: 'isbn13', id }] })
const aLookup = () =>
  openSources(
    readConfig({
      OPEN_LIBRARY_URL: fake.url,
      PUBLIC_URL: 'https://medley.test',
      MAIL_FROM: 'ops@medley.test',
    }),
    log,
  ).lookups.find(({ name }) => name === 'openlibrary')!

/** Looks titles up. Returns the keys of their candidates, and the queries of the requests. */
async function lookUp(...titles: WantedTitle[]) {
  const before = fake.requests.length
  const candidates = await aLookup().findCandidates(titles)
  return {
    candidates,
    found: candidates.map((each) =>
      each.map(({ ids }) => ids.map(({ external_id }) => external_id).join(' ')),
    ),
    requests: fake.requests
      .slice(before)
      .map(({ path, query }) => query.get('q') ?? query.get('title') ?? path),
  }
}

test('an import finds the books of many ISBNs with one request, also several editions of one work', async () => {
  const { found, candidates, requests } = await lookUp(
    byIsbn('9780140328721'),
    byIsbn('9780804429573'),
    byIsbn('0140328726'),
    byIsbn('9780140328721'),
  )
  expect(requests).toEqual(['isbn:(9780140328721 OR 0140328726 OR 9780804429573 OR 080442957X)'])
  expect(found).toEqual([
    ['9780140328721 OL1W'],
    ['9780804429573 OL1W OL11M'],
    ['9780140328721 OL1W'],
    ['9780140328721 OL1W'],
  ])
  expect(candidates[0]![0]).toMatchObject({
    source: 'openlibrary',
    kind: 'book',
    name: 'The Salt Road',
    creators: ['Mara Author'],
    releaseDate: '1988',
    pageCount: 300,
    image: 'https://covers.openlibrary.org/b/id/905-L.jpg',
    isPartial: true,
  })
})

test('an import finds a book whose work has more ISBNs than a list of another field may have entries', async () => {
  const isbn = Array.from({ length: 3_000 }, (_, index) => String(9_790_000_000_000 + index))
  fake.replyOnce(json({ docs: [{ key: '/works/OL7W', title: 'x', isbn: [...isbn, '9780140328721'] }] }))
  expect((await lookUp(byIsbn('9780140328721'))).found).toEqual([['9780140328721 OL7W']])
})

test('a book whose ISBN is unknown or invalid is found by its name, and by its Open Library id', async () => {
  const ids = [{ source: 'isbn13', id: '9780306406157' }]
  const named = wanted('The Salt Road: A Journey (Salt, #1)', { authors: ['Author, Mara J.', 'X'], ids })
  expect(await lookUp(named)).toMatchObject({
    found: [['9780804429573 OL1W OL11M']],
    requests: ['isbn:(9780306406157 OR 0306406152)', 'the salt road'],
  })
  expect(fake.requests.at(-1)!.query.get('author')).toBe('author')
  expect(
    (await lookUp(wanted('Salt', { ids: [{ source: 'isbn13', id: '9780306406158' }] }))).requests,
  ).toEqual(['salt'])
  const byId = await lookUp(wanted('x', { ids: [{ source: 'olid-work', id: 'OL1W' }] }))
  expect(byId.candidates[0]![0]).toMatchObject({ name: 'The Salt Road', overview: expect.any(String) })
  expect(byId.candidates[0]![0]).not.toHaveProperty('isPartial')
  expect(
    (await lookUp(wanted('x', { ids: [{ source: 'olid-work', id: 'OL1W/../../x' }] }))).requests,
  ).toEqual([])
})

test('candidates are sorted by name, author and year', async () => {
  const docOf = (olid: string, title: string, author: string, year: number) => ({
    key: `/works/${olid}`,
    title,
    author_name: [author],
    first_publish_year: year,
  })
  fake.replyOnce(
    json({
      docs: [
        docOf('OL31W', 'Salt', 'Ann Other', 1990),
        docOf('OL32W', 'Salt and Sand', 'Mara Author', 1990),
        docOf('OL33W', 'Salt', 'M. Author', 2001),
        docOf('OL34W', 'SALT!', 'Mara Author', 1990),
        docOf('OL35W', 'Sand', 'Mara Author', 1990),
        docOf('OL36W', 'Pepper', 'Nobody', 1990),
      ],
    }),
  )
  const { found, requests } = await lookUp(wanted('Salt', { authors: ['Mara Author'], year: 1990 }))
  expect(requests).toEqual(['salt'])
  expect(found).toEqual([['OL34W', 'OL33W', 'OL31W', 'OL32W', 'OL35W']])
})

test('names of imports are sent as words without operators, and names that Open Library refuses are not sent', async () => {
  await lookUp(
    wanted(String.raw`"Salt" AND title:* OR (x~2^9) [a TO b] \ && || NOT Ünü’s {!func} /re/ -no +yes`, {
      authors: ['O’Neil" OR *:*'],
    }),
  )
  const { query } = fake.requests.at(-1)!
  expect(query.get('title')).toBe('salt and title or not ünü’s func re no yes')
  expect(query.get('author')).toMatch(/^[\p{L}\p{N}]*$/u)
  await lookUp(wanted(`a${'\u0301\u0323'.repeat(100_000)} ${'b'.repeat(100_000)}`))
  expect(Array.from(fake.requests.at(-1)!.query.get('title')!).length).toBeLessThanOrEqual(200)
  for (const name of ['', '?', 'The', 'It', '\u0000\n']) {
    expect(await lookUp(wanted(name))).toMatchObject({ found: [[]], requests: [] })
  }
  expect((await lookUp(wanted('It', { authors: ['Stephen King'] }))).requests).toEqual(['it'])
})

test.for([
  ['HTML with 403', html(403), 'BAD_GATEWAY'],
  ['HTML with 200', html(200), 'BAD_GATEWAY'],
  ['a response without a list', json({ numFound: 0 }), 'BAD_GATEWAY'],
  ['422', json({ detail: [] }, 422), 'BAD_GATEWAY'],
  ['truncated JSON', truncatedJson, 'BAD_GATEWAY'],
  ['part of a response', abortMidBody, 'BAD_GATEWAY'],
  ['429', tooManyRequests(), 'SERVICE_UNAVAILABLE'],
  ['502', html(502), 'SERVICE_UNAVAILABLE'],
  ['no response', hang, 'SERVICE_UNAVAILABLE'],
] as const)('if Open Library sends %s, no call of an import finds nothing', async ([, reply, code]) => {
  for (const title of [byIsbn('9780140328721'), wanted('The Salt Road')]) {
    const lookup = aLookup()
    fake.replyOnce(reply)
    await expect(lookup.findCandidates([title])).rejects.toMatchObject({ code })
    expect((await lookup.findCandidates([title]))[0]).toHaveLength(1)
  }
})
