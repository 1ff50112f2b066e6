import { type Kysely, sql } from 'kysely'

/** What matching works on has other names. */
const matches = { lines: 'lines', plans: 'titles', lookup: 'sources', join: 'same' }

/** Columns and facts of imports are named as in the code: a title has a record and a change. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('import_titles').renameColumn('plan', 'record').execute()
  await db.schema.alterTable('import_titles').renameColumn('verdict', 'change').execute()
  // Within a text of JSON, quotes are escaped.
  for (const [step, name] of Object.entries(matches))
    await sql`update imports set facts = replace(facts, ${`"step":"${step}"`}, ${`"matches":"${name}"`})`.execute(
      db,
    )
}
