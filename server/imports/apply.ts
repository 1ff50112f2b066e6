import { importCreatedMax, nameMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { insertTitle } from '#server/catalogue/store.ts'
import { searchText, sortKey } from '#server/db/fold.ts'
import { insertEntry } from '#server/diary/store.ts'
import { findReviewBy, lockTitle, type ReviewedTitleRow, isRemoved } from '#server/reviews/store.ts'
import { changeReview, createReview } from '#server/reviews/write.ts'
import { insertFavorite } from '#server/social/store.ts'
import { type Adds, diffPlan, entryFields, pick, reviewColumns, type Writes } from './diff.ts'
import { loadCurrent, loadLists } from './diff-titles.ts'
import { record } from './journal.ts'
import { listOwn, updateImportedEntry } from './journal-store.ts'
import { applyListItems } from './lists.ts'
import { sumOf } from './progress.ts'
import { bytesOf } from './quota.ts'
import type { Writing } from './step.ts'
import { saveImportKey } from './store.ts'
import { isToCreate, saveTitles, targetOf, type Title } from './titles.ts'

/** Imports cause no live updates, because their reviews have dates of their own. */
export const withoutPublishing = () => {}

/**
 * Writes what a title of an import adds, and records it. Compares with what the member has again, since it may have
 * changed since the preview. Returns the title as it is stored.
 */
export async function applyTitle(writing: Writing, title: Title): Promise<Title> {
  const { db: trx, row, options, progress, now } = writing
  const { id: import_id, user_id: userId } = row
  const { grown } = progress
  const known = targetOf(title)
  const creates = known === null && isToCreate(title, options)
  if (creates && progress.applied.titles >= importCreatedMax) {
    const matched = { mediaId: null, reason: messages.importCreatedLimit }
    return finish({ state: 'left', media_id: null, matched })
  }
  if (known === null && !creates) return title
  const target = creates ? await createTitle() : await lockTitle(trx, { id: known! })
  if (!target) return finish({ state: 'gone', media_id: null })

  const compare = await loadCurrent(trx, userId, [target.id])
  const lists = await loadLists(trx, [title])
  const choice = title.decision?.choice
  const compared = compare(target.id, title)
  const { parts, writes, adds } = diffPlan(title.plan, compared, { options, choice, lists, now })
  if (title.decision?.mediaId !== undefined || creates)
    await saveImportKey(trx, { user_id: userId, key: title.title_key, media_id: target.id, import_id })
  const listItems = await write(target, writes)
  const isSame = Object.values(parts).every((part) => part === 'same')
  const isNothing =
    !creates && !writes.review && writes.entries.length + listItems === 0 && !writes.favoriteSince
  const state = !isNothing ? 'taken' : isSame ? 'same' : 'left'
  return finish({ state, media_id: target.id }, { ...adds, listItems, titles: Number(creates) })

  async function finish(
    outcome: Pick<Title, 'state' | 'media_id'> & Partial<Title>,
    adds: Partial<Adds> = {},
  ): Promise<Title> {
    const diff = title.diff && { ...title.diff, adds: {} }
    progress.applied = sumOf(progress.applied, adds)
    const applied = { ...title, ...outcome, diff, applied_at: now.toISOString() }
    return (await saveTitles(writing, [title], [applied]))[0]!
  }

  async function createTitle(): Promise<ReviewedTitleRow> {
    const { kind, year, authors } = title.plan
    const name = title.plan.name.slice(0, nameMax)
    const creators = authors.map((author) => author.slice(0, nameMax)).slice(0, 20)
    const id = await insertTitle(trx, {
      kind,
      name,
      name_folded: sortKey(name),
      search_text: searchText(name, ...creators),
      release_date: year === null ? null : String(year).padStart(4, '0'),
      release_year: year,
      details: JSON.stringify({ genres: [], creators, platforms: [], rating: null }),
      source: 'import',
      created_by: userId,
      created_at: now.toISOString(),
    })
    await record(writing, { title_id: title.id, media_id: id, what: 'title', target_id: id }, null, { name })
    grown.added += bytesOf('created', name)
    return { id, kind, text_count: 0 }
  }

  /** Returns the number of lists that were written. */
  async function write(on: ReviewedTitleRow, writes: Writes): Promise<number> {
    const { review, entries, favoriteSince } = writes
    const owner = { user_id: userId, media_id: on.id, kind: on.kind }
    const of = { title_id: title.id, media_id: on.id }
    // A review that a decision has removed stays as it is.
    const before = review && (await findReviewBy(trx, userId, on.id))
    const isGone = before ? before.removed_text !== null : review && (await isRemoved(trx, userId, on.id))
    if (review && !isGone) {
      grown.added += bytesOf('review', review.text)
      const stored = [...reviewColumns, 'rated_at', 'updated_at'] as const
      const after = pick(review, stored)
      const { created_at } = review
      if (before) await changeReview(trx, before, after, withoutPublishing)
      const id =
        before?.id ?? (await createReview(trx, on, userId, { ...after, created_at }, withoutPublishing))
      await record(
        writing,
        { ...of, what: 'review', target_id: id },
        before ? pick(before, stored) : null,
        pick(review, reviewColumns),
      )
    }
    const isUpdate = entries.some(({ id }) => id !== null)
    const current = isUpdate ? await listOwn(trx, 'diary_entries', userId, [on.id]) : []
    for (const { id, values, createdAt: created_at, updatedAt: updated_at } of entries) {
      grown.added += bytesOf('entry', values.text)
      if (id === null) {
        const inserted = await insertEntry(trx, { ...owner, ...values, created_at, updated_at })
        if (inserted !== undefined)
          await record(writing, { ...of, what: 'entry', target_id: inserted }, null, values)
        continue
      }
      const before = current.find((entry) => entry.id === id)
      if (before && (await updateImportedEntry(trx, id, { ...values, updated_at })))
        await record(
          writing,
          { ...of, what: 'entry', target_id: id },
          pick(before, [...entryFields.flat(), 'origin', 'updated_at']),
          values,
        )
    }
    if (favoriteSince !== undefined) {
      grown.added += bytesOf('favorite')
      await insertFavorite(trx, { ...owner, created_at: favoriteSince })
      await record(writing, { ...of, what: 'favorite', target_id: on.id }, null, {
        created_at: favoriteSince,
      })
    }
    const listItems = await applyListItems(writing, on, writes.listItems)
    for (const { list, note, before } of listItems) {
      if (before === undefined) grown.added += bytesOf('listItem', note)
      const was = before === undefined ? null : { note: before }
      await record(writing, { ...of, what: 'listItem', target_id: list.list_id! }, was, { note })
    }
    return listItems.length
  }
}
