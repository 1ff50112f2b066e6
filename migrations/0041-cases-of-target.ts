import { type Kysely, sql } from 'kysely'

/** Finds the cases about what an entry of the audit log names. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index cases_target on cases (target_type, target_id)`.execute(db)
}
