import { setImmediate as nextTick } from 'node:timers/promises'
import type { z } from 'zod'
import type { previewUndo } from '#shared/imports.ts'
import { toTitleCard } from '#server/catalogue/rules.ts'
import type { EntryRow, ImportChangeRow, ImportRow } from '#server/db/tables.ts'
import type { Db } from '#server/db/open.ts'
import { unpack } from '#server/db/packed.ts'
import { removeEntry } from '#server/diary/store.ts'
import { removeItems, updateNote } from '#server/lists/items-store.ts'
import { lockList } from '#server/lists/store.ts'
import { findReviewBy, lockTitle, type ReviewedTitleRow } from '#server/reviews/store.ts'
import { changeReview, deleteReview } from '#server/reviews/write.ts'
import { removeFavorite } from '#server/social/store.ts'
import { withoutPublishing } from './apply.ts'
import { entryFields, pick, reviewColumns, reviewFields } from './diff.ts'
import { listCatalogueTitles, listTitlesOfOthers, removeCreatedTitle } from './catalogue-store.ts'
import { countImportedFollows } from './follows-store.ts'
import { progressOf } from './progress.ts'
import { restoresSettings } from './settings.ts'
import { findInbox } from '#server/notifications/store.ts'
import { listJournalBefore, listOwn, listOwnItems } from './journal-store.ts'
import { removeFromJournal, updateImportedEntry } from './journal-store.ts'
import { countRevertedLists } from './lists.ts'
import { bytesOf, sumBy } from './quota.ts'
import type { Writing } from './step.ts'

// A revert restores each field that still has the value that the import wrote, and removes a row that the import added if all its
// fields still have theirs. Everything else stays as it is, whatever changed it.

/** The columns of each field, which change together, and those that are restored with them. */
const fields: Record<ImportChangeRow['what'], { columns: readonly string[]; with?: string[] }[]> = {
  review: [{ columns: reviewFields[0], with: ['rated_at'] }, { columns: reviewFields[1] }],
  entry: [
    { columns: entryFields[0], with: ['origin'] },
    { columns: entryFields[1] },
    { columns: entryFields[2] },
  ],
  favorite: [{ columns: ['created_at'] }],
  title: [],
  listItem: [{ columns: ['note'] }],
}

type Row = Record<string, unknown>
/** What a revert does with a row: nothing, because it is `gone` or `kept`; remove it; or restore some of its columns. */
type Outcome = 'gone' | 'kept' | 'removed' | Row

/** Returns what reverting a change does with the row as it is now. */
function outcomeOf({ what, before: was, after: wrote }: ImportChangeRow, row: Row | undefined): Outcome {
  if (!row) return 'gone'
  const after = JSON.parse(unpack(wrote)) as Row
  // A column that did not exist when the import wrote the row is untouched.
  const isUntouched = ({ columns }: { columns: readonly string[] }) =>
    columns.every((key) => !(key in after) || row[key] === after[key])
  if (was === null) return fields[what].every(isUntouched) ? 'removed' : 'kept'
  const before = JSON.parse(unpack(was)) as Row
  const written = fields[what].filter(({ columns }) => columns.some((key) => before[key] !== after[key]))
  const restored = written.filter(isUntouched)
  if (restored.length === 0) return 'kept'
  const keys = restored.flatMap((field) => [...field.columns, ...(field.with ?? [])])
  if (restored.length === written.length && 'updated_at' in before) keys.push('updated_at')
  return Object.fromEntries(keys.filter((key) => key in before).map((key) => [key, before[key]]))
}

type Changed = Pick<ImportChangeRow, 'what' | 'target_id' | 'media_id'>
const keyOf = ({ what, target_id, media_id }: Changed) => `${what} ${target_id} ${media_id}`

/** Returns what a member has of titles, by `keyOf`; a title itself is there too. */
async function loadRows(db: Db, userId: number, mediaIds: readonly number[]) {
  const rows = new Map<string, Row & { media_id: number }>()
  const set = (what: ImportChangeRow['what'], target_id: number, row: Row & { media_id: number }) =>
    rows.set(keyOf({ what, target_id, media_id: row.media_id }), row)
  for (const media_id of mediaIds) set('title', media_id, { media_id })
  for (const row of await listOwn(db, 'reviews', userId, mediaIds)) set('review', row.id, row)
  for (const row of await listOwn(db, 'diary_entries', userId, mediaIds)) set('entry', row.id, row)
  for (const row of await listOwn(db, 'favorites', userId, mediaIds)) set('favorite', row.media_id, row)
  for (const row of await listOwnItems(db, userId, mediaIds)) set('listItem', row.list_id, row)
  return rows
}

/** How many changes of one title are reverted in a transaction. */
const revertBatch = 200

