import { type Kysely, sql } from 'kysely'
import { unpack } from '#server/db/packed.ts'

/** The journal of imports has the lists and follows that they created and the settings that they changed, too. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const changes = db.schema.alterTable('import_changes')
  await changes.alterColumn('media_id', (column) => column.dropNotNull()).execute()

  const lists = await db
    .selectFrom('import_lists')
    .innerJoin('imports', 'imports.id', 'import_lists.import_id')
    .select(['import_lists.id', 'import_id', 'user_id', 'list_id', 'settings'])
    .where('import_lists.state', '=', 'taken')
    .where('list_id', 'is not', null)
    .execute()
  for (const { id, settings, list_id, ...owner } of lists) {
    const { name, description, isRanked, visibility, tags } = JSON.parse(unpack(settings))
    const columns = { title: name, description, is_ranked: Number(isRanked), visibility }
    const after = JSON.stringify({ ...columns, tags: JSON.stringify(tags) })
    // A list is created before its titles are added, and is reverted after them.
    await db
      .insertInto('import_changes')
      .values({ ...owner, id: -id, what: 'list', target_id: list_id, after })
      .execute()
  }

  await sql`insert into import_changes (import_id, user_id, what, target_id, after)
    select import_id, user_id, 'follow', followee_id, '{"created_at":"' || import_follows.created_at || '"}'
    from import_follows join imports on imports.id = import_follows.import_id order by import_follows.id`.execute(
    db,
  )
  await db.schema.dropTable('import_follows').execute()

  const imports = db.selectFrom('imports').select(['id', 'user_id', 'facts'])
  for (const { id, user_id, facts } of await imports.where('facts', 'like', '%"lineId"%').execute()) {
    const { settings, ...others } = JSON.parse(facts)
    if (!settings) continue
    const [before, after] = [settings.before, settings.written].map((each) =>
      JSON.stringify({ settings: each }),
    )
    const change = { import_id: id, user_id, what: 'settings', target_id: user_id, before, after }
    await db.insertInto('import_changes').values(change).execute()
    await db
      .updateTable('imports')
      .set({ facts: JSON.stringify(others) })
      .where('id', '=', id)
      .execute()
  }
}
