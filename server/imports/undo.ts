import { setImmediate as nextTick } from 'node:timers/promises'
import type { CardRow, EntryRow, ImportChangeRow, ImportRow } from '#server/db/tables.ts'
import type { Db } from '#server/db/open.ts'
import { pack, unpack } from '#server/db/packed.ts'
import { removeEntry } from '#server/diary/store.ts'
import { findReviewBy, lockTitle, type OwnReviewRow, type ReviewedTitleRow } from '#server/reviews/store.ts'
import { changeReview, deleteReview } from '#server/reviews/write.ts'
import { removeFavorite } from '#server/social/store.ts'
import { withoutPublishing } from './apply.ts'
import { type EntryImage, isSameEntry, isSameReview, type ReviewImage, type StoredReview } from './judge.ts'
import { countImportedFollows } from './follows-store.ts'
import { listCatalogueTitles, listTitlesOfOthers, removeCreatedTitle } from './catalogue-store.ts'
import {
  listChangesBefore,
  listChangesOf,
  listEntriesOf,
  listFavoritesOf,
  listReviewsOf,
  removeChanges,
  type StoredReviewRow,
  updateChange,
  updateImportedEntry,
} from './journal-store.ts'
import { changeBytes, sumBytes } from './quota.ts'

/** What a member has of the targets of changes, and the later changes by other imports of the member. */
type Current = {
  reviews: Map<number, StoredReviewRow>
  entries: Map<number, EntryRow>
  favorites: Map<number, { created_at: string }>
  /** Created titles that other members use. */
  shared: ReadonlySet<number>
  /** Oldest first, by `targetOf`. */
  written: Map<string, ImportChangeRow[]>
}

const targetOf = ({ what, target_id }: Pick<ImportChangeRow, 'what' | 'target_id'>) => `${what} ${target_id}`

async function loadCurrent(db: Db, userId: number, changes: readonly ImportChangeRow[]): Promise<Current> {
  const mediaIds = [...new Set(changes.map((change) => change.media_id))]
  const created = changes.filter(({ what }) => what === 'title').map(({ target_id }) => target_id)
  const [reviews, entries, favorites, shared, written] = await Promise.all([
    listReviewsOf(db, userId, mediaIds),
    listEntriesOf(db, userId, mediaIds),
    listFavoritesOf(db, userId, mediaIds),
    listTitlesOfOthers(db, userId, created),
    listChangesOf(db, userId, mediaIds),
  ])
  return {
    reviews: new Map(reviews.map((row) => [row.id, row])),
    entries: new Map(entries.map((row) => [row.id, row])),
    favorites: new Map(favorites.map((row) => [row.media_id, row])),
    shared: new Set(shared),
    written: Map.groupBy(written, targetOf),
  }
}

/** Returns the changes that other imports made to the row afterwards, oldest first; for a title, to anything of it. */
function laterChanges(change: ImportChangeRow, { written }: Pick<Current, 'written'>): ImportChangeRow[] {
  const rows =
    change.what === 'title'
      ? [...written.values()].flat().filter(({ media_id }) => media_id === change.media_id)
      : (written.get(targetOf(change)) ?? [])
  return rows.filter(({ id, import_id }) => id > change.id && import_id !== change.import_id)
}

/** Returns whether a row is still as the change left it: `gone` if it no longer exists, `changed` if its values differ. */
function statusOf(change: ImportChangeRow, current: Current): 'same' | 'changed' | 'gone' {
  const { reviews, entries, favorites, shared } = current
  const { what, target_id: target } = change
  const after = JSON.parse(unpack(change.after)) as never
  if (what === 'title') return shared.has(target) ? 'changed' : 'same'
  if (what === 'review') {
    const row = reviews.get(target)
    return !row ? 'gone' : isSameReview(row, after) ? 'same' : 'changed'
  }
  if (what === 'entry') {
    const row = entries.get(target)
    return !row ? 'gone' : isSameEntry(row, after) ? 'same' : 'changed'
  }
  const row = favorites.get(target)
  if (!row) return 'gone'
  return row.created_at === (after as { created_at: string }).created_at ? 'same' : 'changed'
}

/** How many changes of one title are undone in a transaction. */
const undoBatch = 200

/**
 * Undoes the last changes of an import that belong to one title. Must run in a transaction that has locked the import. Returns
 * their number, 0 if nothing is left, and what their records took.
 */
