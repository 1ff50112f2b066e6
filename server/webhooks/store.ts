import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { DeliveryRow, Tables, WebhookRow } from '#server/db/tables.ts'

const shownColumns = ['id', 'user_id', 'url', 'events', 'created_at', 'failing_since', 'disabled_at'] as const

/** Returns a member's webhooks, oldest first. */
export async function listWebhooks(db: Db, userId: number): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').select(shownColumns).where('user_id', '=', userId).orderBy('id').execute()
}

/** Returns a webhook of this member. */
export async function findWebhook(db: Db, userId: number, id: number): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .select(shownColumns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Must run with the account locked, so that the maximum number of webhooks holds. */
export async function insertWebhook(
  db: Db,
  webhook: { user_id: number; url: string; secret: string; events: string; created_at: string },
): Promise<WebhookRow> {
  return db.insertInto('webhooks').values(webhook).returning(shownColumns).executeTakeFirstOrThrow()
}

/** Updates the fields that are not undefined. Returns undefined if the member has no such webhook. */
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

/** Removes a webhook with its deliveries. Returns false if the member has no such webhook. */
export async function removeWebhook(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns how many test events of a webhook wait, at most `max`. */
export async function countWaitingTests(db: Db, webhookId: number, max: number): Promise<number> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('next_attempt_at', 'is not', null)
    .where('event', '=', 'test')
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
      next_attempt_at: now.toISOString(),
    })
    .execute()
}

/** Returns the newest deliveries of a webhook, newest first. */
export async function listDeliveries(db: Db, webhookId: number, limit: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

const sentColumns = ['id', 'user_id', 'url', 'secret', 'disabled_at'] as const
export type WaitingWebhook = Pick<Selectable<Tables['webhooks']>, (typeof sentColumns)[number]> & {
  /** When the first of its deliveries is due. */
  due_at: string
}

/**
 * Returns the webhooks with an id above `after` that have queued deliveries, in order of their ids. Costs one look-up in the index
 * per webhook, however many deliveries it has queued.
 */
export async function listWaiting(db: Db, after: number, limit: number): Promise<WaitingWebhook[]> {
  const nextAfter = (id: RawBuilder<unknown>) => sql`(select webhook_id from webhook_deliveries
    where next_attempt_at is not null and webhook_id > ${id} order by webhook_id limit 1)`
  const { rows } = await sql<WaitingWebhook>`
    with recursive waiting(id, place) as (
      select ${nextAfter(sql`${after}`)}, 1
      union all
      select ${nextAfter(sql`waiting.id`)}, place + 1 from waiting where id is not null and place < ${limit}
    )
    select ${sql.join(sentColumns.map((column) => sql.ref(`webhooks.${column}`)))},
      (select min(next_attempt_at) from webhook_deliveries
        where webhook_id = webhooks.id and next_attempt_at is not null) as due_at
    from waiting join webhooks on webhooks.id = waiting.id
    order by webhooks.id`.execute(db)
  return rows
}

/** Claims the delivery of a webhook that has been due for longest, until `until`, and counts an attempt. Returns undefined if none is due. */
export async function claimDelivery(
  db: Db,
  webhookId: number,
  now: Date,
  until: Date,
): Promise<DeliveryRow | undefined> {
  return (
    db
      .updateTable('webhook_deliveries')
      .set((eb) => ({
        attempts: eb('attempts', '+', 1),
        attempted_at: now.toISOString(),
        next_attempt_at: until.toISOString(),
      }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', webhookId)
          .where('next_attempt_at', '<=', now.toISOString())
          .orderBy('next_attempt_at')
          .orderBy('id')
          .limit(1)
          .$if(!isSqlite(db), (query) => query.forUpdate().skipLocked()),
      )
      // Checked again: by the time Postgres has locked the row, another process may have claimed it.
      .where('next_attempt_at', '<=', now.toISOString())
      .returningAll()
      .executeTakeFirst()
  )
}

/** Records how an attempt ended. */
export async function updateDelivery(
  db: Db,
  id: number,
  values: Pick<DeliveryRow, 'status' | 'error' | 'delivered_at' | 'next_attempt_at'>,
): Promise<void> {
  await db.updateTable('webhook_deliveries').set(values).where('id', '=', id).execute()
}

/** Records that a webhook is not failing any more. */
export async function markWorking(db: Db, id: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Records that a webhook is failing. Returns since when; undefined if it was deleted or disabled. */
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

/** Postpones the deliveries of a webhook that are due before a time. */
export async function postponeDeliveries(db: Db, webhookId: number, until: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: until.toISOString() })
    .where('webhook_id', '=', webhookId)
    .where('next_attempt_at', '<', until.toISOString())
    .execute()
}

/** Disables a webhook and cancels its queued deliveries. `error` becomes their error. */
export async function disableWebhook(db: Db, id: number, now: Date, error: string): Promise<void> {
  await db.updateTable('webhooks').set({ disabled_at: now.toISOString() }).where('id', '=', id).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: null, error })
    .where('webhook_id', '=', id)
    .where('next_attempt_at', 'is not', null)
    .execute()
}

/** Disables all webhooks of a member and cancels their queued deliveries. `error` becomes their error. */
export async function disableWebhooksOf(trx: Db, userId: number, now: Date, error: string): Promise<void> {
  for (const { id, disabled_at } of await listWebhooks(trx, userId))
    if (disabled_at === null) await disableWebhook(trx, id, now, error)
}

/** Returns the ids of webhooks after `id`, in order. */
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

/**
 * Removes at most `limit` deliveries of a webhook: those older than `before`, and those that are not queued and have `kept` newer
 * ones. The age also applies to queued ones, because an event that is queued while its webhook is being disabled is never delivered.
 */
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
        .where((eb) =>
          eb.or([
            eb('created_at', '<', before.toISOString()),
            eb.and([eb('next_attempt_at', 'is', null), eb('id', '<=', last?.id ?? 0)]),
          ]),
        )
        .orderBy('id')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes up to `limit` deliveries to a member's webhooks. Returns how many. */
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
