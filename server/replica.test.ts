import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPrimaryAndReplica } from '#scripts/testing/postgres.ts'
import { buildApp } from './app.ts'
import { openDatabase } from './db/open.ts'
import { openReplica } from './db/replica.ts'
import { aSignedInMember, aServer, aTitle } from './testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const pair = await startPrimaryAndReplica()
// Without the cache, which would repeat responses for up to a second.
const server = await aServer({ DATABASE_URL: pair.primaryUrl, RATE_LIMITS: 'off', CACHE_MB: '0' })
const { db, config } = server
const { pathname } = new URL(config.databaseUrl!)
const replicaUrl = Object.assign(new URL(pair.replicaUrl), { pathname }).href
/** A direct connection to the replica, to pause its replication. */
const replicaDb = openDatabase({ dataDir: '', databaseUrl: replicaUrl })
/** Two apps, each with its own connection pools, like two processes. */
const nodes = [aNode(), aNode()]
const [one, other] = await Promise.all(nodes.map(({ app }) => app))
afterAll(async () => {
  for (const { app, db, replica } of nodes) {
    await (await app).close()
    await replica.close()
    await db.destroy()
  }
  await replicaDb.destroy()
  await db.destroy()
  await pair.remove()
})

function aNode() {
  const logged: string[] = []
  const listeners = new Set<() => void>()
  const log = (text: string) => {
    if (text.includes('reading from')) logged.push(text.includes('from the primary') ? 'primary' : 'replica')
    for (const listener of listeners) listener()
  }
  const pool = openDatabase(config)
  const replica = openReplica(replicaUrl, pool, { info: log, warn: (_fields, text) => log(text) })
  return {
    db: pool,
    replica,
    app: buildApp({ ...server.services, db: pool, replica }, { web: noWeb }),
    /** Resolves when the log reports that reads go to `where`. */
    readsFrom: (where: 'primary' | 'replica') =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (logged.at(-1) !== where) return
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check()
      }),
  }
}
const allReadFrom = (where: 'primary' | 'replica') =>
  Promise.all(nodes.map(({ readsFrom }) => readsFrom(where)))
async function pause(): Promise<void> {
  await sql`select pg_wal_replay_pause()`.execute(replicaDb)
  await expect
    .poll(
      async () =>
        (await sql<{ state: string }>`select pg_get_wal_replay_pause_state() as state`.execute(replicaDb))
          .rows,
      { timeout: 60_000 },
    )
    .toEqual([{ state: 'paused' }])
}
const resume = () => sql`select pg_wal_replay_resume()`.execute(replicaDb)
/** Waits until the replica has replayed everything that the primary has written so far. */
async function caughtUp(): Promise<void> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(db)
  await expect
    .poll(
      async () =>
        (
          await sql<{ has: boolean }>`
            select pg_last_wal_replay_lsn() >= ${rows[0]!.at}::pg_lsn as has`.execute(replicaDb)
        ).rows[0]!.has,
      { timeout: 60_000 },
    )
    .toBe(true)
}

/** Waits until all processes send the reads of this member to the replica. */
async function readsFromReplica(id: number): Promise<void> {
  const { wrote_at } = await db
    .selectFrom('users')
    .select('wrote_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await expect
    .poll(() => nodes.every(({ db, replica }) => replica.readerFor(wrote_at) !== db), { timeout: 60_000 })
    .toBe(true)
}

async function aWriter() {
  const { id, token } = await aSignedInMember(db)
  return { id, headers: { authorization: `Bearer ${token}` } }
}
const ratings = async (app: typeof one, id: number, headers: Record<string, string> = {}) => {
  const response = await app!.inject({ url: `/movies/${id}/rating-histogram`, headers })
  expect(response.statusCode).toBe(200)
  return response.json<{ total: number }>().total
}
const rate = (app: typeof one, id: number, headers: Record<string, string>) =>
  app!.inject({ method: 'POST', url: '/reviews', headers, payload: { movieId: id, rating: 5 } })

beforeAll(() => allReadFrom('replica'))

test('read-your-writes: a member who wrote reads from the primary until the replica has caught up, on every process', async () => {
  const writer = await aWriter()
  const reader = await aWriter()
  const id = await aTitle(db)
  await caughtUp()
  await readsFromReplica(reader.id)
  await pause()
  expect((await rate(one, id, writer.headers)).statusCode).toBe(201)
  for (const app of [one, other]) {
    expect(await ratings(app, id, writer.headers)).toBe(1)
    // These are read from the replica.
    expect(await ratings(app, id)).toBe(0)
    expect(await ratings(app, id, reader.headers)).toBe(0)
  }
  await resume()
  await caughtUp()
  expect(await ratings(one, id)).toBe(1)
  // Afterwards the writer reads from the replica again.
  await readsFromReplica(writer.id)
  expect(await ratings(other, id, writer.headers)).toBe(1)
})

test('despite replica lag, a new member and a new title are found', async () => {
  await pause()
  const id = await aTitle(db)
  const newcomer = await aWriter()
  const me = await one!.inject({ url: '/users/me', headers: newcomer.headers })
  expect([me.statusCode, me.json().user.id]).toEqual([200, newcomer.id])
  for (const app of [one, other]) {
    expect((await app!.inject(`/movies/${id}`)).statusCode).toBe(200)
    expect((await app!.inject(`/users/${newcomer.id}/profile`)).statusCode).toBe(200)
  }
  expect((await one!.inject('/movies/999999999')).statusCode).toBe(404)
  await resume()
})

test('a replica that lags too far behind is not used until it has caught up', async () => {
  const writer = await aWriter()
  const id = await aTitle(db)
  await caughtUp()
  await pause()
  await rate(other, id, writer.headers)
  expect(await ratings(one, id)).toBe(0)
  await allReadFrom('primary')
  expect(await ratings(one, id)).toBe(1)
  await resume()
  await allReadFrom('replica')
  expect(await ratings(one, id)).toBe(1)
})

test('reads fail over to the primary while the replica is down, and return to it afterwards', async () => {
  const writer = await aWriter()
  const id = await aTitle(db)
  await pair.stopReplica()
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => [one, other][index % 2]!.inject(`/movies/${id}`)),
  )
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  await allReadFrom('primary')
  expect((await rate(one, id, writer.headers)).statusCode).toBe(201)
  expect(await ratings(other, id)).toBe(1)
  await pair.startReplica()
  await allReadFrom('replica')
  expect(await ratings(one, id)).toBe(1)
})

test('a database that is not a replica is never read from', async () => {
  const reasons: unknown[] = []
  let markWarned!: () => void
  const warned = new Promise<void>((resolve) => (markWarned = resolve))
  const wrong = openReplica(config.databaseUrl!, db, {
    info: (text) => reasons.push(text),
    warn: (fields) => {
      reasons.push(fields)
      markWarned()
    },
  })
  await warned
  expect(reasons).toEqual([{ err: new Error('The server is not a replica.') }])
  expect(wrong.readerFor(null)).toBe(db)
  await wrong.close()
})

test('the replica runs no transactions', async () => {
  const reader = nodes[0]!.replica.readerFor(null)
  expect(reader).not.toBe(nodes[0]!.db)
  await expect(reader.transaction().execute(async () => {})).rejects.toThrow('does not support transactions')
})
