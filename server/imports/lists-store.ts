import type { ImportListState } from '#shared/imports.ts'
import { insertMany, isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { countRows } from '#server/db/rows.ts'
import type { ImportListRow, ListRow } from '#server/db/tables.ts'

/** Lists the lists of an import, in the order of the file; those with these keys, if given. */
export async function listImportLists(db: Db, importId: number, keys?: readonly string[]) {
  return db
    .selectFrom('import_lists')
    .selectAll()
    .where('import_id', '=', importId)
    .$if(keys !== undefined, (query) => query.where('list_key', 'in', keys!))
    .orderBy('id')
    .execute()
}

/** Returns the lists with these keys; creates those that the import does not have yet, up to `max` in all, and returns those rows too. */
export async function ensureImportLists<Row extends Pick<ImportListRow, 'list_key' | 'name' | 'settings'>>(
  db: Db,
  importId: number,
  lists: readonly Row[],
  max: number,
): Promise<{ ids: Map<string, ImportListRow>; created: Row[]; refused: number }> {
  const keys = lists.map(({ list_key }) => list_key)
  const find = async () =>
    new Map((await listImportLists(db, importId, keys)).map((row) => [row.list_key, row]))
  const known = await find()
  const missing = lists.filter(({ list_key }) => !known.has(list_key))
  if (missing.length === 0) return { ids: known, created: [], refused: 0 }
  const all = await countRows(db.selectFrom('import_lists').where('import_id', '=', importId))
  const created = missing.slice(0, Math.max(0, max - all))
  const row = { import_id: importId, state: 'left' satisfies ImportListState }
  await insertMany(
    db,
    'import_lists',
    created.map((list) => ({ ...row, ...list })),
  )
  return { ids: await find(), created, refused: missing.length - created.length }
}

type ListUpdate = Partial<Omit<ImportListRow, 'id' | 'import_id' | 'list_key'>>

export async function updateImportList(db: Db, id: number, values: ListUpdate): Promise<void> {
  await db.updateTable('import_lists').set(values).where('id', '=', id).execute()
}

export async function countTitlesOfList(db: Db, id: number, by: number): Promise<void> {
  const lists = db.updateTable('import_lists').set((eb) => ({ item_count: eb('item_count', '+', by) }))
  await lists.where('id', '=', id).execute()
}

/** Forgets how many titles the lists of an import have. */
export async function resetTitleCounts(db: Db, importId: number): Promise<void> {
  await db.updateTable('import_lists').set({ item_count: 0 }).where('import_id', '=', importId).execute()
}

/** Lists what other imports of the member from the same service have made of these lists, and all that they have created, the oldest first. */
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

/** Returns the next list that the import has not begun to apply. */
export async function findUnappliedList(db: Db, importId: number) {
  const lists = db.selectFrom('import_lists').selectAll().where('import_id', '=', importId)
  const unapplied = lists.where('state', 'in', ['new', 'same']).where('first_place', 'is', null)
  return unapplied.orderBy('id').limit(1).executeTakeFirst()
}

type CreatedList = Pick<ImportListRow, 'id' | 'settings' | 'line_id'> & { list: ListRow | null }

/** Lists what an import has created, the last first, with the list as it is now; null if it is gone. */
export async function listCreatedLists(db: Db, importId: number, limit: number): Promise<CreatedList[]> {
  const taken = db.selectFrom('import_lists').where('import_id', '=', importId).where('state', '=', 'taken')
  const last = taken.select(['id', 'settings', 'line_id', 'list_id']).orderBy('id', 'desc')
  const created = await last.limit(limit).execute()
  const ids = created.flatMap(({ list_id }) => list_id ?? [])
  const lists = db.selectFrom('lists').selectAll()
  const rows = await lists.where(isOneOf(db, 'id', ids)).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return created.map(({ list_id, ...one }) => ({ ...one, list: byId.get(list_id ?? 0) ?? null }))
}
