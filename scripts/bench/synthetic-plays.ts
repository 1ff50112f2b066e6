import { sql } from 'kysely'
import { pluck } from '#shared/domain/pluck.ts'
import { dayMs } from '#shared/domain/days.ts'
import { recount } from '#server/db/counters.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { counters } from '#server/reviews/counters.ts'

/** Of the show that most members watch, and of a daily soap, which few do. */
const [popular, soap] = [
  { seasons: 22, perSeason: 50 },
  { seasons: 60, perSeason: 84 },
]
const reviewedEpisodes = 10
/** Of the newest season of each third show: they air after `now`. */
const toCome = 4

/**
 * Gives the shows of a synthetic dataset seasons and episodes, and each member who has finished a show plays of its first episodes: all of
 * them, or a share that differs by member. About forty plays a member and show. The diary says what the plays say. The first season of the
 * first show has ratings and reviews.
 */
export async function generatePlays(db: Db, { now }: { now: Date }): Promise<void> {
  const shows = await db.selectFrom('media').select('id').where('kind', '=', 'tvShow').orderBy('id').execute()
  const { last } = await db
    .selectFrom('parts')
    .select(({ fn }) => fn.coalesce(fn.max('id'), sql<number>`0`).as('last'))
    .executeTakeFirstOrThrow()
  let partId = Number(last)
  const soapAt = Math.floor(shows.length / 2)
  const dayAfter = (days: number) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)
  await db.transaction().execute(async (trx) => {
    for (const [at, { id: media_id }] of shows.entries()) {
      const isSoap = at === soapAt
      const { seasons, perSeason } = isSoap
        ? soap
        : at === 0
          ? popular
          : { seasons: 1 + (at % 9), perSeason: 10 + (at % 7) }
      const count = seasons * perSeason
      const aired = count - (at % 3 === 1 ? toCome : 0)
      const days = isSoap ? 1 : 7
      const rows: object[] = []
      for (let season = 1; season <= seasons; season++) {
        const parent_id = ++partId
        const of = { media_id, source: 'starter', name: `Part ${season}` }
        rows.push({ ...of, id: parent_id, type: 'season', number: season, parent_id: null, season: null })
        for (let number = 1; number <= perSeason; number++) {
          const place = (season - 1) * perSeason + number
          const release_date = dayAfter(place <= aired ? (place - aired - 1) * days : (place - aired) * 3)
          rows.push({ ...of, id: ++partId, type: 'episode', number, parent_id, season, release_date })
        }
      }
      const padded = rows.map((row) => ({ release_date: null, ...row }))
      for (let from = 0; from < padded.length; from += 1_000)
        await insertMany(trx, 'parts', padded.slice(from, from + 1_000))
      await watch(trx, { media_id, count, perSeason, aired })
    }
    await reviewParts(trx)
    await trx.deleteFrom('changes').execute()
  })
  if (!isSqlite(db)) await sql`select setval(pg_get_serial_sequence('parts', 'id'), ${partId})`.execute(db)
  await (isSqlite(db) ? sql`pragma wal_checkpoint(truncate)` : sql`vacuum analyze`).execute(db)
}

/** Members who have watched the first episodes of the most popular show rate them and their season. Every third member adds a text. */
async function reviewParts(trx: Db): Promise<void> {
  const first = sql`(select min(id) from parts where type = 'season')`
  const isFirst = sql`(parts.id = ${first} or parts.parent_id = ${first} and parts.number <= ${sql.lit(reviewedEpisodes)})`
  const viewed = sql`case when parts.type = 'season' then (select min(id) from parts as one where one.parent_id = parts.id) else parts.id end`
  await sql`
    insert into reviews (part_id, kind, user_id, text, rating, created_at, updated_at, rated_at)
    select parts.id, 'tvShow', plays.user_id, case when plays.user_id % 3 = 0 then 'The best one so far.' else '' end,
      10 + 5 * ((plays.user_id + parts.id) % 9), plays.created_at, plays.created_at, plays.created_at
    from parts join plays on plays.episode_id = ${viewed} and plays.media_id = parts.media_id
    where ${isFirst}`.execute(trx)
  const { rows } = await sql<{ id: number }>`select id from parts where ${isFirst}`.execute(trx)
  await recount(trx, counters, 'parts', pluck(rows, 'id'))
}

async function watch(
  trx: Db,
  {
    media_id,
    count,
    perSeason,
    aired,
  }: { media_id: number; count: number; perSeason: number; aired: number },
): Promise<void> {
  const isPass = sql`media_id = ${media_id} and status = 'finished'`
  // Statements beside the pass would take its place.
  await sql`delete from diary_entries where media_id = ${media_id} and status = 'started'`.execute(trx)
  // Every second member has seen all that has aired.
  const seen = sql`case when diary_entries.user_id % 2 = 0 then ${sql.lit(aired)}
    else 1 + diary_entries.id * 7919 % ${sql.lit(aired)} end`
  const place = sql`((season - 1) * ${sql.lit(perSeason)} + number)`
  await sql`
    insert into plays (user_id, media_id, episode_id, pass, watched_on, source, created_at)
    select user_id, diary_entries.media_id, parts.id, 1, finished_on, 'member', created_at
    from diary_entries join parts on parts.media_id = diary_entries.media_id and type = 'episode' and ${place} <= ${seen}
    where diary_entries.media_id = ${media_id} and status = 'finished'`.execute(trx)
  await sql`
    update diary_entries set pass = 1, started_on = finished_on, played_at = finished_on,
      next_on = coalesce((select release_date from parts
        where media_id = ${media_id} and type = 'episode' and ${place} = ${seen} + 1), '~')
    where ${isPass}`.execute(trx)
  await sql`update diary_entries set status = 'started', finished_on = null
    where ${isPass} and (next_on <> '~' or ${sql.lit(aired)} < ${sql.lit(count)})`.execute(trx)
}
