import type { Snapshot } from '#shared/contracts/moderation.ts'
import { exportPart, type Feature } from '#server/feature.ts'
import { selectDecisionsAbout } from './decisions-store.ts'
import { disown, selectExportedReports } from './store.ts'
import { titleRows } from './title-rows.ts'

/** They stay when an account is deleted, without the member. */
const kept = (['reports', 'decisions', 'cases'] as const).map((table) => ({
  table,
  remove: (db: Parameters<typeof disown>[0], userId: number, limit: number) =>
    disown(db, table, userId, limit),
}))

export const moderation: Feature = {
  export: {
    reports: exportPart(selectExportedReports, ['reports.id'], (row) => ({
      target: row.target_type,
      targetId: row.target_id,
      category: row.category,
      comment: row.comment,
      createdAt: row.created_at,
      outcome: row.outcome,
    })),
    decisions: exportPart(selectDecisionsAbout, ['decisions.id'], (row) => ({
      action: row.action,
      text: (JSON.parse(row.snapshot) as Snapshot).text,
      reason: row.reason,
      createdAt: row.created_at,
      endedAt: row.ended_at,
      appeal: row.appeal,
      answer: row.answer,
    })),
  },
  deletion: [
    { table: 'removed_rows' },
    { table: 'removed_reviews' },
    { table: 'removed_lists' },
    { table: 'removed_pictures' },
    ...kept,
  ],
  titles: titleRows,
}
