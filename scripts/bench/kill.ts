import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'
import { ownPostgres } from '#scripts/testing/own-postgres.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { seeded } from '#scripts/testing/random.ts'
import { killImports } from './kill-imports.ts'
import { killTasks } from './kill-tasks.ts'
import {
  checkWriter,
  type Counted,
  keepWriting,
  type KillOptions,
  openOutbox,
  prepareStage,
  type Stage,
} from './writers.ts'

type Options = KillOptions & {
  /** The process to kill: the server, or its Postgres. */
  victim: { kill: () => Promise<void>; start: () => Promise<void> } | 'server'
}
export type KillResult = Counted & {
  rounds: number
  seconds: number
  /** The longest recovery: from a kill until the server is ready again. */
  recoveryMs: number
  /** Calls in flight at a kill. */
  open: number
  /** Calls in flight at a kill that turned out to be committed. */
  openAndDone: number
  faults: string[]
}

const writersMax = 6
const anchorsMax = 8
/** Per round, on average. */
const acknowledgedMin = 20

/**
 * Crash test. In each round writers write over HTTP, the server (or Postgres) is killed at a random moment and restarted.
 * Then every acknowledged write must be there, no write may be partial, the counters must equal a recount, and the database
 * must pass its integrity check.
 */
export async function killRepeatedly({
  rounds,
  seed,
  databaseUrl,
  victim,
  report = () => {},
}: Options): Promise<KillResult> {
  const random = seeded(seed)
  const { folder, remove } = aDataFolder()
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl ?? '', LOG_LEVEL: 'fatal' }
  const startedAt = performance.now()
  const counted: Counted = { acknowledged: 0, refused: 0, lost: 0, statuses: {} }
  const found: KillResult = {
    ...counted,
    rounds: 0,
    seconds: 0,
    recoveryMs: 0,
    open: 0,
    openAndDone: 0,
    faults: [],
  }
  let server = await startProgram(env)
  const db = openDatabase({ databaseUrl, dataDir: folder })
  const countEmails = openOutbox(folder)
  try {
    const stage = await createStage(db, server)
    if (!isSqlite(db)) await sql`create extension if not exists amcheck`.execute(db)
    for (let round = 1; round <= rounds; round++) {
      const stop = new AbortController()
      const { url } = server
      const writing = stage.writers.map((writer) =>
        keepWriting(stage, writer, { url, random, signal: stop.signal, counted }),
      )
      await wait(50 + Math.floor(random() * 600))
      // A slow machine may not have acknowledged a write yet.
      while (counted.acknowledged < round * acknowledgedMin) await wait(10)
      const killedAt = performance.now()
      if (victim === 'server') await server.end('SIGKILL')
      else await victim.kill()
      stop.abort()
      await Promise.all(writing)
      if (victim === 'server') server = await startProgram(env)
      else await victim.start()
      await waitUntilReady(server)
      found.recoveryMs = Math.max(found.recoveryMs, Math.round(performance.now() - killedAt))
      if (!isSqlite(db)) await waitUntilIdle(db)

      const open = stage.writers.filter((writer) => writer.open !== undefined).map((writer) => writer.open!)
      const faults = await findFaults(db, stage, countEmails)
      found.open += open.length
      found.openAndDone += stage.writers.filter((writer) =>
        open.some((facts) => isSame(facts, writer.facts)),
      ).length
      found.faults.push(...faults.map((fault) => `round ${round}: ${fault}`))
      found.rounds = round
      if (round % 10 === 0)
        report(`${round} rounds, ${counted.acknowledged} writes acknowledged, ${found.faults.length} faults`)
    }
    return { ...found, ...counted, seconds: Math.round((performance.now() - startedAt) / 1000) }
  } finally {
    await db.destroy()
    await server.end('SIGKILL')
    remove()
  }
}

async function createStage(db: Db, { url }: Program): Promise<Stage> {
  const stage = await prepareStage(db, writersMax + 1)
  const author = stage.writers.pop()!
  for (const { id } of stage.titles.slice(0, anchorsMax)) {
    const response = await fetch(`${url}/reviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ itemId: id, rating: 3, text: 'For reactions and comments.' }),
    })
    stage.anchors.push(((await response.json()) as { review: { id: number } }).review.id)
  }
  return stage
}

async function waitUntilReady({ url, output }: Program): Promise<void> {
  const until = performance.now() + 120_000
  while (performance.now() < until) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await wait(20)
  }
  throw new Error(`The server did not become ready again:\n${output()}`)
}

/** Waits for Postgres to finish statements of the killed server, which may still run for a moment. */
async function waitUntilIdle(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'`.execute(db)
    if (rows.length === 0) return
    await wait(5)
  }
}

async function findFaults(db: Db, stage: Stage, countEmails: (to: string) => number): Promise<string[]> {
  const faults: string[] = []
  for (const writer of stage.writers) faults.push(...(await checkWriter(db, writer, countEmails)))
  for (const { table, column, id, is, counted } of await findCounterFaults(db))
    faults.push(`${table} ${id}: ${column} is ${is}, a recount gives ${counted}`)
  if (isSqlite(db)) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
    faults.push(...rows.map((row) => row.integrity_check).filter((line) => line !== 'ok'))
    const { rows: broken } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
    faults.push(...broken.map(({ table }) => `${table}: violates a foreign key`))
  } else {
    // The checks of pg_amcheck: the rows of each table, and each index against its table.
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
  }
  return faults
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      rounds: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      on: { type: 'string', default: 'sqlite' },
    },
  })
  const [mode = 'writes'] = positionals
  if (values.help || !['writes', 'imports', 'tasks', 'postgres'].includes(mode)) {
    console.log(`npm exec -- node scripts/bench/kill.ts [writes|imports|tasks|postgres] [--rounds 200] [--seed 1] [--on sqlite|postgres]

Crash tests. In each round a process gets SIGKILL at a random moment and is restarted. Then every counter must equal a recount.
Exits with 1 if a check fails.

  writes    the server, while six writers write over HTTP: every acknowledged write must be there, no write may be partial, and the
            database must pass its integrity check (integrity_check, amcheck)
  postgres  the same, but every process of Postgres gets the signal
  imports   the server, while two members import the same titles and undo it: each title must be written exactly once, then not at all
  tasks     the server, while members register, webhooks are told of favorites and accounts are removed: each email, delivery and
            deletion must be done, and twice only what was in flight`)
    process.exit()
  }
  const postgres = values.on === 'postgres' || mode === 'postgres' ? await ownPostgres() : undefined
  const options = {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    databaseUrl: postgres?.url,
    report: console.log,
  }
  const { faults, ...figures } = await (mode === 'imports'
    ? killImports(options)
    : mode === 'tasks'
      ? killTasks(options)
      : killRepeatedly({ ...options, victim: mode === 'postgres' ? postgres! : 'server' }))
  await postgres?.remove()
  console.log({ mode, on: postgres ? 'postgres' : 'sqlite', ...figures, faults: faults.length })
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
