import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { openSlices, pause } from './slices.ts'

/** Then it fails with SQLITE_BUSY. */
const writerWaitMs = 10_000
/** For another process that has locked the file (a SQLite shell, one of our scripts). */
const lockedWaitMs = 5_000

/**
 * A reader and a writer on one file, so that reads outside a transaction never wait. SQLite reports which statements are read-only
 * (`readonly`), which the text does not tell.
 */
export class SqliteDialect implements Dialect {
  readonly #path: string
  #driver: SqliteDriver | undefined
  constructor(path: string) {
    this.#path = path
  }
  createDriver() {
    return (this.#driver = new SqliteDriver(this.#path))
  }
  version(): number {
    return this.#driver?.version() ?? NaN
  }
  createQueryCompiler() {
    return new Compiler()
  }
  createAdapter() {
    return new Adapter()
  }
  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db)
  }
}

/**
 * `+?` has the same value as `?`. For a plain `?` in a limit, or in an equality of a query that sorts, SQLite prepares the statement again
 * each time, which takes longer than most queries.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** DDL is transactional, and our driver reads while a transaction is open. */
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
    // The maximum of SQLite. Unread pages take no memory.
    this.sqlite.pragma('mmap_size = 2147418112')
    this.sqlite.pragma('foreign_keys = on')
  }

  prepare(text: string): Sqlite.Statement {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.sqlite.prepare(text)
      // Lists of different lengths produce different SQL texts.
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

function bindable(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : value
}

class SqliteDriver implements Driver {
  readonly #path: string
  #writer!: Handle
  #reader!: Handle
  #readVersion: Sqlite.Statement | undefined
  #tail: Promise<void> = Promise.resolve()
  /** A transaction resumes in the next turn of the event loop, because others are waiting for the writer. */
  readonly #writerSlices = openSlices()

  constructor(path: string) {
    this.#path = path
  }

  async init() {
    this.#writer = new Handle(this.#path, {})
    this.#writer.sqlite.pragma('journal_mode = wal')
    this.#writer.sqlite.pragma('synchronous = normal')
    // SQLite's own busy wait blocks the whole process, reads included.
    this.#writer.sqlite.pragma('busy_timeout = 0')
    this.#reader = new Handle(this.#path, { readonly: true })
    this.#readVersion = this.#reader.sqlite.prepare('pragma data_version').pluck()
  }

  /** Takes less than a microsecond. SQLite changes the number with every commit on another handle; this one only reads. */
  version(): number {
    try {
      return (this.#readVersion?.get() as number | undefined) ?? NaN
    } catch {
      return NaN
    }
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
  /** After each query and transaction: what is computed from its result may take long. */
  async releaseConnection() {
    await pause()
  }
  async destroy() {
    this.#reader?.sqlite.close()
    this.#writer?.sqlite.close()
  }

  get writer() {
    return this.#writer
  }

  pauseWriter(): Promise<void> | undefined {
    return this.#writerSlices.pause()
  }

  readerFor(text: string): Handle | undefined {
    return /^\s*(select|with|explain)\b/i.test(text) && this.#reader.prepare(text).readonly
      ? this.#reader
      : undefined
  }

  /** For a statement that needs the file's write lock; retries while another process holds it. */
  async whenFree<T>(run: (writer: Handle) => T): Promise<T> {
    await this.pauseWriter()
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

  /** Returns the function that releases it. Throws SQLITE_BUSY after `writerWaitMs`. */
  async lock(): Promise<() => void> {
    const before = this.#tail
    let release!: () => void
    this.#tail = new Promise((resolve) => (release = resolve))
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<true>((resolve) => {
      timer = setTimeout(() => resolve(true), writerWaitMs)
    })
    const isTimedOut = await Promise.race([before.then(() => false), timeout])
    clearTimeout(timer)
    if (isTimedOut) {
      void before.then(release)
      const why =
        'Timed out waiting for the database: an earlier transaction does not end, or waits for this one.'
      throw Object.assign(new Error(why), { code: 'SQLITE_BUSY' })
    }
    return release
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
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
    // Kysely rolls back after a failed commit; by then another transaction may hold the writer.
    if (!this.#release) return
    try {
      // A failed statement may already have ended the transaction (a full disk does).
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
    if (this.#release) {
      await this.#driver.pauseWriter()
      if (!this.#release) throw new Error('The transaction has ended.')
      return this.#driver.writer.run(query.sql, query.parameters)
    }
    const reader = this.#driver.readerFor(query.sql)
    if (reader) {
      // Waiting for SQLite does not let the event loop turn. No await without a pause: many queries that begin at once would all see that
      // the slice is not over.
      const later = pause()
      if (later) await later
      return reader.run(query.sql, query.parameters)
    }
    const release = await this.#driver.lock()
    try {
      return await this.#driver.whenFree((writer) => writer.run<Row>(query.sql, query.parameters))
    } finally {
      release()
    }
  }

  // oxlint-disable-next-line require-yield -- Kysely's interface requires it; the project does not stream
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}
