import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '#server/config.ts'

/** To every process on the same database, this one included. Delivery is not guaranteed. */
export type Channel = {
  /** Never throws. At most 8000 bytes, the limit of NOTIFY. */
  send: (message: string) => void
  close: () => Promise<void>
}

type Subscriber = {
  onMessage: (message: string) => void
  /** After a reconnect: an unknown number of messages was lost. */
  onGap: () => void
  onError: (error: unknown) => void
}

const reconnectDelayMs = 250
const reconnectDelayMaxMs = 30_000

/**
 * SQLite has a single process. Postgres uses LISTEN and NOTIFY on a connection of its own, which reconnects with exponential backoff.
 * Resolves when the channel listens or the first attempt has failed; never rejects.
 */
export async function openChannel(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  name: string,
  { onMessage, onGap, onError }: Subscriber,
): Promise<Channel> {
  if (!databaseUrl) return { send: onMessage, close: async () => {} }

  const closing = new AbortController()
  let client: pg.Client | undefined
  let sending: Promise<void> = Promise.resolve()

  /** Resolves when the connection has ended. */
  async function listen(isListening: () => void): Promise<void> {
    client = new pg.Client({
      connectionString: databaseUrl,
      application_name: name,
      connectionTimeoutMillis: 5_000,
      // Detects connections that a firewall has dropped, because this connection only receives.
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
    })
    const ended = new Promise((resolve) => client!.once('end', resolve))
    client.on('error', onError)
    client.on('notification', ({ payload = '' }) => {
      // Other clients of the database, such as other versions, can send notifications.
      try {
        onMessage(payload)
      } catch (error) {
        onError(error)
      }
    })
    try {
      await client.connect()
      await client.query(`listen ${name}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    isListening()
    await ended
  }

  let firstAttemptDone!: () => void
  const firstAttempt = new Promise<void>((resolve) => (firstAttemptDone = resolve))
  async function keepListening(): Promise<void> {
    for (let failures = 0, attempts = 0; !closing.signal.aborted; attempts++) {
      try {
        await listen(() => {
          failures = 0
          if (attempts > 0) onGap()
          firstAttemptDone()
        })
      } catch (error) {
        if (!closing.signal.aborted) onError(error)
      }
      firstAttemptDone()
      const delayMs = Math.min(reconnectDelayMaxMs, reconnectDelayMs * 2 ** failures++)
      await wait(delayMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  const ended = keepListening()
  await firstAttempt

  return {
    send(message) {
      // So that messages arrive in order.
      sending = sending
        .then(() => client?.query('select pg_notify($1, $2)', [name, message]))
        .then(() => {}, onError)
    },
    async close() {
      closing.abort()
      await client?.end().catch(() => {})
      await ended
    },
  }
}
