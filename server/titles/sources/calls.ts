import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/open.ts'

/** Each write ends the caches of visitors, so an equal result is stored after this time at the earliest. */
const storedEveryMs = 5 * 60_000
const errorMax = 200

export type ObserveCall = (source: string, error?: unknown) => void

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

export async function listSourceCalls(db: Db) {
  return db.selectFrom('source_calls').selectAll().execute()
}

function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.slice(0, errorMax).toWellFormed()
}
