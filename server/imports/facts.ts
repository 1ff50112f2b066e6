import {
  defaultImportOptions,
  type ImportDetail,
  importOptions,
  type ImportOptions,
} from '#shared/contracts/imports.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import type { ImportRow } from './tables.ts'
import type { FileSummary } from './read/file.ts'
import type { TitleRecord } from './match/join.ts'

/** Follows and lists belong to no title. `halves`: of the ratings. */
export type Adds = ImportDetail['parts'] & { halves: number }

export const addsNothing: Adds = {
  ratings: 0,
  halves: 0,
  reviews: 0,
  partReviews: 0,
  entries: 0,
  episodes: 0,
  favorites: 0,
  listItems: 0,
  titles: 0,
  follows: 0,
  lists: 0,
  settings: 0,
}

/** A scale of five stars by quarters has twenty. */
export const ratingsMax = 500

export function newFacts({ lines, columns, shelves, unclear }: Omit<FileSummary, 'options'>) {
  return {
    lines,
    columns,
    shelves,
    unclear,
    /** In this order: see states.ts. */
    matches: 'lines' as 'lines' | 'titles' | 'sources' | 'same',
    cursor: 0,
    isRematch: true,
    /** Options that decide what lines mean have changed. */
    isReread: false,
    /** Other columns were chosen. */
    countsShelves: false,
    titles: 0,
    changes: 0,
    counts: {} as Record<string, number>,
    notKept: {} as Record<string, number>,
    ratings: {} as Record<string, { stars: number; isHalf: boolean; count: number }>,
    /** Ratings that are a half with the option `halfStars`. */
    halfStars: 0,
    /** Whether the lines have halves, which decides the option; null if the member has decided, or a version without halves read the lines. */
    hasHalves: null as boolean | null,
    withoutRating: 0,
    longTexts: 0,
    unclearDates: 0,
    /** And seasons, of titles that were found. */
    unknownEpisodes: 0,
    kinds: {} as Partial<Record<Kind, number>>,
    adds: addsNothing,
    applied: addsNothing,
    /** Sources that are not called until a time, after so many failures in a row. */
    pauses: {} as Record<string, { until: string; failures: number }>,
    /** Bytes by which the transaction grows the database: what belongs to the import, and the member’s data. Not stored. */
    grown: { held: 0, added: 0 },
  }
}

/** Kept up to date with its titles and lines; the column is `imports.facts`. */
export type ImportFacts = ReturnType<typeof newFacts>

export function factsOf({ facts }: Pick<ImportRow, 'facts'>): ImportFacts {
  const stored = JSON.parse(facts) as ImportFacts
  return {
    ...newFacts({ columns: [], shelves: [], unclear: [], lines: 0 }),
    ...stored,
    // An older version counted less.
    adds: sumOf(addsNothing, stored.adds),
    applied: sumOf(addsNothing, stored.applied),
    grown: { held: 0, added: 0 },
  }
}

export function optionsOf({ options }: Pick<ImportRow, 'options'>): ImportOptions {
  const stored = JSON.parse(options) as Partial<ImportOptions>
  return importOptions.parse({ ...defaultImportOptions, ...stored })
}

type Counted = {
  state: string
  record: TitleRecord
  change: { adds: Partial<Adds>; unknown?: { count: number } } | null
}

export function countTitle(facts: ImportFacts, { state, record, change }: Counted, by: 1 | -1): void {
  facts.titles += by
  add(facts.counts, state, by)
  add(facts.kinds, record.kind, by)
  facts.adds = sumOf(facts.adds, change?.adds, by)
  if (Object.values(change?.adds ?? {}).some((count) => count > 0)) facts.changes += by
  facts.unknownEpisodes += by * (change?.unknown?.count ?? 0)
  if (record.isTextWithoutRating) facts.withoutRating += by
  if (record.hasLongText) facts.longTexts += by
  if (record.hasUnclearDate) facts.unclearDates += by
  for (const { rating } of [record, ...record.partReviews]) if (rating) countRating(facts, rating, by)
}

function countRating(
  facts: ImportFacts,
  { given, stars, isHalf, isBetween }: NonNullable<TitleRecord['rating']>,
  by: 1 | -1,
): void {
  if (isBetween) facts.halfStars += by
  const known = facts.ratings[given]
  if (!known && (by < 0 || Object.keys(facts.ratings).length >= ratingsMax)) return
  const count = (known?.count ?? 0) + by
  if (count > 0) facts.ratings[given] = by > 0 ? { stars, isHalf, count } : { ...known!, count }
  else delete facts.ratings[given]
}

export function add(counts: Record<string, number>, key: string, by: number): void {
  const sum = (counts[key] ?? 0) + by
  if (sum <= 0) delete counts[key]
  else counts[key] = sum
}

export function sumOf(sum: Adds, more: Partial<Adds> = {}, by: 1 | -1 = 1): Adds {
  const keys = Object.keys(addsNothing) as (keyof Adds)[]
  return Object.fromEntries(keys.map((key) => [key, (sum[key] ?? 0) + by * (more[key] ?? 0)])) as Adds
}
