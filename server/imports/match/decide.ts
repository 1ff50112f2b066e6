import type { ImportDecision } from '#shared/contracts/import-titles.ts'
import { saveTitle } from '#server/titles/save.ts'
import { lockFromRemoval } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import { lockTitle } from '#server/reviews/store.ts'
import { applyTitle } from '#server/imports/apply/apply.ts'
import { saveCompared } from '#server/imports/apply/compare.ts'
import { saveFacts } from '#server/imports/limits.ts'
import type { Writing } from '#server/imports/context.ts'
import { isApplicable, type StoredDecision, targetOf, type TitleOfImport, titleOf } from './titles.ts'
import { listTitlesByIds } from './titles-store.ts'

export type Decisions = ReadonlyMap<number, StoredDecision | null>

/** If `applies`, there is one title, which is written too: a transaction locks one title only. Returns the titles that still exist. */
export async function decideTitles(
  writing: Writing,
  decisions: Decisions,
  applies: boolean,
): Promise<TitleOfImport[]> {
  const { db: trx, options } = writing
  const before = (await listTitlesByIds(trx, [...decisions.keys()])).map(titleOf)
  const decided = before.map((title) => ({ ...title, decision: decisions.get(title.id)!, applied_at: null }))
  // Before rows of imports are locked: see `lockFromRemoval`. Writing reviews needs the stronger lock.
  const targets = decided.flatMap((title) => targetOf(title) ?? [])
  if (applies) for (const id of targets) await lockTitle(trx, { id })
  else await lockFromRemoval(trx, [...targets, ...decided.flatMap(({ media_id }) => media_id ?? [])])
  const titles: TitleOfImport[] = []
  for (const title of await saveCompared(writing, before, decided))
    titles.push(applies && isApplicable(title, options) ? await applyTitle(writing, title, Infinity) : title)
  await saveFacts(writing)
  return titles
}

/** Adds a candidate to the catalogue. Undefined if there is no such candidate, or if several titles share its name. */
export async function toStoredDecision(
  db: Db,
  title: TitleOfImport,
  decision: ImportDecision | 'suggested' | null,
  now: Date,
): Promise<StoredDecision | null | undefined> {
  if (decision === null) return null
  const isSuggested = decision === 'suggested'
  if (typeof decision === 'string' && !isSuggested) {
    const { mediaId } = title.decision ?? {}
    return { choice: decision, ...(decision !== 'create' && mediaId !== undefined && { mediaId }) }
  }
  if (!isSuggested && 'mediaId' in decision) return decision
  // Accepted at once, films that share a name would become one.
  if (isSuggested && title.record.isNamesake) return undefined
  const candidate = title.candidates[isSuggested ? 0 : decision.candidate]
  if (!candidate) return undefined
  if (candidate.mediaId !== null) return { mediaId: candidate.mediaId }
  return candidate.found && { mediaId: (await saveTitle(db, candidate.found, now)).id }
}
