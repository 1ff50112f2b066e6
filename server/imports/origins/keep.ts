import type { Db } from '#server/db/open.ts'
import { pick } from '#server/imports/pick.ts'
import { keyOf, loadRows } from '#server/imports/undo/undo.ts'
import { insertPast, listLastChanges, listPastOf, type NewWrite, removePast } from './store.ts'

const batch = 100
const columns = [
  'user_id',
  'media_id',
  'what',
  'target_id',
  'service',
  'wrote_at',
  'before',
  'after',
] as const

/** Before an import is deleted. Each row that it wrote keeps who wrote it last. A repetition after a crash changes nothing. */
export async function keepWrites(db: Db, importId: number): Promise<void> {
  let after = 0
  for (;;) {
    const changes = await listLastChanges(db, importId, after, batch)
    if (changes.length === 0) return
    after = changes.at(-1)!.id
    const { user_id } = changes[0]!
    const mediaIds = [...new Set(changes.flatMap(({ media_id }) => media_id ?? []))]
    await db.transaction().execute(async (trx) => {
      const past = await listPastOf(trx, user_id, mediaIds)
      const pastOf = Map.groupBy(past, keyOf)
      const written = past.map((write) => ({ ...write, import_id: importId }))
      const there = await loadRows(trx, user_id, [...changes, ...written])
      const kept = changes.filter(
        (change) =>
          change.isLast &&
          there.has(keyOf(change)) &&
          (pastOf.get(keyOf(change)) ?? []).every(({ wrote_at }) => wrote_at <= change.wrote_at),
      )
      const replaced = new Set(kept.map(keyOf))
      const outdated = past.filter((write) => !there.has(keyOf(write)) || replaced.has(keyOf(write)))
      await removePast(
        trx,
        outdated.map(({ id }) => id),
      )
      await insertPast(
        trx,
        kept.map((change) => pick(change, columns) as NewWrite),
      )
    })
  }
}
