import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import packageJson from '../../package.json' with { type: 'json' }
import { messages } from '#shared/messages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import { payloadOf } from './payload.ts'
import { isGivenUp, messageId, nextAttempt, pauseEnd, signedHeaders } from './rules.ts'
import { openSender, type Outcome, type Send } from './send.ts'
import * as store from './store.ts'

/** Delivers the events in the table `webhook_deliveries`. */
export type WebhookWorker = {
  /** Attempts all due deliveries. Resolves when the attempts have ended. */
  deliverDue: () => Promise<void>
  close: () => Promise<void>
}

const pollIntervalMs = 2_000
const concurrencyMax = 10
/** The maximum number of concurrent attempts per host. */
const perHostMax = 2
/** The maximum number of concurrent attempts per member, whose slow receivers may have many hosts. */
const perMemberMax = 3
/** Longer than an attempt can take, so that no other process attempts a claimed delivery. */
const leaseMs = 2 * 60_000
const candidatesMax = 50
const closeGraceMs = 2_000

/** Starts the worker. Several processes can run one on the same database. */
export function openWebhookWorker({
  config,
  db,
  log,
  now = () => new Date(),
  sender = openSender({ toPrivate: config.webhooksToPrivate }),
  pollMs = pollIntervalMs,
}: {
  config: Pick<Config, 'webhooksToPrivate' | 'publicUrl'>
  db: Db
  log: Pick<FastifyBaseLogger, 'error'>
  now?: () => Date
  sender?: { send: Send; close: () => Promise<void> }
  /** 0 disables polling: only `deliverDue` delivers. */
  pollMs?: number
}): WebhookWorker {
  const userAgent = `Medley/${packageJson.version} (+${config.publicUrl})`
  const active = new Map<Promise<void>, { host: string; userId: number }>()
  const closing = new AbortController()

  async function attempt(row: store.DueRow): Promise<void> {
    const body = await payloadOf(db, row.user_id, row)
    if (body === undefined)
      return store.updateDelivery(db, row.id, {
        status: null,
        error: messages.deliveredResourceGone,
        delivered_at: null,
        next_attempt_at: null,
      })
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signedHeaders(row.secret, messageId(row), body, now()),
    }
    await record(row, await sender.send(row.url, headers, body))
  }

  async function record(row: store.DueRow, { status, error }: Outcome): Promise<void> {
    const at = now()
    if (error === null) {
      await store.updateDelivery(db, row.id, {
        status,
        error,
        delivered_at: at.toISOString(),
        next_attempt_at: null,
      })
      return store.markWorking(db, row.webhook_id)
    }
    // The claim counted the attempt after the row was read.
    const retryAt = row.event === 'test' ? null : nextAttempt(row.attempts + 1, at)
    await db.transaction().execute(async (trx) => {
      // Locks the webhook before its deliveries, in the same order as its deletion, to avoid deadlocks.
      const failingSince = await store.markFailing(trx, row.webhook_id, at)
      await store.updateDelivery(trx, row.id, {
        status,
        error,
        delivered_at: null,
        next_attempt_at: failingSince === undefined ? null : (retryAt?.toISOString() ?? null),
      })
      if (failingSince === undefined) return
      if (status === 410 || isGivenUp(failingSince, at))
        await store.disableWebhook(trx, row.webhook_id, at, messages.webhookWasDisabled)
      // The others would fail too, and keep the worker from other webhooks.
      else await store.postponeDeliveries(trx, row.webhook_id, pauseEnd(failingSince, at))
    })
  }

  /** Starts attempts until none is due or the limits are reached. Returns whether it started any, and whether it had to leave any. */
  async function startDue(): Promise<{ hasStarted: boolean; hasLeft: boolean }> {
    let hasStarted = false
    const busy = new Set<number>()
    while (!closing.signal.aborted && active.size < concurrencyMax) {
      const rows = await store.listDue(db, now(), [...busy], candidatesMax)
      if (rows.length === 0) break
      for (const row of rows) {
        const { host } = new URL(row.url)
        const others = [...active.values()]
        const isBusy =
          others.filter((other) => other.host === host).length >= perHostMax ||
          others.filter((other) => other.userId === row.user_id).length >= perMemberMax
        if (isBusy) busy.add(row.webhook_id)
        if (isBusy || active.size >= concurrencyMax) continue
        const at = now()
        if (!(await store.claimDelivery(db, row.id, at, new Date(at.getTime() + leaseMs)))) continue
        hasStarted = true
        const running = attempt(row)
          .catch((error: unknown) => log.error({ err: error, delivery: row.id }, 'webhook delivery failed'))
          .finally(() => active.delete(running))
        active.set(running, { host, userId: row.user_id })
      }
      if (rows.length < candidatesMax && busy.size === 0) break
    }
    return { hasStarted, hasLeft: busy.size > 0 }
  }

  async function deliverDue(): Promise<void> {
    for (;;) {
      const { hasStarted, hasLeft } = await startDue()
      if (active.size === 0) {
        // The attempts that the others had to wait for have ended meanwhile.
        if (hasLeft && !closing.signal.aborted) continue
        return
      }
      // What becomes due meanwhile does not wait for the attempts that run.
      await Promise.race([...active.keys(), ...(pollMs > 0 ? [wait(pollMs, undefined, { ref: false })] : [])])
      if (closing.signal.aborted && !hasStarted) return
    }
  }

  let round = Promise.resolve()
  let isRunning = false
  function poll(): void {
    if (isRunning) return
    isRunning = true
    round = deliverDue()
      .catch((error: unknown) => log.error({ err: error }, 'webhook deliveries failed'))
      .finally(() => (isRunning = false))
  }
  const timer = pollMs > 0 ? setInterval(poll, pollMs).unref() : undefined

  return {
    deliverDue,
    async close() {
      closing.abort()
      clearInterval(timer)
      await Promise.race([
        Promise.all([round, ...active.keys()]),
        wait(closeGraceMs, undefined, { ref: false }),
      ])
      await sender.close()
      await Promise.all([round, ...active.keys()])
    },
  }
}
