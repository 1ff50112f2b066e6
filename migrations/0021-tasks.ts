import { type Kysely, sql } from 'kysely'
import { bytewise, idColumn, isSqlite, setLastId, tableEnd } from '#server/db/dialect.ts'

/**
 * Background work of all kinds waits in one table. Moves there the emails to send, the deliveries and imports that are due, and the
 * accounts to delete.
 */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const text = bytewise(db) as never
  await db.schema
    .createTable('tasks')
    .addColumn('id', idColumn(db))
    .addColumn('queue', text, (c) => c.notNull())
    .addColumn('key', text)
    .addColumn('owner', text, (c) => c.notNull().defaultTo('server'))
    .addColumn('priority', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('payload', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .addColumn('first_due_at', 'text', (c) => c.notNull())
    .addColumn('claim', 'text')
    .modifyEnd(tableEnd(db))
    .execute()

  const into = sql`insert into tasks (id, queue, owner, payload, attempts, due_at, first_due_at)`
  await sql`${into} select id, 'mail', recipient, message, attempts, next_attempt_at, created_at
    from outbox where sent_at is null`.execute(db)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from tasks`.execute(db)
  await setLastId(db, 'tasks', Number(rows[0]!.last))
  const keyed = sql`insert into tasks (queue, key, owner, attempts, due_at, first_due_at)`
  const asText = (column: string) => sql`cast(${sql.ref(column)} as text)`
  await sql`${keyed} select 'webhooks', ${asText('id')}, ${asText('webhook_id')}, attempts, next_attempt_at, created_at
    from webhook_deliveries where next_attempt_at is not null`.execute(db)
  await sql`${keyed} select 'imports', ${asText('id')}, ${asText('user_id')}, 0, next_at, next_at
    from imports where next_at is not null`.execute(db)
  await sql`${keyed} select 'deletions', ${asText('id')}, ${asText('id')}, 0, deletion_at, deletion_at
    from users where deletion_at is not null`.execute(db)
  await db.schema.createIndex('tasks_key').unique().on('tasks').columns(['queue', 'key']).execute()
  await db.schema
    .createIndex('tasks_due')
    .on('tasks')
    .columns(['queue', 'priority', 'owner', 'due_at', 'id'])
    .where(sql<boolean>`due_at is not null`)
    .execute()
  await db.schema.createIndex('tasks_owner').on('tasks').columns(['queue', 'owner']).execute()

  await db.schema.dropTable('outbox').execute()
  for (const index of ['imports_due', 'webhook_deliveries_due', 'webhook_deliveries_waiting'])
    await db.schema.dropIndex(index).execute()
  await db.schema.alterTable('imports').dropColumn('lease_until').execute()
  await countTasks(db)
  await addTriggers(db)
}

/** Lets the triggers that write deliveries count the tasks of a webhook instead of its deliveries that wait. */
// oxlint-disable-next-line no-explicit-any -- see above
async function countTasks(db: Kysely<any>): Promise<void> {
  const triggers = isSqlite(db)
    ? sql<{ name: string; definition: string }>`select name, sql as definition from sqlite_master
        where type = 'trigger' and name like 'deliver%'`
    : sql<{ name: string; definition: string }>`select proname as name, pg_get_functiondef(oid) as definition
        from pg_proc where pronamespace = current_schema::regnamespace and proname like 'deliver%'`
  const { rows } = await triggers.execute(db)
  if (isSqlite(db)) for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(db)
  await db.schema.alterTable('webhook_deliveries').dropColumn('next_attempt_at').execute()
  for (const { name, definition } of rows) {
    const changed = definition.replace(
      /from webhook_deliveries where webhook_id = webhooks\.id\s+and next_attempt_at is not null/,
      `from tasks where queue = 'webhooks' and owner = cast(webhooks.id as text)`,
    )
    if (changed === definition) throw new Error(`The trigger ${name} is not as expected.`)
    await sql.raw(changed).execute(db)
  }
}

/** Adds a task for each delivery, and removes it with the delivery. */
// oxlint-disable-next-line no-explicit-any -- see above
async function addTriggers(db: Kysely<any>): Promise<void> {
  const onDelivery = async (name: string, event: string, statement: string) => {
    if (isSqlite(db))
      return sql
        .raw(`create trigger ${name} after ${event} on webhook_deliveries begin ${statement} end`)
        .execute(db)
    await sql
      .raw(
        `create function ${name}() returns trigger language plpgsql as $$ begin ${statement} return null; end $$`,
      )
      .execute(db)
    return sql
      .raw(
        `create trigger ${name} after ${event} on webhook_deliveries for each row execute function ${name}()`,
      )
      .execute(db)
  }
  const insert = `insert into tasks (queue, key, owner, due_at, first_due_at)
    values ('webhooks', cast(new.id as text), cast(new.webhook_id as text), new.created_at, new.created_at);`
  await onDelivery('deliver_tasks_insert', 'insert', insert)
  const remove = `delete from tasks where queue = 'webhooks' and key = cast(old.id as text);`
  await onDelivery('deliver_tasks_delete', 'delete', remove)
}
