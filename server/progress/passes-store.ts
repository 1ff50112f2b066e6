import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { EntryRow } from '#server/diary/tables.ts'

export type PassRow = {
  pass: number
  first_on: string | null
  last_on: string | null
  played_at: string
}

/** In their order. */
export async function listPasses(db: Db, userId: number, titleId: number): Promise<PassRow[]> {
  return db
    .selectFrom('plays')
    .select('pass')
    .select(({ fn }) => [fn.min('watched_on').as('first_on'), fn.max('watched_on').as('last_on')])
    .select(sql<string>`max(coalesce(watched_at, watched_on, created_at))`.as('played_at'))
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .groupBy('pass')
    .orderBy('pass')
    .execute()
}

export async function listEntriesOf(db: Db, userId: number, titleId: number): Promise<EntryRow[]> {
  return db
    .selectFrom('diary_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .orderBy('id')
    .execute()
}

export type PassValues = Pick<
  EntryRow,
  | 'pass'
  | 'status'
  | 'stated'
  | 'adopted'
  | 'started_on'
  | 'finished_on'
  | 'is_again'
  | 'played_at'
  | 'next_on'
>

export async function insertPass(
  trx: Db,
  { user_id, media_id, at }: { user_id: number; media_id: number; at: string },
  values: PassValues,
): Promise<void> {
  const entry = { user_id, media_id, kind: 'tvShow' as const, created_at: at, updated_at: at }
  await trx
    .insertInto('diary_entries')
    .values({ ...entry, ...values })
    .execute()
}

export async function updatePass(
  trx: Db,
  id: number,
  values: Partial<PassValues & Pick<EntryRow, 'text' | 'rating_given' | 'updated_at'>>,
): Promise<void> {
  await trx.updateTable('diary_entries').set(values).where('id', '=', id).execute()
}

export async function removePass(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('diary_entries').where('id', '=', id).execute()
}

/** What the member said of a pass does not hold any longer. */
export async function liftStated(trx: Db, userId: number, titleId: number, pass: number): Promise<void> {
  await trx
    .updateTable('diary_entries')
    .set({ stated: null })
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .where('pass', '=', pass)
    .where('stated', 'is not', null)
    .execute()
}

type ViewingKey = { user_id: number; media_id: number }

/** Members and their shows with plays or passes, after `after`, without those that are due (see `listDue`). */
export async function listViewings(
  db: Db,
  after: ViewingKey | undefined,
  until: string,
  limit: number,
): Promise<ViewingKey[]> {
  const { rows } = await sql<ViewingKey>`
    select user_id, media_id from (
      select user_id, media_id from plays
      union
      select user_id, media_id from diary_entries where pass is not null
    ) as viewings
    where (user_id, media_id) > (${after?.user_id ?? 0}, ${after?.media_id ?? 0}) and not exists (
      select 1 from diary_entries as due
      where due.user_id = viewings.user_id and due.media_id = viewings.media_id and due.next_on <= ${until}
        and (due.next_on = '' or due.status = 'finished')
    )
    order by user_id, media_id limit ${limit}`.execute(db)
  return rows
}

/** Passes whose status may have changed: by the day `until` a season can have begun, or the episodes of the show have changed. */
export async function listDue(db: Db, until: string, limit: number) {
  return db
    .selectFrom('diary_entries')
    .select(['user_id', 'media_id'])
    .where((eb) =>
      eb.or([eb('next_on', '=', ''), eb.and([eb('status', '=', 'finished'), eb('next_on', 'is not', null)])]),
    )
    .where('next_on', '<=', until)
    .orderBy('next_on')
    .orderBy('id')
    .limit(limit)
    .execute()
}
