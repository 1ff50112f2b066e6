import type { Db } from '#server/db/open.ts'
import { ensureCase, insertReport } from '#server/moderation/store.ts'
import { findTarget } from '#server/moderation/targets.ts'
import type { ReportCategory } from '#shared/domain/moderation.ts'
import { dayMs } from '#shared/domain/days.ts'

/** The reports that wait for the demo host. Neither breaks a rule for certain: deciding is what a host tries out. */
const reports: {
  target: 'review' | 'comment'
  text: string
  reporter: string
  category: ReportCategory
  comment: string
  daysAgo: number
}[] = [
  {
    target: 'comment',
    text: 'Bold. Wrong, but bold.',
    reporter: 'knife.drawer',
    category: 'harassment',
    comment: 'The third time this week.',
    daysAgo: 2,
  },
  {
    target: 'review',
    text: 'Everyone in this town stands in the rain',
    reporter: 'second.breakfast',
    category: 'spoiler',
    comment: 'Says how it ends. I am in the first season.',
    daysAgo: 1,
  },
]

/** Fills the queue of the demo host. Notifies nobody. */
export async function fillReports(trx: Db, user: (name: string) => number, now: Date): Promise<void> {
  for (const { target: type, text, reporter, category, comment, daysAgo } of reports) {
    const found = await trx
      .selectFrom(type === 'review' ? 'reviews' : 'comments')
      .select('id')
      .where('text', 'like', `${text}%`)
      .executeTakeFirst()
    const target = found && (await findTarget(trx, type, found.id))
    if (!target) continue
    const created_at = new Date(now.getTime() - daysAgo * dayMs).toISOString()
    const case_id = await ensureCase(trx, {
      target_type: type,
      target_id: target.id,
      user_id: target.userId,
      snapshot: JSON.stringify(target.snapshot),
      opened_at: created_at,
    })
    await insertReport(trx, { case_id, user_id: user(reporter), category, rules: '[]', comment, created_at })
  }
}