export async function undoLast(
  trx: Db,
  { id, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
): Promise<{ count: number; bytes: number }> {
  const newest = await listChangesBefore(trx, id, Number.MAX_SAFE_INTEGER, undoBatch)
  const [first] = newest
  if (!first) return { count: 0, bytes: 0 }
  // A created title is removed in a transaction of its own: that needs locks on rows of all imports, whose owners may wait for
  // the counters of the member.
  const others = newest.findIndex(
    (change) => change.media_id !== first.media_id || (change.what === 'title') !== (first.what === 'title'),
  )
  const changes = others < 0 ? newest : newest.slice(0, others)
  const title = await lockTitle(trx, { id: first.media_id })
  for (const change of title ? changes : [])
    await undoChange(trx, userId, title!, change, await loadCurrent(trx, userId, [change]))
  await removeChanges(
    trx,
    id,
    changes.map((change) => change.id),
  )
  return { count: changes.length, bytes: sumBytes(changes.map(changeBytes)) }
}

async function undoChange(
  trx: Db,
  userId: number,
  title: ReviewedTitleRow,
  change: ImportChangeRow,
  current: Current,
): Promise<void> {
  const { what, target_id: target, before } = change
  const later = laterChanges(change, current)
  if (later.length > 0) return leaveOut(trx, userId, title, change, later, current)
  if (statusOf(change, current) !== 'same') return
  if (what === 'review') {
    const review = await findReviewBy(trx, userId, title.id)
    if (review?.id !== target) return
    if (before === null) return deleteReview(trx, review, withoutPublishing)
    return changeReview(trx, review, JSON.parse(unpack(before)) as ReviewBefore, withoutPublishing)
  }
  if (what === 'entry') {
    if (before === null) return void (await removeEntry(trx, userId, target))
    if (await updateImportedEntry(trx, target, JSON.parse(unpack(before)) as EntryImage)) return
    // An entry of another import excludes it: that import restores it when it is undone.
    const { entries, written } = current
    const other = [...written.values()]
      .flat()
      .find((row) => row.import_id !== change.import_id && row.what === 'entry' && entries.has(row.target_id))
    return other && handOver(trx, change, other)
  }
  if (what === 'favorite') return removeFavorite(trx, userId, title.kind, target)
  await removeCreatedTitle(trx, target)
}

type ReviewBefore = ReviewImage & Pick<StoredReview, 'rated_at' | 'updated_at'>
/** The columns of a review that an import writes together, and those that `before` restores with them. */
const columnGroups = [
  { written: ['rating', 'rating_given'], before: ['rating', 'rating_given', 'rated_at'] },
  { written: ['text', 'has_spoilers'], before: ['text', 'has_spoilers'] },
] as const

/** Moves a change to the import of another change, so that the undo of that import reverts both. */
async function handOver(trx: Db, { id }: ImportChangeRow, to: ImportChangeRow): Promise<void> {
  await updateChange(trx, id, { import_id: to.import_id, title_id: to.title_id })
}

/**
 * Undoes a change that later imports have overwritten: removes it from the history of the row, so that undoing those imports
 * restores the state before it. Values that they have not changed are restored immediately.
 */
async function leaveOut(
  trx: Db,
  userId: number,
  title: ReviewedTitleRow,
  change: ImportChangeRow,
  later: readonly ImportChangeRow[],
  current: Current,
): Promise<void> {
  const [next] = later
  if (!next) return
  // Another import uses the title that this one created, and removes it if it is undone.
  if (change.what === 'title') return handOver(trx, change, next)
  if (next.before === null) return
  const after = JSON.parse(unpack(change.after)) as never
  const nextBefore = JSON.parse(unpack(next.before)) as never
  const isNext = change.what === 'review' ? isSameReview(nextBefore, after) : isSameEntry(nextBefore, after)
  if (change.before === null || change.what !== 'review') {
    if (isNext) await updateChange(trx, next.id, { before: change.before })
    return
  }
  const was = JSON.parse(unpack(change.before)) as ReviewBefore
  const wrote = after as ReviewImage
  const isUntouched = statusOf(later.at(-1)!, current) === 'same'
  const images = later.map((row) => ({
    id: row.id,
    before: row.before === null ? null : (JSON.parse(unpack(row.before)) as ReviewBefore),
    after: JSON.parse(unpack(row.after)) as ReviewImage,
  }))
  const restored: Partial<ReviewBefore> = {}
  for (const group of columnGroups) {
    const isSame = (image: ReviewImage | null): image is ReviewImage =>
      image !== null && group.written.every((column) => image[column] === wrote[column])
    const restore = (image: Partial<ReviewBefore>, columns: readonly (keyof ReviewBefore)[]) =>
      Object.assign(image, Object.fromEntries(columns.map((column) => [column, was[column]])))
    let isKept = true
    for (const image of images) {
      isKept &&= isSame(image.before)
      if (!isKept) break
      restore(image.before!, group.before)
      isKept = isSame(image.after)
      if (isKept) restore(image.after, group.written)
    }
    if (isKept && isUntouched) restore(restored, group.before)
  }
  if (isNext) images[0]!.before!.updated_at = was.updated_at
  for (const { id, ...values } of images)
    await updateChange(trx, id, {
      before: values.before && pack(JSON.stringify(values.before)),
      after: pack(JSON.stringify(values.after)),
    })
  const review = await findReviewBy(trx, userId, title.id)
  if (review?.id === change.target_id && Object.keys(restored).length > 0)
    await changeReview(trx, review, { ...imageOf(review), ...restored }, withoutPublishing)
}

function imageOf({
  rating,
  rating_given,
  text,
  has_spoilers,
  rated_at,
  updated_at,
}: OwnReviewRow): ReviewBefore {
  return { rating, rating_given, text, has_spoilers, rated_at, updated_at }
}

export type UndoPreview = {
  removes: { reviews: number; entries: number; favorites: number; titles: number; follows: number }
  restores: number
  keeps: { what: string; title: CardRow }[]
  keepsCount: number
  /** Rows that later imports have changed. */
  later: number
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
    removes: {
      reviews: 0,
      entries: 0,
      favorites: 0,
      titles: 0,
      follows: await countImportedFollows(db, userId, id),
    },
    restores: 0,
    keeps: [],
    keepsCount: 0,
    later: 0,
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
      if (seen.has(targetOf(change))) continue
      seen.add(targetOf(change))
      const last = laterChanges(change, current).at(-1)
      const status = statusOf(last ?? change, current)
      if (status === 'changed') {
        preview.keepsCount++
        if (kept.length < keepsMax) kept.push(change)
      } else if (status === 'gone') continue
      else if (last) preview.later++
      else if (change.before !== null) preview.restores++
      else count(change, current)
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
