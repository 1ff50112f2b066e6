import { sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'

export type UpNextRow = {
  id: number
  media_id: number
  /** The newest one; 0 without plays. */
  pass: number
  status: 'started' | 'finished'
  activity: string
}

const isCounted = sql`type = 'episode' and is_gone = 0 and season > 0`

/**
 * Shows under way with an episode that may have aired somewhere by `until`, the last played or aired first. A finished show is under way
 * once its next season has begun.
 */
export async function listUnderWay(
  db: Db,
  userId: number,
  { until, today }: { until: string; today: string },
  after: { activity: string; id: number } | undefined,
  limit: number,
): Promise<UpNextRow[]> {
  const columns = sql`id, media_id, pass, status, coalesce(played_at, created_at) as played_at`
  // Both statuses, as in the condition of the index `diary_entries_open`.
  const entries = sql`
    select ${columns} from diary_entries
    where user_id = ${userId} and kind = 'tvShow' and status in ('started', 'paused') and status = 'started'
      and (next_on <= ${until} or next_on is null and exists (select 1 from parts
        where media_id = diary_entries.media_id and ${isCounted} and release_date <= ${until}))
    union all
    select ${columns} from diary_entries
    where user_id = ${userId} and status = 'finished' and next_on is not null and next_on <= ${until}`
  const airedOn = sql`(select max(release_date) from parts
    where media_id = entries.media_id and ${isCounted} and release_date <= ${today})`
  const latest = sql.raw(isSqlite(db) ? 'max' : 'greatest')
  const { rows } = await sql<UpNextRow>`
    select id, media_id, status, activity,
      coalesce(pass, (select max(pass) from plays where user_id = ${userId} and media_id = dated.media_id), 0) as pass
    from (
      select entries.*, ${latest}(coalesce(${airedOn}, ''), played_at) as activity
      from (${entries}) as entries
    ) as dated
    ${after ? sql`where activity <= ${after.activity} and (activity < ${after.activity} or id < ${after.id})` : sql``}
    order by activity desc, id desc limit ${limit}`.execute(db)
  return rows
}
