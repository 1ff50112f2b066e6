import { sql } from 'kysely'
import type { Db } from './open.ts'
import type { Tables } from './tables.ts'

/** Every denormalized counter, with the subquery that recounts it. */
const counters: { table: 'media' | 'users' | 'reviews'; column: string; recount: string }[] = [
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
    recount: 'select count(*) from comments c where c.review_id = reviews.id',
  },
]

export type CounterFault = { table: keyof Tables; column: string; id: number; is: number; counted: number }

/** Recounts everything and returns the counters whose stored value differs; at most 100 faults per counter. */
export async function findCounterFaults(db: Db): Promise<CounterFault[]> {
  const faults: CounterFault[] = []
  for (const { table, column, recount } of counters) {
    const { rows } = await sql<{ id: number; is: number; counted: number }>`
      select * from (select id, ${sql.ref(column)} as "is", (${sql.raw(recount)}) as counted from ${sql.table(table)}) as counts
      where "is" <> counted limit 100`.execute(db)
    faults.push(...rows.map((row) => ({ table, column, ...row })))
  }
  return faults
}

/** Sets every counter to its recounted value; rows that are already right are not written. */
export async function recountAll(db: Db): Promise<void> {
  for (const table of ['media', 'users', 'reviews'] as const) {
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
}
