import type { Db } from '#server/db/open.ts'
import { pause } from '#server/db/slices.ts'
import type { ImportChangeRow } from '#server/imports/tables.ts'
import { listCards } from '#server/titles/store.ts'
import {
  compareParts,
  type Current,
  type ImportLists,
  type Journal,
  stateOf,
  type Writes,
} from './compare-parts.ts'
import type { EntryValues } from './compare-entries.ts'
import { pick } from '#server/imports/pick.ts'
import { reviewFields, type ReviewValues } from './compare-reviews.ts'
import { rowOf } from './journal.ts'
import { listOwn, listOwnItems, listOwnPartReviews } from './journal-store.ts'
import { listImportLists } from './lists-store.ts'
import type { ImportContext, Writing } from '#server/imports/context.ts'
import { isToCreate, saveTitles, targetOf, type TitleOfImport } from '#server/imports/match/titles.ts'

type Of = Pick<TitleOfImport, 'id' | 'import_id'>

/** Leaves out what other titles of the same import wrote: that is no older state of this one. */
export async function loadCurrent(
  db: Db,
  userId: number,
  targets: readonly number[],
  withParts: readonly number[] = [],
): Promise<(mediaId: number | null, of: Of) => Promise<{ current: Current; journal: Journal }>> {
  const ids = [...new Set(targets)]
  const byTitle = <Row extends { media_id: number | null }>(rows: readonly Row[]) => {
    const rowsOf = Map.groupBy(rows, (row) => row.media_id)
    return (mediaId: number | null) => rowsOf.get(mediaId ?? 0) ?? []
  }
  const [reviews, partReviews, entries, favorites, items, changes] = await Promise.all([
    listOwn(db, 'reviews', userId, ids).then(byTitle),
    listOwnPartReviews(db, userId, 'parts.media_id', [...new Set(withParts)]).then(byTitle),
    listOwn(db, 'diary_entries', userId, ids).then(byTitle),
    listOwn(db, 'favorites', userId, ids).then(byTitle),
    listOwnItems(db, userId, ids).then(byTitle),
    listOwn(db, 'import_changes', userId, ids).then(byTitle),
  ])
  return async (mediaId, of) => ({
    current: {
      reviews: new Map([...reviews(mediaId), ...partReviews(mediaId)].map((row) => [row.part_id, row])),
      entries: entries(mediaId),
      isFavorite: favorites(mediaId).length > 0,
      listNotes: new Map(items(mediaId).map(({ list_id, note }) => [list_id, note])),
    },
    journal: await journalOf(changes(mediaId), of),
  })
}

async function journalOf(changes: readonly ImportChangeRow[], of: Of): Promise<Journal> {
  const reviews = new Map<number | null, Partial<ReviewValues>>()
  let hasFavorite = false
  const entries = new Map<number, EntryValues>()
  const listNotes = new Map<number, string>()
  for (const { import_id, title_id, what, target_id, before, after } of changes) {
    if (import_id === of.import_id && title_id !== of.id) continue
    await pause()
    if (what === 'review') {
      const { part_id, ...written } = writtenIn(before, after)
      reviews.set(part_id, { ...reviews.get(part_id), ...written })
    } else if (what === 'entry') entries.set(target_id, rowOf<EntryValues>(after))
    else if (what === 'favorite') hasFavorite = true
    else if (what === 'listItem') listNotes.set(target_id, rowOf<{ note: string }>(after).note)
  }
  return { reviews, entries, hasFavorite, listNotes }
}

/** Not a rating of the member's own beside which the change only wrote a text, nor the other way round. */
function writtenIn(before: string | null, after: string): Partial<ReviewValues> & { part_id: number | null } {
  const { part_id = null, ...wrote } = rowOf<ReviewValues & { part_id?: number }>(after)
  const was = before === null ? undefined : rowOf<ReviewValues>(before)
  const written = reviewFields.filter((columns) => columns.some((key) => wrote[key] !== was?.[key]))
  return { ...pick(wrote, written.flat()), part_id }
}

async function loadLists(db: Db, titles: readonly TitleOfImport[]): Promise<ImportLists> {
  const keys = [...new Set(titles.flatMap(({ record }) => record.listItems.map(({ key }) => key)))]
  const rows = keys.length > 0 ? await listImportLists(db, titles[0]!.import_id, keys) : []
  return new Map(rows.map((row) => [row.list_key, row]))
}

/** Without `writes`, applying writes nothing. */
export type Compared = { title: TitleOfImport; current: Current; writes?: Writes }

/** Titles that are not looked up yet stay `pending`. */
export async function compareTitles(
  context: ImportContext,
  titles: readonly TitleOfImport[],
): Promise<Compared[]> {
  const { db, row, options } = context
  const targets = titles.flatMap((title) => targetOf(title) ?? [])
  const existing = new Set((await listCards(db, targets)).map(({ id }) => id))
  const withParts = titles.filter(({ record }) => record.partReviews.length > 0)
  const load = await loadCurrent(
    db,
    row.user_id,
    targets,
    withParts.flatMap((title) => targetOf(title) ?? []),
  )
  const lists = await loadLists(db, titles)
  const compared: Compared[] = []
  for (const title of titles) compared.push(await compareOne(title))
  return compared

  async function compareOne(title: TitleOfImport): Promise<Compared> {
    const { decision, matched, candidates } = title
    const target = targetOf(title)
    const isGone = target !== null && !existing.has(target)
    const creates = isToCreate(title, options)
    const own = await load(creates ? null : target, title)
    const { current } = own
    const as = (
      state: TitleOfImport['state'],
      change: TitleOfImport['change'] = null,
      { media_id = isGone ? null : target, ...more }: { media_id?: number | null; writes?: Writes } = {},
    ): Compared => ({ title: { ...title, state, change, media_id }, current, ...more })
    if (decision?.choice === 'skip') return as('left')
    if (isGone) return as('gone')
    if (target === null && !creates && !matched) return as('pending')
    const comparison = { ...context, titleId: creates ? null : target, lists }
    const { writes, ...change } = await compareParts(title, own, comparison)
    const { parts, adds } = change
    const state = stateOf(parts)
    if (state === 'notKept') return as(state, change, { writes })
    if (creates) {
      const created = { ...change, adds: { ...adds, titles: 1 } }
      return as(decision ? 'new' : 'notFound', created, { writes, media_id: null })
    }
    if (target !== null) return as(state, change, { writes })
    return as(candidates.length > 0 ? 'ambiguous' : 'notFound', { parts, adds: {} })
  }
}

export async function saveCompared(
  writing: Writing,
  before: readonly TitleOfImport[],
  titles: readonly TitleOfImport[],
): Promise<TitleOfImport[]> {
  const compared = await compareTitles(writing, titles)
  return saveTitles(
    writing,
    before,
    compared.map(({ title }) => title),
  )
}
