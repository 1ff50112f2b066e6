import { sql } from 'kysely'
import type { TitleRows } from '#server/feature.ts'
import { removeInParts, updateInParts } from '#server/db/rows.ts'
import { moveNames } from './names.ts'
import { moveParts } from './parts-store.ts'
import { moveStories } from './store.ts'

const removed = [
  'external_ids',
  'story_titles',
  'parts',
  'part_checks',
  'announced_seasons',
  'title_names',
] as const

/** Facets are computed from the title’s own row. */
export const titleRows: TitleRows = {
  tables: ['title_facets', ...removed],
  async move(trx, from, to) {
    await updateInParts(trx, 'external_ids', sql`media_id = ${to}`, sql`media_id = ${from}`)
    await moveStories(trx, from, to)
    await moveParts(trx, from, to)
    for (const table of ['part_checks', 'announced_seasons'] as const)
      await removeInParts(trx, table, sql`media_id = ${from}`)
    await moveNames(trx, from, to)
  },
  async remove(trx, id) {
    for (const table of removed) await removeInParts(trx, table, sql`media_id = ${id}`)
  },
}
