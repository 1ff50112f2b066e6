import { z } from 'zod'
import { toIsbn13 } from '#shared/domain/isbn.ts'
import { searchLimit } from '#shared/domain/limits.ts'
import { type IdSource, kinds } from '#shared/domain/media.ts'
import {
  invalidResponse,
  listOf,
  maybe,
  parseBody,
  popularityOf,
  requiredListOf,
  textInputMax,
  toCount,
  toDate,
  toHits,
  toLine,
  toNames,
  toRating,
  toText,
  yearOf,
} from './clean.ts'
import type { Config } from '#server/config.ts'
import type { Fetcher, JsonResponse, Priority } from './fetcher.ts'
import { idOf, rankCandidates, surnameOf, toQuery, withoutBrackets } from './lookup.ts'
import type { ExternalId, FoundTitle, Lookup, Source, WantedTitle } from './source.ts'

const text = maybe(z.string())
const number = maybe(z.number())
const texts = listOf(z.string())
const key = maybe(z.object({ key: text }))
/** Long texts are a string, or an object with the type and the string. */
const longText = maybe(z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]))

const hitEdition = z.object({
  key: text,
  isbn: texts,
  cover_i: number,
  publish_date: listOf(z.string()),
  subtitle: text,
})
const doc = z.object({
  key: z.string(),
  title: text,
  subtitle: text,
  author_name: texts,
  first_publish_year: number,
  cover_i: number,
  isbn: texts,
  number_of_pages_median: number,
  ratings_average: number,
  ratings_count: number,
  readinglog_count: number,
  series_name: texts,
  series_position: texts,
  editions: maybe(z.object({ docs: listOf(hitEdition) })),
})
type Doc = z.infer<typeof doc>
const searchResponse = z.object({ docs: requiredListOf(doc) })

/** Popular works have thousands of ISBNs, of any edition. */
const isbnTexts = z
  .unknown()
  .transform((list) => (Array.isArray(list) ? list.filter((isbn) => typeof isbn === 'string') : []))
  .default([])
const candidateDoc = doc.extend({ isbn: isbnTexts, subject: texts })
type CandidateDoc = z.infer<typeof candidateDoc>
const candidatesResponse = z.object({ docs: requiredListOf(candidateDoc) })

const libraryRecord = z.object({
  key: text,
  type: key,
  location: text,
  title: text,
  name: text,
  authors: listOf(z.object({ key: text, author: key })),
  works: listOf(z.object({ key: text })),
  description: longText,
  covers: listOf(z.int()),
  subjects: texts,
  first_publish_date: text,
  publish_date: text,
  number_of_pages: number,
  isbn_10: texts,
  isbn_13: texts,
})
type LibraryRecord = z.infer<typeof libraryRecord>

const hitFields = [
  'key',
  'title',
  'subtitle',
  'author_name',
  'first_publish_year',
  'cover_i',
  'isbn',
  'editions',
  'editions.key',
  'editions.isbn',
  'editions.cover_i',
  'editions.publish_date',
  'editions.subtitle',
]
const workFields = [
  'key',
  'author_name',
  'first_publish_year',
  'cover_i',
  'number_of_pages_median',
  'ratings_average',
  'ratings_count',
  'readinglog_count',
  'series_name',
  'series_position',
  'editions',
  'editions.key',
  'editions.isbn',
]

const candidateFields = [...workFields, 'title', 'isbn', 'subject']
/** The most works of one response; twenty-five with thousands of ISBNs each stay below the size limit of a response. */
const isbnBatch = 25
const namedBatch = 10

/** A merged record points to the remaining one. A longer chain than this is a loop. */
const mergesMax = 3
/** Authors that are fetched one by one, if the work is not in the search index yet. */
const authorsMax = 3
/** Returns the series of a work with its position, if the index knows them. */
function seriesOf(index: Doc | undefined): string | null {
  const [name] = toNames(index?.series_name ?? [], 1)
  const [position] = index?.series_position ?? []
  if (name === undefined) return null
  return position !== undefined && /^\d{1,3}$/.test(position) ? `${name}, ${position}` : name
}

const olidPattern = /^OL\d{1,15}[MW]$/

/**
 * Returns the source of books: Open Library (openlibrary.org/developers/api). A book of the catalogue is a work there. Its
 * name, description and cover come from the work, whichever edition was requested; its ids are those of the work, of the
 * edition, and the edition’s ISBN.
 */
