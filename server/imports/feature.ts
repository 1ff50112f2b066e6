import { textOfNote } from '#shared/texts/import-notes.ts'
import type { Db } from '#server/db/open.ts'
import { unpack } from '#server/db/packed.ts'
import { pagesOf } from '#server/db/pages.ts'
import { exportPart, type Feature } from '#server/feature.ts'
import { notesColumn } from './read/formats/values.ts'
import { selectUnusedLines } from './read/lines-store.ts'
import * as store from './store.ts'
import { titleRows } from './title-rows.ts'

export const imports: Feature = {
  export: {
    imports: exportPart(store.selectExportedImports, ['id'], (row, db) => ({
      service: row.service,
      fileName: row.file_name,
      createdAt: row.created_at,
      appliedAt: row.applied_at,
      lines: unusedLinesOf(db, row.id),
    })),
  },
  deletion: [{ table: 'imports', remove: removeImports }, { table: 'import_keys' }, { table: 'past_writes' }],
  titles: titleRows,
}

async function* unusedLinesOf(db: Db, importId: number) {
  for await (const rows of pagesOf(selectUnusedLines(db, importId), ['id']))
    for (const { file, line, raw } of rows)
      yield { file, line, raw: withTexts(JSON.parse(unpack(raw)) as Record<string, string>) }
}

function withTexts(raw: Record<string, string>): Record<string, string> {
  const notes = raw[notesColumn]
  return notes ? { ...raw, [notesColumn]: notes.split('\n').map(textOfNote).join('\n') } : raw
}

/** Removes the import itself once it has no rows. */
async function removeImports(db: Db, userId: number, limit: number): Promise<number> {
  const [row] = await store.listImports(db, userId)
  if (!row) return 0
  // The worker leaves it alone.
  await db
    .transaction()
    .execute((trx) => store.updateImport(trx, row.id, { state: 'stopped', next_at: null }))
  if (!(await store.removeImportRows(db, row.id, limit))) await store.removeImport(db, row.id)
  return 1
}
