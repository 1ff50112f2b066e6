import { setImmediate as nextTick } from 'node:timers/promises'
import { importCreatedMax, nameMax } from '#shared/limits.ts'
import type { ImportOptions } from '#shared/imports.ts'
import { messages } from '#shared/messages.ts'
import type { CardRow, EntryRow, ImportChangeRow, ImportRow, ImportTitleRow } from '#server/db/tables.ts'
import { insertTitle } from '#server/catalogue/store.ts'
import { searchText, sortKey } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { insertEntry, removeEntry } from '#server/diary/store.ts'
import { findReviewBy, lockTitle, type ReviewedTitleRow } from '#server/reviews/store.ts'
import { changeReview, createReview, deleteReview } from '#server/reviews/write.ts'
import { insertFavorite, removeFavorite } from '#server/social/store.ts'
import { type ImportFacts, isToCreate, rowOf, sumOf, tally, targetOf, type Title, titleOf } from './facts.ts'
import {
  type Adds,
  addsNothing,
  type EntryImage,
  isSameEntry,
  isSameReview,
  type ReviewImage,
  type StoredReview,
  type Writes,
} from './judge.ts'
import { judgeTitle, loadHere } from './resolve.ts'
import {
  insertChange,
  listCatalogueTitles,
  listChangesBefore,
  listEntriesOf,
  listFavoritesOf,
  listReviewsOf,
  removeChanges,
  removeCreatedTitle,
  saveImportKey,
  type StoredReviewRow,
  updateImportedEntry,
  updateTitles,
} from './store.ts'

/** Imports cause no live updates, because their reviews have dates of their own. */
const withoutPublishing = () => {}

/**
 * Writes what a title of an import adds, and records it. Must run in a transaction that has locked the import. Compares with
 * what is here again, since it may have changed since the rehearsal. Changes `facts`.
 */
