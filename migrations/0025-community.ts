import { type Kysely, sql } from 'kysely'
import { idColumn, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/** Roles, the settings of the site, invites and applications, the audit log. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  const users = db.schema.alterTable('users')
  await users.addColumn('role', 'text', (c) => c.notNull().defaultTo('member')).execute()
  await users.addColumn('pending_since', 'text').execute()
  await users.addColumn('signup_reason', 'text').execute()
  await users.addColumn('invited_by', id, (c) => c.references('users.id').onDelete('set null')).execute()
  await users.addColumn('seen_on', 'text').execute()
  await db.schema
    .createIndex('users_role')
    .on('users')
    .columns(['role', 'id'])
    .where(sql.ref('role'), '<>', sql.lit('member'))
    .execute()
  await db.schema
    .createIndex('users_pending')
    .on('users')
    .column('pending_since')
    .where(sql.ref('pending_since'), 'is not', null)
    .execute()
  // The deletion of an account looks the column up.
  await db.schema
    .createIndex('users_invited_by')
    .on('users')
    .column('invited_by')
    .where(sql.ref('invited_by'), 'is not', null)
    .execute()
  // The numbers per day.
  await db.schema.createIndex('users_created').on('users').columns(['created_at', 'verified_at']).execute()
  await sql`create index reviews_created on reviews (created_at, (text <> ''))`.execute(db)
  await db.schema
    .createTable('active_counts')
    .addColumn('day', 'text', (c) => c.primaryKey().notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()

  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('setup_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()

  await db.schema
    .createTable('invites')
    .addColumn('id', idColumn(db))
    .addColumn('code', 'text', (c) => c.notNull().unique())
    .addColumn('created_by', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('max_uses', 'integer', (c) => c.notNull())
    .addColumn('uses', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('invites_creator').on('invites').columns(['created_by', 'id']).execute()

  await addAudit(db)
}

// oxlint-disable-next-line no-explicit-any -- see above
async function addAudit(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('audit')
    .addColumn('id', idColumn(db))
    // Neither the actor nor the target is a foreign key: entries outlive accounts.
    .addColumn('actor_id', id)
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('target_type', 'text', (c) => c.notNull())
    .addColumn('target_id', id)
    .addColumn('target', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('reason', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'id']).execute()
  await db.schema.createIndex('audit_action').on('audit').columns(['action', 'id']).execute()
  await db.schema
    .createIndex('audit_target')
    .on('audit')
    .columns(['target_type', 'target_id', 'id'])
    .execute()
  if (isSqlite(db)) {
    const refuse = sql`begin select raise(abort, 'the audit log is append-only'); end`
    await sql`create trigger audit_update before update on audit ${refuse}`.execute(db)
    await sql`create trigger audit_delete before delete on audit ${refuse}`.execute(db)
    // "insert or replace" removes a row without the trigger of a deletion.
    await sql`create trigger audit_replace before insert on audit
      when exists (select 1 from audit where id = new.id) ${refuse}`.execute(db)
    return
  }
  await sql`create function audit_refuse() returns trigger language plpgsql as $$ begin
    raise exception 'the audit log is append-only'; end $$`.execute(db)
  await sql`create trigger audit_rows before update or delete on audit
    for each row execute function audit_refuse()`.execute(db)
  await sql`create trigger audit_truncate before truncate on audit
    for each statement execute function audit_refuse()`.execute(db)
}