export function openLibrary(fetcher: Fetcher, { openLibrary: { url } }: Pick<Config, 'openLibrary'>): Source {
  const callOpenLibrary = fetcher({
    name: 'openlibrary',
    baseUrl: url,
    perSecond: 2,
    concurrency: 3,
    importsPerSecond: 1,
    redirectsTo: /^\/(books|works)\/OL\d{1,15}[MW]\.json$/,
  })

  /** Returns a record and the ids that led to it through merges; undefined if it is missing or deleted. */
  async function readRecord(
    path: string,
    priority: Priority,
  ): Promise<{ record: LibraryRecord; olid: string; olids: string[] } | undefined> {
    const olids: string[] = []
    for (let hops = 0; hops <= mergesMax; hops++) {
      const found = await callOpenLibrary(
        { path: `${path}.json`, priority, accepts: [404] },
        ({ status, body }) => {
          // For an unknown ISBN the body is HTML.
          if (status === 404) return undefined
          const parsed = parseBody('openlibrary', libraryRecord, body)
          const olid = olidOf(parsed.key)
          if (!olid) throw invalidResponse('openlibrary')
          return { ...parsed, olid }
        },
      )
      if (!found) return undefined
      const { olid } = found
      olids.push(olid)
      if (found.type?.key === '/type/delete') return undefined
      if (found.type?.key !== '/type/redirect') return { record: found, olid, olids }
      const next = olidOf(found.location)
      if (!next) return undefined
      path = pathOf(next)
    }
    throw invalidResponse('openlibrary')
  }

  /** Returns the entry of a work in the search index, which has the names of its authors. */
  async function readDoc(olid: string, priority: Priority): Promise<Doc | undefined> {
    const query = { q: `key:/works/${olid}`, fields: workFields.join(','), limit: '1' }
    const { docs } = await callOpenLibrary({ path: '/search.json', query, priority }, readDocs)
    return docs.find((found) => olidOf(found.key) === olid)
  }

  async function readAuthors(
    authors: LibraryRecord['authors'],
    priority: Priority,
  ): Promise<(string | undefined)[]> {
    const keys = authors.flatMap(
      ({ key, author }) => /^\/authors\/OL\d{1,15}A$/.exec(author?.key ?? key ?? '')?.[0] ?? [],
    )
    return Promise.all(
      keys
        .slice(0, authorsMax)
        .map((path) =>
          callOpenLibrary(
            { path: `${path}.json`, priority, accepts: [404] },
            ({ body }) => libraryRecord.safeParse(body).data?.name,
          ),
        ),
    )
  }

  async function readBook(
    { source: idSource, external_id: id }: ExternalId,
    priority: Priority,
  ): Promise<FoundTitle | undefined> {
    const isIsbn = idSource === 'isbn13'
    if (!isIsbn && !olidPattern.test(id)) return undefined
    const start = await readRecord(isIsbn ? `/isbn/${id}` : pathOf(id), priority)
    if (!start) return undefined
    const isWork = start.olid.endsWith('W')
    const workOlid = isWork
      ? start.olid
      : start.record.works.map(({ key }) => olidOf(key)).find((olid) => olid?.endsWith('W'))
    const [work, firstDoc] = await Promise.all([
      isWork ? start : workOlid ? readRecord(pathOf(workOlid), priority) : undefined,
      workOlid ? readDoc(workOlid, priority) : undefined,
    ])
    const index =
      firstDoc ?? (work && work.olid !== workOlid ? await readDoc(work.olid, priority) : undefined)
    const edition = isWork ? undefined : start.record
    const indexed = index?.editions?.docs[0]

    const name = toLine(work?.record.title) ?? toLine(edition?.title)
    if (!name) throw invalidResponse('openlibrary')
    const authorKeys = [work?.record.authors, edition?.authors].find((authors) => authors?.length) ?? []
    const authors = index?.author_name.length ? index.author_name : await readAuthors(authorKeys, priority)
    const covers = [index?.cover_i, ...(work?.record.covers ?? []), ...(edition?.covers ?? [])]
    const olids = [
      isIsbn ? undefined : id,
      ...start.olids,
      ...(work?.olids ?? []),
      ...(edition ? [] : [olidOf(indexed?.key)]),
    ]
    const isbns = [isIsbn ? id : undefined, isbn13Of(edition ? isbnsOf(edition) : (indexed?.isbn ?? []))]
    return {
      source: 'openlibrary',
      kind: 'book',
      name,
      overview:
        (await toDescription(work?.record.description)) ?? (await toDescription(edition?.description)),
      tagline: null,
      image: covers.map(coverOf).find((cover) => cover !== null) ?? null,
      backdrop: null,
      releaseDate: releaseDateOf(work?.record, edition, index),
      runtime: null,
      pageCount: toCount(edition?.number_of_pages) ?? toCount(index?.number_of_pages_median),
      series: seriesOf(index),
      genres: toGenres([...(work?.record.subjects ?? []), ...(edition?.subjects ?? [])]),
      creators: toNames(authors, 10),
      platforms: [],
      rating: toRating(index?.ratings_average, 5, index?.ratings_count),
      popularity: popularityOf(index?.readinglog_count, 20_000),
      ids: idsOf(isbns, olids),
    }
  }

  async function readCandidates(query: Record<string, string>): Promise<CandidateDoc[]> {
    const call = {
      path: '/search.json',
      query: { ...query, fields: candidateFields.join(',') },
      priority: 'import',
    } as const
    return callOpenLibrary(call, ({ body }) => parseBody('openlibrary', candidatesResponse, body).docs)
  }

  /** Searches the words of the name, without a subtitle, and of the first author’s surname. */
  async function findByName(wanted: WantedTitle): Promise<FoundTitle[]> {
    const [name = ''] = withoutBrackets(wanted.name).split(/:\s|\s[-–—]\s/, 1)
    const title = wordsOf(name) || wordsOf(wanted.name)
    const author = wordsOf(surnameOf(wanted.authors[0] ?? ''))
    const isTooShort = title.length < 3 || title === 'the'
    if (!title || (isTooShort && !author)) return []
    const docs = await readCandidates({ title, ...(author && { author }), limit: String(namedBatch) })
    return rankCandidates(await toHits(docs, (found) => toCandidate(found)), wanted)
  }

  const lookup: Lookup = {
    name: 'openlibrary',
    kinds: ['book'],
    batchSize: isbnBatch,

    async findCandidates(wanted) {
      const isbns = wanted.map((title) =>
        isbn13Of(title.ids.flatMap(({ source, id }) => (source === 'isbn13' ? id : []))),
      )
      const asked = unique(isbns)
      const docs: CandidateDoc[] = []
      for (let at = 0; at < asked.length; at += isbnBatch) {
        const batch = asked.slice(at, at + isbnBatch).flatMap(isbnForms)
        docs.push(...(await readCandidates({ q: `isbn:(${batch.join(' OR ')})`, limit: '100' })))
      }
      const forms = new Set(asked.flatMap(isbnForms))
      const docsByForm = new Map<string, Set<CandidateDoc>>()
      for (const found of docs) {
        for (const form of found.isbn) {
          if (forms.has(form)) docsByForm.set(form, (docsByForm.get(form) ?? new Set()).add(found))
        }
      }
      const candidates: FoundTitle[][] = []
      for (const [index, title] of wanted.entries()) {
        const isbn = isbns[index]
        const works = new Set(
          (isbn ? isbnForms(isbn) : []).flatMap((form) => [...(docsByForm.get(form) ?? [])]),
        )
        const byIsbn = await toHits([...works], (work) => toCandidate(work, isbn))
        const byId = byIsbn.length > 0 ? byIsbn : await findByOlid(title)
        candidates.push(byId.length > 0 ? rankCandidates(byId, title) : await findByName(title))
      }
      return candidates
    },
  }

  async function findByOlid(wanted: WantedTitle): Promise<FoundTitle[]> {
    const olid = idOf(wanted, 'olid-work', olidPattern) ?? idOf(wanted, 'olid-edition', olidPattern)
    const title = olid && (await readBook({ source: idSourceOf(olid), external_id: olid }, 'import'))
    return title ? [title] : []
  }

  return {
    name: 'openlibrary',
    kinds: lookup.kinds,
    idSources: kinds.book.idSources,
    hasFallback: true,

    async search(query) {
      const q = query.trim()
      // Open Library would refuse these with 422.
      if ([...q].length < 3 || q.toLowerCase() === 'the') return { results: [], source: 'openlibrary' }
      const { docs } = await callOpenLibrary(
        {
          path: '/search.json',
          query: { q, fields: hitFields.join(','), limit: String(searchLimit) },
          priority: 'search',
          accepts: [422],
        },
        readDocs,
      )
      return { results: await toHits(docs, (found) => toHit(found, q)), source: 'openlibrary' }
    },

    find: (_kind, id) => readBook(id, 'sync'),
    lookup,
  }
}

