import { type Kysely, type RawBuilder, sql } from 'kysely'
import { idColumn, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/** The change log of each member, and webhooks with their deliveries. Triggers fill the log and the deliveries. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await addChanges(db)
  await addWebhooks(db)
  await addTriggers(db)
}

/** ISO 8601 with milliseconds, on the clock of the database. */
// oxlint-disable-next-line no-explicit-any -- see above
function now(db: Kysely<any>): RawBuilder<unknown> {
  return isSqlite(db)
    ? sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`
    : sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

// oxlint-disable-next-line no-explicit-any -- see above
async function addChanges(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('changes')
    .addColumn('id', idColumn(db))
    // Transactions of Postgres may commit in another order than their ids; SQLite has one writer.
    .addColumn('xid', id, (c) =>
      c.notNull().defaultTo(isSqlite(db) ? sql`0` : sql`pg_current_xact_id()::text::bigint`),
    )
    // Not a foreign key: the cascade that deletes an account's rows writes changes too. A trigger deletes them.
    .addColumn('user_id', id, (c) => c.notNull())
    .addColumn('area', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('thing_id', id, (c) => c.notNull())
    .addColumn('media_id', id)
    .addColumn('at', 'text', (c) => c.notNull().defaultTo(now(db)))
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createIndex('changes_feed')
    .on('changes')
    .columns(['user_id', 'area', 'xid', 'id'])
    .execute()
}

// oxlint-disable-next-line no-explicit-any -- see above
async function addWebhooks(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('webhooks')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('failing_since', 'text')
    .addColumn('disabled_at', 'text')
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('webhooks_user').on('webhooks').columns(['user_id', 'id']).execute()

  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', idColumn(db))
    .addColumn('webhook_id', id, (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('thing_id', id, (c) => c.notNull())
    .addColumn('media_id', id)
    .addColumn('actor_id', id)
    .addColumn('created_at', 'text', (c) => c.notNull().defaultTo(now(db)))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'text', (c) => c.defaultTo(now(db)))
    .addColumn('attempted_at', 'text')
    .addColumn('delivered_at', 'text')
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_log')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'id'])
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['next_attempt_at', 'id'])
    .where(sql<boolean>`next_attempt_at is not null`)
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_waiting')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'next_attempt_at'])
    .where(sql<boolean>`next_attempt_at is not null`)
    .execute()
}

/** The tables whose rows are logged. `written` are the columns whose change counts, which excludes counters. */
const logged = [
  {
    table: 'reviews',
    area: 'review',
    user: 'user_id',
    thing: 'id',
    media: 'media_id',
    written: ['rating', 'text', 'has_spoilers', 'rating_given', 'created_at', 'updated_at'],
  },
  {
    table: 'diary_entries',
    area: 'diary',
    user: 'user_id',
    thing: 'id',
    media: 'media_id',
    written: [
      'status',
      'started_on',
      'finished_on',
      'is_again',
      'rating_given',
      'text',
      'created_at',
      'updated_at',
    ],
  },
  {
    table: 'favorites',
    area: 'favorite',
    user: 'user_id',
    thing: 'media_id',
    media: 'media_id',
    written: [],
  },
  { table: 'follows', area: 'follow', user: 'follower_id', thing: 'followee_id', media: null, written: [] },
]

/** Deliveries of a webhook that wait at the same time; events beyond them are in the change log only. */
const waitingMax = 1_000

// oxlint-disable-next-line no-explicit-any -- see above
async function addTriggers(db: Kysely<any>): Promise<void> {
  for (const { table, area, user, thing, media, written } of logged) {
    const log = (row: 'new' | 'old', action: string) => {
      const member = sql.ref(`${row}.${user}`)
      // Not if the account is being deleted: on Postgres, the triggers of a cascade run after the triggers of `users`.
      const condition =
        action === 'deleted' ? sql`where exists (select 1 from users where id = ${member})` : sql``
      return sql`insert into changes (user_id, area, action, thing_id, media_id)
        select ${member}, ${sql.lit(area)}, ${sql.lit(action)}, ${sql.ref(`${row}.${thing}`)},
          ${media ? sql.ref(`${row}.${media}`) : isSqlite(db) ? sql`null` : sql`null::bigint`} ${condition};`
    }
    const distinct = isSqlite(db) ? sql`is not` : sql`is distinct from`
    const isWritten = sql.join(
      written.map((column) => sql`${sql.ref(`old.${column}`)} ${distinct} ${sql.ref(`new.${column}`)}`),
      sql` or `,
    )
    const columns = sql.join(written.map((column) => sql.ref(column)))
    await onRow(db, table, `log_${table}_insert`, sql`after insert`, log('new', 'created'))
    await onRow(db, table, `log_${table}_delete`, sql`after delete`, log('old', 'deleted'))
    if (written.length > 0)
      await onRow(
        db,
        table,
        `log_${table}_update`,
        sql`after update of ${columns}`,
        log('new', 'updated'),
        isWritten,
      )
  }
  await onRow(
    db,
    'users',
    'log_users_delete',
    sql`after delete`,
    sql`delete from changes where user_id = old.id;`,
  )

  // A webhook that is being deleted is locked, or else the insert would fail on the foreign key, and with it the member's write.
  const locked = isSqlite(db) ? sql`` : sql`for key share of webhooks`
  // A member without webhooks costs one look-up.
  const wants = (event: RawBuilder<unknown>) => sql`webhooks.disabled_at is null
    and ' ' || webhooks.events || ' ' like '% ' || ${event} || ' %'
    and (select count(*) from (select 1 from webhook_deliveries where webhook_id = webhooks.id
      and next_attempt_at is not null limit ${sql.lit(waitingMax)}) as waiting) < ${sql.lit(waitingMax)}`
  await onRow(
    db,
    'changes',
    'deliver_changes',
    sql`after insert`,
    sql`insert into webhook_deliveries (webhook_id, event, action, thing_id, media_id)
      select webhooks.id, new.area, new.action, new.thing_id, new.media_id from webhooks
      where webhooks.user_id = new.user_id and ${wants(sql`new.area`)} ${locked};`,
  )
  const ofReview = (event: string, action: string, thing: string) =>
    sql`insert into webhook_deliveries (webhook_id, event, action, thing_id, media_id, actor_id)
      select webhooks.id, ${sql.lit(event)}, ${sql.lit(action)}, ${sql.ref(thing)}, reviews.media_id, new.user_id
      from reviews join webhooks on webhooks.user_id = reviews.user_id
      where reviews.id = new.review_id and reviews.user_id <> new.user_id and ${wants(sql.lit(event))} ${locked};`
  await onRow(db, 'comments', 'deliver_comments', sql`after insert`, ofReview('comment', 'created', 'new.id'))
  await onRow(
    db,
    'reactions',
    'deliver_reactions_insert',
    sql`after insert`,
    ofReview('reaction', 'created', 'new.review_id'),
  )
  await onRow(
    db,
    'reactions',
    'deliver_reactions_update',
    sql`after update of reaction`,
    ofReview('reaction', 'updated', 'new.review_id'),
    sql`old.reaction <> new.reaction`,
  )
}

async function onRow(
  // oxlint-disable-next-line no-explicit-any -- see above
  db: Kysely<any>,
  table: string,
  name: string,
  event: RawBuilder<unknown>,
  statement: RawBuilder<unknown>,
  condition?: RawBuilder<unknown>,
): Promise<void> {
  const trigger = sql`create trigger ${sql.ref(name)} ${event} on ${sql.table(table)}`
  if (isSqlite(db)) {
    const when = condition ? sql`when ${condition}` : sql``
    await sql`${trigger} ${when} begin ${statement} end`.execute(db)
    return
  }
  await sql`create function ${sql.ref(name)}() returns trigger language plpgsql as $$ begin
    ${statement}
    return null; end $$`.execute(db)
  const when = condition ? sql`when (${condition})` : sql``
  await sql`${trigger} for each row ${when} execute function ${sql.ref(name)}()`.execute(db)
}
