import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import packageJson from '../../package.json' with { type: 'json' }
import { messages } from '#shared/messages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import type { DeliveryRow } from '#server/db/tables.ts'
import { openTurns } from '#server/process/turns.ts'
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
/** Concurrent attempts of a process. */
const concurrencyMax = 10
/** The maximum number of concurrent attempts per host. */
const perHostMax = 2
/** The maximum number of concurrent attempts per member: one while others wait, more while there is room. */
const perMemberMax = 3
/** The maximum number of concurrent attempts for slow members; with as many of any kind, a member has no second one. The others stay free. */
const slowMax = 5
/** Receivers that take longer make their member slow for a while, so that one cannot take turns in being quick. */
const slowAfterMs = 2_000
const slowForMs = 10 * 60_000
const slowMembersMax = 1_000
/** Longer than an attempt can take, so that no other process attempts a claimed delivery. */
const leaseMs = 2 * 60_000
/** Webhooks with queued deliveries that one query lists. */
const pageMax = 100
/** How long a list of what is due is used, if that is longer than `listShare` times what it took to make it. */
const listForMs = 200
const listShare = 20
const closeGraceMs = 2_000

/** Starts the worker. Several processes can run one on the same database; in each of them, members have their turns. */
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
  const active = new Map<Promise<void>, { host: string; startedAt: number; isSlow: boolean }>()
  const turns = openTurns()
  const slowMembers = new LRUCache<number, true>({ max: slowMembersMax, ttl: slowForMs })
  /** The webhooks with deliveries that were due when they were listed. */
  let waiting = new Set<Due>()
  let listedUntil = 0
  const closing = new AbortController()

  async function attempt(row: Claimed): Promise<void> {
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
    const startedAt = performance.now()
    const outcome = await sender.send(row.url, headers, body)
    if (performance.now() - startedAt > slowAfterMs) slowMembers.set(row.user_id, true)
    await record(row, outcome)
  }

  async function record(row: Claimed, { status, error }: Outcome): Promise<void> {
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
    const retryAt = row.event === 'test' ? null : nextAttempt(row.attempts, at)
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

  function mayStart({ host, user_id, owners: [member] }: Due): boolean {
    const others = [...active.values()]
    if (others.filter((other) => other.host === host).length >= perHostMax) return false
    const ofMember = turns.running(member)
    if (ofMember > 0 && (ofMember >= perMemberMax || active.size >= slowMax)) return false
    const slowSince = performance.now() - slowAfterMs
    const slow = others.filter(({ isSlow, startedAt }) => isSlow || startedAt < slowSince)
    return slow.length < slowMax || !slowMembers.has(user_id)
  }

  async function list(): Promise<void> {
    const startedAt = performance.now()
    const listed: Due[] = []
    let page: store.WaitingWebhook[] = []
    do {
      page = await store.listWaiting(db, page.at(-1)?.id ?? 0, pageMax)
      const time = now().toISOString()
      const due = page.filter(({ due_at, disabled_at }) => due_at <= time && disabled_at === null)
      listed.push(...due.map(toDue))
    } while (page.length === pageMax && !closing.signal.aborted)
    waiting = new Set(listed)
    const listedAt = performance.now()
    listedUntil = listedAt + Math.max(listForMs, (listedAt - startedAt) * listShare)
  }

  /** Starts attempts, by turns of members, until none is due or the limits are reached. Returns whether it started any. */
  async function startDue(): Promise<boolean> {
    let hasStarted = false
    while (active.size < concurrencyMax && !closing.signal.aborted) {
      if (performance.now() >= listedUntil) await list()
      const next = turns.next([...waiting].filter(mayStart))
      if (!next) break
      const at = now()
      const row = await store.claimDelivery(db, next.id, at, new Date(at.getTime() + leaseMs))
      if (!row) {
        waiting.delete(next)
        continue
      }
      hasStarted = true
      const { host, user_id, url, secret } = next
      const entry = { host, startedAt: performance.now(), isSlow: slowMembers.has(user_id) }
      const end = turns.begin(next)
      const running = attempt({ ...row, user_id, url, secret })
        .catch((error: unknown) => log.error({ err: error, delivery: row.id }, 'webhook delivery failed'))
        .finally(() => {
          end()
          active.delete(running)
        })
      active.set(running, entry)
    }
    return hasStarted
  }

  async function deliverDue(): Promise<void> {
    listedUntil = 0
    for (;;) {
      const hasStarted = await startDue()
      if (active.size === 0) {
        // The attempts that the others had to wait for have ended meanwhile.
        if (waiting.size > 0 && !closing.signal.aborted) continue
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

type Claimed = DeliveryRow & Pick<store.WaitingWebhook, 'user_id' | 'url' | 'secret'>

function toDue(webhook: store.WaitingWebhook) {
  const owners = [`member ${webhook.user_id}`, `webhook ${webhook.id}`] as const
  return { ...webhook, host: new URL(webhook.url).host, owners }
}
type Due = ReturnType<typeof toDue>
