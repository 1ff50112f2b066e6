import type { z } from 'zod'
import type * as schema from '#shared/contracts/imports.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import type { ImportChangeRow, ImportRow } from '#server/imports/tables.ts'
import type { Db } from '#server/db/open.ts'
import { rowOf } from '#server/imports/apply/journal.ts'
import { removeEntry } from '#server/diary/store.ts'
import { countBatchPlays, removeBatchPlays } from '#server/progress/imported-store.ts'
import { removeItems, updateNote } from '#server/lists/items-store.ts'
import { deleteOwnList } from '#server/lists/removed.ts'
import { lockList } from '#server/lists/store.ts'
import { findHalfStars, updateHalfStars } from '#server/reviews/library-store.ts'
import { findReview, lockTitle, type ReviewedTitleRow } from '#server/reviews/store.ts'
import type { ReviewRow } from '#server/reviews/tables.ts'
import { changeReview, deleteOwnReview } from '#server/reviews/write.ts'
import { lockInbox, updateInbox } from '#server/accounts/notify-store.ts'
import { findInbox } from '#server/notifications/store.ts'
import { lockMembers } from '#server/social/privacy-store.ts'
import { removeFavorite, removeFollow } from '#server/social/store.ts'
import { withoutPublishing } from '#server/imports/apply/apply.ts'
import { passColumns } from '#server/imports/apply/apply-plays.ts'
import { lockPasses } from '#server/progress/passes.ts'
import { settleShow } from '#server/progress/settle.ts'
import { pick } from '#server/imports/pick.ts'
import { reviewColumns, reviewFields } from '#server/imports/apply/compare-reviews.ts'
import { listCards } from '#server/titles/store.ts'
import { isTitleUsed, removeTitle, type TitleFeatures } from '#server/titles/move.ts'
import { isUnusedCreation, listShownTitles } from './titles-store.ts'
import { entryFields } from '#server/imports/apply/compare-entries.ts'
import { halfOf } from '#server/imports/apply/originals.ts'
import * as journal from '#server/imports/apply/journal-store.ts'
import { bytesOf } from '#server/imports/limits.ts'
import type { Writing } from '#server/imports/context.ts'

// Restores each field that still has the value that the import wrote, and removes an added row if all its fields do. Everything else stays,
// whatever changed it.

type What = ImportChangeRow['what']
type Removes = z.infer<typeof schema.previewUndo.output>['removes']

type Kind = { label: string; count?: keyof Removes; fields: readonly (readonly string[])[] }
/** That an entry of a show has become a pass, whose plays the import has added. */
const passFields = passColumns.filter((column) => column !== 'stated')
/** For a preview. A field is a list of columns that change together. */
const kinds: Record<What, Kind> = {
  review: { label: 'Review', count: 'reviews', fields: reviewFields },
  entry: { label: 'Diary entry', count: 'entries', fields: [...entryFields, ['stated'], passFields] },
  plays: { label: 'Episodes', count: 'episodes', fields: [] },
  favorite: { label: 'Favorite', count: 'favorites', fields: [['created_at']] },
  title: { label: 'Title', count: 'titles', fields: [] },
  listItem: { label: 'Note in a list', count: 'listItems', fields: [['note']] },
  list: {
    label: 'List',
    count: 'lists',
    fields: [['title', 'description', 'is_ranked', 'visibility', 'tags']],
  },
  follow: { label: 'Follow', count: 'follows', fields: [['created_at']] },
  settings: { label: 'Settings', fields: [['settings']] },
  halfStars: { label: 'Half stars', fields: [['half_stars']] },
}
const restoredWith: Record<string, string> = { rating: 'rated_at', status: 'origin' }

type Row = Record<string, unknown>
/** Nothing, because the row is `gone` or `kept`; remove it; or restore some columns. */
type Outcome = 'gone' | 'kept' | 'removed' | Row

