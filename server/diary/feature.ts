import { exportPart, type Feature } from '#server/feature.ts'
import { toOwnEntry } from './rules.ts'
import { listEntries, selectExportedEntries } from './store.ts'
import { titleRows } from './title-rows.ts'

export const diary: Feature = {
  export: {
    diary: exportPart(
      selectExportedEntries,
      ['media_id', 'status', 'id'],
      (row) => ({
        title: row.media_id,
        status: row.status,
        startedOn: row.started_on,
        finishedOn: row.finished_on,
        isAgain: row.is_again === 1,
        ratingGiven: row.rating_given,
        text: row.text,
        origin: row.origin,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
      }),
      {
        tables: ['diary_entries'],
        sheet: {
          file: 'diary.csv',
          description: 'Your diary: what you want to watch, read or play, have started, finished or dropped.',
          headings: { isAgain: 'Again', text: 'Note' },
        },
      },
    ),
  },
  deletion: [{ table: 'diary_entries' }],
  titles: titleRows,
  changes: {
    diary: async (db, _userId, ids) =>
      (await listEntries(db, ids)).map((entry) => [entry.id, { entry: toOwnEntry(entry) }]),
  },
}
