import { importCreatedMax, nameMax } from '#shared/domain/limits.ts'
import { noteOf } from '#shared/texts/import-notes.ts'
import { insertTitle } from '#server/titles/store.ts'
import { titleColumns } from '#server/db/fold.ts'
import { insertEntry } from '#server/diary/store.ts'
import { findReviewBy, lockTitle, type ReviewedTitleRow, isRemoved } from '#server/reviews/store.ts'
import { changeReview, createReview } from '#server/reviews/write.ts'
import { insertFavorite } from '#server/social/store.ts'
import { isOfPart, type Writes } from './compare-parts.ts'
import { pick } from '#server/imports/pick.ts'
import { reviewColumns, type ReviewWrite } from './compare-reviews.ts'
import { applyPlays } from './apply-plays.ts'
import { lockPasses } from '#server/progress/passes.ts'
import { settleShow } from '#server/progress/settle.ts'
import { entryFields } from './compare-entries.ts'
import { compareTitles } from './compare.ts'
import { logChange } from './journal.ts'
import { updateImportedEntry } from './journal-store.ts'
import { applyListItems } from './lists.ts'
import { turnOnHalfStars } from './members.ts'
import { insertSteps } from '#server/diary/steps-store.ts'
import { bytesOf, sumBy } from '#server/imports/limits.ts'
import { type Adds, sumOf } from '#server/imports/facts.ts'
import type { Writing } from '#server/imports/context.ts'
import { saveImportKey } from '#server/imports/store.ts'
import { isToCreate, saveTitles, targetOf, type TitleOfImport } from '#server/imports/match/titles.ts'

/** Imported reviews have dates of their own. */
export const withoutPublishing = () => {}

/** Of a show and its parts; a transaction stays short. */
const reviewsAtOnce = 250

/**
 * Compares again, since the member’s data may have changed since the preview. Returns the title as it is stored: without `applied_at` if
 * more than `reviewsMax` reviews of seasons and episodes are left for the next time.
 */
