import { exportPart, type Feature } from '#server/feature.ts'
import { type Hidden, selectExportedPairs, selectExportedRequests } from '#server/social/privacy-store.ts'

const headings = { id: null, createdAt: 'At' }

export const privacy: Feature = {
  export: {
    followRequests: exportPart(
      selectExportedRequests,
      ['follow_requests.followee_id'],
      (row) => ({ username: row.username, id: row.followee_id, createdAt: row.created_at }),
      {
        sheet: {
          file: 'follow-requests.csv',
          description: 'The private members whom you have asked to follow.',
          headings,
        },
      },
    ),
    blocked: exportedPairs('blocks', 'blocked.csv', 'The members whom you have blocked.'),
    muted: exportedPairs('mutes', 'muted.csv', 'The members whom you have muted.'),
  },
  deletion: [
    { table: 'follow_requests', owner: 'follower_id' },
    { table: 'follow_requests', owner: 'followee_id' },
    { table: 'blocks' },
    { table: 'blocks', owner: 'member_id' },
    { table: 'mutes' },
    { table: 'mutes', owner: 'member_id' },
  ],
}

function exportedPairs(table: Hidden, file: string, description: string) {
  return exportPart(
    (db, userId) => selectExportedPairs(db, table, userId),
    [`${table}.member_id`],
    (row) => ({ username: row.username, id: row.member_id, createdAt: row.created_at }),
    { sheet: { file, description, headings } },
  )
}