/** Reads a search response. 422 means that Open Library considers the query too short. */
function readDocs({ status, body }: JsonResponse): z.infer<typeof searchResponse> {
  return status === 422 ? { docs: [] } : parseBody('openlibrary', searchResponse, body)
}

function toHit(found: Doc, q: string): FoundTitle[] {
  const olid = olidOf(found.key)
  const name = toLine(found.title)
  if (!olid || !name) return []
  const edition = found.editions?.docs[0]
  const searchedIsbn = q.replace(/[\s-]/g, '')
  const isbn =
    isbn13Of([searchedIsbn].filter((isbn) => found.isbn.includes(isbn))) ??
    isbn13Of(edition?.isbn ?? []) ??
    isbn13Of(found.isbn)
  return [
    {
      ...titleOf(found, name),
      image: coverOf(edition?.cover_i) ?? coverOf(found.cover_i),
      // An edition without a work is listed as a work.
      ids: idsOf([isbn], [olid]),
      edition: {
        publishYear: yearOf(toLooseDate(edition?.publish_date[0])),
        subtitle: toLine(found.subtitle) ?? toLine(edition?.subtitle),
      },
    },
  ]
}

/** Converts an entry of the search index, which has no description. `isbn` is the ISBN-13 that it was found by. */
function toCandidate(found: CandidateDoc, isbn?: string | null): FoundTitle[] {
  const olid = olidOf(found.key)
  const name = toLine(found.title)
  if (!olid || !name) return []
  const edition = found.editions?.docs[0]
  const editionIsbn = isbn13Of(edition?.isbn ?? [])
  const editionOlid = !isbn || isbn === editionIsbn ? olidOf(edition?.key) : undefined
  return [
    {
      ...titleOf(found, name),
      image: coverOf(found.cover_i) ?? coverOf(edition?.cover_i),
      genres: toGenres(found.subject),
      ids: idsOf([isbn ?? editionIsbn], [olid, editionOlid]),
    },
  ]
}

