import { sql } from 'kysely'
import { changeAreas, type ChangeArea } from '#shared/contracts/features.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { ChangeRow } from './tables.ts'

export type Position = Pick<ChangeRow, 'xid' | 'id'>

/** On Postgres: a reader that continues after a row of a later transaction would never see the rows of an earlier one that commits afterwards. */
const isSettled = (db: Db) => (isSqlite(db) ? sql`true` : sql`xid < ${oldestRunning}`)
const oldestRunning = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

export async function listChanges(
  db: Db,
  userId: number,
  { xid, id }: Position,
  limit: number,
): Promise<ChangeRow[]> {
  // One range of the index per area.
  const ranges = changeAreas.map(
    (area) => sql`select * from (select * from changes where user_id = ${userId} and area = ${area}
      and (xid, id) > (${xid}, ${id}) and ${isSettled(db)} order by xid, id limit ${limit}) as ${sql.ref(area)}`,
  )
  const { rows } = await sql<ChangeRow>`select * from (${sql.join(ranges, sql` union all `)}) as changes
    order by xid, id limit ${limit}`.execute(db)
  return rows
}

export async function findLastPosition(db: Db): Promise<Position> {
  const { rows } = await (
    isSqlite(db)
      ? sql<Position>`select 0 as xid, coalesce(max(seq), 0) as id from sqlite_sequence where name = 'changes'`
      : sql<Position>`select ${oldestRunning} as xid, 0 as id`
  ).execute(db)
  return rows[0]!
}

/** For example after a restored backup or in another Postgres cluster; `unknown` on a replica, which may lag. */
export async function isBeyondLog(db: Db, { xid, id }: Position): Promise<boolean | 'unknown'> {
  if (isSqlite(db)) return (await findLastPosition(db)).id < id
  const { rows } = await sql<{ isBeyond: boolean; isReplica: boolean }>`
    select ${xid}::bigint > pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "isBeyond",
      pg_is_in_recovery() as "isReplica"`.execute(db)
  const { isBeyond, isReplica } = rows[0]!
  return isBeyond && isReplica ? 'unknown' : isBeyond
}

export async function listFirstPositions(
  db: Db,
  userId: number,
): Promise<(Position & { area: ChangeArea })[]> {
  const firsts = changeAreas.map(
    (
      area,
    ) => sql`select * from (select area, xid, id from changes where user_id = ${userId} and area = ${area}
      order by xid, id limit 1) as ${sql.ref(area)}`,
  )
  const { rows } = await sql<Position & { area: ChangeArea }>`${sql.join(firsts, sql` union all `)}`.execute(
    db,
  )
  return rows
}

export async function listLastTimes(db: Db, userId: number): Promise<{ area: ChangeArea; at: string }[]> {
  const lasts = changeAreas.map(
    (area) => sql`select * from (select area, at from changes where user_id = ${userId} and area = ${area}
      and ${isSettled(db)} order by xid desc, id desc limit 1) as ${sql.ref(area)}`,
  )
  const { rows } = await sql<{ area: ChangeArea; at: string }>`${sql.join(lasts, sql` union all `)}`.execute(
    db,
  )
  return rows
}

/** The newest change after the `count` newest ones; undefined if there are no more. */
export async function findPositionBefore(db: Db, userId: number, area: ChangeArea, count: number) {
  return db
    .selectFrom('changes')
    .select(['xid', 'id'])
    .where('user_id', '=', userId)
    .where('area', '=', area)
    .orderBy('xid', 'desc')
    .orderBy('id', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
}

/** Returns how many. */
export async function removeUpTo(
  db: Db,
  userId: number,
  area: ChangeArea,
  { xid, id }: Position,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('changes')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('changes')
        .select('id')
        .where('user_id', '=', userId)
        .where('area', '=', area)
        .where(sql<boolean>`(xid, id) <= (${xid}, ${id})`)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Among the `limit` lowest ids. Returns how many. */
export async function removeOld(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('changes')
    .where('id', 'in', (eb) => eb.selectFrom('changes').select('id').orderBy('id').limit(limit))
    .where('at', '<', before.toISOString())
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function listAfterId(db: Db, id: number, limit: number) {
  return db
    .selectFrom('changes')
    .select(['id', 'user_id', 'area'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
}