function outcomeOf(
  { what, before: was, after: wrote }: ImportChangeRow,
  row: Row | undefined,
  restorations: readonly ImportChangeRow[] = [],
): Outcome {
  if (!row) return 'gone'
  if (what === 'plays') return Number(row['changed']) === 0 ? 'removed' : 'kept'
  const after = rowOf<Row>(wrote)
  const { fields } = kinds[what]
  const left = { ...after, ...restorations.reduce(restoredTo, pick(after, ['rating', 'rating_given'])) }
  // A column that did not exist when the import wrote the row is untouched.
  const isUntouched = (columns: readonly string[]) =>
    columns.every((key) => !(key in after) || row[key] === left[key])
  if (was === null) return fields.every(isUntouched) ? 'removed' : 'kept'
  const before = rowOf<Row>(was)
  const written = fields.filter((columns) => columns.some((key) => before[key] !== after[key]))
  const restored = written.filter(isUntouched)
  if (restored.length === 0) return 'kept'
  const keys = restored.flatMap((columns) => [...columns, restoredWith[columns[0]!] ?? []].flat())
  if (restored.length === written.length) keys.push('updated_at')
  return Object.fromEntries(keys.filter((key) => key in before).map((key) => [key, before[key]]))
}

/** The half of a rating takes the place of what the import wrote: undoing the import undoes both. */
function restoredTo(rated: Row, { before, after }: ImportChangeRow): Row {
  const was = rowOf<Row>(before!)
  return Object.keys(was).every((key) => was[key] === rated[key]) ? rowOf<Row>(after) : rated
}

export function isAsWritten({ what, before, after }: Written, row: Row): boolean {
  const wrote = rowOf<Row>(after)
  const was = before === null ? undefined : rowOf<Row>(before)
  const columns = kinds[what].fields.flat().filter((key) => key in wrote)
  return columns.every((key) => row[key] === wrote[key] || (was !== undefined && was[key] === wrote[key]))
}

type Written = Pick<ImportChangeRow, 'what' | 'before' | 'after'>
type Target = Pick<ImportChangeRow, 'what' | 'target_id' | 'media_id'>
export const keyOf = ({ what, target_id, media_id }: Target) => `${what} ${target_id} ${media_id}`
const mediaIdsOf = (changes: readonly Target[]) => [
  ...new Set(changes.flatMap(({ media_id }) => media_id ?? [])),
]

type Change = Target & Pick<ImportChangeRow, 'import_id'>

/** The rows that the changes are about. A change that created a title is about all rows of the member about this title. */
export async function loadRows(db: Db, userId: number, changes: readonly Change[]) {
  const rows = new Map<string, Row & { media_id?: number }>()
  const set = (what: What, target_id: number, row: Row & { media_id?: number }) =>
    rows.set(keyOf({ what, target_id, media_id: row.media_id ?? null }), row)
  const targets = (what: What) => changes.flatMap((one) => (one.what === what ? one.target_id : []))
  const titles = (what: What) =>
    mediaIdsOf(changes.filter((change) => change.what === what || change.what === 'title'))
  for (const id of mediaIdsOf(changes)) set('title', id, { media_id: id })
  for (const row of await journal.listOwn(db, 'reviews', userId, titles('review')))
    set('review', row.id, { ...row, media_id: row.media_id! })
  const partReviews = [
    ...(await journal.listOwnPartReviews(db, userId, 'reviews.id', targets('review'))),
    ...(await journal.listOwnPartReviews(db, userId, 'parts.media_id', titles('title'))),
  ]
  for (const row of partReviews) set('review', row.id, row)
  for (const row of await journal.listOwn(db, 'diary_entries', userId, titles('entry')))
    set('entry', row.id, row)
  const batches = await countBatchPlays(db, userId, targets('plays'), titles('plays'))
  for (const row of batches) set('plays', row.batch_id!, { ...row })
  for (const row of await journal.listOwn(db, 'favorites', userId, titles('favorite')))
    set('favorite', row.media_id, row)
  for (const row of await journal.listOwnItems(db, userId, titles('listItem')))
    set('listItem', row.list_id, row)
  for (const row of await journal.listOwn(db, 'lists', userId, targets('list'))) set('list', row.id, row)
  const follows = await journal.listOwn(db, 'follows', userId, targets('follow'))
  for (const row of follows) set('follow', row.followee_id, row)
  for (const id of targets('settings')) set('settings', id, await findInbox(db, userId))
  for (const { what, import_id } of changes)
    // The halves of another import stay.
    if (what === 'halfStars' && !(await journal.hasOtherHalfStars(db, userId, import_id)))
      set(what, userId, { half_stars: await findHalfStars(db, userId) })
  return rows
}

