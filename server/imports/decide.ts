import { setImmediate } from 'node:timers/promises'
import type { ImportDecision } from '#shared/imports.ts'
import { saveTitle } from '#server/catalogue/save.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from '#server/db/tables.ts'
import { lockTitle } from '#server/reviews/store.ts'
import { applyTitle } from './apply.ts'
import {
  factsOf,
  optionsOf,
  rowOf,
  type StoredDecision,
  tally,
  targetOf,
  type Title,
  titleOf,
} from './facts.ts'
import { type Growth, spend, sumBytes, sumOfGrowth, titleBytes } from './quota.ts'
import { judgeTitles } from './resolve.ts'
import { findImportTitle, updateTitles } from './titles-store.ts'
import { lockCatalogueTitles } from './catalogue-store.ts'
import { updateImport } from './store.ts'

/**
 * Stores decisions about titles and compares the titles with what is here again. Must run in a transaction that has locked the
 * import. If `applies`, there is one title, which is written too: a transaction locks one title only. Returns the titles.
 */
export async function decide(
  trx: Db,
  row: ImportRow,
  decisions: readonly { title: Title; decision: StoredDecision | null }[],
  now: Date,
  applies: boolean,
): Promise<Title[]> {
  const facts = factsOf(row)
  const options = optionsOf(row)
  const decided = decisions.map(({ title, decision }) => ({ ...title, decision, applied_at: null }))
  // Before rows of imports are locked: see `lockCatalogueTitles`. What writes the title’s reviews needs the stronger lock.
  const targets = decided.flatMap((title) => targetOf(title) ?? [])
  if (applies) for (const id of targets) await lockTitle(trx, { id })
  else await lockCatalogueTitles(trx, [...targets, ...decided.flatMap(({ media_id }) => media_id ?? [])])
  const judged = await judgeTitles(trx, row.user_id, options, decided, now)
  for (const [at, title] of judged.entries()) tally(facts, decisions[at]!.title, title)
  const rows = judged.map(rowOf)
  await updateTitles(trx, rows)
  const sizeBefore = sumBytes(decisions.map(({ title }) => title.bytes))
  let grown: Growth = { held: sumBytes(rows.map(titleBytes)) - sizeBefore, added: 0 }
  if (applies) {
    for (const title of rows) {
      const creates = title.state === 'notFound' && options.missing === 'create'
      if (creates || ['new', 'newer', 'conflict'].includes(title.state))
        grown = sumOfGrowth(grown, await applyTitle(trx, row, title, { options, facts, now }))
    }
  }
  const bytes = await spend(trx, row, grown, now)
  await updateImport(trx, row.id, { facts: JSON.stringify(facts), bytes, updated_at: now.toISOString() })
  if (!applies) return judged
  const after: Title[] = []
  for (const { id } of judged) {
    const title = await findImportTitle(trx, row.id, id)
    if (title) after.push(titleOf(title))
  }
  return after
}

/** Lets other calls run between the steps of one. */
export const nextStep = (): Promise<void> => setImmediate()

/**
 * Returns a decision as it is stored. A candidate that is not in the catalogue yet is added to it; returns undefined if there is
 * no such candidate, or if it is only one of several for titles that share a name.
 */
export async function toStoredDecision(
  db: Db,
  title: Title,
  decision: ImportDecision | 'suggested' | null,
  now: Date,
): Promise<StoredDecision | null | undefined> {
  if (decision === null) return null
  if (typeof decision === 'string' && decision !== 'suggested') {
    const { mediaId } = title.decision ?? {}
    const keepsTarget = decision !== 'create' && mediaId !== undefined
    return { choice: decision, ...(keepsTarget && { mediaId }) }
  }
  if (decision !== 'suggested' && 'mediaId' in decision) return decision
  // Accepted at once, films that share a name would become one.
  if (decision === 'suggested' && title.plan.isNamesake) return undefined
  const candidate = title.candidates[decision === 'suggested' ? 0 : decision.candidate]
  if (!candidate) return undefined
  if (candidate.mediaId !== null) return { mediaId: candidate.mediaId }
  return candidate.found && { mediaId: (await saveTitle(db, candidate.found, now)).id }
}
