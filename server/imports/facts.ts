import { defaultImportOptions, importOptions, type ImportOptions } from '#shared/imports.ts'
import type { Kind } from '#shared/media.ts'
import { pack, unpack } from '#server/db/packed.ts'
import type { ImportRow, ImportTitleRow } from '#server/db/tables.ts'
import type { FoundTitle } from '#server/catalogue/sources/source.ts'
import type { FileFacts, TitlePlan } from './formats/reading.ts'
import { type Adds, addsNothing, type Choice, type Judgement } from './judge.ts'
import { titleBytes } from './quota.ts'

/** The steps of matching, in order. */
type Step = 'lines' | 'plans' | 'match' | 'lookup' | 'join'

/** `imports.facts`: the progress of an import, and numbers that are kept up to date with its titles and lines. */
export type ImportFacts = Pick<FileFacts, 'columns' | 'shelves'> & {
  step: Step
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
  /** Members whom applying makes the owner follow, and those whom it has. */
  follows: { adds: number; applied: number }
  /** External sources that are not called until a time, after so many failures in a row. */
  pauses: Record<string, { until: string; failures: number }>
}

export function newFacts({
  columns,
  shelves,
  lines,
}: Pick<FileFacts, 'columns' | 'shelves'> & { lines: number }): ImportFacts {
  return {
    columns,
    shelves,
    step: 'lines',
    cursor: 0,
    isRematch: true,
    lines,
    titles: 0,
    changes: 0,
    counts: {},
    notKept: {},
    ratings: {},
    withoutRating: 0,
    longTexts: 0,
    kinds: {},
    adds: addsNothing,
    applied: addsNothing,
    follows: { adds: 0, applied: 0 },
    pauses: {},
  }
}

/** Starts matching again at a step. Numbers that the step and those after it determine start over. */
export function restartAt(
  facts: ImportFacts,
  step: 'lines' | 'plans' | 'match',
  isRematch = step === 'lines',
): ImportFacts {
  const { counts, follows, ...others } = facts
  const { unreadable, repeated, ...ofTitles } = counts
  return {
    ...others,
    step,
    cursor: 0,
    pauses: {},
    isRematch,
    ...(step !== 'match' && { ratings: {}, withoutRating: 0, longTexts: 0, kinds: {} }),
    follows: step === 'lines' ? { ...follows, adds: 0 } : follows,
    ...(step === 'lines' && { notKept: {} }),
    counts: {
      ...ofTitles,
      ...(step !== 'lines' && unreadable && { unreadable }),
      ...(step === 'match' && repeated && { repeated }),
    },
  }
}

export function factsOf({ facts }: Pick<ImportRow, 'facts'>): ImportFacts {
  const stored = JSON.parse(facts) as ImportFacts
  // Imports of earlier versions lack them.
  const { follows = { adds: 0, applied: 0 }, longTexts = 0 } = stored
  return { ...stored, follows, longTexts }
}

export function optionsOf({ options }: Pick<ImportRow, 'options'>): ImportOptions {
  const stored = JSON.parse(options) as Partial<ImportOptions>
  return importOptions.parse({ ...defaultImportOptions, ...stored })
}

/** The result of the search for a title; `mediaId` is null if it is not certain. */
type Matched = { mediaId: number | null; reason: string | null }
/** A title that may be meant. `found` is what a source returned, if it is not in the catalogue yet. */
export type StoredCandidate = {
  mediaId: number | null
  kind: Kind
  name: string
  year: number | null
  imageUrl: string | null
  creators: readonly string[]
  why: string
  found?: FoundTitle
}
export type StoredDecision = { mediaId?: number; choice?: Choice | 'create' | 'skip' }
type Verdict = { parts: Judgement['verdicts']; adds: Adds }

/** A title of an import with its JSON columns parsed. */
export type Title = Omit<ImportTitleRow, 'plan' | 'matched' | 'verdict' | 'candidates' | 'decision'> & {
  plan: TitlePlan
  matched: Matched | null
  verdict: Verdict | null
  candidates: StoredCandidate[]
  decision: StoredDecision | null
  /** What the row took in the database when it was read. */
  bytes: number
}

export function titleOf(row: ImportTitleRow): Title {
  return {
    ...row,
    plan: row.plan === '' ? emptyPlan(row) : (JSON.parse(unpack(row.plan)) as TitlePlan),
    bytes: titleBytes(row),
    matched: parsed<Matched>(row.matched),
    verdict: parsed<Verdict>(row.verdict),
    candidates: parsed<StoredCandidate[]>(row.candidates && unpack(row.candidates)) ?? [],
    decision: parsed<StoredDecision>(row.decision),
  }
}

export function rowOf(title: Title): ImportTitleRow {
  const { plan, matched, verdict, candidates, decision } = title
  return {
    ...title,
    plan: pack(JSON.stringify(plan)),
    is_text_without_rating: Number(plan.isTextWithoutRating),
    matched: matched && JSON.stringify(matched),
    verdict: verdict && JSON.stringify(verdict),
    candidates: candidates.length > 0 ? pack(JSON.stringify(candidates)) : null,
    decision: decision && JSON.stringify(decision),
  }
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T)
}

function emptyPlan({ kind, name }: Pick<ImportTitleRow, 'kind' | 'name'>): TitlePlan {
  return {
    kind,
    name,
    otherNames: [],
    year: null,
    authors: [],
    ids: [],
    rating: null,
    review: null,
    isTextWithoutRating: false,
    entries: [],
    isFavorite: false,
    notes: [],
  }
}

/** The title of the catalogue that is meant; null if none is. */
export function targetOf({ decision, matched }: Pick<Title, 'decision' | 'matched'>): number | null {
  return decision?.mediaId ?? matched?.mediaId ?? null
}

/** Whether applying creates the title. */
export function isToCreate(
  title: Pick<Title, 'decision' | 'matched' | 'candidates'>,
  options: Pick<ImportOptions, 'missing'>,
): boolean {
  if (title.decision?.choice === 'create') return true
  if (title.decision || targetOf(title) !== null) return false
  return options.missing === 'create' && title.matched !== null && title.candidates.length === 0
}

/** Updates the numbers of an import for a title that changes. `before` is undefined for a new title, `after` for a removed one. */
export function tally(
  facts: ImportFacts,
  before: Pick<Title, 'state' | 'verdict'> | undefined,
  after: Pick<Title, 'state' | 'verdict'> | undefined,
): void {
  if (before) add(facts.counts, before.state, -1)
  if (after) add(facts.counts, after.state, 1)
  facts.titles += Number(after !== undefined) - Number(before !== undefined)
  facts.changes += Number(isChange(after)) - Number(isChange(before))
  facts.adds = sumOf(facts.adds, before?.verdict?.adds, -1)
  facts.adds = sumOf(facts.adds, after?.verdict?.adds, 1)
}

function isChange(title: Pick<Title, 'verdict'> | undefined): boolean {
  return Object.values(title?.verdict?.adds ?? {}).some((count) => count > 0)
}

export function add(counts: Record<string, number>, key: string, by: number): void {
  const sum = (counts[key] ?? 0) + by
  if (sum === 0) delete counts[key]
  else counts[key] = sum
}

export function sumOf(sum: Adds, more: Adds | undefined, by: 1 | -1): Adds {
  if (!more) return sum
  return {
    ratings: sum.ratings + by * more.ratings,
    reviews: sum.reviews + by * more.reviews,
    entries: sum.entries + by * more.entries,
    favorites: sum.favorites + by * more.favorites,
    titles: sum.titles + by * more.titles,
  }
}