/**
 * Returns false if nothing is left. A transaction for each change: removing a created title needs locks on rows of all imports, whose
 * owners may wait for the counters of the member.
 */
export async function undoLast(
  features: TitleFeatures,
  { db: trx, row: { id, user_id }, facts, now }: Writing,
): Promise<boolean> {
  const [change] = await journal.listJournalBefore(trx, id, Number.MAX_SAFE_INTEGER, 1)
  if (!change) return false
  const title = change.media_id === null ? null : await lockTitle(trx, { id: change.media_id })
  // An entry of a show is also about its plays.
  const isOfDiary = change.what === 'plays' || change.what === 'entry'
  const isOfShow = title?.kind === 'tvShow' && isOfDiary
  if (isOfShow) await lockPasses(trx, { userId: user_id, titleId: title.id })
  if (title !== undefined) await undoChange(features, trx, user_id, title, change)
  if (isOfShow) await settleShow(trx, user_id, title.id, now, true)
  await journal.removeFromJournal(trx, [change])
  facts.grown.held -= bytesOf('change', change.before, change.after)
  return true
}

async function undoChange(
  features: TitleFeatures,
  trx: Db,
  userId: number,
  title: ReviewedTitleRow | null,
  change: ImportChangeRow,
) {
  const { what, target_id: target } = change
  if (what === 'plays') return removeBatchPlays(trx, target, title!.id)
  const list = what === 'list' || what === 'listItem' ? await lockList(trx, target) : undefined
  // So does a removed list.
  if (what === 'listItem' && list && list.removed_at !== null) return
  if (what === 'settings') await lockInbox(trx, userId)
  if (what === 'follow') await lockMembers(trx, [userId, target])
  const row = (await loadRows(trx, userId, [change])).get(keyOf(change))
  const wasRounded = what === 'review' && row && halfOf(rowOf<ReviewRow>(change.after)) !== undefined
  const restorations = wasRounded ? await journal.listRestorations(trx, userId, [title!.id], target) : []
  const later = restorations.filter((each) => each.id > change.id)
  const outcome = outcomeOf(change, row, later)
  if (outcome === 'gone' || outcome === 'kept') return
  if (later.length > 0 && (outcome === 'removed' || 'rating' in outcome))
    await journal.removeFromJournal(trx, later)
  if (outcome === 'removed') {
    if (what === 'review') await deleteOwnReview(trx, (await findReview(trx, target))!, withoutPublishing)
    if (what === 'entry') await removeEntry(trx, userId, target)
    if (what === 'favorite') await removeFavorite(trx, userId, title!.kind, target)
    if (what === 'title' && (await isUnusedCreation(trx, target, isTitleUsed(features))))
      await removeTitle(features, trx, target)
    if (what === 'listItem') await removeItems(trx, target, [title!.id])
    if (what === 'list' && list!.item_count === 0) await deleteOwnList(trx, list!)
    if (what === 'follow') await removeFollow(trx, { follower_id: userId, followee_id: target })
  } else if (what === 'review') {
    const review = (await findReview(trx, target))!
    // One that a decision has removed stays as it is.
    if (review.removed_text !== null) return
    const after = pick({ ...review, ...outcome }, [...reviewColumns, 'rated_at', 'updated_at'])
    await changeReview(trx, review, after, withoutPublishing)
  } else if (what === 'entry') {
    // Changes nothing if another entry excludes it now.
    const { status, origin } = row as EntryRow
    await journal.updateImportedEntry(trx, target, { status, origin, ...outcome })
  } else if (what === 'listItem') {
    await updateNote(trx, target, title!.id, (outcome as { note: string }).note)
  } else if (what === 'settings') {
    await updateInbox(trx, userId, outcome as { settings: string })
  } else if (what === 'halfStars') {
    await updateHalfStars(trx, userId, (outcome as { half_stars: number }).half_stars)
  }
}

