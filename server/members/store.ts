import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Records on the primary that a member wrote; called after the commit. Later reads of the member wait for the replica to replay it. */
export async function markWrote(db: Db, memberId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ wrote_at: sql`default` })
    .where('id', '=', memberId)
    .execute()
}
