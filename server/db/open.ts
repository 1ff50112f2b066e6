import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type Logger,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import type { Config } from '#server/config.ts'
import { pause } from './slices.ts'
import { kyselyPool, preparingQueries, type RunQuery } from './postgres-client.ts'
import { SqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { mayChange, setVersion } from './version.ts'

/** Or a transaction. */
export type Db = Kysely<Tables>

const pools = new WeakMap<Db, pg.Pool>()

/** Undefined for SQLite. */
export function measurePool(db: Db): Record<'busy' | 'idle' | 'waiting', number> | undefined {
  const pool = pools.get(db)
  if (!pool) return undefined
  const { totalCount, idleCount, waitingCount } = pool
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

export function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Db {
  return config.databaseUrl ? openPostgres(config.databaseUrl) : openSqlite(config.dataDir)
}

function openPostgres(databaseUrl: string): Db {
  let changes = 0
  const bump = () => void changes++
  const pool = postgresPool(databaseUrl)
  const prepared = preparingQueries()
  const run: RunQuery = async (on, text, values) => {
    try {
      return await prepared(on, text, values)
    } finally {
      // Before the caller gets the result. After an error too: a commit whose confirmation was lost may have succeeded.
      if (mayChange(text)) bump()
    }
  }
  const db = openWith({
    createDriver: () => new PausingPostgresDriver({ pool: kyselyPool(pool, run) }),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (of) => new PostgresIntrospector(of),
  })
  pools.set(db, pool)
  return setVersion(db, { current: () => changes, seesOthers: false, bump })
}

function openSqlite(dataDir: string): Db {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const dialect = new SqliteDialect(join(dataDir, 'medley.sqlite'))
  const version = { current: () => dialect.version(), seesOthers: true, bump() {} }
  return setVersion(openWith(dialect), version)
}

const dialects = new WeakMap<Db, Dialect>()

/** Its dialect is kept, with its only driver, for `sameDatabase`. */
function openWith(dialect: Dialect, log?: Logger): Db {
  const driver = dialect.createDriver()
  const shared: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
  const db = new Kysely<Tables>({ dialect: shared, ...(log && { log }) })
  dialects.set(db, shared)
  return db
}

/**
 * Over the same connections. `beforeCommit` runs at the end of each transaction, which is rolled back if it throws. Closing the result
 * closes nothing.
 */
export function sameDatabase(
  db: Db,
  { beforeCommit, log }: { beforeCommit?: BeforeCommit; log?: Logger },
): Db {
  const dialect = dialects.get(db)
  if (!dialect) throw new Error('The database was not opened by openDatabase.')
  const createDriver = () => new SharedDriver(dialect.createDriver(), beforeCommit)
  return openWith(
    {
      createDriver,
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (of) => dialect.createIntrospector(of),
    },
    log,
  )
}

type BeforeCommit = (connection: DatabaseConnection) => Promise<void>

class SharedDriver implements Driver {
  readonly #driver: Driver
  readonly #beforeCommit: BeforeCommit | undefined
  constructor(driver: Driver, beforeCommit: BeforeCommit | undefined) {
    this.#driver = driver
    this.#beforeCommit = beforeCommit
  }
  async init() {}
  async destroy() {}
  acquireConnection(options?: AbortableOperationOptions) {
    return this.#driver.acquireConnection(options)
  }
  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    return this.#driver.beginTransaction(connection, settings)
  }
  async commitTransaction(connection: DatabaseConnection) {
    await this.#beforeCommit?.(connection)
    await this.#driver.commitTransaction(connection)
  }
  rollbackTransaction(connection: DatabaseConnection) {
    return this.#driver.rollbackTransaction(connection)
  }
  releaseConnection(connection: DatabaseConnection) {
    return this.#driver.releaseConnection(connection)
  }
}

/** Several results can arrive in one turn of the event loop. */
class PausingPostgresDriver extends PostgresDriver {
  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    await pause()
    return super.acquireConnection(options)
  }
  override async releaseConnection(
    ...[connection]: Parameters<PostgresDriver['releaseConnection']>
  ): Promise<void> {
    await super.releaseConnection(connection)
    await pause()
  }
}

/** Counts and sums fit a JavaScript number; the driver returns text. */
const numbers = new Set<number>([20 /* int8 */, 1700 /* numeric */])

export function postgresPool(connectionString: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 5_000,
    // Bounds the wait for a lock, and ends transactions that a client left open.
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        numbers.has(oid)
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
    ...options,
  })
  // The pool replaces a lost idle connection; without a listener its error would end the process.
  pool.on('error', () => {})
  // As for a connection lost between two statements of a transaction. The next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export async function isDatabaseUp(db: Db): Promise<boolean> {
  const query = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([query, new Promise<boolean>((resolve) => setTimeout(resolve, 1_000, false).unref())])
}