/** Returns what an entry of the search index has of a title. */
function titleOf(found: Doc, name: string) {
  return {
    source: 'openlibrary' as const,
    kind: 'book' as const,
    name,
    overview: null,
    tagline: null,
    backdrop: null,
    releaseDate: toDate(found.first_publish_year?.toString()),
    runtime: null,
    pageCount: toCount(found.number_of_pages_median),
    genres: [],
    creators: toNames(found.author_name, 10),
    platforms: [],
    rating: toRating(found.ratings_average, 5, found.ratings_count),
    popularity: popularityOf(found.readinglog_count, 20_000),
    isPartial: true as const,
  }
}

function idsOf(isbns: (string | null | undefined)[], olids: (string | undefined)[]): ExternalId[] {
  return [
    ...unique(isbns).map((external_id) => ({ source: 'isbn13' as const, external_id })),
    ...unique(olids).map((external_id) => ({ source: idSourceOf(external_id), external_id })),
  ]
}

/** Returns the words of a text in lower case, without the signs that are operators in a query; at most 200 characters. */
function wordsOf(given: string): string {
  return (
    toQuery(given)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? []
  ).join(' ')
}

/** Returns an ISBN-13 and the ISBN-10 of the same book, if there is one: records can have either. */
function isbnForms(isbn13: string): string[] {
  const digits = isbn13.startsWith('978') ? isbn13.slice(3, 12) : ''
  const isbn10 = [...'0123456789X'].map((digit) => digits + digit).find(toIsbn13)
  return isbn10 ? [isbn13, isbn10] : [isbn13]
}

/** Returns the id in a key like `/works/OL27448W`; undefined if there is none. */
function olidOf(key: string | undefined): string | undefined {
  const olid = key?.slice(key.lastIndexOf('/') + 1)
  return olid && olidPattern.test(olid) ? olid : undefined
}

