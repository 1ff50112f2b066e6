import { latestDay } from '#shared/domain/days.ts'
import type { CounterFault } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import { lockPasses, settlePasses, type Viewing } from './passes.ts'
import { listEntriesOf, listViewings } from './passes-store.ts'
import { findViewing } from './settle.ts'

const viewingsPerRead = 1_000
const derived = ['status', 'started_on', 'finished_on', 'played_at', 'next_on'] as const

/** Rolls back the transaction that looked at a viewing. */
class Looked extends Error {}

/** Settles a viewing. Returns the stored values that this changed. */
async function settleOne(trx: Db, viewing: Viewing): Promise<CounterFault[]> {
  const { userId, titleId } = viewing
  await lockPasses(trx, viewing)
  const passesOf = async () => (await listEntriesOf(trx, userId, titleId)).filter(({ pass }) => pass !== null)
  const before = await passesOf()
  await settlePasses(trx, viewing)
  const after = await passesOf()
  const fault = (id: number, column: keyof EntryRow, is?: EntryRow, counted?: EntryRow) => ({
    table: 'diary_entries' as const,
    column,
    id,
    is: is?.[column] ?? null,
    counted: counted?.[column] ?? null,
  })
  return [
    ...before.flatMap((entry) => {
      const now = after.find(({ id }) => id === entry.id)
      const columns = now ? derived.filter((column) => now[column] !== entry[column]) : (['pass'] as const)
      return columns.map((column) => fault(entry.id, column, entry, now))
    }),
    ...after
      .filter(({ id }) => !before.some((entry) => entry.id === id))
      .map((entry) => fault(entry.id, 'pass', undefined, entry)),
  ]
}

/**
 * Compares the passes in diaries with the plays they are derived from. A season that has begun since, whose passes `settleDue` has not yet
 * settled, is not a fault. With `mends`, `db` is a transaction, in which the passes are corrected.
 */
export async function settleAll(db: Db, mends: boolean): Promise<CounterFault[]> {
  const now = new Date()
  const faults: CounterFault[] = []
  let after: { user_id: number; media_id: number } | undefined
  do {
    const viewings = await listViewings(db, after, latestDay(now), viewingsPerRead)
    for (const { user_id: userId, media_id: titleId } of viewings) {
      const viewing = await findViewing(db, userId, titleId, now)
      if (mends) {
        faults.push(...(await settleOne(db, viewing)))
        continue
      }
      await db
        .transaction()
        .execute(async (trx) => {
          faults.push(...(await settleOne(trx, viewing)))
          throw new Looked()
        })
        .catch((error: unknown) => {
          if (!(error instanceof Looked)) throw error
        })
    }
    after = viewings.at(-1)
  } while (after)
  return faults
}
