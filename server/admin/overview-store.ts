import { sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { countRows } from '#server/db/rows.ts'

export type DayCounts = { signUps: number; active: number; ratings: number; reviews: number }

/** `YYYY-MM-DD`, in UTC. Without the demo community. */
export async function countDay(db: Db, day: string): Promise<DayCounts> {
  const [from, to] = [`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`]
  const isOfDemo = sql`exists (select 1 from users where users.id = reviews.user_id and users.is_demo = 1)`
  const { rows } = await sql<DayCounts>`select
    (select count(*) from users where created_at between ${from} and ${to} and verified_at is not null
      and is_demo = 0) as ${sql.ref('signUps')},
    (select coalesce(max(count), 0) from active_counts where day = ${day}) as active,
    (select count(*) from reviews where created_at between ${from} and ${to} and not ${isOfDemo}) as ratings,
    (select count(*) from reviews where created_at between ${from} and ${to} and text <> ''
      and not ${isOfDemo}) as reviews`.execute(db)
  const { signUps, active, ratings, reviews } = rows[0]!
  return {
    signUps: Number(signUps),
    active: Number(active),
    ratings: Number(ratings),
    reviews: Number(reviews),
  }
}

export async function measureStorage(db: Db): Promise<{ databaseBytes: number; pictureBytes: number }> {
  const database = isSqlite(db)
    ? sql<{
        bytes: number
      }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  const pictures = sql<{ bytes: number }>`select coalesce(sum(bytes), 0) as bytes from uploads`
  return {
    databaseBytes: Number((await database.execute(db)).rows[0]!.bytes),
    pictureBytes: Number((await pictures.execute(db)).rows[0]!.bytes),
  }
}

/** Also cases opened before `overdueBefore`, and cases with an appeal that waits. */
export async function countCases(db: Db, overdueBefore: Date) {
  const row = await db
    .selectFrom('cases')
    .select((eb) => [
      eb.fn.countAll<number>().as('open'),
      eb.fn.min('opened_at').as('oldest'),
      eb.fn.countAll<number>().filterWhere('opened_at', '<', overdueBefore.toISOString()).as('overdue'),
    ])
    .where('is_open', '=', 1)
    .executeTakeFirstOrThrow()
  const { appealed } = await db
    .selectFrom('decisions')
    .select((eb) => eb.fn.count<number>('case_id').distinct().as('appealed'))
    .where('appealed_at', 'is not', null)
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    open: Number(row.open),
    overdue: Number(row.overdue),
    appealed: Number(appealed),
    oldest: row.oldest as string | null,
  }
}

export async function countPending(db: Db): Promise<number> {
  return countRows(db.selectFrom('users').where('pending_since', 'is not', null))
}
