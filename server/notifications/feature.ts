import { counterOf } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import type { Feature } from '#server/feature.ts'
import { listIdsOfActor, removeActors } from '#server/accounts/notify-store.ts'

/** Not exported: they say what others did, for 90 days. The settings are, with the member. */
export const notifications: Feature = {
  deletion: [
    { table: 'notifications' },
    { table: 'notification_actors', owner: 'actor_id', remove: removeTraces },
    { table: 'inboxes' },
  ],
  counters: [
    counterOf(
      'notifications',
      'actor_count',
      'notification_actors a where a.notification_id = notifications.id',
    ),
  ],
}

/** Each in its own transaction, because it locks an inbox. */
async function removeTraces(db: Db, userId: number, limit: number): Promise<number> {
  const rows = await listIdsOfActor(db, userId, limit)
  for (const notification of rows)
    await db.transaction().execute((trx) => removeActors(trx, [notification], [userId]))
  return rows.length
}
