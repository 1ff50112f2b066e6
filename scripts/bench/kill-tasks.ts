import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { kinds } from '#shared/media.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { seeded } from '#scripts/testing/random.ts'
import { scheduleDeletion } from '#server/accounts/store.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import { openDatabase } from '#server/db/open.ts'
import { type KillOptions, openOutbox, prepareStage, type Writer } from './writers.ts'

type KillTasksResult = {
  rounds: number
  emails: number
  deliveries: number
  deletions: number
  /** Deliveries that were received again: those in flight at a kill. */
  repeated: number
  faults: string[]
}

const writersMax = 4
const pauseMs = 25
/** As many as the server sends to one host at a time. */
const inFlightMax = 2
/** How long the work that is left after the last kill may take: a lease and the longest interval between polls. */
const restMaxMs = 180_000

/**
 * Crash test of the queue. Members register, and add favorites of which webhooks are told; other accounts are deleted. The server is
 * killed at random moments and restarted. Finally each email must have been written, each event received, more than once only
 * if it was in flight at a kill, and each account removed; the counters must equal a recount.
 */
export async function killTasks({
  rounds,
  seed,
  databaseUrl,
  report = () => {},
}: KillOptions): Promise<KillTasksResult> {
  const random = seeded(seed)
  const { folder, remove } = aDataFolder()
  const received = new Map<string, number>()
  const receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    received.set(id, (received.get(id) ?? 0) + 1)
    request.resume().on('end', () => setTimeout(() => response.writeHead(204).end(), 10 * random()))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl ?? '',
    LOG_LEVEL: 'fatal',
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
  }
  let server = await startProgram(env)
  const db = openDatabase({ databaseUrl, dataDir: folder })
  const found: KillTasksResult = { rounds, emails: 0, deliveries: 0, deletions: 0, repeated: 0, faults: [] }
  /** Returns whether the call was acknowledged. */
  const send = async ({ token }: Writer, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(server.url + path, options).catch(() => undefined)
    await response?.text().catch(() => {})
    return response?.ok ?? false
  }
  try {
    const { writers, titles } = await prepareStage(db, writersMax + rounds)
    const leaving = writers.splice(writersMax)
    for (const member of leaving)
      for (const { id } of titles) await send(member, 'POST', '/reviews', { itemId: id, rating: 4 })
    const movie = titles.find(({ kind }) => kind === 'movie')!
    const favorites = `/${kinds.movie.favorites.path}`
    for (const writer of writers)
      await send(writer, 'POST', '/users/me/webhooks', { url: hook, events: ['favorite'] })
    const emails: string[] = []
    const events = new Map<number, number>()

    const write = async (writer: Writer, signal: AbortSignal) => {
      while (!signal.aborted) {
        const username = `${writer.name}.${++writer.count}`
        const email = `${username}@example.org`
        if (writer.count % 8 === 1) {
          const person = { username, email, password: 'six-or-more' }
          if (await send(writer, 'POST', '/users/register', person)) emails.push(email)
        } else if (
          (await send(writer, 'POST', favorites, { movieId: movie.id })) &&
          (await send(writer, 'DELETE', `${favorites}/${movie.id}`))
        )
          events.set(writer.id, (events.get(writer.id) ?? 0) + 2)
        await wait(pauseMs)
      }
    }
    for (let round = 0; round < rounds; round++) {
      const stop = new AbortController()
      const writing = writers.map((writer) => write(writer, stop.signal))
      await wait(100 + Math.floor(600 * random()))
      // A slow machine may not have acknowledged a write yet.
      while (emails.length <= round) await wait(10)
      // The next start begins to remove the account, and its end interrupts that.
      await scheduleDeletion(db, leaving[round]!.id, new Date(), 'none')
      await server.end('SIGKILL')
      stop.abort()
      await Promise.all(writing)
      server = await startProgram(env)
      if ((round + 1) % 10 === 0)
        report(`${round + 1} kills, ${emails.length} emails, ${received.size} deliveries`)
    }

    const rest = () =>
      db.selectFrom('tasks').select(['queue', 'key']).where('queue', '<>', 'jobs').limit(9).execute()
    const until = performance.now() + restMaxMs
    while ((await rest()).length > 0 && performance.now() < until) await wait(100)
    found.faults.push(...(await rest()).map(({ queue, key }) => `${queue} ${key}: not done`))
    const countOf = openOutbox(folder)
    for (const email of emails)
      if (countOf(email) !== 1) found.faults.push(`${email}: ${countOf(email)} emails`)
    const deliveries = await db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
      .select(['webhook_deliveries.id', 'user_id', 'delivered_at'])
      .execute()
    for (const { id, delivered_at } of deliveries)
      if (delivered_at === null || !received.has(`msg_${id}`)) found.faults.push(`delivery ${id}: lost`)
    for (const { id, name } of writers) {
      const count = deliveries.filter(({ user_id }) => user_id === id).length
      if (count < (events.get(id) ?? 0))
        found.faults.push(`${name}: ${count} deliveries of ${events.get(id)} events`)
    }
    found.repeated = [...received.values()].reduce((sum, count) => sum + count - 1, 0)
    if (found.repeated > inFlightMax * rounds) found.faults.push(`${found.repeated} repeated deliveries`)
    const users = await db.selectFrom('users').select('id').execute()
    for (const { id, name } of leaving)
      if (users.some((user) => user.id === id)) found.faults.push(`${name}: not removed`)
    for (const fault of await findCounterFaults(db)) found.faults.push(JSON.stringify(fault))
    return { ...found, emails: emails.length, deliveries: received.size, deletions: leaving.length }
  } finally {
    await db.destroy()
    await server.end('SIGKILL')
    receiver.closeAllConnections()
    receiver.close()
    remove()
  }
}
