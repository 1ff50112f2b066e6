import { hash, randomBytes } from 'node:crypto'
import { callbackify } from 'node:util'
import { timeout, TimeoutStrategy } from 'cockatiel'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'

/** If the database takes longer, the process counts the call in its own memory. */
const countTimeout = timeout(1_000, TimeoutStrategy.Aggressive)
const cleanEveryMs = 10 * 60_000
/** The least recently used beyond that are dropped; their remaining counts count as used. */
const leasesMax = 20_000
/** For each limit. Further keys share counts, so that no count is dropped before its window ends. */
const keysMax = 20_000
const sharedCountsMax = 16_384

/** The plugin passes nothing else on to a store. */
export function keyOf(key: string, cost: number): string {
  return cost === 1 ? key : `${cost}* ${key}`
}

function costOf(given: string): { key: string; cost: number } {
  const [, cost, key] = /^(\d+)\* (.*)$/s.exec(given) ?? []
  return key === undefined ? { key: given, cost: 1 } : { key, cost: Number(cost) }
}

type Counted = { current: number; ttl: number }
type Count = { calls: number; endsAt: number }

/**
 * When the memory is full, further keys share counts: they may reach their limit early, but a caller cannot restart a count by filling the
 * memory, nor predict which keys share.
 */
function openCounts(windowMs: number): (key: string, cost: number, max: number) => Counted {
  const salt = randomBytes(16).toString('base64url')
  // A period is as long as a window, so older counts have ended with it.
  let [counts, before] = [new Map<string, Count>(), new Map<string, Count>()]
  let periodEndsAt = 0
  let sharedUntil = 0
  const sharedKeyOf = (key: string) =>
    `shared ${parseInt(hash('sha256', salt + key).slice(0, 8), 16) % sharedCountsMax}`

  return (key, cost, max) => {
    const now = Date.now()
    if (now >= periodEndsAt) {
      before = now - periodEndsAt < windowMs ? counts : new Map()
      counts = new Map()
      periodEndsAt = now + windowMs
    }
    const find = (one: string) => {
      const found = counts.get(one) ?? before.get(one)
      return found && found.endsAt > now ? found : undefined
    }
    let count = find(key) ?? (now < sharedUntil ? find(sharedKeyOf(key)) : undefined)
    if (!count) {
      count = { calls: 0, endsAt: now + windowMs }
      const isShared = counts.size + before.size >= keysMax
      if (isShared) sharedUntil = count.endsAt
      counts.set(isShared ? sharedKeyOf(key) : key, count)
    }
    const current = count.calls + cost
    // A dear call that is refused leaves the rest to cheap ones.
    if (cost === 1 || current <= max) count.calls = current
    return { current, ttl: count.endsAt - now }
  }
}

