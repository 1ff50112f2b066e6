import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** The first executions tell which reads are frequent. Each prepared one takes memory of each connection. */
const prepareAfter = 5
const preparedMax = 500
const countedMax = 1_000

const isRead = /^\s*(select|with)\b/i

/**
 * Of prepared statements only: a pooler has replaced the session (26000) or already knew the name (42P05), or a migration has changed the
 * result's types (0A000).
 */
const notPrepared = new Set<unknown>(['26000', '42P05', '0A000'])

export type RunQuery = <Row extends pg.QueryResultRow>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
) => Promise<pg.QueryResult<Row>>

/**
 * Prepares frequent reads: Postgres parses each once per connection, which takes longer than most reads. Within a transaction, and after
 * the first error of a prepared statement, reads are sent as text.
 */
export function preparingQueries(): RunQuery {
  const uses = new LRUCache<string, number>({ max: countedMax })
  const names = new Map<string, string>()
  let isOn = true

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= preparedMax || !isRead.test(text)) return known
    const count = (uses.get(text) ?? 0) + 1
    uses.set(text, count)
    if (count <= prepareAfter) return undefined
    const name = createHash('sha256').update(text).digest('base64url')
    names.set(text, name)
    return name
  }

  return async (on, text, values) => {
    // `I` is outside of a transaction; a new connection has no status yet.
    const isOutside = on instanceof pg.Pool || (on.getTransactionStatus() ?? 'I') === 'I'
    const name = isOn && isOutside ? nameOf(text) : undefined
    if (name === undefined) return on.query(text, [...values])
    try {
      return await on.query({ name, text, values: [...values] })
    } catch (error) {
      if (!notPrepared.has((error as { code?: unknown }).code)) throw error
      // Outside of a transaction, a statement that failed has done nothing.
      const result = await on.query(text, [...values])
      isOn = false
      return result
    }
  }
}

export function kyselyPool(pool: pg.Pool, run: RunQuery): PostgresPool {
  // Kysely recognizes a connection by its object.
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const clientOf = (client: pg.PoolClient) => {
    // Without a cursor, because the project does not stream.
    const query = ((text: string, values: readonly unknown[]) => run(client, text, values)) as never
    const wrapped: PostgresPoolClient = { query, release: (destroy) => client.release(destroy) }
    known.set(client, wrapped)
    return wrapped
  }
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      return known.get(client) ?? clientOf(client)
    },
    end: () => pool.end(),
  }
}