const previewBatch = 500
const keepsMax = 100
/** A row that the import wrote twice counts once. */
export async function previewUndo(
  features: TitleFeatures,
  db: Db,
  { id, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
): Promise<z.infer<typeof schema.previewUndo.output>> {
  const removes = {
    reviews: 0,
    partReviews: 0,
    entries: 0,
    episodes: 0,
    favorites: 0,
    listItems: 0,
    titles: 0,
    follows: 0,
    lists: 0,
  }
  const removedFrom = new Map<number, number>()
  const preview = { removes, restores: 0, keepsCount: 0, later: 0, comments: 0 }
  const kept: ImportChangeRow[] = []
  const outcomes = new Map<string, Outcome>()
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const changes = await journal.listJournalBefore(db, id, before, previewBatch)
    if (changes.length === 0) break
    before = changes.at(-1)!.id
    const mediaIds = mediaIdsOf(changes)
    const rows = await loadRows(db, userId, changes)
    const written = await journal.listOwn(db, 'import_changes', userId, mediaIds)
    // A show can have thousands of each.
    const writtenOf = Map.groupBy(written, keyOf)
    const writtenAbout = Map.groupBy(written, (each) => each.media_id)
    const restorationsOf = Map.groupBy(await journal.listRestorations(db, userId, mediaIds), keyOf)
    const ofOthers = new Set(await listShownTitles(db, mediaIds, isTitleUsed(features, userId)))
    const ownOf = Map.groupBy(rows, ([, row]) => row.media_id)
    for (const change of changes) {
      const key = keyOf(change)
      if (outcomes.has(key)) continue
      const { what, target_id, media_id } = change
      const row = rows.get(key)
      // The first change of a title or a list created it, and comes last.
      const isUsed =
        what === 'title'
          ? ofOthers.has(target_id) ||
            ownOf.get(target_id)!.some(([own]) => own !== key && outcomes.get(own) !== 'removed')
          : what === 'list' && row !== undefined && row['item_count'] !== (removedFrom.get(target_id) ?? 0)
      const outcome = isUsed
        ? 'kept'
        : outcomeOf(
            change,
            row,
            restorationsOf.get(key)?.filter((each) => each.id > change.id),
          )
      outcomes.set(key, outcome)
      if (what === 'plays' && row) removes.episodes += Number(row['count']) - Number(row['changed'])
      const others = what === 'title' ? writtenAbout.get(media_id) : writtenOf.get(key)
      const isOfLater = (other: ImportChangeRow) => other.import_id !== id && other.id > change.id
      if (outcome === 'removed') {
        const isOfPart = what === 'review' && row!['part_id'] !== null
        if (what !== 'plays') removes[isOfPart ? 'partReviews' : kinds[what].count!]++
        if (what === 'listItem') removedFrom.set(target_id, (removedFrom.get(target_id) ?? 0) + 1)
        for (const column of ['like_count', 'dislike_count', 'comment_count'])
          if (what === 'review') preview.comments += Number(row![column])
      } else if (outcome !== 'kept') preview.restores += Number(outcome !== 'gone')
      else if (others?.some(isOfLater)) preview.later++
      else if (media_id !== null && preview.keepsCount++ < keepsMax) kept.push(change)
    }
  }
  const titles = await listCards(db, mediaIdsOf(kept))
  const cards = new Map(titles.map((row) => [row.id, toTitleCard(row)]))
  const keeps = kept.flatMap(({ what, media_id }) => {
    const title = cards.get(media_id!)
    return title ? [{ what: kinds[what].label, title }] : []
  })
  return { ...preview, keeps }
}
