import { sql } from 'kysely'
import type { CalendarEntry, CalendarFilters } from '#shared/contracts/progress.ts'
import { calendarMax } from '#shared/domain/limits.ts'
import type { Db } from '#server/db/open.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { isTitleShown } from '#server/members/visibility.ts'
import { currentFirst, type EpisodeRow } from './tables.ts'

export type AiringRow = EpisodeRow & {
  media_id: number
  status: CalendarEntry['status']
  is_played: number
}

type Span = { userId: number; from: string; to: string }

// Those outside of the span, in the time zone of the member, are cut from one day before and after it.
const readMax = 2 * calendarMax

/**
 * The status of the entry in progress, otherwise of the newest one that is over, otherwise `want`; and the newest pass. The condition of the
 * day is always true: its index has the kind, so that entries of other kinds are not read.
 */
const currentShows = (userId: number) => sql`
  select media_id, status, (select max(pass) from plays where user_id = ${userId} and media_id = ranked.media_id) as pass from (
    select media_id, status, row_number() over (
      partition by media_id order by ${currentFirst}
    ) as position
    from diary_entries where user_id = ${userId} and kind = 'tvShow' and coalesce(finished_on, started_on, '') >= ''
  ) as ranked where position = 1 and status <> 'dropped'`

/** Episodes of shows in the diary, without specials; of wanted shows only the first one of each season. */
export const listAirings = prepareQuery(
  (_db, userId: number, from: string, to: string, status: string | null) => {
    const isFirst = sql`not exists (select 1 from parts as earlier where earlier.media_id = parts.media_id
      and earlier.type = 'episode' and earlier.is_gone = 0 and coalesce(earlier.parent_id, 0) = coalesce(parts.parent_id, 0)
      and earlier.number < parts.number)`
    const isPlayed = sql`exists (select 1 from plays where user_id = ${userId} and plays.media_id = parts.media_id
      and episode_id = parts.id and pass = shows.pass)`
    return sql<AiringRow>`
      select parts.id, parts.media_id, parts.season, parts.number, parts.name, parts.release_date, parts.airs_at, parts.runtime,
        shows.status, case when ${isPlayed} then 1 else 0 end as is_played
      from (${currentShows(userId)}) as shows join media on media.id = shows.media_id join parts on parts.media_id = shows.media_id
      where parts.type = 'episode' and parts.is_gone = 0 and parts.season > 0
        and parts.release_date >= ${from} and parts.release_date <= ${to} and length(parts.release_date) = 10
        and (shows.status <> 'want' or ${isFirst}) and ${isTitleShown}
        ${status === null ? sql`` : sql`and shows.status = ${status}`}
      order by parts.release_date, coalesce(parts.airs_at, ''), parts.media_id, parts.season, parts.number
      limit ${sql.lit(readMax)}`
  },
)

/** Wanted titles of other kinds. */
export async function listReleases(
  db: Db,
  { userId, from, to }: Span,
  { kind, status }: CalendarFilters,
): Promise<{ media_id: number; release_date: string }[]> {
  if (kind === 'tvShow' || (status !== undefined && status !== 'want')) return []
  return db
    .selectFrom('diary_entries')
    .innerJoin('media', 'media.id', 'diary_entries.media_id')
    .select(['media_id', 'media.release_date'])
    .where('user_id', '=', userId)
    .where('status', '=', 'want')
    .where('diary_entries.kind', kind === undefined ? '<>' : '=', kind ?? 'tvShow')
    .where('media.release_date', '>=', from)
    .where('media.release_date', '<=', to)
    .where(sql`length(media.release_date)`, '=', 10)
    .where(isTitleShown)
    .orderBy('media.release_date')
    .orderBy('media_id')
    .limit(readMax)
    .$narrowType<{ release_date: string }>()
    .execute()
}
