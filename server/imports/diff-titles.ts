import type { ImportOptions } from '#shared/imports.ts'
import type { Db } from '#server/db/open.ts'
import { unpack } from '#server/db/packed.ts'
import type { ImportChangeRow } from '#server/db/tables.ts'
import { listCatalogueTitles } from './catalogue-store.ts'
import {
  type Choice,
  type Current,
  type Diff,
  diffPlan,
  type EntryValues,
  type ImportLists,
  type Journal,
  reviewFields,
  type ReviewValues,
  stateOf,
} from './diff.ts'
import { listOwn, listOwnItems } from './journal-store.ts'
import { listImportLists } from './lists-store.ts'
import { isToCreate, targetOf, type Title } from './titles.ts'

type Compared = { current: Current; journal: Journal }
type Of = Pick<Title, 'id' | 'import_id'>

/**
 * Loads what a member has of titles, and what imports wrote of them. Returns a function that finds it for a title of an import. It
 * leaves out what other titles of the same import wrote: that is no older state of this one.
 */
export async function loadCurrent(
  db: Db,
  userId: number,
  targets: readonly number[],
): Promise<(mediaId: number | null, of: Of) => Compared> {
  const ids = [...new Set(targets)]
  const [reviews, entries, favorites, items, changes] = await Promise.all([
    listOwn(db, 'reviews', userId, ids),
    listOwn(db, 'diary_entries', userId, ids),
    listOwn(db, 'favorites', userId, ids),
    listOwnItems(db, userId, ids),
    listOwn(db, 'import_changes', userId, ids),
  ])
  const reviewOf = new Map(reviews.map((review) => [review.media_id, review]))
  const favoriteIds = new Set(favorites.map((favorite) => favorite.media_id))
  const entriesOf = Map.groupBy(entries, (entry) => entry.media_id)
  const itemsOf = Map.groupBy(items, (item) => item.media_id)
  const changesOf = Map.groupBy(changes, (change) => change.media_id)
  return (mediaId, of) => ({
    current: {
      review: reviewOf.get(mediaId ?? 0),
      entries: entriesOf.get(mediaId ?? 0) ?? [],
      isFavorite: favoriteIds.has(mediaId ?? 0),
      listNotes: new Map((itemsOf.get(mediaId ?? 0) ?? []).map(({ list_id, note }) => [list_id, note])),
    },
    journal: journalOf(changesOf.get(mediaId ?? 0) ?? [], of),
  })
}

function journalOf(changes: readonly ImportChangeRow[], of: Of): Journal {
  let review: Journal['review']
  let hasFavorite = false
  const entries = new Map<number, EntryValues>()
  const listNotes = new Map<number, string>()
  for (const { import_id, title_id, what, target_id, before, after } of changes) {
    if (import_id === of.import_id && title_id !== of.id) continue
    if (what === 'review') review = { ...review, ...writtenIn(before, after) }
    else if (what === 'entry') entries.set(target_id, JSON.parse(unpack(after)) as EntryValues)
    else if (what === 'favorite') hasFavorite = true
    else if (what === 'listItem')
      listNotes.set(target_id, (JSON.parse(unpack(after)) as { note: string }).note)
  }
  return { review, entries, hasFavorite, listNotes }
}

/** Returns what a change wrote: not a rating of the member's own beside which it only wrote a text, nor the other way round. */
function writtenIn(before: string | null, after: string): Partial<ReviewValues> {
  const wrote = JSON.parse(unpack(after)) as ReviewValues
  const was = before === null ? undefined : (JSON.parse(unpack(before)) as ReviewValues)
  const written = reviewFields.filter((columns) => columns.some((key) => wrote[key] !== was?.[key]))
  return Object.fromEntries(written.flat().map((key) => [key, wrote[key]]))
}

/** Loads the lists that titles of an import are in. */
export async function loadLists(db: Db, titles: readonly Title[]): Promise<ImportLists> {
  const keys = [...new Set(titles.flatMap(({ plan }) => plan.listItems.map(({ key }) => key)))]
  const rows = keys.length > 0 ? await listImportLists(db, titles[0]!.import_id, keys) : []
  return new Map(rows.map((row) => [row.list_key, row]))
}

/** Compares a title with what the member has of it. */
export function diffTitle(
  title: Title,
  compared: Compared,
  { options, lists, now }: { options: ImportOptions; lists: ImportLists; now: Date },
): Diff {
  const choices: readonly (string | undefined)[] = ['mine', 'file', 'both']
  const choice = title.decision?.choice
  return diffPlan(title.plan, compared, {
    options,
    choice: choices.includes(choice) ? (choice as Choice) : undefined,
    lists,
    now,
  })
}

/** Returns titles with their states and differences. Titles that are not looked up yet stay `pending`. */
export async function diffTitles(
  db: Db,
  userId: number,
  options: ImportOptions,
  titles: readonly Title[],
  now: Date,
): Promise<Title[]> {
  const targets = titles.flatMap((title) => targetOf(title) ?? [])
  const existing = new Set((await listCatalogueTitles(db, targets)).map(({ id }) => id))
  const compare = await loadCurrent(db, userId, targets)
  const lists = await loadLists(db, titles)
  return titles.map((title) => {
    const target = targetOf(title)
    const { decision, matched } = title
    const base = { ...title, media_id: target !== null && existing.has(target) ? target : null, diff: null }
    if (decision?.choice === 'skip') return { ...base, state: 'left' }
    if (target !== null && !existing.has(target)) return { ...base, state: 'gone' }
    const creates = isToCreate(title, options)
    if (target === null && !creates && !matched) return { ...base, state: 'pending' }
    const { parts, adds } = diffTitle(title, compare(creates ? null : target, title), { options, lists, now })
    const state = stateOf(parts)
    if (state === 'notKept') return { ...base, state, diff: { parts, adds } }
    if (creates) {
      const diff = { parts, adds: { ...adds, titles: 1 } }
      return { ...base, media_id: null, state: decision ? 'new' : 'notFound', diff }
    }
    if (target !== null) return { ...base, state, diff: { parts, adds } }
    const isOpen = title.candidates.length > 0
    return { ...base, state: isOpen ? 'ambiguous' : 'notFound', diff: { parts, adds: {} } }
  })
}
