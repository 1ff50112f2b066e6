import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'

/** The columns with the member, the resource and its title, and the columns whose changes are logged. */
type Logged = {
  table: string
  area: string
  user: string
  thing: string
  media: string | null | ((row: 'old' | 'new') => RawBuilder<unknown>)
  written: readonly string[]
}

/** For migrations, which pass the columns themselves, because later code must not change what a migration does. */
// oxlint-disable-next-line no-explicit-any -- migrations pass databases with different table types
export async function logChanges(db: Kysely<any>, { table, area, user, thing, media, written }: Logged) {
  const distinct = isSqlite(db) ? sql`is not` : sql`is distinct from`
  const isWritten = written.map(
    (column) => sql`${sql.ref(`old.${column}`)} ${distinct} ${sql.ref(`new.${column}`)}`,
  )
  const columns = sql.join(written.map((column) => sql.ref(column)))
  const titleIn = (row: 'old' | 'new') => {
    if (typeof media === 'function') return media(row)
    return media ? sql.ref(`${row}.${media}`) : isSqlite(db) ? sql`null` : sql`null::bigint`
  }
  const log = async (
    event: string,
    on: RawBuilder<unknown>,
    row: 'old' | 'new',
    action: string,
    end = sql``,
    when = sql``,
  ) => {
    const [name, of] = [sql.ref(`log_${table}_${event}`), sql.table(table)]
    const insert = sql`insert into changes (user_id, area, action, thing_id, media_id)
      select ${sql.ref(`${row}.${user}`)}, ${sql.lit(area)}, ${sql.lit(action)}, ${sql.ref(`${row}.${thing}`)},
        ${titleIn(row)} ${end};`
    await sql`drop trigger if exists ${name} ${isSqlite(db) ? sql`` : sql`on ${of}`}`.execute(db)
    if (isSqlite(db)) {
      await sql`create trigger ${name} ${on} on ${of} ${when} begin ${insert} end`.execute(db)
      return
    }
    await sql`create or replace function ${name}() returns trigger language plpgsql as $$ begin
      ${insert} return null; end $$`.execute(db)
    await sql`create trigger ${name} ${on} on ${of} for each row ${when} execute function ${name}()`.execute(
      db,
    )
  }
  await log('insert', sql`after insert`, 'new', 'created')
  // Not if the account is being deleted: on Postgres, the triggers of a cascade run after the triggers of `users`.
  const hasMember = sql`where exists (select 1 from users where id = ${sql.ref(`old.${user}`)})`
  await log('delete', sql`after delete`, 'old', 'deleted', hasMember)
  if (written.length > 0)
    await log(
      'update',
      sql`after update of ${columns}`,
      'new',
      'updated',
      sql``,
      sql`when (${sql.join(isWritten, sql` or `)})`,
    )
}
