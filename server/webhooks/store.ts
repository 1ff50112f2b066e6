import { sql, type Updateable } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { removeRows } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import type { WebhookRow } from './tables.ts'
import { removeTasks } from '#server/db/tasks.ts'

const shownColumns = ['id', 'user_id', 'url', 'events', 'created_at', 'failing_since', 'disabled_at'] as const

export async function listWebhooks(db: Db, userId: number): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').select(shownColumns).where('user_id', '=', userId).orderBy('id').execute()
}

export async function findWebhook(db: Db, userId: number, id: number): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .select(shownColumns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** The account must be locked, so that the maximum number is not exceeded. */
export async function insertWebhook(
  db: Db,
  webhook: { user_id: number; url: string; secret: string; events: string; created_at: string },
): Promise<WebhookRow> {
  return db.insertInto('webhooks').values(webhook).returning(shownColumns).executeTakeFirstOrThrow()
}

/** Leaves undefined fields as they are. Returns undefined if the member has no such webhook. */
export async function updateWebhook(
  db: Db,
  userId: number,
  id: number,
  values: {
    url?: string | undefined
    events?: string | undefined
    failing_since?: null | undefined
    disabled_at?: null | undefined
  },
): Promise<WebhookRow | undefined> {
  // An update without a column is not valid SQL.
  if (Object.values(values).every((value) => value === undefined)) return findWebhook(db, userId, id)
  return db
    .updateTable('webhooks')
    .set(values)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(shownColumns)
    .executeTakeFirst()
}

export async function removeWebhook(db: Db, userId: number, id: number): Promise<boolean> {
  return removeRows(db, 'webhooks', { id, user_id: userId })
}

/** The id is the key, the webhook the owner. Triggers add and remove the task with the delivery. */
const taskKey = sql<string>`cast(webhook_deliveries.id as text)`

export async function countWaitingTests(db: Db, webhookId: number, max: number): Promise<number> {
  const rows = await db
    .selectFrom('tasks')
    .innerJoin('webhook_deliveries', (join) => join.on('tasks.key', '=', taskKey))
    .select('tasks.id')
    .where('tasks.queue', '=', 'webhooks')
    .where('tasks.owner', '=', String(webhookId))
    .where('webhook_deliveries.event', '=', 'test')
    .limit(max)
    .execute()
  return rows.length
}

export async function insertTest(db: Db, webhookId: number, now: Date): Promise<void> {
  await db
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: webhookId,
      event: 'test',
      action: 'created',
      thing_id: webhookId,
      created_at: now.toISOString(),
    })
    .execute()
}

export async function listDeliveries(db: Db, webhookId: number, limit: number) {
  return db
    .selectFrom('webhook_deliveries')
    .leftJoin('tasks', (join) => join.on('tasks.queue', '=', 'webhooks').on('tasks.key', '=', taskKey))
    .selectAll('webhook_deliveries')
    .select('tasks.due_at as next_attempt_at')
    .where('webhook_id', '=', webhookId)
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

export async function listReceivers(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'user_id', 'url'])
    .where('disabled_at', 'is', null)
    .where(isOneOf(db, 'id', ids))
    .execute()
}

export async function findDelivery(db: Db, id: number) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .selectAll('webhook_deliveries')
    .select(['user_id', 'url', 'secret', 'disabled_at'])
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst()
}

export async function updateDelivery(
  db: Db,
  id: number,
  values: Updateable<Tables['webhook_deliveries']>,
): Promise<void> {
  await db.updateTable('webhook_deliveries').set(values).where('id', '=', id).execute()
}

export async function markWorking(db: Db, id: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Returns the time of the first failure; undefined if the webhook was deleted or disabled. */
export async function markFailing(db: Db, id: number, now: Date): Promise<string | undefined> {
  const row = await db
    .updateTable('webhooks')
    .set((eb) => ({ failing_since: eb.fn.coalesce('failing_since', eb.val(now.toISOString())) }))
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .returning('failing_since')
    .executeTakeFirst()
  return row?.failing_since ?? undefined
}

type Reason = 'disabled' | 'suspended'

/** Cancels its queued deliveries, whose error becomes `reason`. */
export async function disableWebhook(
  db: Db,
  id: number,
  now: Date,
  reason: Reason = 'disabled',
): Promise<void> {
  await db.updateTable('webhooks').set({ disabled_at: now.toISOString() }).where('id', '=', id).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ error: reason })
    .where('webhook_id', '=', id)
    .where(({ exists, selectFrom }) => exists(selectFrom('tasks').select('tasks.id').where(isQueued)))
    .execute()
  await removeTasks(db, 'webhooks', 'owner', [String(id)])
}

const isQueued = sql<boolean>`tasks.queue = 'webhooks' and tasks.key = ${taskKey}`

export async function disableWebhooksOf(trx: Db, userId: number, now: Date, reason?: Reason): Promise<void> {
  for (const { id, disabled_at } of await listWebhooks(trx, userId))
    if (disabled_at === null) await disableWebhook(trx, id, now, reason)
}

export async function listWebhookIds(db: Db, id: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Older than `before`, or not queued and with `kept` newer ones. */
export async function removeDeliveries(
  db: Db,
  webhookId: number,
  before: Date,
  kept: number,
  limit: number,
): Promise<number> {
  const ofWebhook = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId)
  const last = await ofWebhook.select('id').orderBy('id', 'desc').offset(kept).limit(1).executeTakeFirst()
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where(
      'id',
      'in',
      ofWebhook
        .select('id')
        .where(({ and, eb, exists, not, or, selectFrom }) =>
          or([
            eb('created_at', '<', before.toISOString()),
            and([
              eb('id', '<=', last?.id ?? 0),
              not(exists(selectFrom('tasks').select('tasks.id').where(isQueued))),
            ]),
          ]),
        )
        .orderBy('id')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function removeDeliveriesOf(db: Db, userId: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
        .select('webhook_deliveries.id')
        .where('webhooks.user_id', '=', userId)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
