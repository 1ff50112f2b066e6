import { sql } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { countRows } from '#server/db/rows.ts'
import { enqueue } from '#server/db/tasks.ts'
import { cardColumns, type CardRow } from '#server/titles/tables.ts'
import type { ListItemRow } from './tables.ts'
import { isTitleShown, maySeeEditor } from '#server/members/visibility.ts'

export type ShownItemRow = CardRow &
  Pick<ListItemRow, 'place' | 'note' | 'added_at' | 'added_by'> & {
    position: number
    adder_name: string | null
    adder_picture: string | null
  }

type Listing = {
  listId: number
  /** 0 for a visitor; decides who sees who added a title. */
  viewerId: number
  kind?: Kind | undefined
  after?: { place: string; titleId: number } | undefined
  limit: number
}

export async function listItems(
  db: Db,
  { listId, viewerId, kind, after, limit }: Listing,
): Promise<ShownItemRow[]> {
  const own = db.selectFrom('list_items').where('list_id', '=', listId)
  const inOrder = own.select(['media_id', 'place']).orderBy('place').orderBy('media_id')
  const page = await inOrder
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .$if(after !== undefined, (query) =>
      query
        .where('place', '>=', after!.place)
        .where((eb) => eb.or([eb('place', '>', after!.place), eb('media_id', '>', after!.titleId)])),
    )
    .limit(limit)
    .execute()
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) return []
  // Titles of all kinds are numbered. Only the index is read for titles before the page.
  const isStart = kind === undefined && after === undefined
  const position = isStart ? 1 : await countUpTo(db, listId, { place: first.place, titleId: first.media_id })
  const numbered =
    kind === undefined
      ? page
      : await inOrder.where('place', '>=', first.place).where('place', '<=', last.place).execute()
  const ids = numbered.map(({ media_id }) => media_id)
  const before = position - Math.max(0, ids.indexOf(first.media_id))
  const positions = new Map(ids.map((id, at) => [id, before + at]))
  return readItems(
    db,
    listId,
    viewerId,
    // A title that was moved in the meantime may be missing.
    page.map(({ media_id }) => ({ media_id, position: positions.get(media_id) ?? position })),
  )
}

async function countUpTo(
  db: Db,
  listId: number,
  { place, titleId }: NonNullable<Listing['after']>,
): Promise<number> {
  return countRows(
    db
      .selectFrom('list_items')
      .where('list_id', '=', listId)
      .where('place', '<=', place)
      .where((eb) => eb.or([eb('place', '<', place), eb('media_id', '<=', titleId)])),
  )
}

async function readItems(
  db: Db,
  listId: number,
  viewerId: number,
  page: readonly { media_id: number; position: number }[],
): Promise<ShownItemRow[]> {
  if (page.length === 0) return []
  const rows = await itemsQuery(db, listId, viewerId, pluck(page, 'media_id'))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return page.flatMap(({ media_id, position }) => {
    const row = byId.get(media_id)
    return row ? [{ ...row, position: Number(position) }] : []
  })
}

/** Newest first, as visitors see them. */
export async function listNewestItems(db: Db, listId: number, limit: number): Promise<ShownItemRow[]> {
  const rows = await db
    .selectFrom('list_items')
    .select(['media_id', sql.lit(0).as('position')])
    .where('list_id', '=', listId)
    .orderBy('added_at', 'desc')
    .orderBy('media_id', 'desc')
    .limit(limit)
    .execute()
  return readItems(db, listId, 0, rows)
}

const itemsQuery = prepareQuery((db, listId: number, viewerId: number, ids: readonly number[]) =>
  db
    .selectFrom('list_items')
    .innerJoin('media', 'media.id', 'list_items.media_id')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'list_items.added_by').on(maySeeEditor(viewerId, 'list_items.list_id')),
    )
    .select(cardColumns)
    .select([
      'list_items.place',
      'list_items.note',
      'list_items.added_at',
      'users.id as added_by',
      'users.username as adder_name',
      'users.picture as adder_picture',
    ])
    .where('list_items.list_id', '=', listId)
    .where(isOneOf(db, 'list_items.media_id', ids))
    .where(isTitleShown),
)