/** Reverts the last changes of an import that belong to one title. Returns their number, 0 if nothing is left. */
export async function revertLast({ db: trx, row: { id, user_id }, progress }: Writing): Promise<number> {
  const newest = await listJournalBefore(trx, id, Number.MAX_SAFE_INTEGER, revertBatch)
  const [first] = newest
  if (!first) return 0
  // A created title is removed in a transaction of its own: that needs locks on rows of all imports, whose owners may wait for
  // the counters of the member.
  const others = newest.findIndex(
    (change) => change.media_id !== first.media_id || (change.what === 'title') !== (first.what === 'title'),
  )
  const changes = others < 0 ? newest : newest.slice(0, others)
  const title = await lockTitle(trx, { id: first.media_id })
  for (const change of title ? changes : []) await revertChange(trx, user_id, title!, change)
  const ids = changes.map((change) => change.id)
  await removeFromJournal(trx, id, ids)
  progress.grown.held -= sumBy(changes, ({ before, after }) => bytesOf('change', before, after))
  return changes.length
}

async function revertChange(trx: Db, userId: number, title: ReviewedTitleRow, change: ImportChangeRow) {
  const row = (await loadRows(trx, userId, [title.id])).get(keyOf(change))
  const outcome = outcomeOf(change, row)
  if (outcome === 'gone' || outcome === 'kept') return
  const { what, target_id: target } = change
  const isRemoved = outcome === 'removed'
  if (what === 'title') await removeCreatedTitle(trx, target)
  else if (what === 'favorite') await removeFavorite(trx, userId, title.kind, target)
  else if (what === 'listItem') {
    await lockList(trx, target)
    if (isRemoved) await removeItems(trx, target, [title.id])
    else await updateNote(trx, target, title.id, (outcome as { note: string }).note)
  } else if (what === 'review') {
    const review = (await findReviewBy(trx, userId, title.id))!
    if (isRemoved) return deleteReview(trx, review, withoutPublishing)
    const after = pick({ ...review, ...outcome }, [...reviewColumns, 'rated_at', 'updated_at'])
    await changeReview(trx, review, after, withoutPublishing)
  } else if (isRemoved) await removeEntry(trx, userId, target)
  else {
    // Changes nothing if another entry excludes it now.
    const { status, origin } = row as EntryRow
    await updateImportedEntry(trx, target, { status, origin, ...outcome })
  }
}

const previewBatch = 500
const keepsMax = 100
const labels = {
  review: 'Review',
  entry: 'Diary entry',
  favorite: 'Favorite',
  title: 'Title',
  listItem: 'Note in a list',
}

/** Returns the effects of a revert. A row that the import wrote twice counts once. */
export async function previewRevert(
  db: Db,
  { id, user_id: userId, facts }: Pick<ImportRow, 'id' | 'user_id' | 'facts'>,
): Promise<z.infer<typeof previewUndo.output>> {
  const follows = await countImportedFollows(db, userId, id)
  const removes = { reviews: 0, entries: 0, favorites: 0, listItems: 0, titles: 0, follows, lists: 0 }
  const removedFrom = new Map<number, number>()
  const restores = Number(restoresSettings(progressOf({ facts }), await findInbox(db, userId)))
  const preview = { removes, restores, keepsCount: 0, later: 0, comments: 0 }
  const kept: ImportChangeRow[] = []
  const outcomes = new Map<string, Outcome>()
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const changes = await listJournalBefore(db, id, before, previewBatch)
    if (changes.length === 0) break
    before = changes.at(-1)!.id
    await nextTick()
    const mediaIds = [...new Set(changes.map((change) => change.media_id))]
    const rows = await loadRows(db, userId, mediaIds)
    const written = await listOwn(db, 'import_changes', userId, mediaIds)
    const ofOthers = new Set(await listTitlesOfOthers(db, userId, mediaIds))
    const ownOf = Map.groupBy(rows, ([, row]) => row.media_id)
    for (const change of changes) {
      const key = keyOf(change)
      if (outcomes.has(key)) continue
      const { what, target_id, media_id } = change
      const row = rows.get(key)
      // The change that created a title is the first one, which comes last.
      const isUsed =
        ofOthers.has(media_id) ||
        ownOf.get(media_id)!.some(([own]) => own !== key && outcomes.get(own) !== 'removed')
      const outcome = what === 'title' && isUsed ? 'kept' : outcomeOf(change, row)
      outcomes.set(key, outcome)
      const isOfLater = ({ id: otherId, import_id, ...other }: ImportChangeRow) =>
        import_id !== id &&
        otherId > change.id &&
        (what === 'title' ? other.media_id === media_id : keyOf(other) === key)
      if (outcome === 'removed') {
        removes[what === 'entry' ? 'entries' : (`${what}s` as const)]++
        if (what === 'listItem') removedFrom.set(target_id, (removedFrom.get(target_id) ?? 0) + 1)
        for (const column of ['like_count', 'dislike_count', 'comment_count'])
          preview.comments += Number(row![column] ?? 0)
      } else if (outcome !== 'kept') preview.restores += Number(outcome !== 'gone')
      else if (written.some(isOfLater)) preview.later++
      else if (preview.keepsCount++ < keepsMax) kept.push(change)
    }
  }
  removes.lists = await countRevertedLists(db, id, removedFrom)
  const titles = await listCatalogueTitles(
    db,
    kept.map((change) => change.media_id),
  )
  const cards = new Map(titles.map((row) => [row.id, toTitleCard(row)]))
  const keeps = kept.flatMap(({ what, media_id }) => {
    const title = cards.get(media_id)
    return title ? [{ what: labels[what], title }] : []
  })
  return { ...preview, keeps }
}
