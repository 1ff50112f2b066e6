import type { z } from 'zod'
import { searchLimit } from '#shared/domain/limits.ts'
import { kinds } from '#shared/domain/kinds.ts'
import type { Config } from '#server/config.ts'
import {
  invalidResponse,
  parseBody,
  popularityOf,
  toCount,
  toHits,
  toLine,
  toNames,
  toRating,
} from './clean.ts'
import type { Fetcher, JsonResponse, Priority } from './fetcher.ts'
import { idOf, rankCandidates, surnameOf, toQuery, withoutBrackets } from './lookup.ts'
import {
  type Doc,
  searchResponse,
  type CandidateDoc,
  candidatesResponse,
  libraryRecord,
  namesOfEdition,
  type LibraryRecord,
  olidPattern,
  seriesOf,
  toHit,
  toCandidate,
  idsOf,
  isbnForms,
  olidOf,
  pathOf,
  idSourceOf,
  unique,
  isbnsOf,
  isbn13Of,
  coverOf,
  toDescription,
  releaseDateOf,
  toGenres,
} from './open-library-records.ts'
import type { ExternalId, FoundTitle, Lookup, Source, WantedTitle } from './source.ts'

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
/** Twenty-five works with thousands of ISBNs each stay below the size limit of a response. */
const isbnBatch = 25
const namedBatch = 10

/** A merged record points to the remaining one. A longer chain is a loop. */
const mergesMax = 3
/** For a work that is not in the search index yet. */
const authorsMax = 3
/**
 * openlibrary.org/developers/api. A book of the catalogue is a work: its name, description and cover, whichever edition was requested; its
 * ids are of the work, the edition, and the edition’s ISBN.
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

  /** Also the ids that led to the record through merges; undefined if it is missing or deleted. */
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
      ...(edition && { names: namesOfEdition(edition, name), hasOtherNames: true }),
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

  /** Without a subtitle, and with the first author’s surname. */
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

/** 422: Open Library considers the query too short. */
function readDocs({ status, body }: JsonResponse): z.infer<typeof searchResponse> {
  return status === 422 ? { docs: [] } : parseBody('openlibrary', searchResponse, body)
}

/** Leaves out the signs that are operators in a query; returns at most 200 characters. */
function wordsOf(given: string): string {
  return (
    toQuery(given)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? []
  ).join(' ')
}