function pathOf(olid: string): string {
  return `/${olid.endsWith('M') ? 'books' : 'works'}/${olid}`
}

function idSourceOf(olid: string): IdSource {
  return olid.endsWith('M') ? 'olid-edition' : 'olid-work'
}

function unique(values: (string | null | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => value ?? []))]
}

function isbnsOf({ isbn_13, isbn_10 }: LibraryRecord): string[] {
  return [...isbn_13, ...isbn_10]
}

/** Returns the first ISBN-13, else the first ISBN-10 as an ISBN-13; null if none has a valid check digit. */
function isbn13Of(isbns: string[]): string | null {
  const plain = isbns
    .filter((isbn) => isbn.length <= 50)
    .map((isbn) => isbn.replace(/[\s-]/g, '').toUpperCase())
  const isbn = plain.find((each) => each.length === 13 && toIsbn13(each)) ?? plain.find(toIsbn13)
  return isbn === undefined ? null : toIsbn13(isbn)!
}

/** Returns the URL of a cover. The id -1 means that the cover was removed. */
function coverOf(id: number | undefined): string | null {
  return id !== undefined && Number.isInteger(id) && id > 0
    ? `https://covers.openlibrary.org/b/id/${id}-L.jpg`
    : null
}

// markdown-it is linear on hostile text and limits nesting. `marked` takes seconds for 20,000 characters of `*a_`. Loaded with the
// first description.
let markdown: { render: (text: string) => string } | undefined

/**
 * Converts a description, which is Markdown with HTML in it, to plain text. Removes what follows a line of dashes (a list of
 * other editions) and `([source][1])` (a citation).
 */
async function toDescription(markdownText: string | undefined): Promise<string | null> {
  const text = (markdownText ?? '').slice(0, textInputMax).replace(/\r\n?/g, '\n')
  const [own = ''] = text.split(/\n[ \t]*-{4,}[ \t]*(?:\n|$)/)
  const unsourced = own.replace(/ ?\(\[source\](\[\w+\]|\([^()]*\))\)/gi, '')
  markdown ??= new (await import('markdown-it')).default({ html: true })
  return toText(markdown.render(unsourced))
}

/** Returns the first publication date: the work’s date, else the first year in the index, else the edition’s date. */
function releaseDateOf(
  work: LibraryRecord | undefined,
  edition: LibraryRecord | undefined,
  index: Doc | undefined,
): string | null {
  return (
    toLooseDate(work?.first_publish_date) ??
    toDate(index?.first_publish_year?.toString()) ??
    toLooseDate(edition?.publish_date)
  )
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Parses a date in free text: "October 1, 1988", "1 October 1988", "Oct 1988", "1978-03", "c1988". Falls back to the year. */
function toLooseDate(freeText: string | undefined): string | null {
  const words = freeText?.slice(0, 100).trim()
  const exact = toDate(words)
  if (exact) return exact
  const year = /(?<!\d)\d{4}(?!\d)/.exec(words ?? '')?.[0]
  if (!words || !year) return null
  const month = months.findIndex((name) => new RegExp(`\\b${name}`, 'i').test(words)) + 1
  const day = /(?<!\d)\d{1,2}(?!\d)/.exec(words)?.[0]
  const parts = month === 0 ? [year] : [year, month, ...(day ? [day] : [])]
  return toDate(parts.map((part) => String(part).padStart(2, '0')).join('-')) ?? toDate(year)
}

/**
 * Returns the first five subjects that look like a genre. The others are shelf marks (`nyt:…`, "Accessible book"), library
 * headings ("Foxes, fiction") and words that every book has.
 */
function toGenres(subjects: string[]): string[] {
  const candidates = subjects.filter(
    (subject) => /^\p{L}[\p{L}\s'’&-]{2,29}$/u.test(subject.trim()) && !shelfMarks.test(subject),
  )
  const seen = new Set<string>()
  const genres = toNames(candidates, 200).filter((name) => {
    const folded = name.toLowerCase()
    return !seen.has(folded) && seen.add(folded)
  })
  return genres.slice(0, 5)
}
const shelfMarks =
  /^(fiction|general|books|literature|novel|in library|large type books)$|accessible book|daisy|staff picks|reading level|overdrive|internet archive|open syllabus|translations? (in|from)/i
