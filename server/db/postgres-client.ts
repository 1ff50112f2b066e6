import { createHash } from 'node:crypto'
import { callbackify } from 'node:util'
import { LRUCache } from 'lru-cache'
import pg from 'pg'

/**
 * A read is prepared once it has run this often: the first executions tell which reads are frequent. At most `preparedMax` are, because each
 * takes memory of each connection.
 */
const prepareAfter = 5
const preparedMax = 500
/** How many other texts are counted. */
const countedMax = 1_000

const isRead = /^\s*(select|with)\b/i

/**
 * The errors of a prepared statement that do not occur without one: the connection does not know it, since a pooler has replaced the session
 * (26000) or already knew it (42P05), and a migration has changed the types of its result (0A000).
 */
const notPrepared = new Set<unknown>(['26000', '42P05', '0A000'])

/**
 * Returns the class of a pool’s connections, which prepares frequent reads: Postgres then parses each once per connection, and plans it again
 * only if the plan depends on the arguments. That takes longer than most reads. Within a transaction, and after the first error of a
 * prepared statement, reads are sent as text.
 */
export function preparingClient(): typeof pg.Client {
  const uses = new LRUCache<string, number>({ max: countedMax })
  const names = new Map<string, string>()
  let isOn = true

  /** Returns the name under which a text is prepared, the same in all processes; undefined if it is not. */
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

  return class extends pg.Client {
    // oxlint-disable-next-line no-explicit-any -- the overloads of the driver
    override query(text: any, values?: any, callback?: any): any {
      // `I` is outside of a transaction; a new connection has no status yet.
      const isOutside = (this.getTransactionStatus() ?? 'I') === 'I'
      const name = isOn && isOutside && typeof text === 'string' ? nameOf(text) : undefined
      if (name === undefined) return super.query(text, values, callback)
      // Outside of a transaction, a statement that failed has done nothing and can be sent again.
      const result = super.query({ name, text }, values).catch(async (error: { code?: unknown }) => {
        if (!notPrepared.has(error.code)) throw error
        const rows = await super.query(text as string, values)
        isOn = false
        return rows
      })
      return callback ? callbackify(() => result)(callback) : result
    }
  }
}
