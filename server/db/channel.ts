import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '#server/config.ts'

/** Short texts to every process over the same database, the sender among them. Some may be lost. */
export type Channel = {
  /** Never throws, never waits. At most 8000 bytes. */
  send: (text: string) => void
  close: () => Promise<void>
}

type Ears = {
  onText: (text: string) => void
  /** What was sent for some time did not arrive, and nobody knows what. */
  onGap: () => void
  onProblem: (error: unknown) => void
}

const firstDelayMs = 250
const delayMaxMs = 30_000

/**
 * SQLite has one process, which hears itself. Postgres: NOTIFY and LISTEN on a connection of its own, which is opened
 * anew when it dies.
 * Resolves once that listens, or once the first attempt has failed; never rejects.
 */
export async function openChannel(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  name: string,
  { onText, onGap, onProblem }: Ears,
): Promise<Channel> {
  if (!databaseUrl) return { send: onText, close: async () => {} }

  const closing = new AbortController()
  let client: pg.Client | undefined
  let sending: Promise<void> = Promise.resolve()

  /** Resolves when the connection has ended; `isListening` is called in between. */
  async function listen(isListening: () => void): Promise<void> {
    client = new pg.Client({
      connectionString: databaseUrl,
      application_name: name,
      connectionTimeoutMillis: 5_000,
      // What a firewall forgot is noticed, though nothing is ever sent here.
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
    })
    const ended = new Promise((resolve) => client!.once('end', resolve))
    client.on('error', onProblem)
    client.on('notification', ({ payload = '' }) => {
      // Anybody with access to the database can send, an older or newer version of this program among them.
      try {
        onText(payload)
      } catch (error) {
        onProblem(error)
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

  let listening!: () => void
  const firstAttempt = new Promise<void>((resolve) => (listening = resolve))
  async function keepListening(): Promise<void> {
    for (let failures = 0, attempts = 0; !closing.signal.aborted; attempts++) {
      try {
        await listen(() => {
          failures = 0
          if (attempts > 0) onGap()
          listening()
        })
      } catch (error) {
        if (!closing.signal.aborted) onProblem(error)
      }
      listening()
      const delayMs = Math.min(delayMaxMs, firstDelayMs * 2 ** failures++)
      await wait(delayMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  const ended = keepListening()
  await firstAttempt

  return {
    send(text) {
      // One after the other, so that they arrive in this order.
      sending = sending
        .then(() => client?.query('select pg_notify($1, $2)', [name, text]))
        .then(() => {}, onProblem)
    },
    async close() {
      closing.abort()
      await client?.end().catch(() => {})
      await ended
    },
  }
}
