import { defaultImportOptions, importOptions, type ImportOptions } from '#shared/imports.ts'
import type { Kind } from '#shared/media.ts'
import type { ImportRow } from '#server/db/tables.ts'
import type { Adds, Diff } from './diff.ts'
import type { FileSummary } from './parse.ts'
import type { TitlePlan } from './plan.ts'

/** The progress of an import, and numbers that are kept up to date with its titles and lines; the column is `imports.facts`. */
export type ImportProgress = Pick<FileSummary, 'columns' | 'shelves'> & {
  /** The steps of matching, in order. */
  step: 'lines' | 'plans' | 'lookup' | 'join'
  /** The id of the last line or title of the step that is done. */
  cursor: number
  /** Whether titles are looked up again even if they were recognized before. */
  isRematch: boolean
  lines: number
  titles: number
  /** Titles that applying adds to or changes. */
  changes: number
  /** Titles by state; and `unreadable` and `repeated` lines. */
  counts: Record<string, number>
  notKept: Record<string, number>
  ratings: Record<string, { stars: number; isHalf: boolean; count: number }>
  withoutRating: number
  /** Titles with a text that is too long. */
  longTexts: number
  kinds: Partial<Record<Kind, number>>
  /** What applying adds, and what it has added. */
  adds: Adds
  applied: Adds
  /** External sources that are not called until a time, after so many failures in a row. */
  pauses: Record<string, { until: string; failures: number }>
  /** How many bytes larger the current step makes the database: what belongs to the import, and the member’s own data. Not stored. */
  grown: { held: number; added: number }
}

/** Distinct ratings that are counted; a scale of five stars by quarters has twenty. */
const ratingsMax = 500

export const addsNothing: Adds = {
  ratings: 0,
  reviews: 0,
  entries: 0,
  favorites: 0,
  listItems: 0,
  titles: 0,
  follows: 0,
  lists: 0,
  settings: 0,
}

export function newProgress(known: Pick<ImportProgress, 'columns' | 'shelves' | 'lines'>): ImportProgress {
  const place = {
    step: 'lines',
    cursor: 0,
    isRematch: true,
    pauses: {},
    grown: { held: 0, added: 0 },
  } as const
  const numbers = { titles: 0, changes: 0, withoutRating: 0, longTexts: 0 }
  const counts = { counts: {}, notKept: {}, ratings: {}, kinds: {}, adds: addsNothing, applied: addsNothing }
  return { ...known, ...place, ...numbers, ...counts }
}

/** Starts matching again at a step. Numbers of lines that the step determines start over. */
export function restartAt(
  progress: ImportProgress,
  step: 'lines' | 'plans',
  isRematch = step === 'lines',
): ImportProgress {
  const { unreadable = 0, repeated: _, ...counts } = progress.counts
  const again = { ...progress, step, isRematch, cursor: 0, pauses: {} }
  return step === 'lines'
    ? { ...again, counts, notKept: {}, adds: { ...progress.adds, follows: 0, settings: 0 } }
    : { ...again, counts: unreadable > 0 ? { ...counts, unreadable } : counts }
}

export function progressOf({ facts }: Pick<ImportRow, 'facts'>): ImportProgress {
  const stored = JSON.parse(facts) as ImportProgress
  return { ...newProgress({ columns: [], shelves: [], lines: 0 }), ...stored, grown: { held: 0, added: 0 } }
}

export function optionsOf({ options }: Pick<ImportRow, 'options'>): ImportOptions {
  const stored = JSON.parse(options) as Partial<ImportOptions>
  return importOptions.parse({ ...defaultImportOptions, ...stored })
}

/** Adds what a title contributes to the numbers of its import, or subtracts it. */
export function countTitle(
  progress: ImportProgress,
  { state, plan, diff }: { state: string; plan: TitlePlan; diff: Pick<Diff, 'adds'> | null },
  by: 1 | -1,
): void {
  progress.titles += by
  add(progress.counts, state, by)
  add(progress.kinds, plan.kind, by)
  progress.adds = sumOf(progress.adds, diff?.adds, by)
  if (Object.values(diff?.adds ?? {}).some((count) => count > 0)) progress.changes += by
  if (plan.isTextWithoutRating) progress.withoutRating += by
  if (plan.hasLongText) progress.longTexts += by
  if (!plan.rating) return
  const { given, stars, isHalf } = plan.rating
  const known = progress.ratings[given]
  if (!known && (by < 0 || Object.keys(progress.ratings).length >= ratingsMax)) return
  const count = (known?.count ?? 0) + by
  if (count > 0) progress.ratings[given] = by > 0 ? { stars, isHalf, count } : { ...known!, count }
  else delete progress.ratings[given]
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
