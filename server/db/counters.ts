import { type RawBuilder, sql } from 'kysely'
import { isOneOf, isSqlite } from './dialect.ts'
import type { Db } from './open.ts'
import { ratingSpans } from './spans.ts'
import type { Tables } from './tables.ts'

/** The expression of the index `users_unsettled`; see `areTextsPublic` of server/members/visibility.ts. */
export const textsPublic =
  "case when users.is_private = 0 and users.standing <> 'suspended' and users.closed_at is null then 1 else 0 end"

/** Reviews first, because titles count `is_public`. */
const countedTables = ['reviews', 'media', 'users', 'lists', 'notifications'] as const
type CountedTable = (typeof countedTables)[number]

/** Every denormalized counter, with the subquery that recounts it. */
const counters: { table: CountedTable; column: string; recount: string }[] = [
  {
    table: 'media',
    column: 'rating_count',
    recount: 'select count(*) from reviews r where r.media_id = media.id',
  },
  {
    table: 'media',
    column: 'rating_sum',
    recount: 'select coalesce(sum(r.rating), 0) from reviews r where r.media_id = media.id',
  },
  ...[1, 2, 3, 4, 5].map((stars) => ({
    table: 'media' as const,
    column: `stars_${stars}`,
    recount: `select count(*) from reviews r where r.media_id = media.id and r.rating = ${stars}`,
  })),
  {
    table: 'media',
    column: 'text_count',
    recount: "select count(*) from reviews r where r.media_id = media.id and r.text <> ''",
  },
  {
    table: 'media',
    column: 'public_text_count',
    recount:
      "select count(*) from reviews r where r.media_id = media.id and r.text <> '' and r.is_public = 1",
  },
  {
    table: 'reviews',
    column: 'is_public',
    // The texts of an unsettled member have either value.
    recount: `select case when reviews.text = '' or has_public_texts <> areTextsPublic
      then reviews.is_public else has_public_texts end
      from (select has_public_texts, ${textsPublic} as areTextsPublic from users where users.id = reviews.user_id) as author`,
  },
  {
    table: 'users',
    column: 'review_count',
    recount: 'select count(*) from reviews r where r.user_id = users.id',
  },
  {
    table: 'users',
    column: 'follower_count',
    recount: 'select count(*) from follows f where f.followee_id = users.id',
  },
  {
    table: 'users',
    column: 'following_count',
    recount: 'select count(*) from follows f where f.follower_id = users.id',
  },
  {
    table: 'reviews',
    column: 'like_count',
    recount: "select count(*) from reactions x where x.review_id = reviews.id and x.reaction = 'like'",
  },
  {
    table: 'reviews',
    column: 'dislike_count',
    recount: "select count(*) from reactions x where x.review_id = reviews.id and x.reaction = 'dislike'",
  },
  {
    table: 'reviews',
    column: 'comment_count',
    recount: 'select count(*) from comments c where c.review_id = reviews.id and c.removed_text is null',
  },
  {
    table: 'lists',
    column: 'item_count',
    recount: 'select count(*) from list_items i where i.list_id = lists.id',
  },
  {
    table: 'lists',
    column: 'like_count',
    recount: 'select count(*) from list_likes l where l.list_id = lists.id',
  },
  {
    table: 'notifications',
    column: 'actor_count',
    recount: 'select count(*) from notification_actors a where a.notification_id = notifications.id',
  },
]

/** `id` is the id of the row. For a roll-up it is the id of the title or member of its rows, or the kind. */
export type CounterFault = {
  table: keyof Tables
  column: string
  id: number | string
  is: number
  counted: number
}

/**
 * A table that is computed from other tables. `rows` selects what it must contain; a fault is reported per value of `owner`, with the
 * numbers of wrong and missing rows.
 */
type Rollup = {
  table: 'rating_counts' | 'name_parts' | 'title_counts' | 'title_facets' | 'facet_counts'
  columns: string[]
  owner: string
  rows: (db: Db) => RawBuilder<unknown>
}

