import type { Feature } from '#server/feature.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { rollups } from './rollups.ts'
import { disownTitles, findLastTitleId, listTitlesBetween } from './store.ts'
import { titleRows } from './title-rows.ts'

export const titles: Feature = {
  deletion: [{ table: 'media', owner: 'created_by', remove: disownTitles }],
  rollups,
  titles: titleRows,
  sitemap: {
    prefix: '',
    findLastId: findLastTitleId,
    listPaths: async (db, first, last) =>
      (await listTitlesBetween(db, first, last)).map(({ id, kind }) => `/${kinds[kind].path}/${id}`),
  },
}
