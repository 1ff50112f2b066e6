import { importCreatedMax, nameMax } from '#shared/limits.ts'
import type { ImportOptions } from '#shared/imports.ts'
import { messages } from '#shared/messages.ts'
import type { EntryRow, ImportChangeRow, ImportRow, ImportTitleRow } from '#server/db/tables.ts'
import { insertTitle } from '#server/catalogue/store.ts'
import { searchText, sortKey } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { pack } from '#server/db/packed.ts'
import { insertEntry } from '#server/diary/store.ts'
import { findReviewBy, lockTitle, type ReviewedTitleRow } from '#server/reviews/store.ts'
import { changeReview, createReview } from '#server/reviews/write.ts'
import { insertFavorite } from '#server/social/store.ts'
import { type ImportFacts, isToCreate, sumOf, tally, targetOf, type Title, titleOf } from './facts.ts'
import { type Adds, addsNothing, type EntryImage, type ReviewImage, type Writes } from './judge.ts'
import { judgeTitle, loadHere } from './resolve.ts'
import { insertIntoJournal, listOwn, updateImportedEntry } from './journal-store.ts'
import { changeBytes, type Growth, ownBytes, titleBytes } from './quota.ts'
import { saveImportKey } from './store.ts'
import { updateTitles } from './titles-store.ts'

/** Imports cause no live updates, because their reviews have dates of their own. */
export const withoutPublishing = () => {}

/**
 * Writes what a title of an import adds, and records it. Must run in a transaction that has locked the import. Compares with
 * what is here again, since it may have changed since the rehearsal. Changes `facts`. Returns how much larger the database becomes.
 */
export async function applyTitle(
  trx: Db,
  { id: importId, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
  row: ImportTitleRow,
  { options, facts, now }: { options: ImportOptions; facts: ImportFacts; now: Date },
): Promise<Growth> {
  const title = titleOf(row)
  const grown = { held: 0, added: 0 }
  const record = async (
    { id: media_id }: { id: number },
    what: ImportChangeRow['what'],
    target_id: number,
    before: object | null,
    after: object,
  ) => {
    const change = {
      import_id: importId,
      title_id: title.id,
      user_id: userId,
      media_id,
      what,
      target_id,
      before: before && pack(JSON.stringify(before)),
      after: pack(JSON.stringify(after)),
    }
    grown.held += changeBytes(change)
    await insertIntoJournal(trx, change)
  }
  const finish = async (
    state: Title['state'],
    media_id: number | null,
    adds: Adds,
    matched = title.matched,
  ) => {
    const verdict = title.verdict && { ...title.verdict, adds: addsNothing }
    tally(facts, title, { state, verdict })
    facts.applied = sumOf(facts.applied, adds, 1)
    const saved = {
      ...row,
      state,
      media_id,
      matched: matched && JSON.stringify(matched),
      verdict: verdict && JSON.stringify(verdict),
      applied_at: now.toISOString(),
    }
    grown.held += titleBytes(saved) - title.bytes
    await updateTitles(trx, [saved])
    return grown
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
  if (!target) return known === null ? grown : finish('gone', null, addsNothing)

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
  return finish(state, target.id, { ...adds, titles: Number(creates) })

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
    grown.added += ownBytes('created', bounded)
    return { id, kind, text_count: 0 }
  }

  async function write(on: ReviewedTitleRow, { review, entries, favoriteSince }: Writes): Promise<void> {
    if (review) {
      grown.added += ownBytes('review', review.text)
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
    const entriesHere = entries.some(({ id }) => id !== null)
      ? await listOwn(trx, 'diary_entries', userId, [on.id])
      : []
    for (const { id, values, createdAt, updatedAt } of entries) {
      grown.added += ownBytes('entry', values.text)
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
      if (isUpdated)
        await record(on, 'entry', id, { ...imageOfEntry(before), updated_at: before.updated_at }, values)
    }
    if (favoriteSince !== undefined) {
      grown.added += ownBytes('favorite')
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
