import { type Kysely, sql } from 'kysely'

/** Logins with providers: the session that a provider has begun, and the role of a member without the groups of a provider. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const name of ['provider', 'provider_subject', 'provider_sid'])
    await db.schema.alterTable('sessions').addColumn(name, 'text').execute()
  for (const name of ['provider_subject', 'provider_sid'])
    await db.schema
      .createIndex(`sessions_${name}`)
      .on('sessions')
      .column(name)
      .where(sql.ref(name), 'is not', null)
      .execute()
  await db.schema.alterTable('users').addColumn('own_role', 'text').execute()
}
