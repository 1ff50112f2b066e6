import { timeout, TimeoutStrategy } from 'cockatiel'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { type Db, postgresPool } from './open.ts'
import type { Tables } from './tables.ts'

/** A replica further behind than this is not read from. */
const lagMaxMs = 5_000
const lookEveryMs = 500
const patience = timeout(2_000, TimeoutStrategy.Aggressive)

/** A copy of the database that lags behind by a moment, for reads. */
export type Replica = {
  /**
   * The database to read from for somebody who wrote last at `wroteAt` (`users.wrote_at`; null for a visitor): the replica
   * where it has that and is not far behind, else the primary. What fails at the replica is asked of the primary.
   */
  readerFor: (wroteAt: string | null) => Db
  close: () => Promise<void>
}

/** What stood in the primary's log at a time of its clock, and of ours (monotonic). */
type Sample = { at: string; position: number; takenMs: number }

export function openReplica(
  url: string,
  db: Db,
  log: { info: (text: string) => void; warn: (about: object, text: string) => void },
): Replica {
  const pool = postgresPool(url, { connectionTimeoutMillis: 1_000, query_timeout: 5_000 })
  const reader = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        // Statement by statement, each on whichever connection is free: reads outside of transactions.
        connect: async () => ({ query: read as never, release() {} }),
        end: () => pool.end(),
      },
    }),
  })

  /** What failed there since it was said last. */
  let failed: unknown

  async function read(text: string, parameters: readonly unknown[]) {
    if (text === 'begin') throw new Error('There are no transactions at the replica.')
    try {
      return await pool.query(text, [...parameters])
    } catch (error) {
      failed = error
      // If the fault is the query's, the primary says so too.
      return db.executeQuery(CompiledQuery.raw(text, [...parameters]))
    }
  }

  /** Taken at the primary, oldest first, and not yet known to have arrived at the replica. */
  let onTheWay: Sample[] = []
  let arrived: Sample | undefined
  let isUsed: boolean | undefined

  const isFresh = (sample: Sample | undefined) =>
    sample !== undefined && performance.now() - sample.takenMs < lagMaxMs

  async function askPrimary(): Promise<void> {
    const takenMs = performance.now()
    // The clock first: what was committed before it is within the position, sent to the replica already or not.
    const { rows } = await sql<{ at: string; position: number }>`
      select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        pg_current_wal_insert_lsn() - '0/0' as position`.execute(db)
    onTheWay = [...onTheWay, { ...rows[0]!, takenMs }].filter(isFresh)
  }

  async function askReplica(): Promise<void> {
    const { rows } = await pool.query<{ isReplica: boolean; position: number | null }>(
      `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() - '0/0' as position`,
    )
    const { isReplica, position } = rows[0]!
    // It may have become a primary of its own, and know nothing of ours any more.
    if (!isReplica) throw new Error('It is no replica.')
    while (onTheWay.length > 0 && onTheWay[0]!.position <= (position ?? -1)) arrived = onTheWay.shift()
  }

  async function look(): Promise<void> {
    let reason: unknown
    try {
      // A primary that is busy is no reason to ask it still more: what has arrived counts until it is too old.
      await patience.execute(askPrimary)
      await patience.execute(askReplica).catch((error: unknown) => {
        arrived = undefined
        throw error
      })
    } catch (error) {
      reason = error
    }
    if (failed) log.warn({ err: failed }, 'the replica did not answer a read, and the primary did')
    failed = undefined
    const isUsable = isFresh(arrived)
    if (isUsable === isUsed || isClosed) return
    isUsed = isUsable
    if (isUsable) log.info('reading from the replica')
    else log.warn({ err: reason }, 'the replica is away or too far behind: reading from the primary')
  }

  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  const goOn = () => {
    looking = look().then(() => {
      if (!isClosed) timer = setTimeout(goOn, lookEveryMs).unref()
    })
  }
  goOn()

  return {
    readerFor: (wroteAt) => (isFresh(arrived) && (wroteAt === null || wroteAt < arrived!.at) ? reader : db),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await looking
      await reader.destroy()
      // Kysely ends only what it has used.
      if (!pool.ended && !pool.ending) await pool.end()
    },
  }
}
