import { removeCalendarLink } from '#server/accounts/credentials-store.ts'
import { exportPart, type Feature } from '#server/feature.ts'
import { shortRows } from '#server/db/pages.ts'
import { listBatches, selectExportedPlays } from './plays-store.ts'
import { toBatch } from './rules.ts'
import { titleRows } from './title-rows.ts'
import { settleAll } from './verify.ts'

export const progress: Feature = {
  export: {
    plays: exportPart(
      selectExportedPlays,
      ['plays.media_id', 'plays.pass', 'plays.episode_id'],
      (row) => ({
        title: row.media_id,
        season: row.season ?? 0,
        episode: row.number,
        episodeId: row.episode_key,
        pass: row.pass,
        watchedOn: row.watched_on,
        watchedAt: row.watched_at,
        source: row.source,
        origin: row.origin,
        createdAt: row.created_at,
      }),
      {
        // Each pass is an entry of the diary, which is found sooner.
        tables: ['diary_entries'],
        size: shortRows,
        sheet: {
          file: 'plays.csv',
          description: 'The episodes that you watched.',
          headings: { pass: 'Time', episodeId: null },
        },
      },
    ),
  },
  deletion: [{ table: 'plays' }, { table: 'batches' }],
  endAccess: async (trx, userId) => void (await removeCalendarLink(trx, userId)),
  titles: titleRows,
  derive: settleAll,
  changes: {
    progress: async (db, _userId, ids) =>
      (await listBatches(db, ids)).map((row) => [row.id, { batch: toBatch(row) }]),
  },
}
