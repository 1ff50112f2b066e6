import { shortRows } from '#server/db/pages.ts'
import { counterOf } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import { exportPart, type Feature } from '#server/feature.ts'
import { withPreviews } from './access.ts'
import { disownItems, selectExportedItems } from './items-store.ts'
import { listLikedBy, setLike } from './members-store.ts'
import {
  findLastListId,
  listPublicBetween,
  lockList,
  readLists,
  removeOneListOf,
  selectExportedFrom,
  selectExportedLists,
} from './store.ts'
import { titleRows } from './title-rows.ts'

export const lists: Feature = {
  export: {
    lists: exportPart(
      selectExportedLists,
      ['id'],
      (row) => ({
        ref: row.id,
        name: row.title,
        description: row.description,
        isRanked: row.is_ranked === 1,
        visibility: row.visibility,
        tags: JSON.parse(row.tags) as string[],
        createdAt: row.created_at,
        updatedAt: row.updated_at,
      }),
      {
        sheet: {
          file: 'lists.csv',
          description: 'Your lists. Their titles are in list-titles.csv.',
          headings: { ref: null, isRanked: 'Ranked' },
        },
      },
    ),
    listItems: exportPart(
      selectExportedItems,
      ['list_items.list_id', 'list_items.place', 'list_items.media_id'],
      (row) => ({
        list: row.list_id,
        listName: row.list_name,
        title: row.media_id,
        note: row.note,
        addedAt: row.added_at,
      }),
      {
        size: shortRows,
        sheet: {
          file: 'list-titles.csv',
          description: 'The titles of your lists, in order.',
          headings: { list: null },
        },
      },
    ),
    likedLists: exportedFrom('list_likes', 'liked-lists.csv', 'The lists that you like.'),
    followedLists: exportedFrom('list_follows', 'followed-lists.csv', 'The lists that you follow.'),
    editedLists: exportedFrom('list_editors', 'edited-lists.csv', 'The lists of others that you edit.'),
  },
  deletion: [
    { table: 'lists', remove: removeOneListOf },
    { table: 'list_items', owner: 'added_by', remove: disownItems },
    { table: 'list_likes', remove: removeLikes },
    { table: 'list_follows' },
    { table: 'list_editors' },
  ],
  counters: [
    counterOf('lists', 'item_count', 'list_items i where i.list_id = lists.id'),
    counterOf('lists', 'like_count', 'list_likes l where l.list_id = lists.id'),
  ],
  titles: titleRows,
  changes: {
    async list(db, _userId, ids) {
      const shown = await withPreviews(db, await readLists(db, ids, 0))
      return shown.map((list) => [list.id, { list }])
    },
  },
  sitemap: {
    prefix: 'lists-',
    findLastId: findLastListId,
    listPaths: async (db, first, last) =>
      (await listPublicBetween(db, first, last)).map((id) => `/list/${id}`),
  },
}

function exportedFrom(table: Parameters<typeof selectExportedFrom>[1], file: string, description: string) {
  return exportPart(
    (db, userId) => selectExportedFrom(db, table, userId),
    [`${table}.list_id`],
    (row) => ({ id: row.list_id, name: row.title, owner: row.username, createdAt: row.at }),
    { sheet: { file, description, headings: { id: null, createdAt: 'At' } } },
  )
}

/** Each in its own transaction, because it locks the list. */
async function removeLikes(db: Db, userId: number, limit: number): Promise<number> {
  const ids = await listLikedBy(db, userId, limit)
  for (const id of ids)
    await db.transaction().execute(async (trx) => {
      await lockList(trx, id)
      await setLike(trx, { list_id: id, user_id: userId }, null)
    })
  return ids.length
}
