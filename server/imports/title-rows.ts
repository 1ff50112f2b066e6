import { sql } from 'kysely'
import { removeInParts, updateInParts } from '#server/db/rows.ts'
import type { TitleRows } from '#server/feature.ts'

/** That an import created the title stays with the title, so that its undo removes no other one. */
export const titleRows: TitleRows = {
  tables: ['import_titles', 'import_keys', 'import_changes', 'past_writes'],
  async move(trx, from, to) {
    const isOf = sql`media_id = ${from}`
    await updateInParts(trx, 'import_titles', sql`media_id = ${to}`, isOf)
    await updateInParts(trx, 'import_keys', sql`media_id = ${to}`, isOf)
    const target = sql`case what when 'favorite' then ${to} else target_id end`
    const isMoved = sql`${isOf} and what <> 'title'`
    for (const table of ['import_changes', 'past_writes'] as const)
      await updateInParts(trx, table, sql`media_id = ${to}, target_id = ${target}`, isMoved)
  },
  async remove(trx, id) {
    await updateInParts(trx, 'import_titles', sql`media_id = null`, sql`media_id = ${id}`)
    for (const table of ['import_keys', 'import_changes', 'past_writes'] as const)
      await removeInParts(trx, table, sql`media_id = ${id}`)
  },
}
