import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setPassword } from '#server/accounts/credentials-store.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { buildApp } from '#server/app.ts'
import { openDatabase } from '#server/db/open.ts'
import { keyOf, sharedStore } from './rate-limit-store.ts'
import { aMember, aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const { db, config, services } = await aServer()
// No window ends during a test, however slow the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('processes over one Postgres', async () => {
  // Two apps with a connection pool each, like two processes.
  const others = openDatabase(config)
  const apps = [
    await buildApp(services, { web: noWeb }),
    await buildApp({ ...services, db: others }, { web: noWeb }),
  ]
  afterAll(async () => {
    for (const app of apps) await app.close()
    await others.destroy()
  })
  let calls = 0
  const call = (url: string, remoteAddress: string) => apps[calls++ % 2]!.inject({ url, remoteAddress })
  const statusesOf = async (count: number, url: string, address: string) => {
    const responses = await Promise.all(Array.from({ length: count }, () => call(url, address)))
    return responses.map(({ statusCode }) => statusCode)
  }

  test('enforce a limit below 200 exactly', async () => {
    const before = await statusesOf(60, '/tmdb/search?q=', '203.0.113.1')
    expect(before.filter((status) => status === 429)).toEqual([])
    const after = await statusesOf(2, '/tmdb/search?q=', '203.0.113.1')
    expect(after).toEqual([429, 429])
    expect(await statusesOf(2, '/tmdb/search?q=', '203.0.113.2')).not.toContain(429)
  })

  test('count a dear call as several, exactly', async () => {
    const Store = sharedStore(db, { warn() {} })
    const stores = [new Store({}), new Store({})]
    const count = (at: number, cost: number) =>
      new Promise<number>((resolve, reject) =>
        stores[at % 2]!.incr(
          keyOf('a dear key', cost),
          (error, counted) => (error ? reject(error) : resolve(counted!.current)),
          60_000,
          120,
        ),
      )
    const currents: number[] = []
    for (let at = 0; at < 12; at++) currents.push(await count(at, 10))
    expect(currents.at(-1)).toBe(120)
    expect(await count(0, 10)).toBeGreaterThan(120)
    expect(await count(1, 1)).toBeGreaterThan(120)
  })

  test('share the addresses of successful logins: strangers cannot lock an owner out', async () => {
    const email = 'owner@example.org'
    const { id } = await aMember(db, 'owner')
    await setPassword(db, id, await hashPassword('the right password'), new Date())
    await db.updateTable('users').set({ email }).where('id', '=', id).execute()
    const login = (app: number, remoteAddress: string, password: string) =>
      apps[app]!.inject({ method: 'POST', url: '/auth/login', remoteAddress, payload: { email, password } })
    expect((await login(0, '198.51.100.1', 'the right password')).statusCode).toBe(200)
    for (let guess = 0; guess < 100; guess++) await login(guess % 2, `203.0.113.${100 + guess}`, 'a guess')
    // Other addresses are refused; the owner’s address is not, on the other process too.
    expect((await login(1, '203.0.113.220', 'the right password')).statusCode).toBe(429)
    expect((await login(1, '198.51.100.1', 'the right password')).statusCode).toBe(200)
  })

  test('share the general limit, up to the hundredth that each process leases', async () => {
    const statuses = await statusesOf(1_230, '/nowhere', '203.0.113.3')
    const passed = statuses.filter((status) => status !== 429).length
    expect(passed).toBeLessThanOrEqual(1_200)
    expect(passed).toBeGreaterThanOrEqual(1_200 - 12)
  })

  test('store addresses and accounts as hashes only', async () => {
    const { rows } = await sql<{ key: string }>`select key from limit_counts`.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/)
  })
})

describe('the shared store', () => {
  const warn = vi.fn<() => void>()
  const counting = (store = new (sharedStore(db, { warn }))({})) => {
    return (key: string, windowMs = 60_000, max = 3) =>
      new Promise<{ current: number; ttl: number }>((resolve, reject) =>
        store.incr(key, (error, counted) => (error ? reject(error) : resolve(counted!)), windowMs, max),
      )
  }

  test('restarts a count after its window, for every process', async () => {
    const [one, other] = [counting(), counting()]
    for (const expected of [1, 2, 3, 4, 4]) expect(await one('window')).toMatchObject({ current: expected })
    expect(await other('window')).toMatchObject({ current: 4 })
    vi.advanceTimersByTime(59_999)
    expect(await one('window')).toEqual({ current: 4, ttl: 1 })
    vi.advanceTimersByTime(1)
    expect(await one('window')).toEqual({ current: 1, ttl: 60_000 })
    expect(await other('window')).toEqual({ current: 2, ttl: 60_000 })
  })

  test('counts concurrent calls separately', async () => {
    const [one, other] = [counting(), counting()]
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other)('concurrent', 60_000, 99)),
    )
    expect(counts.map(({ current }) => current).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
  })

  test('runs no further query for a key that is over its limit', async () => {
    const one = counting()
    for (let index = 0; index < 4; index++) await one('flood')
    await sql`delete from limit_counts`.execute(db)
    for (let index = 0; index < 50; index++) expect((await one('flood')).current).toBe(4)
    const { rows } = await sql`select 1 from limit_counts`.execute(db)
    expect(rows).toEqual([])
  })

  test('deletes expired counts', async () => {
    const one = counting()
    for (let index = 0; index < 20; index++) await one(`old ${index}`)
    vi.advanceTimersByTime(11 * 60_000)
    await one('new')
    const { rows } = await sql`select 1 from limit_counts`.execute(db)
    expect(rows).toHaveLength(1)
  })

  test('warns once during a database outage, and recovers without a restart', async () => {
    const one = counting()
    expect(await one('outage')).toMatchObject({ current: 1 })
    await db.schema.alterTable('limit_counts').renameTo('away').execute()
    await expect(one('outage')).rejects.toThrow('limit_counts')
    await expect(one('outage')).rejects.toThrow('limit_counts')
    expect(warn).toHaveBeenCalledTimes(1)
    await db.schema.alterTable('away').renameTo('limit_counts').execute()
    expect(await one('outage')).toMatchObject({ current: 2 })
  })

  test('leaves it to each process to count while the database does not respond', async () => {
    const app = await buildApp(services, { web: noWeb })
    const guess = async (remoteAddress: string) => {
      const payload = { email: 'nobody@example.org', password: 'a guess' }
      return (await app.inject({ method: 'POST', url: '/auth/login', payload, remoteAddress })).statusCode
    }
    await db.schema.alterTable('limit_counts').renameTo('away').execute()
    for (let count = 0; count < 10; count++) expect(await guess('203.0.113.10')).toBe(401)
    expect(await guess('203.0.113.10')).toBe(429)
    expect(await guess('203.0.113.11')).toBe(401)
    await db.schema.alterTable('away').renameTo('limit_counts').execute()
    expect(await guess('203.0.113.10')).toBe(401)
    await app.close()
  })

  test('lets a call through after a second while the table is locked', async () => {
    const app = await buildApp(services, { web: noWeb })
    await db.transaction().execute(async (trx) => {
      await sql`lock table limit_counts`.execute(trx)
      const startedAt = performance.now()
      const response = await app.inject({ url: '/openapi.json', remoteAddress: '203.0.113.9' })
      expect(response.statusCode).toBe(200)
      expect(performance.now() - startedAt).toBeGreaterThan(900)
    })
    await app.close()
  })
})
