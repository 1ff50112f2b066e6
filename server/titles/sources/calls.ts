import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/open.ts'

/** A success or failure like the last one is stored after this time at the earliest, because each write ends the caches of visitors. */
const storedEveryMs = 5 * 60_000
const errorMax = 200

/** Receives the result of each search or sync of a source: `error` is undefined if it succeeded. */
export type ObserveCall = (source: string, error?: unknown) => void

/** Returns a function that stores the last success and failure of each source, for the overview of admins. */
export function recordCalls(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): ObserveCall {
  const stored = new Map<string, { isFailure: boolean; at: number }>()
  return (source, error) => {
    const isFailure = error !== undefined
    const last = stored.get(source)
    const at = performance.now()
    if (last && last.isFailure === isFailure && at - last.at < storedEveryMs) return
    stored.set(source, { isFailure, at })
    const now = new Date().toISOString()
    const values = isFailure ? { failed_at: now, error: errorText(error) } : { succeeded_at: now }
    db.insertInto('source_calls')
      .values({ source, succeeded_at: null, failed_at: null, error: null, ...values })
      .onConflict((conflict) => conflict.column('source').doUpdateSet(values))
      .execute()
      .catch((failure: unknown) => log.warn({ err: failure }, 'the result of a source was not stored'))
  }
}

/** Returns the last success and failure of each source that was called. */
export async function listSourceCalls(db: Db) {
  return db.selectFrom('source_calls').selectAll().execute()
}

function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.slice(0, errorMax).toWellFormed()
}
