import { addTask } from '#server/accounts/notify-store.ts'
import type { Db } from '#server/db/open.ts'
import { hasRow } from '#server/db/rows.ts'

const listPauseMs = 10 * 60_000

/** One notification covers all titles that are added within ten minutes. It is sent in the background. */
export async function listGrown(trx: Db, listId: number, by: number, now: Date): Promise<void> {
  if (!(await hasRow(trx, 'list_follows', { list_id: listId }))) return
  await addTask(trx, 'titles', [listId, by], new Date(now.getTime() + listPauseMs))
}