export async function applyTitle(
  writing: Writing,
  title: TitleOfImport,
  reviewsMax = reviewsAtOnce,
): Promise<TitleOfImport> {
  const { db: trx, row, options, facts, now } = writing
  const { id: import_id, user_id: userId } = row
  const known = targetOf(title)
  let writtenHalves = 0
  const creates = known === null && isToCreate(title, options)
  if (creates && facts.applied.titles >= importCreatedMax) {
    const matched = { mediaId: null, reason: noteOf('createdLimit') }
    return finish({ state: 'left', media_id: null, matched })
  }
  if (known === null && !creates) return title
  const target = creates ? await createTitle() : await lockTitle(trx, { id: known! })
  if (target?.kind === 'tvShow') await lockPasses(trx, { userId, titleId: target.id })
  const [compared] = await compareTitles(writing, [title])
  const { writes, current } = compared!
  if (!target || !writes) return finish({ state: 'gone', media_id: null })
  const { parts, adds } = compared!.title.change!
  if (title.decision?.mediaId !== undefined || creates)
    await saveImportKey(trx, { user_id: userId, key: title.title_key, media_id: target.id, import_id })
  const reviews = writes.reviews.slice(0, reviewsMax)
  const isPartly = reviews.length < writes.reviews.length
  const listItems = await write(target, { ...writes, reviews })
  const isSame = Object.values(parts).every((part) => part === 'same')
  const rows = [...reviews, ...writes.entries, ...writes.plays].length + listItems
  const isNothing = !creates && rows === 0 && !writes.favoriteSince
  const state = isPartly ? title.state : !isNothing ? 'taken' : isSame ? 'same' : 'left'
  const written = {
    partReviews: reviews.filter(isOfPart).length,
    halves: writtenHalves,
    listItems,
    titles: Number(creates),
  }
  const left = isPartly && { applied_at: null }
  return finish({ state, media_id: target.id, ...left }, { ...adds, ...written })

  async function finish(
    outcome: Pick<TitleOfImport, 'state' | 'media_id'> & Partial<TitleOfImport>,
    adds: Partial<Adds> = {},
  ): Promise<TitleOfImport> {
    const change = title.change && { ...title.change, adds: {} }
    facts.applied = sumOf(facts.applied, adds)
    const applied = { ...title, change, applied_at: now.toISOString(), ...outcome }
    return (await saveTitles(writing, [title], [applied]))[0]!
  }

  async function createTitle(): Promise<ReviewedTitleRow> {
    const { kind, year, authors } = title.record
    const name = title.record.name.slice(0, nameMax)
    const creators = authors.map((author) => author.slice(0, nameMax)).slice(0, 20)
    const id = await insertTitle(trx, {
      kind,
      name,
      ...titleColumns(name, creators),
      release_date: year === null ? null : String(year).padStart(4, '0'),
      release_year: year,
      details: JSON.stringify({ genres: [], creators, platforms: [], rating: null }),
      source: 'import',
      created_by: userId,
      created_at: now.toISOString(),
    })
    const created = { title_id: title.id, media_id: id, what: 'title', target_id: id } as const
    await logChange(writing, { ...created, after: { name } })
    return { id, kind, text_count: 0, public_text_count: 0 }
  }

  async function write(on: ReviewedTitleRow, writes: Writes): Promise<number> {
    const { entries, favoriteSince } = writes
    const owner = { user_id: userId, media_id: on.id, kind: on.kind }
    const of = { title_id: title.id, media_id: on.id }
    for (const review of writes.reviews) await writeReview(on, review)
    for (const { id, values: after, created_at, updated_at, steps } of entries) {
      if (id === null) {
        const target_id = await insertEntry(trx, { ...owner, ...after, created_at, updated_at })
        if (target_id === undefined) continue
        await logChange(writing, { ...of, what: 'entry', target_id, after })
        // They go with the entry.
        const ofEntry = { user_id: userId, entry_id: target_id, status_before: null }
        const rows = steps.map((step) => ({ ...ofEntry, ...step }))
        await insertSteps(trx, rows)
        facts.grown.added += sumBy(steps, ({ text }) => bytesOf('play', text))
        continue
      }
      const entry = current.entries.find((each) => each.id === id)
      if (!entry || !(await updateImportedEntry(trx, id, { ...after, updated_at }))) continue
      const before = pick(entry, [...entryFields.flat(), 'origin', 'updated_at'])
      await logChange(writing, { ...of, what: 'entry', target_id: id, before, after })
    }
    if (writes.plays.length > 0) await applyPlays(writing, of, writes)
    else if (entries.length > 0 && on.kind === 'tvShow') await settleShow(trx, userId, on.id, now)
    if (favoriteSince !== undefined) {
      const after = { created_at: favoriteSince }
      await insertFavorite(trx, { ...owner, ...after })
      await logChange(writing, { ...of, what: 'favorite', target_id: on.id, after })
    }
    const listItems = await applyListItems(writing, on, writes.listItems)
    for (const { list, note, before: was } of listItems) {
      const before = was === undefined ? undefined : { note: was }
      await logChange(writing, { ...of, what: 'listItem', target_id: list.list_id!, before, after: { note } })
    }
    return listItems.length
  }

  async function writeReview(on: ReviewedTitleRow, { part_id, ...review }: ReviewWrite): Promise<void> {
    // A review that a decision has removed stays as it is.
    const reviewed = { ...on, part_id }
    const before = await findReviewBy(trx, userId, reviewed)
    if (before ? before.removed_text !== null : await isRemoved(trx, userId, reviewed)) return
    const stored = [...reviewColumns, 'rated_at', 'updated_at'] as const
    const values = pick(review, stored)
    const { created_at } = review
    if (before) await changeReview(trx, before, values, withoutPublishing)
    const target_id =
      before?.id ?? (await createReview(trx, reviewed, userId, { ...values, created_at }, withoutPublishing))
    await logChange(writing, {
      title_id: title.id,
      media_id: on.id,
      what: 'review',
      target_id,
      before: before && pick(before, stored),
      after: { ...pick(review, reviewColumns), ...(part_id !== null && { part_id }) },
    })
    if (!review.isHalf) return
    // Once: the member may turn them off meanwhile.
    if (writtenHalves === 0 && !facts.applied.halves) await turnOnHalfStars(writing)
    writtenHalves++
  }
}