export async function findItem(
  db: Db,
  listId: number,
  titleId: number,
  viewerId: number,
): Promise<ShownItemRow | undefined> {
  const item = await db
    .selectFrom('list_items')
    .select(['place'])
    .where('list_id', '=', listId)
    .where('media_id', '=', titleId)
    .executeTakeFirst()
  if (!item) return undefined
  const position = await countUpTo(db, listId, { place: item.place, titleId })
  return (await readItems(db, listId, viewerId, [{ media_id: titleId, position }]))[0]
}

export async function countItems(db: Db, listId: number, kind: Kind): Promise<number> {
  return countRows(db.selectFrom('list_items').where('list_id', '=', listId).where('kind', '=', kind))
}

export async function listItemsAmong(db: Db, listId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('list_items')
    .select('media_id')
    .where('list_id', '=', listId)
    .where(isOneOf(db, 'media_id', ids))
    .execute()
  return rows.map(({ media_id }) => media_id)
}

export async function listListsAmong(db: Db, ids: readonly number[], titleId: number): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('list_items')
    .select('list_id')
    .where('media_id', '=', titleId)
    .where(isOneOf(db, 'list_id', ids))
    .execute()
  return rows.map(({ list_id }) => list_id)
}

export async function listKinds(db: Db, ids: readonly number[]): Promise<{ id: number; kind: Kind }[]> {
  return db
    .selectFrom('media')
    .select(['id', 'kind'])
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown)
    .execute()
}

function placesOf(trx: Db, listId: number, without: readonly number[]) {
  return trx
    .selectFrom('list_items')
    .select('place')
    .where('list_id', '=', listId)
    .$if(without.length > 0, (query) =>
      query.where(sql<boolean>`not (${isOneOf(trx, 'media_id', without, true)})`),
    )
}

/** Before a position and at it, not counting `without`; null beyond an end. The list must be locked. */
export async function findPlaces(
  trx: Db,
  listId: number,
  position: number,
  without: readonly number[],
): Promise<{ before: string | null; after: string | null }> {
  const rows = await placesOf(trx, listId, without)
    .orderBy('place')
    .orderBy('media_id')
    .limit(position === 1 ? 1 : 2)
    .offset(Math.max(0, position - 2))
    .execute()
  const places = rows.map(({ place }) => place)
  if (position === 1) return { before: null, after: places[0] ?? null }
  if (places.length === 0) return { before: await findLastPlace(trx, listId, without), after: null }
  return { before: places[0]!, after: places[1] ?? null }
}

