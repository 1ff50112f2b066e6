import type { Db } from '#server/db/open.ts'
import type { FoundTitle } from './sources/source.ts'
import { mergeFound, titleRowOf } from './sources/title-row.ts'
import { insertExternalIds, lockByExternalIds } from './external-ids-store.ts'
import { saveNames } from './names.ts'
import { saveParts } from './parts.ts'
import { insertTitle, lockTitle, updateTitle } from './store.ts'

/** Updates the title with one of its external ids, or with the id `into`. */
export async function saveTitle(
  db: Db,
  title: FoundTitle,
  now: Date,
  into?: number,
): Promise<{ id: number; isNew: boolean }> {
  const row = titleRowOf(title, title.source, now)
  return db.transaction().execute(async (trx) => {
    const known = into === undefined ? await lockByExternalIds(trx, title) : await lockTitle(trx, into)
    const id = known?.id ?? (await insertTitle(trx, row))
    // The starter catalogue never overwrites a real source.
    if (known && title.source !== 'starter') await updateTitle(trx, id, mergeFound(known, row))
    await insertExternalIds(
      trx,
      title.ids.map((each) => ({ ...each, media_id: id })),
    )
    if (title.names) await saveNames(trx, id, title.source, title.names, title.hasOtherNames)
    if (title.parts) await saveParts(trx, { id, kind: title.kind }, title.parts, title.source)
    return { id, isNew: !known }
  })
}
