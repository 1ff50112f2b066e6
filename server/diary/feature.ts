import { exportPart, type Feature } from '#server/feature.ts'
import { toOwnEntry } from './rules.ts'
import { listEntries, selectExportedEntries } from './store.ts'
import { toStep } from './steps.ts'
import { selectExportedSteps } from './steps-store.ts'
import { titleRows } from './title-rows.ts'

export const diary: Feature = {
  export: {
    diary: exportPart(
      selectExportedEntries,
      ['media_id', 'status', 'id'],
      (row) => ({
        ref: row.id,
        title: row.media_id,
        status: row.status,
        startedOn: row.started_on,
        finishedOn: row.finished_on,
        isAgain: row.is_again === 1,
        pass: row.pass,
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
          headings: { ref: null, isAgain: 'Again', pass: null, text: 'Note' },
        },
      },
    ),
    steps: exportPart(
      selectExportedSteps,
      ['steps.entry_id', 'steps.day', 'steps.id'],
      (row) => ({
        title: row.media_id,
        entry: row.entry_id,
        unit: row.unit,
        value: toStep(row).value,
        on: row.day,
        text: row.text,
        createdAt: row.created_at,
      }),
      {
        tables: ['diary_entries'],
        sheet: {
          file: 'progress.csv',
          description: 'How far you were in movies, books and games.',
          headings: { entry: null, text: 'Note' },
        },
      },
    ),
  },
  deletion: [{ table: 'steps' }, { table: 'diary_entries' }],
  titles: titleRows,
  changes: {
    diary: async (db, _userId, ids) =>
      (await listEntries(db, ids)).map((entry) => [entry.id, { entry: toOwnEntry(entry) }]),
  },
}
