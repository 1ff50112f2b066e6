import type { ImportOptions } from '#shared/contracts/imports.ts'
import { foldWords, searchText, termsOf } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { pack, unpack } from '#server/db/packed.ts'
import type { ImportTitleRow } from '#server/imports/tables.ts'
import { pagesOf } from '#server/db/pages.ts'
import type { Match, Suggestion } from '#server/titles/match/compare.ts'
import { lockFromRemoval } from '#server/titles/store.ts'
import type { Choice, Change } from '#server/imports/apply/compare-parts.ts'
import { blankRecord, type TitleRecord } from './join.ts'
import { withBlanks, withoutBlanksOf } from '#server/imports/read/formats/records.ts'
import { countTitle } from '#server/imports/facts.ts'
import { sumBy, titleBytes } from '#server/imports/limits.ts'
import type { Writing } from '#server/imports/context.ts'
import { removeTitles, selectSearchTexts, type TitleFilter, updateTitles } from './titles-store.ts'

/** `mediaId` is null if it is not certain. */
type Matched = { mediaId: number | null; reason: string | null }
export type StoredDecision = { mediaId?: number; choice?: Choice }

export type TitleOfImport = Omit<
  ImportTitleRow,
  'record' | 'matched' | 'change' | 'candidates' | 'decision'
> & {
  record: TitleRecord
  matched: Matched | null
  change: Omit<Change, 'writes'> | null
  candidates: Omit<Suggestion, 'otherNames'>[]
  decision: StoredDecision | null
  /** Of the row when it was read. */
  bytes: number
}

const parsed = <T>(json: string | null) => (json === null ? null : (JSON.parse(unpack(json)) as T))
const stored = (value: object | null) => value && JSON.stringify(value)

export function titleOf({ change, ...row }: ImportTitleRow): TitleOfImport {
  return {
    ...row,
    record: withBlanks({
      ...blankRecord(row),
      ...(row.record === '' ? null : parsed<TitleRecord>(row.record)),
    }),
    bytes: titleBytes({ change, ...row }),
    matched: parsed(row.matched),
    change: parsed(change),
    candidates: parsed<TitleOfImport['candidates']>(row.candidates) ?? [],
    decision: parsed(row.decision),
  }
}

function rowOf({ record, matched, change, candidates, decision, ...title }: TitleOfImport): ImportTitleRow {
  return {
    ...title,
    record: pack(JSON.stringify(withoutBlanksOf(record))),
    is_text_without_rating: Number(record.isTextWithoutRating),
    matched: stored(matched),
    change: stored(change),
    candidates: candidates.length > 0 ? pack(JSON.stringify(candidates)) : null,
    decision: stored(decision),
  }
}

export function targetOf({ decision, matched }: Pick<TitleOfImport, 'decision' | 'matched'>): number | null {
  return decision?.mediaId ?? matched?.mediaId ?? null
}

export function isToCreate(
  title: Pick<TitleOfImport, 'decision' | 'matched' | 'candidates'>,
  { missing }: Pick<ImportOptions, 'missing'>,
): boolean {
  if (title.decision) return title.decision.choice === 'create'
  return missing === 'create' && title.matched?.mediaId === null && title.candidates.length === 0
}

/** Titles in other states keep them. */
export function isApplicable(
  { state }: Pick<TitleOfImport, 'state'>,
  { missing }: Pick<ImportOptions, 'missing'>,
) {
  return ['new', 'newer', 'conflict'].includes(state) || (state === 'notFound' && missing === 'create')
}

/**
 * Also updates the import’s numbers. Titles of `before` that are not in `after` are removed. A target that was removed meanwhile is left
 * out. Returns the titles as stored.
 */
export async function saveTitles(
  { db: trx, facts }: Pick<Writing, 'db' | 'facts'>,
  before: readonly TitleOfImport[],
  after: readonly TitleOfImport[],
): Promise<TitleOfImport[]> {
  const targets = [...before, ...after].flatMap(({ media_id }) => media_id ?? [])
  const existing = await lockFromRemoval(trx, targets)
  const isGone = ({ media_id }: TitleOfImport) => media_id !== null && !existing.has(media_id)
  const rows = after.map((title) => rowOf(isGone(title) ? { ...title, media_id: null } : title))
  const saved = after.map((title, at) => {
    const row = rows[at]!
    return { ...title, media_id: row.media_id, bytes: titleBytes(row) }
  })
  for (const title of before) countTitle(facts, title, -1)
  for (const title of saved) countTitle(facts, title, 1)
  await updateTitles(trx, rows)
  const removed = new Set(before.map(({ id }) => id)).difference(new Set(saved.map(({ id }) => id)))
  await removeTitles(trx, [...removed])
  facts.grown.held += sumBy(saved, ({ bytes }) => bytes) - sumBy(before, ({ bytes }) => bytes)
  return saved
}

const searchTextMax = 300
const candidatesMax = 5
const creatorsMax = 5

export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

export function withRecord(title: TitleOfImport, record: TitleRecord): TitleOfImport {
  const { kind, name, authors } = record
  const search_text = storable(searchText(name, ...authors).slice(0, searchTextMax))
  const unmatched = { state: 'pending' as const, change: null, applied_at: null }
  return { ...title, kind, name: storable(name), search_text, record, ...unmatched }
}

/** The suggestions come after the `known` ones. If the match is neither certain nor final, the title waits for a source. */
export function withMatch(
  title: TitleOfImport,
  { certain, suggestions }: Match,
  isFinal: boolean,
  known: TitleOfImport['candidates'] = [],
): TitleOfImport {
  if (certain) return { ...title, matched: { mediaId: certain.mediaId, reason: certain.why }, candidates: [] }
  const found = suggestions.map((suggestion) => {
    const { otherNames: _, ...stored } = suggestion
    return { ...stored, creators: stored.creators.slice(0, creatorsMax) }
  })
  const matched = isFinal ? { mediaId: null, reason: null } : null
  return { ...title, matched, candidates: [...known, ...found].slice(0, candidatesMax) }
}

/** Each further letter takes longer in names that repeat the word. */
const termLettersMax = 32

export function wordsOf(query = ''): string[] {
  return termsOf(foldWords(query)).map((word) => word.slice(0, termLettersMax))
}

export async function searchTitles(
  db: Db,
  importId: number,
  filter: TitleFilter,
  words: readonly string[],
): Promise<number[]> {
  const ids: number[] = []
  for await (const titles of pagesOf(selectSearchTexts(db, importId, filter), ['id']))
    for (const { id, search_text } of titles)
      if (words.every((word) => search_text.includes(word))) ids.push(id)
  return ids
}
