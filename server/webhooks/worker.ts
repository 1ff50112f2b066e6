import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '#server/config.ts'
import { type Line, postponeTasks, type Task } from '#server/db/tasks.ts'
import { openQueue, type QueueOptions } from '#server/process/queue.ts'
import type { Feature } from '#server/feature.ts'
import { payloadOf } from './payload.ts'
import { isGivenUp, messageId, nextAttempt, pauseEnd, signedHeaders } from './rules.ts'
import { openSender, type Send } from './send.ts'
import * as store from './store.ts'

/** Each event in `webhook_deliveries` has a task. */
export type WebhookWorker = {
  deliverDue: () => Promise<void>
  close: () => Promise<void>
}

const concurrencyMax = 10
const perHostMax = 2
/** One while others wait, more while there is room. */
const perMemberMax = 3
/** For slow members. If this many attempts of any members are running, a member gets no second one. */
const slowMax = 5
/** Makes its member slow for `slowForMs`, so that alternating between quick and slow responses does not help. */
const slowAfterMs = 2_000
const slowForMs = 10 * 60_000
const slowMembersMax = 1_000
const closeGraceMs = 2_000

/** Several processes can run one on the same database; members take turns. */
export function openWebhookWorker({
  config,
  features,
  sender = openSender({ toPrivate: config.webhooksToPrivate, proxy: config.proxy }),
  ...options
}: QueueOptions & {
  config: Pick<Config, 'webhooksToPrivate' | 'proxy' | 'publicUrl'>
  features: readonly Feature[]
  sender?: { send: Send; close: () => Promise<void> }
}): WebhookWorker {
  const { db, now = () => new Date() } = options
  const userAgent = `Medley/${packageJson.version} (+${config.publicUrl})`
  const active = new Set<Receiver & { startedAt: number; isSlow: boolean }>()
  const slowMembers = new LRUCache<number, true>({ max: slowMembersMax, ttl: slowForMs })

  async function attempt({ key, attempts }: Task, { user_id }: Receiver) {
    const row = await store.findDelivery(db, Number(key))
    if (!row) return
    if (row.disabled_at !== null) return store.updateDelivery(db, row.id, { error: 'disabled' })
    const body = await payloadOf(db, features, row.user_id, row)
    if (body === undefined) return store.updateDelivery(db, row.id, { status: null, error: 'gone' })
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signedHeaders(row.secret, messageId(row), body, now()),
    }
    const startedAt = performance.now()
    const tried = { attempts, attempted_at: now().toISOString() }
    const { status, error } = await sender.send(row.url, headers, body)
    if (performance.now() - startedAt > slowAfterMs) slowMembers.set(user_id, true)
    const at = now()
    if (error === null) {
      await store.updateDelivery(db, row.id, { ...tried, status, error, delivered_at: at.toISOString() })
      return store.markWorking(db, row.webhook_id)
    }
    const retryAt = row.event === 'test' ? null : nextAttempt(attempts, at)
    return db.transaction().execute(async (trx) => {
      // The webhook before its deliveries, in the same order as its deletion, to avoid deadlocks.
      const failingSince = await store.markFailing(trx, row.webhook_id, at)
      await store.updateDelivery(trx, row.id, { ...tried, status, error })
      if (failingSince === undefined) return
      if (status === 410 || isGivenUp(failingSince, at)) return store.disableWebhook(trx, row.webhook_id, at)
      // The other deliveries would fail too, and delay other webhooks.
      const pausedUntil = pauseEnd(failingSince, at)
      await postponeTasks(trx, 'webhooks', String(row.webhook_id), pausedUntil)
      if (retryAt) return { dueAt: retryAt > pausedUntil ? retryAt : pausedUntil, isRetry: true }
    })
  }

  async function describe(lines: Line[]): Promise<Receiver[]> {
    const rows = await store.listReceivers(
      db,
      lines.map(({ owner }) => Number(owner)),
    )
    const receivers = new Map(rows.map((row) => [String(row.id), row]))
    return lines.map((line) => {
      const { user_id, url } = receivers.get(line.owner) ?? { user_id: 0, url: '' }
      const owners = [`member ${user_id}`, line.owner]
      return { ...line, owners, user_id, host: url && new URL(url).host }
    })
  }

  function mayStart({ host, user_id }: Receiver): boolean {
    const running = [...active]
    if (running.filter((other) => other.host === host).length >= perHostMax) return false
    const ofMember = running.filter((other) => other.user_id === user_id).length
    if (ofMember > 0 && (ofMember >= perMemberMax || active.size >= slowMax)) return false
    const slowSince = performance.now() - slowAfterMs
    const slow = running.filter(({ isSlow, startedAt }) => isSlow || startedAt < slowSince)
    return slow.length < slowMax || !slowMembers.has(user_id)
  }

  const queue = openQueue<Receiver>({
    ...options,
    name: 'webhooks',
    concurrencyMax,
    describe,
    mayStart,
    async run(task, receiver) {
      const running = { ...receiver, startedAt: performance.now(), isSlow: slowMembers.has(receiver.user_id) }
      active.add(running)
      return attempt(task, receiver).finally(() => active.delete(running))
    },
  })
  return {
    deliverDue: queue.runDue,
    async close() {
      const closed = queue.close()
      await Promise.race([closed, wait(closeGraceMs, undefined, { ref: false })])
      await sender.close()
      await closed
    },
  }
}

type Receiver = Line & { owners: readonly string[]; user_id: number; host: string }