export class LocalStore implements FastifyRateLimitStore {
  #count: ReturnType<typeof openCounts> | undefined
  incr(...[given, callback, windowMs, max]: Parameters<FastifyRateLimitStore['incr']>) {
    this.#count ??= openCounts(windowMs)
    const { key, cost } = costOf(given)
    callback(null, this.#count(key, cost, max))
  }
  child(_limit?: object): FastifyRateLimitStore {
    return new LocalStore()
  }
}

/** Reserved counts, numbered within the window of their key. */
type Lease = { next: number; last: number; endsAt: number }

/** Without a lease. In a transaction, others that count the same key wait for its end. */
export async function addCalls(db: Db, key: string, calls: number, windowMs: number): Promise<Counted> {
  const now = Date.now()
  const { rows } = await sql<{ count: number; ends_at: number }>`
    insert into limit_counts as known (key, count, ends_at)
    values (${hash('sha256', key, 'base64url')}, ${calls}, ${now + windowMs})
    on conflict (key) do update set
      count = case when known.ends_at > cast(${now} as bigint) then known.count + ${calls} else ${calls} end,
      ends_at = case when known.ends_at > cast(${now} as bigint) then known.ends_at else excluded.ends_at end
    returning count, ends_at`.execute(db)
  const { count: current, ends_at } = rows[0]!
  return { current, ttl: ends_at - now }
}

/**
 * A process leases a hundredth of a limit at a time: the general limit costs one query per dozen requests; limits below 200 are exact.
 * Addresses and accounts are stored as hashes. If the database does not respond, `incr` fails; see `withFallback`.
 */
export function sharedStore(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): FastifyRateLimitStoreCtor {
  const leases = new LRUCache<string, Promise<Lease>>({ max: leasesMax })
  let cleanedAt = Date.now()
  let isDown = false

  async function count(given: string, windowMs: number, max: number): Promise<Counted> {
    const { key, cost } = costOf(given)
    let needed = cost
    for (;;) {
      let pending = leases.get(key)
      if (!pending) {
        const calls = Math.max(needed, Math.floor(max / 100))
        leases.set(key, (pending = countTimeout.execute(() => acquire(key, calls, windowMs))))
      }
      const lease = await pending.catch((error: unknown) => {
        leases.delete(key)
        throw error
      })
      const ttl = lease.endsAt - Date.now()
      // No further query until the window ends.
      if (ttl > 0 && lease.next > max) return { current: max + 1, ttl }
      const current = lease.next + needed - 1
      // The rest is for cheap calls of this process.
      if (ttl > 0 && cost > 1 && current > max) return { current, ttl }
      if (ttl > 0 && current <= lease.last) {
        lease.next = current + 1
        return { current, ttl }
      }
      if (ttl > 0) {
        needed = current - lease.last
        lease.next = lease.last + 1
      } else needed = cost
      if (leases.get(key) === pending) leases.delete(key)
    }
  }

  async function acquire(key: string, calls: number, windowMs: number): Promise<Lease> {
    const now = Date.now()
    const { current: last, ttl } = await addCalls(db, key, calls, windowMs)
    if (now - cleanedAt > cleanEveryMs) {
      cleanedAt = now
      await sql`delete from limit_counts where ends_at <= ${now}`.execute(db)
    }
    return { next: last - calls + 1, last, endsAt: now + ttl }
  }

  async function countOrWarn(key: string, windowMs: number, max: number) {
    try {
      const counted = await count(key, windowMs, max)
      isDown = false
      return counted
    } catch (error) {
      if (!isDown)
        log.warn(
          { err: error },
          'each process counts by itself for rate limits: the database does not respond',
        )
      isDown = true
      throw error
    }
  }

  return class SharedStore implements FastifyRateLimitStore {
    incr(...[key, callback, windowMs, max]: Parameters<FastifyRateLimitStore['incr']>) {
      callbackify(countOrWarn)(key, windowMs, max, callback)
    }
    child() {
      return this
    }
  }
}

export function withFallback(Store: FastifyRateLimitStoreCtor): FastifyRateLimitStoreCtor {
  return class Fallback extends LocalStore {
    readonly #store = new Store({})
    override incr(...[key, callback, windowMs, max]: Parameters<FastifyRateLimitStore['incr']>) {
      const countHere = () => super.incr(key, callback, windowMs, max)
      this.#store.incr(
        key,
        (error, counted) => (error ? countHere() : callback(null, counted)),
        windowMs,
        max,
      )
    }
    override child() {
      return new Fallback()
    }
  }
}

/** Windows of a day or longer are in `Store`, so that a restart does not begin them again. */
export function withKeptDays(Store: FastifyRateLimitStoreCtor): FastifyRateLimitStoreCtor {
  return class extends LocalStore {
    override child(limit?: object): FastifyRateLimitStore {
      const { timeWindow } = limit as { timeWindow?: number }
      return typeof timeWindow === 'number' && timeWindow >= dayMs ? new Store({}) : new LocalStore()
    }
  }
}

export async function setFlag(db: Db, key: string, forMs: number): Promise<void> {
  await sql`insert into limit_counts (key, count, ends_at)
    values (${hash('sha256', key, 'base64url')}, 1, ${Date.now() + forMs})
    on conflict (key) do update set ends_at = excluded.ends_at`.execute(db)
}

export async function hasFlag(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql`select 1 from limit_counts
    where key = ${hash('sha256', key, 'base64url')} and ends_at > ${Date.now()}::bigint`.execute(db)
  return rows.length > 0
}
