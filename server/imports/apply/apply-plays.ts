import type { EntryRow } from '#server/diary/tables.ts'
import * as imported from '#server/progress/imported-store.ts'
import { lockPasses, settlePasses } from '#server/progress/passes.ts'
import { listEntriesOf, updatePass } from '#server/progress/passes-store.ts'
import { insertBatch, insertPlays } from '#server/progress/plays-store.ts'
import { findViewing } from '#server/progress/settle.ts'
import { partSize } from '#server/db/rows.ts'
import type { Db } from '#server/db/open.ts'
import type { Writing } from '#server/imports/context.ts'
import { bytesOf } from '#server/imports/limits.ts'
import { entryFields, type EntryValues, isSameViewing } from './compare-entries.ts'
import type { Writes } from './compare-parts.ts'
import { pick } from '#server/imports/pick.ts'
import { logChange } from './journal.ts'

type Of = { title_id: number | null; media_id: number }

/** Of an entry that becomes a pass, besides those that a comparison looks at. */
export const passColumns = ['pass', 'stated', 'adopted', 'played_at', 'next_on'] as const

/** A show that the member has paused stays paused: the plays of a file are from before. */
export async function applyPlays(
  writing: Writing,
  of: Of,
  { plays, passes }: Pick<Writes, 'plays' | 'passes'>,
): Promise<void> {
  const { db: trx, row, facts, now } = writing
  const userId = row.user_id
  const viewing = await findViewing(trx, userId, of.media_id, now)
  await lockPasses(trx, viewing)
  const batchId = await batchOf(writing, plays.length)
  const created_at = now.toISOString()
  for (let at = 0; at < plays.length; at += partSize)
    await insertPlays(
      trx,
      plays.slice(at, at + partSize).map((play) => ({
        ...play,
        user_id: userId,
        media_id: of.media_id,
        batch_id: batchId,
        source: row.service,
        created_at,
      })),
    )
  facts.grown.added += plays.length * bytesOf('play')
  await logChange(writing, { ...of, what: 'plays', target_id: batchId, after: { count: plays.length } })
  const before = await listEntriesOf(trx, userId, of.media_id)
  const claimed = await claimEntries(trx, before, passes)
  await settlePasses(trx, viewing)
  const settled = await listEntriesOf(trx, userId, of.media_id)
  for (const entry of settled) await editPass(entry)
  await settlePasses(trx, viewing)
  for (const entry of await listEntriesOf(trx, userId, of.media_id)) {
    const was = before.find(({ id }) => id === entry.id)
    const added = settled.find(({ id }) => id === entry.id)
    const columns = [...entryFields[1], ...entryFields[2], 'stated'] as const
    if (was && claimed.has(entry.id)) {
      const all = [...entryFields.flat(), ...passColumns] as const
      await log(entry.id, pick(was, [...all, 'origin', 'updated_at']), pick(entry, all))
    } else if (added && columns.some((column) => added[column] !== entry[column]))
      await log(entry.id, pick(added, columns), pick(entry, columns))
  }

  async function log(id: number, old: object, after: object): Promise<void> {
    await logChange(writing, { ...of, what: 'entry', target_id: id, before: old, after })
  }

  /** Into what the plays do not say. */
  async function editPass(entry: EntryRow): Promise<void> {
    const values = entry.pass === null ? undefined : passes.get(entry.pass)
    const wasPaused =
      entry.adopted?.startsWith('paused') && before.some(({ id, pass }) => id === entry.id && pass === null)
    const isNewest = entry.pass === Math.max(...settled.map(({ pass }) => pass ?? 0))
    const said = wasPaused ? 'paused' : statedIn(values)
    const stated = isNewest && entry.status === 'started' && said ? said : entry.stated
    const text = entry.text || (values?.text ?? '')
    const rating_given = entry.rating_given ?? values?.rating_given ?? null
    const isSame = stated === entry.stated && text === entry.text && rating_given === entry.rating_given
    if (!isSame) await updatePass(trx, entry.id, { stated, text, rating_given, updated_at: created_at })
  }
}

function statedIn(values: EntryValues | undefined): 'paused' | 'dropped' | null {
  return values?.status === 'paused' || values?.status === 'dropped' ? values.status : null
}

/** Entries about a whole show that are over become the passes that the file has them for. Those under way do by themselves. */
async function claimEntries(
  trx: Db,
  entries: readonly EntryRow[],
  passes: Writes['passes'],
): Promise<Set<number>> {
  const claimed = new Set<number>()
  for (const [pass, values] of passes) {
    if (entries.some((entry) => entry.pass === pass)) continue
    const own = entries.find(
      (entry) =>
        entry.pass === null &&
        !claimed.has(entry.id) &&
        (entry.status === 'finished' || entry.status === 'dropped') &&
        ((values.origin !== null && entry.origin === values.origin) || isSameViewing(entry, values)),
    )
    if (!own) continue
    claimed.add(own.id)
    await updatePass(trx, own.id, { pass })
  }
  return claimed
}

/** One batch for all plays of an import. */
async function batchOf({ db: trx, row, now }: Writing, count: number): Promise<number> {
  const at = now.toISOString()
  const known = await imported.findImportBatch(trx, row.id)
  if (known !== undefined) {
    await imported.addToBatch(trx, known, count, at)
    return known
  }
  return insertBatch(trx, {
    user_id: row.user_id,
    media_id: null,
    type: 'import',
    source: row.service,
    import_id: row.id,
    count,
    created_at: at,
  })
}
