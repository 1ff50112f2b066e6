import { timeout, TimeoutStrategy } from 'cockatiel'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { type Db, postgresPool } from './open.ts'
import { preparingQueries } from './postgres-client.ts'
import type { Tables } from './tables.ts'

/** With more lag, reads go to the primary. */
const lagMaxMs = 5_000
const pollEveryMs = 500
const pollTimeout = timeout(2_000, TimeoutStrategy.Aggressive)

export type Replica = {
  /**
   * Returns the database to read from for a member who last wrote at `wroteAt`, on the clock of the primary; null for a visitor.
   * Guarantees read-your-writes: returns the replica if it has replayed that write and its lag is small, otherwise the
   * primary. A query that fails on the replica is retried on the primary.
   */
  readerFor: (wroteAt: string | null) => Db
  close: () => Promise<void>
}

/** Of the write-ahead log, with the time on the primary's clock and on ours (monotonic). */
type Sample = { at: string; position: number; takenMs: number }

export function openReplica(
  url: string,
  db: Db,
  log: { info: (text: string) => void; warn: (fields: object, text: string) => void },
): Replica {
  const pool = postgresPool(url, { connectionTimeoutMillis: 1_000, query_timeout: 5_000 })
  const run = preparingQueries()
  const reader = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        // Each statement may use any free connection.
        connect: async () => ({ query: read as never, release() {} }),
        end: () => pool.end(),
      },
    }),
  })

  let readError: unknown

  async function read(text: string, parameters: readonly unknown[]) {
    if (text === 'begin') throw new Error('The replica does not support transactions.')
    try {
      return await run(pool, text, parameters)
    } catch (error) {
      readError = error
      // If the query itself is wrong, the primary throws the same error.
      return db.executeQuery(CompiledQuery.raw(text, [...parameters]))
    }
  }

  let pending: Sample[] = []
  let replayed: Sample | undefined
  let isUsed: boolean | undefined

  const isFresh = (sample: Sample | undefined) =>
    sample !== undefined && performance.now() - sample.takenMs < lagMaxMs

  async function samplePrimary(): Promise<void> {
    const takenMs = performance.now()
    // The clock is read first, so that the position covers everything committed until then.
    const { rows } = await sql<{ at: string; position: number }>`
      select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        pg_current_wal_insert_lsn() - '0/0' as position`.execute(db)
    pending = [...pending, { ...rows[0]!, takenMs }].filter(isFresh)
  }

  async function checkReplica(): Promise<void> {
    const { rows } = await pool.query<{ isReplica: boolean; position: number | null }>(
      `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() - '0/0' as position`,
    )
    const { isReplica, position } = rows[0]!
    // A promoted replica no longer follows our primary.
    if (!isReplica) throw new Error('The server is not a replica.')
    while (pending.length > 0 && pending[0]!.position <= (position ?? -1)) replayed = pending.shift()
  }

  async function poll(): Promise<void> {
    let reason: unknown
    try {
      // If the primary is too busy to be sampled, reads must not move to it.
      await pollTimeout.execute(samplePrimary)
      await pollTimeout.execute(checkReplica).catch((error: unknown) => {
        replayed = undefined
        throw error
      })
    } catch (error) {
      reason = error
    }
    if (readError) log.warn({ err: readError }, 'a read failed on the replica and was retried on the primary')
    readError = undefined
    const isUsable = isFresh(replayed)
    if (isUsable === isUsed || isClosed) return
    isUsed = isUsable
    if (isUsable) log.info('reading from the replica')
    else log.warn({ err: reason }, 'the replica is down or its lag is too large: reading from the primary')
  }

  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  const startPoll = () => {
    polling = poll().then(() => {
      if (!isClosed) timer = setTimeout(startPoll, pollEveryMs).unref()
    })
  }
  startPoll()

  return {
    readerFor: (wroteAt) => (isFresh(replayed) && (wroteAt === null || wroteAt < replayed!.at) ? reader : db),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await polling
      await reader.destroy()
      // Kysely ends the pool only if it has used it.
      if (!pool.ended && !pool.ending) await pool.end()
    },
  }
}
