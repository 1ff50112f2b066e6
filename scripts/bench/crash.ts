import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { seeded } from '#scripts/testing/random.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { features } from '#server/router.ts'

export type KillOptions = {
  rounds: number
  seed: number
  databaseUrl?: string | undefined
  report?: (line: string) => void
}

export type Site = {
  db: Db
  random: () => number
  /** Each start changes the URL. */
  url: () => string
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Rejects if there is no response. */
  send: (member: { token: string }, method: string, path: string, body?: object) => Promise<Response>
  /** Reads the emails in the data folder. */
  countEmails: (to: string) => number
}

export async function withSite<Result>(
  { seed, databaseUrl }: KillOptions,
  work: (site: Site) => Promise<Result>,
  moreEnv: Record<string, string> = {},
): Promise<Result> {
  const { folder, remove } = aDataFolder()
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl ?? '', LOG_LEVEL: 'fatal', ...moreEnv }
  let server = await startProgram(env)
  const db = openDatabase({ databaseUrl, dataDir: folder })
  const outbox = join(folder, 'outbox')
  const recipients = new Map<string, string | undefined>()
  try {
    return await work({
      db,
      random: seeded(seed),
      url: () => server.url,
      kill: async () => void (await server.end('SIGKILL')),
      start: async () => void (server = await startProgram(env)),
      send: ({ token }, method, path, body) =>
        fetch(server.url + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          },
          body: body instanceof FormData ? body : (JSON.stringify(body) ?? null),
        }),
      countEmails(to) {
        for (const file of existsSync(outbox) ? readdirSync(outbox) : [])
          if (file.endsWith('.eml') && !recipients.has(file))
            recipients.set(file, /^To: (.*)$/m.exec(readFileSync(join(outbox, file), 'utf8'))?.[1])
        return [...recipients.values()].filter((recipient) => recipient === to).length
      },
    })
  } finally {
    await db.destroy()
    await server.end('SIGKILL')
    remove()
  }
}

/** Compares the counters with a recount, and checks integrity and foreign keys. */
export async function findDatabaseFaults(db: Db): Promise<string[]> {
  const faults = (await findCounterFaults(db, features)).map(
    ({ table, column, id, is, counted }) => `${table} ${id}: ${column} is ${is}, a recount gives ${counted}`,
  )
  if (isSqlite(db)) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
    faults.push(...rows.map((row) => row.integrity_check).filter((line) => line !== 'ok'))
    const { rows: broken } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
    return [...faults, ...broken.map(({ table }) => `${table}: violates a foreign key`)]
  }
  // As pg_amcheck: the rows of each table, and each index against its table.
  await sql`create extension if not exists amcheck`.execute(db)
  const { rows } = await sql<{ name: string; blkno: number; msg: string }>`
    select c.relname as name, v.blkno, v.msg from pg_class c join pg_namespace n on n.oid = c.relnamespace,
    lateral verify_heapam(c.oid::regclass) v where c.relkind = 'r' and n.nspname = 'public'`.execute(db)
  faults.push(...rows.map(({ name, blkno, msg }) => `${name}, block ${blkno}: ${msg}`))
  await sql`select bt_index_check(i.indexrelid::regclass, true) from pg_index i
    join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam
    join pg_namespace n on n.oid = c.relnamespace
    where am.amname = 'btree' and n.nspname = 'public' and i.indisvalid`
    .execute(db)
    .catch((error: Error) => faults.push(error.message))
  return faults
}
