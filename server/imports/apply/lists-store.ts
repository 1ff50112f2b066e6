import type { Db } from '#server/db/open.ts'
import type { ImportListRow } from '#server/imports/tables.ts'

export async function listImportLists(db: Db, importId: number, keys?: readonly string[]) {
  return db
    .selectFrom('import_lists')
    .selectAll()
    .where('import_id', '=', importId)
    .$if(keys !== undefined, (query) => query.where('list_key', 'in', keys!))
    .orderBy('id')
    .execute()
}

export async function insertImportList(
  db: Db,
  list: Pick<ImportListRow, 'import_id' | 'list_key' | 'name' | 'settings' | 'line_id' | 'item_count'>,
): Promise<void> {
  const row = { ...list, state: 'left' as const }
  await db.insertInto('import_lists').values(row).execute()
}

type ListUpdate = Partial<Omit<ImportListRow, 'id' | 'import_id' | 'list_key'>>

export async function updateImportList(db: Db, id: number, values: ListUpdate): Promise<void> {
  await db.updateTable('import_lists').set(values).where('id', '=', id).execute()
}

export async function resetTitleCounts(db: Db, importId: number): Promise<void> {
  await db.updateTable('import_lists').set({ item_count: 0 }).where('import_id', '=', importId).execute()
}

/** By other imports of the same service, the oldest first: what they made of these lists, and all that they created. */
export async function listEarlierLists(db: Db, importId: number, keys: readonly string[]) {
  return db
    .selectFrom('imports as own')
    .innerJoin('imports', (join) =>
      join
        .onRef('imports.user_id', '=', 'own.user_id')
        .onRef('imports.service', '=', 'own.service')
        .onRef('imports.id', '<>', 'own.id'),
    )
    .innerJoin('import_lists', 'import_lists.import_id', 'imports.id')
    .select(['list_key', 'list_id', 'import_lists.state'])
    .where('own.id', '=', importId)
    .where((eb) =>
      eb.or([
        eb('list_key', 'in', keys),
        eb.and([eb('import_lists.state', '=', 'taken'), eb('list_id', 'is not', null)]),
      ]),
    )
    .orderBy('import_lists.id')
    .execute()
}

export async function findUnappliedList(db: Db, importId: number) {
  const lists = db.selectFrom('import_lists').selectAll().where('import_id', '=', importId)
  const unapplied = lists.where('state', 'in', ['new', 'same']).where('first_place', 'is', null)
  return unapplied.orderBy('id').limit(1).executeTakeFirst()
}

export async function leaveLists(db: Db, importId: number): Promise<void> {
  const values = { state: 'left' as const, list_id: null, first_place: null }
  const lists = db.updateTable('import_lists').set(values).where('import_id', '=', importId)
  await lists.where('state', '=', 'taken').execute()
}