const rollups: Rollup[] = [
  {
    table: 'rating_counts',
    columns: ['media_id', 'kind', 'days', 'start', 'count', 'sum'],
    owner: 'media_id',
    rows(db) {
      const day = isSqlite(db)
        ? sql`cast(julianday(substr(rated_at, 1, 10)) - 2440587.5 as integer)`
        : sql`(substr(rated_at, 1, 10)::date - date '1970-01-01')`
      const spans = sql.join(
        ratingSpans.map((days) => sql`select ${sql.lit(days)} as days`),
        sql` union all `,
      )
      return sql`select media_id, kind, days, day / days * days as start, count(*) as count, sum(rating) as sum
        from (select media_id, kind, rating, ${day} as day from reviews) as ratings
        cross join (${spans}) as spans group by media_id, kind, days, day / days * days`
    },
  },
  {
    table: 'name_parts',
    columns: ['part', 'user_id'],
    owner: 'user_id',
    rows(db) {
      // The same as in the triggers: from the second to the 60th character on, 32 characters each.
      const places = isSqlite(db)
        ? sql`json_each(${JSON.stringify(Array.from({ length: 59 }, (_, at) => at + 2))})`
        : sql`generate_series(2, 60) as places(value)`
      return sql`select distinct substr(search_text, value, 32) as part, users.id as user_id
        from users cross join ${places} where value <= length(search_text)`
    },
  },
  {
    table: 'title_counts',
    columns: ['kind', 'shard', 'count'],
    owner: 'kind',
    rows: () => sql`select kind, id % 16 as shard, count(*) as count from media group by kind, id % 16`,
  },
  {
    table: 'title_facets',
    columns: ['media_id', 'genre', 'kind', 'decade'],
    owner: 'media_id',
    rows: (db) => facetsOfTitles(db),
  },
  {
    table: 'facet_counts',
    columns: ['genre', 'kind', 'decade', 'shard', 'count'],
    owner: 'genre',
    rows: (db) => sql`select genre, kind, decade, media_id % 16 as shard, count(*) as count
      from (${facetsOfTitles(db)}) as facets group by genre, kind, decade, media_id % 16`,
  },
]

function facetsOfTitles(db: Db): RawBuilder<unknown> {
  const decade = sql`coalesce(release_year, 0) / 10 * 10 as decade`
  const genres = isSqlite(db)
    ? sql`select media.id, value, kind, ${decade} from media, json_each(details, '$.genres')`
    : sql`select id, jsonb_array_elements_text(details::jsonb -> 'genres'), kind, ${decade} from media`
  return sql`select id as media_id, '' as genre, kind, ${decade} from media union ${genres}`
}

/** Returns the wrong rows and the missing rows of a roll-up. */
async function findRollupFaults(db: Db, { table, columns, owner, rows }: Rollup): Promise<CounterFault[]> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  // Rows of a count of 0 may remain after a title is deleted.
  const stored = sql`select ${names} from ${sql.table(table)} ${columns.includes('count') ? sql`where count <> 0` : sql``}`
  const counted = sql`select ${names} from (${rows(db)}) as counted`
  const faults = await sql<{ id: number | string; is: number; counted: number }>`
    select ${sql.ref(owner)} as id, sum("is") as "is", sum(counted) as counted from (
      select ${sql.ref(owner)}, 1 as "is", 0 as counted from (${stored} except ${counted}) as extra
      union all
      select ${sql.ref(owner)}, 0, 1 from (${counted} except ${stored}) as missing
    ) as faults group by ${sql.ref(owner)} order by ${sql.ref(owner)} limit 100`.execute(db)
  return faults.rows.map((row) => ({ table, column: 'rows', ...row }))
}

/** Recounts everything and returns the counters whose stored value differs; at most 100 faults per counter. */
export async function findCounterFaults(db: Db): Promise<CounterFault[]> {
  const faults: CounterFault[] = []
  for (const { table, column, recount } of counters) {
    const { rows } = await sql<{ id: number; is: number; counted: number }>`
      select * from (select id, ${sql.ref(column)} as "is", (${sql.raw(recount)}) as counted from ${sql.table(table)}) as counts
      where "is" <> counted limit 100`.execute(db)
    faults.push(...rows.map((row) => ({ table, column, ...row })))
  }
  for (const rollup of rollups) faults.push(...(await findRollupFaults(db, rollup)))
  return faults
}

/** Sets the counters of these rows. */
export async function recount(db: Db, table: CountedTable, ids: readonly number[]): Promise<void> {
  const own = counters.filter((counter) => counter.table === table)
  const set = own.map((counter) => sql`${sql.ref(counter.column)} = (${sql.raw(counter.recount)})`)
  await sql`update ${sql.table(table)} set ${sql.join(set)} where ${isOneOf(db, `${table}.id`, ids)}`.execute(
    db,
  )
}

/** Sets every counter to its recounted value; correct rows are not written. */
export async function recountAll(db: Db): Promise<void> {
  for (const table of countedTables) {
    const own = counters.filter((counter) => counter.table === table)
    const recounts = own.map(({ column, recount }) => sql`(${sql.raw(recount)}) as ${sql.ref(column)}`)
    const assignments = own.map(({ column }) => sql`${sql.ref(column)} = counted.${sql.ref(column)}`)
    const differences = own.map(
      ({ column }) => sql`${sql.ref(`${table}.${column}`)} <> counted.${sql.ref(column)}`,
    )
    await sql`update ${sql.table(table)} set ${sql.join(assignments)}
      from (select id, ${sql.join(recounts)} from ${sql.table(table)}) as counted
      where ${sql.table(table)}.id = counted.id and (${sql.join(differences, sql` or `)})`.execute(db)
  }
  for (const { table, columns, rows } of rollups) {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const stored = sql`select ${names} from ${sql.table(table)}`
    const counted = sql`select ${names} from (${rows(db)}) as counted`
    await sql`delete from ${sql.table(table)} where (${names}) in (${stored} except ${counted})`.execute(db)
    await sql`insert into ${sql.table(table)} (${names}) ${counted} except ${stored}`.execute(db)
  }
}
