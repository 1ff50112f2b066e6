import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ConfigError } from '#server/config.ts'
import { insertMany, setLastId } from '#server/db/dialect.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { lockDataDir } from '#server/process/lock.ts'
import { requireSqliteFile, runCommand } from './command.ts'

const usage = `npm run move, medley move

Copies all data from the SQLite database in DATA_DIR to the empty Postgres database DATABASE_URL, and verifies each table by its
number of rows and a checksum. Stop the server first. The copy is one transaction: if it fails, the Postgres database is still
empty and the command can be run again. The SQLite database is migrated to the current schema and otherwise not changed.
Pictures stay in DATA_DIR. Exits with 1 on any error.

--to postgres://… names another database than DATABASE_URL. Other users of this machine can see it, with its password.`

type Row = Record<string, string | number | null>
const batchRows = 2_000
/** Triggers fill these while the tables that they depend on are copied. */
const derived = ['name_parts', 'title_counts', 'title_facets', 'facet_counts']
/** The change log and the deliveries of webhooks are copied, not written by triggers. */
const logging = /^(log|deliver)_/

await runCommand({ usage, options: { to: { type: 'string' } } }, async ({ config, values }) => {
  const { dataDir } = config
  if (values.to) console.error('--to shows the password to other users of this machine: set DATABASE_URL.')
  const databaseUrl = values.to ?? config.databaseUrl
  if (!/^postgres(ql)?:/.test(databaseUrl ?? ''))
    throw new ConfigError('Set DATABASE_URL to the URL of an empty Postgres database: postgres://…')
  requireSqliteFile(dataDir)
  lockDataDir({ databaseUrl: undefined, dataDir })
  const source = openDatabase({ databaseUrl: undefined, dataDir })
  const target = openDatabase({ databaseUrl, dataDir })
  try {
    await migrate(source)
    await migrate(target)
    // The transaction locks SQLite: a shell's writes fail instead of getting lost.
    await source.transaction().execute((from) => target.transaction().execute((to) => moveAll(from, to)))
    console.log('Moved. Start the server with the same DATABASE_URL, and the same DATA_DIR for the pictures.')
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    throw Object.assign(error as Error, { message: `nothing was moved: ${message || code}` })
  } finally {
    await source.destroy()
    await target.destroy()
  }
})

async function moveAll(from: Db, to: Db): Promise<void> {
  const tables = await listTables(to)
  // No other process may write between the check and the copy.
  await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in exclusive mode`.execute(to)
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(to)
    if (rows.length > 0) throw new Error(`the Postgres database is not empty: there are rows in ${table}.`)
  }
  await withoutLog(to, () =>
    withoutForeignKeys(to, async () => {
      for (const table of tables) {
        const columns = await listColumns(from, table)
        const read = await copy(from, to, table, columns)
        const written = await checksum(to, table, columns)
        if (read.count !== written.count || read.sum !== written.sum)
          throw new Error(`${table} differs: ${read.count} rows were read, ${written.count} were written.`)
        if (columns.includes('id')) await setLastId(to, table, await findLastId(from, table))
        console.log(
          `${table}: ${read.count.toLocaleString('en')} rows, ${read.sum.toString(16).padStart(16, '0')}`,
        )
      }
    }),
  )
  await sql`analyze`.execute(to)
}

/** Copied rows are not new ones. */
async function withoutLog(to: Db, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; table: string }>`select tgname as name, relname as "table"
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = current_schema::regnamespace`.execute(to)
  const set = async (state: 'enable' | 'disable') => {
    for (const { name, table } of rows.filter((row) => logging.test(row.name)))
      await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger ${sql.ref(name)}`.execute(to)
  }
  await set('disable')
  await work()
  await set('enable')
}

/** The migrations have already filled Kysely's own. */
async function listTables(to: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema and tablename not like 'kysely%'
      and not tablename = any(${derived}) order by tablename`.execute(to)
  return rows.map(({ name }) => name)
}

async function listColumns(from: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(from)
  return rows.map(({ name }) => name)
}

/** So that tables can be copied in any order. Adding the keys back checks every row. */
async function withoutForeignKeys(to: Db, work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await sql<{ name: string; table: string; definition: string }>`
    select conname as name, relname as "table", pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and connamespace = current_schema::regnamespace`.execute(to)
  for (const { name, table } of keys)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(to)
  await work()
  for (const { name, table, definition } of keys)
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      to,
    )
}

type Sum = { count: number; sum: bigint }

async function copy(from: Db, to: Db, table: string, columns: string[]): Promise<Sum> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const total: Sum = { count: 0, sum: 0n }
  for (let last = 0; ;) {
    const { rows } = await sql<
      Row & { source_rowid: number }
    >`select rowid as source_rowid, ${names} from ${sql.table(table)}
      where rowid > ${last} order by rowid limit ${batchRows}`.execute(from)
    if (rows.length === 0) return total
    last = rows.at(-1)!.source_rowid
    const copied = rows.map(({ source_rowid, ...row }) => {
      for (const column of columns)
        if (typeof row[column] === 'string' && row[column].includes('\0'))
          throw new Error(
            `${table}.${column} contains a NUL byte in the row with rowid ${source_rowid}, which Postgres cannot store.`,
          )
      return row
    })
    add(total, copied, columns)
    await insertMany(to, table, copied)
  }
}

/** Through the driver, as the server will read it. */
async function checksum(to: Db, table: string, columns: string[]): Promise<Sum> {
  const total: Sum = { count: 0, sum: 0n }
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`declare copied no scroll cursor for select ${names} from ${sql.table(table)}`.execute(to)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(batchRows)} from copied`.execute(to)
    if (rows.length === 0) break
    add(total, rows, columns)
  }
  await sql`close copied`.execute(to)
  return total
}

/** A sum is independent of the order of the rows. */
function add(total: Sum, rows: Row[], columns: string[]): void {
  for (const row of rows) {
    const text = JSON.stringify(columns.map((column) => row[column]))
    total.sum = BigInt.asUintN(64, total.sum + createHash('sha256').update(text).digest().readBigUInt64BE())
    total.count++
  }
}

/** Ids of deleted rows are not reused. */
async function findLastId(from: Db, table: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
    from,
  )
  return rows[0]?.seq ?? 0
}
