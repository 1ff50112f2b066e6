import { hash } from 'node:crypto'
import { callbackify } from 'node:util'
import { timeout, TimeoutStrategy } from 'cockatiel'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#server/db/open.ts'

/** A database that takes longer has other things to do; the call goes uncounted. */
const patience = timeout(1_000, TimeoutStrategy.Aggressive)
const cleanEveryMs = 10 * 60_000
const remembered = 20_000

/** Calls that a process may let through without asking, numbered within the window of their key. */
type Lease = { next: number; last: number; endsAt: number }

/**
 * Counts of calls in Postgres, the same for all processes over it. A process takes a hundredth of a limit at a time, so
 * that the general one, which every request counts against, costs a query for a dozen of them; the narrow ones are exact.
 * Where Postgres does not answer, calls are not counted: they need it themselves. What it holds of an address or an
 * account is a hash.
 */
export function sharedStore(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): FastifyRateLimitStoreCtor {
  const leases = new LRUCache<string, Promise<Lease>>({ max: remembered })
  let cleanedAt = Date.now()
  let isDown = false

  async function count(
    key: string,
    windowMs: number,
    max: number,
  ): Promise<{ current: number; ttl: number }> {
    for (;;) {
      let taking = leases.get(key)
      if (!taking) {
        const calls = Math.max(1, Math.floor(max / 100))
        leases.set(key, (taking = patience.execute(() => take(key, calls, windowMs))))
      }
      const lease = await taking.catch((error: unknown) => {
        leases.delete(key)
        throw error
      })
      const ttl = lease.endsAt - Date.now()
      // Who is over the limit costs no further query until the window ends.
      if (ttl > 0 && lease.next > max) return { current: max + 1, ttl }
      if (ttl > 0 && lease.next <= lease.last) return { current: lease.next++, ttl }
      if (leases.get(key) === taking) leases.delete(key)
    }
  }

  async function take(key: string, calls: number, windowMs: number): Promise<Lease> {
    const now = Date.now()
    const { rows } = await sql<{ count: number; ends_at: number }>`
      insert into limit_counts as kept (key, count, ends_at)
      values (${hash('sha256', key, 'base64url')}, ${calls}, ${now + windowMs})
      on conflict (key) do update set
        count = case when kept.ends_at > ${now}::bigint then kept.count + ${calls} else ${calls} end,
        ends_at = case when kept.ends_at > ${now}::bigint then kept.ends_at else excluded.ends_at end
      returning count, ends_at`.execute(db)
    const { count: last, ends_at: endsAt } = rows[0]!
    if (now - cleanedAt > cleanEveryMs) {
      cleanedAt = now
      await sql`delete from limit_counts where ends_at <= ${now}`.execute(db)
    }
    return { next: last - calls + 1, last, endsAt }
  }

  async function countOrSay(key: string, windowMs: number, max: number) {
    try {
      const counted = await count(key, windowMs, max)
      isDown = false
      return counted
    } catch (error) {
      if (!isDown) log.warn({ err: error }, 'calls are not counted against their limits')
      isDown = true
      throw error
    }
  }

  return class SharedStore implements FastifyRateLimitStore {
    incr(...[key, callback, windowMs, max]: Parameters<FastifyRateLimitStore['incr']>) {
      callbackify(countOrSay)(key, windowMs, max, callback)
    }
    /** One for all limits: a key begins with the name of its own. */
    child() {
      return this
    }
  }
}

/** Notes something for all processes; `isNoted` tells of it for so long. */
export async function note(db: Db, key: string, forMs: number): Promise<void> {
  await sql`insert into limit_counts (key, count, ends_at)
    values (${hash('sha256', key, 'base64url')}, 1, ${Date.now() + forMs})
    on conflict (key) do update set ends_at = excluded.ends_at`.execute(db)
}

export async function isNoted(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql`select 1 from limit_counts
    where key = ${hash('sha256', key, 'base64url')} and ends_at > ${Date.now()}::bigint`.execute(db)
  return rows.length > 0
}
