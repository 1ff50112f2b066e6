import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPrimaryAndReplica } from '#scripts/testing/postgres.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { buildApp } from './app.ts'
import { openDatabase } from './db/open.ts'
import { openReplica } from './db/replica.ts'
import { aMember, aServer, aTitle } from './testing.ts'
import { noWeb } from '#server/http/web.ts'

const pair = await startPrimaryAndReplica()
const server = await aServer({ DATABASE_URL: pair.primaryUrl, RATE_LIMITS: 'off' })
const { db, config } = server
const { pathname } = new URL(config.databaseUrl!)
const replicaUrl = Object.assign(new URL(pair.replicaUrl), { pathname }).href
/** The replica itself, to hold it up. */
const replicaDb = openDatabase({ dataDir: '', databaseUrl: replicaUrl })
/** Two processes: pools and replica of their own. */
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
  const said: string[] = []
  const listeners = new Set<() => void>()
  const say = (text: string) => {
    if (text.includes('reading from')) said.push(text.includes('from the primary') ? 'primary' : 'replica')
    for (const listener of listeners) listener()
  }
  const own = openDatabase(config)
  const replica = openReplica(replicaUrl, own, { info: say, warn: (_about, text) => say(text) })
  return {
    db: own,
    replica,
    app: buildApp({ ...server.services, db: own, replica }, { web: noWeb }),
    /** Resolves when the log says that reads go there from now on. */
    readsFrom: (where: 'primary' | 'replica') =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (said.at(-1) !== where) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
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
      { timeout: 10_000 },
    )
    .toEqual([{ state: 'paused' }])
}
const resume = () => sql`select pg_wal_replay_resume()`.execute(replicaDb)
/** Until the replica has what the primary has now. */
async function caughtUp(): Promise<void> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(db)
  await expect
    .poll(
      async () =>
        (
          await sql<{ has: boolean }>`
            select pg_last_wal_replay_lsn() >= ${rows[0]!.at}::pg_lsn as has`.execute(replicaDb)
        ).rows[0]!.has,
      { timeout: 10_000 },
    )
    .toBe(true)
}

/** Until no process sends the reads of this member to the primary. */
async function readsFromReplica(id: number): Promise<void> {
  const { wrote_at } = await db
    .selectFrom('users')
    .select('wrote_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await expect
    .poll(() => nodes.every(({ db, replica }) => replica.readerFor(wrote_at) !== db), { timeout: 10_000 })
    .toBe(true)
}

async function aWriter() {
  const { id } = await aMember(db)
  const token = `token-of-${id}`
  const time = new Date().toISOString()
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: id,
      created_at: time,
      last_used_at: time,
      expires_at: new Date(Date.now() + 1e8).toISOString(),
      user_agent: null,
    })
    .execute()
  return { id, headers: { authorization: `Bearer ${token}` } }
}
const ratings = async (app: typeof one, id: number, headers: Record<string, string> = {}) => {
  const answer = await app!.inject({ url: `/movies/${id}/rating-histogram`, headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ total: number }>().total
}
const rate = (app: typeof one, id: number, headers: Record<string, string>) =>
  app!.inject({ method: 'POST', url: '/reviews', headers, payload: { movieId: id, rating: 5 } })

beforeAll(() => allReadFrom('replica'))

test('reads go to the replica; who wrote reads from the primary until the replica has it, at every process', async () => {
  const writer = await aWriter()
  const reader = await aWriter()
  const id = await aTitle(db)
  await caughtUp()
  await readsFromReplica(reader.id)
  await pause()
  expect((await rate(one, id, writer.headers)).statusCode).toBe(201)
  for (const app of [one, other]) {
    expect(await ratings(app, id, writer.headers)).toBe(1)
    // It is the replica that answers these.
    expect(await ratings(app, id)).toBe(0)
    expect(await ratings(app, id, reader.headers)).toBe(0)
  }
  await resume()
  await caughtUp()
  expect(await ratings(one, id)).toBe(1)
  // And then the writer goes back to the replica.
  await readsFromReplica(writer.id)
  expect(await ratings(other, id, writer.headers)).toBe(1)
})

test('a member who registered a moment ago, and a title that was added a moment ago, are there', async () => {
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

test('a replica that falls too far behind is left, and taken up again when it has caught up', async () => {
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

test('with the replica stopped everything goes on at once, and it is taken up again when it is back', async () => {
  const writer = await aWriter()
  const id = await aTitle(db)
  await pair.stopReplica()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => [one, other][index % 2]!.inject(`/movies/${id}`)),
  )
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  await allReadFrom('primary')
  expect((await rate(one, id, writer.headers)).statusCode).toBe(201)
  expect(await ratings(other, id)).toBe(1)
  await pair.startReplica()
  await allReadFrom('replica')
  expect(await ratings(one, id)).toBe(1)
})

test('a database that replicates nothing is never read from', async () => {
  const reasons: unknown[] = []
  let tell!: () => void
  const told = new Promise<void>((resolve) => (tell = resolve))
  const wrong = openReplica(config.databaseUrl!, db, {
    info: (text) => reasons.push(text),
    warn: (about) => {
      reasons.push(about)
      tell()
    },
  })
  await told
  expect(reasons).toEqual([{ err: new Error('The server is not a replica.') }])
  expect(wrong.readerFor(null)).toBe(db)
  await wrong.close()
})

test('there are no transactions at the replica', async () => {
  const reader = nodes[0]!.replica.readerFor(null)
  expect(reader).not.toBe(nodes[0]!.db)
  await expect(reader.transaction().execute(async () => {})).rejects.toThrow('does not support transactions')
})
