import { sql } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { airedIn } from '#server/titles/airing.ts'

export type CountedPass = { id: number; media_id: number; aired: number; played: number }

/**
 * Of entries that are passes: how many episodes have aired, and how many of these are played. The same as `standingOf` counts, without
 * reading the episodes.
 */
export const countPasses = prepareQuery((db, ids: readonly number[], now: string, today: string) => {
  const isCounted = sql`parts.type = 'episode' and parts.is_gone = 0 and parts.season > 0`
  const place = sql`(cast(parts.season as bigint) * 1000000 + parts.number)`
  const { hasBegun, isAired } = airedIn({ now, today }, sql`${place} < newest.place`)
  const isOfIds = isOneOf(db, 'entries.id', ids)
  return sql<CountedPass>`
    with entries as (select id, user_id, media_id, pass from diary_entries as entries where pass is not null and ${isOfIds}),
      newest as (
        select parts.media_id, max(${place}) as place from parts
        where parts.media_id in (select media_id from entries) and ${isCounted} and ${hasBegun} group by parts.media_id
      )
    select entries.id, entries.media_id, count(*) as aired, count(plays.id) as played
    from entries join newest on newest.media_id = entries.media_id
      join parts on parts.media_id = entries.media_id
      left join plays on plays.user_id = entries.user_id and plays.media_id = entries.media_id
        and plays.pass = entries.pass and plays.episode_id = parts.id
    where ${isCounted} and ${isAired}
    group by entries.id, entries.media_id`
})
