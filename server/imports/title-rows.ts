import { sql } from 'kysely'
import { removeInParts, updateInParts } from '#server/db/rows.ts'
import type { TitleRows } from '#server/feature.ts'

/** That an import created the title stays with the title, so that its undo removes no other one. */
export const titleRows: TitleRows = {
  tables: ['import_titles', 'import_keys', 'import_changes'],
  async move(trx, from, to) {
    const isOf = sql`media_id = ${from}`
    await updateInParts(trx, 'import_titles', sql`media_id = ${to}`, isOf)
    await updateInParts(trx, 'import_keys', sql`media_id = ${to}`, isOf)
    const target = sql`case what when 'favorite' then ${to} else target_id end`
    const isMoved = sql`${isOf} and what <> 'title'`
    await updateInParts(trx, 'import_changes', sql`media_id = ${to}, target_id = ${target}`, isMoved)
  },
  async remove(trx, id) {
    await updateInParts(trx, 'import_titles', sql`media_id = null`, sql`media_id = ${id}`)
    for (const table of ['import_keys', 'import_changes'] as const)
      await removeInParts(trx, table, sql`media_id = ${id}`)
  },
}
