import { sql } from 'kysely'
import { partSize } from '#server/db/rows.ts'
import type { TitleRows } from '#server/feature.ts'
import { listItemsOfTitle, moveItems, removeItems, updateNote } from './items-store.ts'

/** If a list has both titles, the other one stays, with its note, or else with the note of the first. */
export const titleRows: TitleRows = {
  tables: ['list_items'],
  isUsed: (exceptUserId) => sql`exists (select 1 from list_items join lists on lists.id = list_items.list_id
    where list_items.media_id = media.id and lists.user_id <> ${exceptUserId})`,
  async move(trx, from, to) {
    for (;;) {
      const items = await listItemsOfTitle(trx, from, partSize)
      const listIds = items.map(({ list_id }) => list_id)
      const theirs = new Map(
        (await listItemsOfTitle(trx, to, partSize, listIds)).map((item) => [item.list_id, item]),
      )
      for (const { list_id, note } of items) {
        const other = theirs.get(list_id)
        if (!other) continue
        if (other.note === '' && note !== '') await updateNote(trx, list_id, to, note)
        await removeItems(trx, list_id, [from])
      }
      await moveItems(trx, from, to, listIds)
      if (items.length < partSize) return
    }
  },
  async remove(trx, id) {
    for (;;) {
      const items = await listItemsOfTitle(trx, id, partSize)
      for (const { list_id } of items) await removeItems(trx, list_id, [id])
      if (items.length < partSize) return
    }
  },
}