export async function findLastPlace(
  trx: Db,
  listId: number,
  without: readonly number[],
): Promise<string | null> {
  const row = await placesOf(trx, listId, without)
    .orderBy('place', 'desc')
    .orderBy('media_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.place ?? null
}

/** Counts the titles too. The list must be locked and have none of them. */
export async function insertItems(
  trx: Db,
  listId: number,
  items: readonly Omit<ListItemRow, 'list_id'>[],
): Promise<void> {
  await insertMany(
    trx,
    'list_items',
    items.map((item) => ({ list_id: listId, ...item })),
  )
  await addToItemCount(trx, listId, items.length)
}

export async function updateNote(trx: Db, listId: number, titleId: number, note: string): Promise<void> {
  await trx
    .updateTable('list_items')
    .set({ note })
    .where('list_id', '=', listId)
    .where('media_id', '=', titleId)
    .execute()
}

export async function removeItems(trx: Db, listId: number, ids: readonly number[]): Promise<number[]> {
  const removed = await trx
    .deleteFrom('list_items')
    .where('list_id', '=', listId)
    .where(isOneOf(trx, 'media_id', ids))
    .returning('media_id')
    .execute()
  await addToItemCount(trx, listId, -removed.length)
  return removed.map(({ media_id }) => media_id)
}

export async function listItemsOfTitle(
  db: Db,
  titleId: number,
  limit: number,
  listIds?: readonly number[],
): Promise<Pick<ListItemRow, 'list_id' | 'note'>[]> {
  return db
    .selectFrom('list_items')
    .select(['list_id', 'note'])
    .where('media_id', '=', titleId)
    .$if(listIds !== undefined, (query) => query.where(isOneOf(db, 'list_id', listIds!)))
    .orderBy('list_id')
    .limit(limit)
    .execute()
}

export async function moveItems(
  trx: Db,
  from: number,
  to: number,
  listIds: readonly number[],
): Promise<void> {
  const items = trx.updateTable('list_items').set({ media_id: to }).where('media_id', '=', from)
  await items.where(isOneOf(trx, 'list_id', listIds)).execute()
}

async function addToItemCount(trx: Db, listId: number, by: number): Promise<void> {
  if (by === 0) return
  await trx
    .updateTable('lists')
    .set((eb) => ({ item_count: eb('item_count', '+', by) }))
    .where('id', '=', listId)
    .execute()
}

/** Without removed titles. With `notesOf`, also the notes of titles that this member added. */
export async function copyItems(
  trx: Db,
  from: number,
  to: number,
  { addedBy, addedAt, notesOf = null }: { addedBy: number; addedAt: string; notesOf?: number | null },
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('list_items')
    .columns(['list_id', 'media_id', 'kind', 'place', 'note', 'added_by', 'added_at'])
    .expression(
      trx
        .selectFrom('list_items')
        .innerJoin('media', 'media.id', 'list_items.media_id')
        .select((eb) => [
          eb.val(to).as('list_id'),
          'list_items.media_id',
          'list_items.kind',
          'list_items.place',
          notesOf === null
            ? eb.val('').as('note')
            : eb.case().when('added_by', '=', notesOf).then(eb.ref('note')).else('').end().as('note'),
          eb.val(addedBy).as('added_by'),
          eb.val(addedAt).as('added_at'),
        ])
        .where('list_id', '=', from)
        .where(isTitleShown),
    )
    .executeTakeFirst()
  await addToItemCount(trx, to, Number(numInsertedOrUpdatedRows ?? 0))
}

export async function listOrder(trx: Db, listId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('list_items')
    .select('media_id')
    .where('list_id', '=', listId)
    .orderBy('place')
    .orderBy('media_id')
    .execute()
  return rows.map(({ media_id }) => media_id)
}

export async function updatePlaces(
  trx: Db,
  listId: number,
  ids: readonly number[],
  places: readonly string[],
): Promise<void> {
  // With a constant, SQLite would read the whole list.
  const json = JSON.stringify(ids.map((id, at) => ({ list: listId, id, place: places[at] })))
  const rows = isSqlite(trx)
    ? sql`(select value ->> 'list' as list, value ->> 'id' as id, value ->> 'place' as place
        from json_each(${json})) as changed`
    : sql`json_to_recordset(${json}::json) as changed (list bigint, id bigint, place text)`
  await sql`update list_items set place = changed.place from ${rows}
    where list_items.list_id = changed.list and list_items.media_id = changed.id`.execute(trx)
}

export async function enqueueRebalancing(trx: Db, listId: number, now: Date): Promise<void> {
  const key = String(listId)
  await enqueue(trx, { queue: 'lists', key, owner: key }, now)
}

export function selectExportedItems(db: Db, userId: number) {
  return db
    .selectFrom('lists')
    .innerJoin('list_items', 'list_items.list_id', 'lists.id')
    .select([
      'list_items.list_id',
      'lists.title as list_name',
      'list_items.media_id',
      'list_items.place',
      'list_items.note',
      'list_items.added_at',
    ])
    .where('lists.user_id', '=', userId)
}

/** Titles added to the lists of others. Returns the number of rows. */
export async function disownItems(db: Db, userId: number, limit: number): Promise<number> {
  const { rows } = await sql<object>`update list_items set added_by = null
    where added_by = ${userId} and (list_id, media_id) in
      (select list_id, media_id from list_items where added_by = ${userId} limit ${limit})
    returning 1 as one`.execute(db)
  return rows.length
}
