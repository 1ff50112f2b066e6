import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import pg from 'pg'
import type { Config } from '#server/config.ts'
import type { Tables } from './tables.ts'

/** A transaction fits wherever a `Db` is asked for. */
export type Db = Kysely<Tables>

/** Opens the database that the configuration names; call `destroy()` when done. */
export function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Db {
  if (config.databaseUrl)
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: postgresPool(config.databaseUrl) }) })
  mkdirSync(config.dataDir, { recursive: true })
  return new Kysely<Tables>({ dialect: new SqliteDialect(join(config.dataDir, 'medley.sqlite')) })
}

/** Counts and sums arrive as text from Postgres; ours fit a number. */
const numbers = new Set<number>([20 /* int8 */, 1700 /* numeric */])

/** Connections with our types and limits; `more` changes or adds some. */
export function postgresPool(connectionString: string, more: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 5_000,
    // Nobody waits for ever behind somebody else's lock, and no transaction stays open with nobody in it.
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        numbers.has(oid)
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
    ...more,
  })
  // An idle connection that dies (a restart of Postgres) is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // So would one that dies between two statements of a transaction, of which the pool knows nothing; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Whether the database answers within a second. */
export async function isDatabaseUp(db: Db): Promise<boolean> {
  const query = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([query, new Promise<boolean>((resolve) => setTimeout(resolve, 1_000, false).unref())])
}

/** How long a statement waits for a transaction ahead of it, before it fails instead of waiting for ever. */
const writerWaitMs = 10_000
/** How long it waits for another process that writes to the same file (a shell, a script of ours). */
const lockedWaitMs = 5_000

/**
 * SQLite with two handles on one file: reads outside a transaction never wait behind one. Statements are prepared once.
 * Which handle a statement goes to is asked of SQLite itself (`readonly`), not guessed from its text.
 */
class SqliteDialect implements Dialect {
  readonly #path: string
  constructor(path: string) {
    this.#path = path
  }
  createDriver() {
    return new SqliteDriver(this.#path)
  }
  createQueryCompiler() {
    return new SqliteQueryCompiler()
  }
  createAdapter() {
    return new Adapter()
  }
  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db)
  }
}

/** What Kysely's own adapter denies: schema changes are transactional, and our driver serves reads beside a transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
  override get supportsMultipleConnections() {
    return true
  }
}

class Handle {
  readonly sqlite: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(path: string, options: Sqlite.Options) {
    this.sqlite = new Sqlite(path, options)
    this.sqlite.pragma('busy_timeout = 5000')
    // As much as SQLite ever maps: pages come from the system's cache, and what is not touched takes no memory.
    this.sqlite.pragma('mmap_size = 2147418112')
    this.sqlite.pragma('foreign_keys = on')
  }

  prepare(text: string): Sqlite.Statement {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.sqlite.prepare(text)
      // Lists of ids of any length make ever new texts; the map stays small.
      if (this.#statements.size >= 500) this.#statements.clear()
      this.#statements.set(text, statement)
    }
    return statement
  }

  run<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.prepare(text)
    const values = parameters.map(bindable)
    if (statement.reader) return { rows: statement.all(values) as Row[] }
    const { changes, lastInsertRowid } = statement.run(values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

/** What SQLite knows no type for. */
function bindable(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : value
}

class SqliteDriver implements Driver {
  readonly #path: string
  #writer!: Handle
  #reader!: Handle
  /** The end of the queue for the writer. */
  #tail: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  async init() {
    this.#writer = new Handle(this.#path, {})
    this.#writer.sqlite.pragma('journal_mode = wal')
    this.#writer.sqlite.pragma('synchronous = normal')
    // SQLite waits with the whole process, and every read of it: see `whenFree`.
    this.#writer.sqlite.pragma('busy_timeout = 0')
    this.#reader = new Handle(this.#path, { readonly: true })
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this)
  }
  async beginTransaction(connection: DatabaseConnection) {
    await (connection as SqliteConnection).begin()
  }
  async commitTransaction(connection: DatabaseConnection) {
    ;(connection as SqliteConnection).end('commit')
  }
  async rollbackTransaction(connection: DatabaseConnection) {
    ;(connection as SqliteConnection).end('rollback')
  }
  async releaseConnection() {}
  async destroy() {
    this.#reader?.sqlite.close()
    this.#writer?.sqlite.close()
  }

  get writer() {
    return this.#writer
  }

  /** The handle that may run this statement without the lock, if any. */
  readerFor(text: string): Handle | undefined {
    return /^\s*(select|with|explain)\b/i.test(text) && this.#reader.prepare(text).readonly
      ? this.#reader
      : undefined
  }

  /** Runs what needs the file's write lock, once no other process has it. */
  async whenFree<T>(run: (writer: Handle) => T): Promise<T> {
    const startedAt = performance.now()
    for (;;) {
      try {
        return run(this.#writer)
      } catch (error) {
        const isLocked = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
        if (!isLocked || performance.now() - startedAt > lockedWaitMs) throw error
      }
      await wait(20)
    }
  }

  /** Resolves to the function that gives the writer back. */
  async lock(): Promise<() => void> {
    const before = this.#tail
    let release!: () => void
    this.#tail = new Promise((resolve) => (release = resolve))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<true>((resolve) => {
      timer = setTimeout(() => resolve(true), writerWaitMs)
    })
    const isLate = await Promise.race([before.then(() => false), late])
    clearTimeout(timer)
    if (isLate) {
      void before.then(release)
      const why = 'Waited too long for the database: a transaction ahead does not end, or waits for this one.'
      throw Object.assign(new Error(why), { code: 'SQLITE_BUSY' })
    }
    return release
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
  /** Set while a transaction holds the writer. */
  #release: (() => void) | undefined

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async begin() {
    this.#release = await this.#driver.lock()
    try {
      await this.#driver.whenFree((writer) => writer.run('begin immediate', []))
    } catch (error) {
      this.#release()
      this.#release = undefined
      throw error
    }
  }

  end(how: 'commit' | 'rollback') {
    // After a commit that failed Kysely rolls back; by then the writer may be somebody else's.
    if (!this.#release) return
    try {
      // A failed statement may have ended the transaction already (a full disk does).
      if (how === 'commit' || this.#driver.writer.sqlite.inTransaction) this.#driver.writer.run(how, [])
    } catch (error) {
      if (this.#driver.writer.sqlite.inTransaction) this.#driver.writer.run('rollback', [])
      throw error
    } finally {
      this.#release?.()
      this.#release = undefined
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#release) return this.#driver.writer.run(query.sql, query.parameters)
    const reader = this.#driver.readerFor(query.sql)
    if (reader) return reader.run(query.sql, query.parameters)
    const release = await this.#driver.lock()
    try {
      return await this.#driver.whenFree((writer) => writer.run<Row>(query.sql, query.parameters))
    } finally {
      release()
    }
  }

  // oxlint-disable-next-line require-yield -- an interface that nothing here uses
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}
