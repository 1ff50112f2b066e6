import { z } from 'zod'
import { toIsbn13 } from '#shared/domain/isbn.ts'
import { type DescribedName, languageCodeOf } from '#shared/domain/title-names.ts'
import type { IdSource } from '#shared/domain/kinds.ts'
import {
  listOf,
  maybe,
  popularityOf,
  requiredListOf,
  textInputMax,
  toCount,
  toDate,
  toLine,
  toNames,
  toRating,
  toText,
  toTitleNames,
  yearOf,
} from './clean.ts'
import type { ExternalId, FoundTitle } from './source.ts'

const text = maybe(z.string())
const number = maybe(z.number())
const texts = listOf(z.string())
const key = maybe(z.object({ key: text }))
/** A string, or an object with the type and the string. */
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
export type Doc = z.infer<typeof doc>
export const searchResponse = z.object({ docs: requiredListOf(doc) })

/** Popular works have thousands of ISBNs. */
const isbnTexts = z
  .unknown()
  .transform((list) => (Array.isArray(list) ? list.filter((isbn) => typeof isbn === 'string') : []))
  .default([])
const candidateDoc = doc.extend({ isbn: isbnTexts, subject: texts })
export type CandidateDoc = z.infer<typeof candidateDoc>
export const candidatesResponse = z.object({ docs: requiredListOf(candidateDoc) })

export const libraryRecord = z.object({
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
  languages: listOf(z.object({ key: text })),
  other_titles: texts,
  translation_of: text,
  translated_from: listOf(z.object({ key: text })),
})
export type LibraryRecord = z.infer<typeof libraryRecord>

/** An edition names itself in its language, and a translation names its original. */
export function namesOfEdition(edition: LibraryRecord, workName: string): DescribedName[] {
  const { title, other_titles, translation_of, translated_from } = edition
  const language = languageOfKey(edition.languages)
  return toTitleNames([
    { kind: 'original' as const, language: languageOfKey(translated_from), name: translation_of },
    { kind: language === '' ? ('other' as const) : ('local' as const), language, name: title },
    ...other_titles.map((name) => ({ kind: 'other' as const, language: '', name })),
  ]).filter(({ kind, name }) => kind !== 'other' || name !== workName)
}

/** `/languages/ger` has a code of MARC, which is an old code of ISO 639. */
function languageOfKey([first]: LibraryRecord['languages']): string {
  const code = /^\/languages\/([a-z]{3})$/.exec(first?.key ?? '')?.[1]
  return code === undefined ? '' : languageCodeOf(new Intl.Locale(code).language)
}

export const olidPattern = /^OL\d{1,15}[MW]$/

export function seriesOf(index: Doc | undefined): string | null {
  const [name] = toNames(index?.series_name ?? [], 1)
  const [position] = index?.series_position ?? []
  if (name === undefined) return null
  return position !== undefined && /^\d{1,3}$/.test(position) ? `${name}, ${position}` : name
}

export function toHit(found: Doc, q: string): FoundTitle[] {
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

/** The search index has no descriptions. `isbn` is the ISBN-13 that the entry was found by. */
export function toCandidate(found: CandidateDoc, isbn?: string | null): FoundTitle[] {
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

export function idsOf(isbns: (string | null | undefined)[], olids: (string | undefined)[]): ExternalId[] {
  return [
    ...unique(isbns).map((external_id) => ({ source: 'isbn13' as const, external_id })),
    ...unique(olids).map((external_id) => ({ source: idSourceOf(external_id), external_id })),
  ]
}

/** Records can have the ISBN-13 or the ISBN-10. */
export function isbnForms(isbn13: string): string[] {
  const digits = isbn13.startsWith('978') ? isbn13.slice(3, 12) : ''
  const isbn10 = [...'0123456789X'].map((digit) => digits + digit).find(toIsbn13)
  return isbn10 ? [isbn13, isbn10] : [isbn13]
}

export function olidOf(key: string | undefined): string | undefined {
  const olid = key?.slice(key.lastIndexOf('/') + 1)
  return olid && olidPattern.test(olid) ? olid : undefined
}

export function pathOf(olid: string): string {
  return `/${olid.endsWith('M') ? 'books' : 'works'}/${olid}`
}

export function idSourceOf(olid: string): IdSource {
  return olid.endsWith('M') ? 'olid-edition' : 'olid-work'
}

export function unique(values: (string | null | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => value ?? []))]
}

export function isbnsOf({ isbn_13, isbn_10 }: LibraryRecord): string[] {
  return [...isbn_13, ...isbn_10]
}

/** Else the first ISBN-10 as an ISBN-13; null without a valid check digit. */
export function isbn13Of(isbns: string[]): string | null {
  const plain = isbns
    .filter((isbn) => isbn.length <= 50)
    .map((isbn) => isbn.replace(/[\s-]/g, '').toUpperCase())
  const isbn = plain.find((each) => each.length === 13 && toIsbn13(each)) ?? plain.find(toIsbn13)
  return isbn === undefined ? null : toIsbn13(isbn)!
}

/** The id -1: the cover was removed. */
export function coverOf(id: number | undefined): string | null {
  return id !== undefined && Number.isInteger(id) && id > 0
    ? `https://covers.openlibrary.org/b/id/${id}-L.jpg`
    : null
}

// markdown-it is linear on hostile text and limits nesting; `marked` takes seconds for 20,000 characters of `*a_`. Loaded with the first
// description.
let markdown: { render: (text: string) => string } | undefined

/** From Markdown with HTML. Removes what follows a line of dashes (other editions) and `([source][1])` (a citation). */
export async function toDescription(markdownText: string | undefined): Promise<string | null> {
  const text = (markdownText ?? '').slice(0, textInputMax).replace(/\r\n?/g, '\n')
  const [own = ''] = text.split(/\n[ \t]*-{4,}[ \t]*(?:\n|$)/)
  const unsourced = own.replace(/ ?\(\[source\](\[\w+\]|\([^()]*\))\)/gi, '')
  markdown ??= new (await import('markdown-it')).default({ html: true })
  return toText(markdown.render(unsourced))
}

/** The work’s date, else the first year in the index, else the edition’s date. */
export function releaseDateOf(
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

/** "October 1, 1988", "1 October 1988", "Oct 1988", "1978-03", "c1988"; falls back to the year. */
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

/** The first five subjects that are no shelf marks (`nyt:…`, "Accessible book"), library headings ("Foxes, fiction") or words that every book has. */
export function toGenres(subjects: string[]): string[] {
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