export async function applyTitle(
  trx: Db,
  { id: importId, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
  row: ImportTitleRow,
  { options, facts, now }: { options: ImportOptions; facts: ImportFacts; now: Date },
): Promise<void> {
  const title = titleOf(row)
  const record = async (
    { id: media_id }: { id: number },
    what: ImportChangeRow['what'],
    target_id: number,
    before: object | null,
    after: object,
  ) =>
    insertChange(trx, {
      import_id: importId,
      title_id: title.id,
      user_id: userId,
      media_id,
      what,
      target_id,
      before: before && JSON.stringify(before),
      after: JSON.stringify(after),
    })
  const finish = async (
    state: Title['state'],
    media_id: number | null,
    adds: Adds,
    matched = title.matched,
  ) => {
    const applied = { ...title, state, media_id, matched, applied_at: now.toISOString() }
    const verdict = title.verdict && { ...title.verdict, adds: addsNothing }
    const after = { ...applied, verdict }
    tally(facts, title, after)
    facts.applied = sumOf(facts.applied, adds, 1)
    await updateTitles(trx, [rowOf(after)])
  }

  const known = targetOf(title)
  const creates = known === null && isToCreate(title, options)
  if (creates && facts.applied.titles >= importCreatedMax)
    return finish('left', null, addsNothing, { mediaId: null, reason: messages.importCreatedLimit })
  const target = creates
    ? await createTitle()
    : known === null
      ? undefined
      : await lockTitle(trx, { id: known })
  if (!target) return known === null ? undefined : finish('gone', null, addsNothing)

  const hereOf = await loadHere(trx, userId, [target.id])
  const { verdicts, writes, adds } = judgeTitle(title, hereOf(target.id, title), options, now)
  if (title.decision?.mediaId !== undefined || creates)
    await saveImportKey(trx, {
      user_id: userId,
      key: title.title_key,
      media_id: target.id,
      import_id: importId,
    })
  await write(target, writes)
  const isSame = Object.values(verdicts).every((verdict) => verdict === 'same')
  const isNothing = !creates && !writes.review && writes.entries.length === 0 && !writes.favoriteSince
  const state = !isNothing ? 'taken' : isSame ? 'same' : 'left'
  await finish(state, target.id, { ...adds, titles: Number(creates) })

  async function createTitle(): Promise<ReviewedTitleRow> {
    const { kind, name, year, authors } = title.plan
    const creators = authors.map((author) => author.slice(0, nameMax)).slice(0, 20)
    const bounded = name.slice(0, nameMax)
    const values = {
      kind,
      name: bounded,
      name_folded: sortKey(bounded),
      search_text: searchText(bounded, ...creators),
      release_date: year === null ? null : String(year).padStart(4, '0'),
      release_year: year,
      details: JSON.stringify({ genres: [], creators, platforms: [], rating: null }),
      source: 'import',
      created_by: userId,
      created_at: now.toISOString(),
    }
    const id = await insertTitle(trx, values)
    await record({ id }, 'title', id, null, { name: bounded })
    return { id, kind, text_count: 0 }
  }

  async function write(on: ReviewedTitleRow, { review, entries, favoriteSince }: Writes): Promise<void> {
    if (review) {
      const before = await findReviewBy(trx, userId, on.id)
      const after = imageOfReview(review)
      if (before) {
        const { rated_at, updated_at } = review
        await changeReview(trx, before, { ...after, rated_at, updated_at }, withoutPublishing)
        const was = { ...imageOfReview(before), rated_at: before.rated_at, updated_at: before.updated_at }
        await record(on, 'review', before.id, was, after)
      } else {
        const { created_at, updated_at, rated_at } = review
        const times = { created_at, updated_at, rated_at }
        const id = await createReview(trx, on, userId, { ...after, ...times }, withoutPublishing)
        await record(on, 'review', id, null, after)
      }
    }
    const entriesHere = entries.some(({ id }) => id !== null) ? await listEntriesOf(trx, userId, [on.id]) : []
    for (const { id, values, createdAt, updatedAt } of entries) {
      if (id === null) {
        const times = { created_at: createdAt, updated_at: updatedAt }
        const owner = { user_id: userId, media_id: on.id, kind: on.kind }
        const inserted = await insertEntry(trx, { ...owner, ...values, ...times })
        if (inserted !== undefined) await record(on, 'entry', inserted, null, values)
        continue
      }
      const before = entriesHere.find((entry) => entry.id === id)
      if (!before) continue
      const isUpdated = await updateImportedEntry(trx, id, { ...values, updated_at: updatedAt })
      if (isUpdated) await record(on, 'entry', id, imageOfEntry(before), values)
    }
    if (favoriteSince !== undefined) {
      await insertFavorite(trx, {
        user_id: userId,
        media_id: on.id,
        kind: on.kind,
        created_at: favoriteSince,
      })
      await record(on, 'favorite', on.id, null, { created_at: favoriteSince })
    }
  }
}

function imageOfReview({ rating, rating_given, text, has_spoilers }: ReviewImage): ReviewImage {
  return { rating, rating_given, text, has_spoilers }
}

function imageOfEntry(entry: EntryRow): EntryImage {
  const { status, started_on, finished_on, is_again, rating_given, text, origin } = entry
  return { status, started_on, finished_on, is_again, rating_given, text, origin }
}

/** What the member has of the targets of changes. */
type Current = {
  reviews: Map<number, StoredReviewRow>
  entries: Map<number, EntryRow>
  favorites: Map<number, { created_at: string }>
}

async function loadCurrent(db: Db, userId: number, changes: readonly ImportChangeRow[]): Promise<Current> {
  const mediaIds = [...new Set(changes.map((change) => change.media_id))]
  const [reviews, entries, favorites] = await Promise.all([
    listReviewsOf(db, userId, mediaIds),
    listEntriesOf(db, userId, mediaIds),
    listFavoritesOf(db, userId, mediaIds),
  ])
  return {
    reviews: new Map(reviews.map((row) => [row.id, row])),
    entries: new Map(entries.map((row) => [row.id, row])),
    favorites: new Map(favorites.map((row) => [row.media_id, row])),
  }
}

/** Whether a change can be undone: `gone` if the row does not exist any more, `changed` if the member has changed it since. */
function statusOf(
  change: ImportChangeRow,
  { reviews, entries, favorites }: Current,
): 'same' | 'changed' | 'gone' {
  const after = JSON.parse(change.after) as never
  if (change.what === 'review') {
    const row = reviews.get(change.target_id)
    return !row ? 'gone' : isSameReview(row, after) ? 'same' : 'changed'
  }
  if (change.what === 'entry') {
    const row = entries.get(change.target_id)
    return !row ? 'gone' : isSameEntry(row, after) ? 'same' : 'changed'
  }
  if (change.what === 'favorite') {
    const row = favorites.get(change.target_id)
    return !row
      ? 'gone'
      : row.created_at === (after as { created_at: string }).created_at
        ? 'same'
        : 'changed'
  }
  return 'same'
}

/** How many changes of one title are undone in a transaction. */
const undoBatch = 200

/**
 * Undoes the last changes of an import that belong to one title. Must run in a transaction that has locked the import. Returns
 * their number; 0 if nothing is left.
 */
export async function undoLast(
  trx: Db,
  { id, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
): Promise<number> {
  const newest = await listChangesBefore(trx, id, Number.MAX_SAFE_INTEGER, undoBatch)
  const mediaId = newest[0]?.media_id
  if (mediaId === undefined) return 0
  const others = newest.findIndex((change) => change.media_id !== mediaId)
  const changes = others < 0 ? newest : newest.slice(0, others)
  const title = await lockTitle(trx, { id: mediaId })
  for (const change of title ? changes : []) {
    const current = await loadCurrent(trx, userId, [change])
    if (statusOf(change, current) === 'same') await undoChange(trx, userId, title!, change)
  }
  await removeChanges(
    trx,
    changes.map((change) => change.id),
  )
  return changes.length
}

async function undoChange(
  trx: Db,
  userId: number,
  title: ReviewedTitleRow,
  { what, target_id: target, before }: ImportChangeRow,
): Promise<void> {
  if (what === 'review') {
    const review = await findReviewBy(trx, userId, title.id)
    if (review?.id !== target) return
    if (before === null) return deleteReview(trx, review, withoutPublishing)
    const values = JSON.parse(before) as ReviewImage & Pick<StoredReview, 'rated_at' | 'updated_at'>
    return changeReview(trx, review, values, withoutPublishing)
  }
  if (what === 'entry') {
    if (before === null) await removeEntry(trx, userId, target)
    else await updateImportedEntry(trx, target, JSON.parse(before) as EntryImage)
    return
  }
  if (what === 'favorite') return removeFavorite(trx, userId, title.kind, target)
  await removeCreatedTitle(trx, target)
}

export type UndoPreview = {
  removes: { reviews: number; entries: number; favorites: number; titles: number }
  restores: number
  keeps: { what: string; title: CardRow }[]
  keepsCount: number
  comments: number
}

const previewBatch = 500
const keepsMax = 100
const words: Record<ImportChangeRow['what'], string> = {
  review: 'Review',
  entry: 'Diary entry',
  favorite: 'Favorite',
  title: 'Title',
}

/** Returns the effects of an undo. A row that the import wrote twice counts once. */
export async function previewUndo(
  db: Db,
  { id, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
): Promise<UndoPreview> {
  const preview: UndoPreview = {
    removes: { reviews: 0, entries: 0, favorites: 0, titles: 0 },
    restores: 0,
    keeps: [],
    keepsCount: 0,
    comments: 0,
  }
  const kept: ImportChangeRow[] = []
  const seen = new Set<string>()
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const changes = await listChangesBefore(db, id, before, previewBatch)
    if (changes.length === 0) break
    before = changes.at(-1)!.id
    await nextTick()
    const current = await loadCurrent(db, userId, changes)
    for (const change of changes) {
      const key = `${change.what} ${change.target_id}`
      if (seen.has(key)) continue
      seen.add(key)
      const status = statusOf(change, current)
      if (status === 'changed') {
        preview.keepsCount++
        if (kept.length < keepsMax) kept.push(change)
      } else if (status === 'same' && change.before !== null) preview.restores++
      else if (status === 'same') count(change, current)
    }
  }
  const titles = await listCatalogueTitles(db, [...new Set(kept.map((change) => change.media_id))])
  preview.keeps = kept.flatMap(({ what, media_id }) => {
    const title = titles.find((row) => row.id === media_id)
    return title ? [{ what: words[what], title }] : []
  })
  return preview

  function count({ what, target_id }: ImportChangeRow, { reviews }: Current): void {
    if (what === 'review') {
      const { like_count, dislike_count, comment_count } = reviews.get(target_id)!
      preview.removes.reviews++
      preview.comments += like_count + dislike_count + comment_count
    } else if (what === 'entry') preview.removes.entries++
    else if (what === 'favorite') preview.removes.favorites++
    else preview.removes.titles++
  }
}
