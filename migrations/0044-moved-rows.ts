import type { Kysely } from 'kysely'
import { logChanges } from '#server/changes/change-log.ts'

/** Logs when a review or an entry becomes one of another title. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const own = { user: 'user_id', thing: 'id', media: 'media_id' }
  const times = ['created_at', 'updated_at']
  await logChanges(db, {
    table: 'reviews',
    area: 'review',
    ...own,
    written: ['media_id', 'rating', 'text', 'has_spoilers', 'rating_given', ...times],
  })
  const dates = ['started_on', 'finished_on', 'is_again']
  await logChanges(db, {
    table: 'diary_entries',
    area: 'diary',
    ...own,
    written: ['media_id', 'status', ...dates, 'rating_given', 'text', ...times],
  })
}
