import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { kinds } from '#shared/domain/kinds.ts'
import { scheduleDeletion } from '#server/accounts/store.ts'
import { aSignedInMember, aTitle } from '#server/testing.ts'
import { findDatabaseFaults, type KillOptions, type Site, withSite } from './crash.ts'

type Writer = { id: number; username: string; token: string; count: number; events: number }

const writersMax = 4
const ratingsMax = 24
const pauseMs = 25
/** As many as the server sends to one host at a time. */
const inFlightMax = 2
/** A lease and the longest interval between polls. */
const restMaxMs = 180_000

/**
 * The server is killed at random moments while it has mails, webhooks and deletions to do. Finally each email must have been written, each
 * event received, more than once only if it was in flight at a kill, and each account removed.
 */
export async function killTasks(options: KillOptions) {
  const { rounds, report = () => {} } = options
  const received = new Map<string, number>()
  const receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    received.set(id, (received.get(id) ?? 0) + 1)
    request.resume().on('end', () => setTimeout(() => response.writeHead(204).end(), 5))
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  try {
    return await withSite(options, work, { WEBHOOK_PRIVATE_ADDRESSES: 'on' })
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }

  async function work({ db, random, kill, start, send, countEmails }: Site) {
    const faults: string[] = []
    const isDone = async (...call: Parameters<typeof send>) => {
      const response = await send(...call).catch(() => undefined)
      await response?.text().catch(() => {})
      return response?.ok ?? false
    }
    const titles = await db.selectFrom('media').select('id').limit(ratingsMax).execute()
    const leaving = []
    for (let at = 0; at < rounds; at++) {
      const member = await aSignedInMember(db)
      for (const { id: itemId } of titles) await isDone(member, 'POST', '/reviews', { itemId, rating: 4 })
      leaving.push(member)
    }
    const movieId = await aTitle(db)
    const favorites = `/${kinds.movie.favorites.path}`
    const writers: Writer[] = []
    for (let at = 0; at < writersMax; at++) {
      const writer = await aSignedInMember(db, `writer-${at}`)
      await isDone(writer, 'POST', '/users/me/webhooks', { url, events: ['favorite'] })
      writers.push({ ...writer, count: 0, events: 0 })
    }
    const emails: string[] = []

    const write = async (writer: Writer, signal: AbortSignal) => {
      while (!signal.aborted) {
        const username = `${writer.username}.${++writer.count}`
        const email = `${username}@example.org`
        if (writer.count % 8 === 1) {
          const person = { username, email, password: 'six-or-more' }
          if (await isDone(writer, 'POST', '/users/register', person)) emails.push(email)
        } else if (
          (await isDone(writer, 'POST', favorites, { movieId })) &&
          (await isDone(writer, 'DELETE', `${favorites}/${movieId}`))
        )
          writer.events += 2
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
      await scheduleDeletion(db, leaving[round]!.id, new Date())
      await kill()
      stop.abort()
      await Promise.all(writing)
      await start()
      if ((round + 1) % 10 === 0)
        report(`${round + 1} kills, ${emails.length} emails, ${received.size} deliveries`)
    }

    const rest = () =>
      db.selectFrom('tasks').select(['queue', 'key']).where('queue', '<>', 'jobs').limit(9).execute()
    const until = performance.now() + restMaxMs
    while ((await rest()).length > 0 && performance.now() < until) await wait(100)
    faults.push(...(await rest()).map(({ queue, key }) => `${queue} ${key}: not done`))
    for (const email of emails)
      if (countEmails(email) !== 1) faults.push(`${email}: ${countEmails(email)} emails`)
    const deliveries = await db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
      .select(['webhook_deliveries.id', 'user_id', 'delivered_at'])
      .execute()
    for (const { id, delivered_at } of deliveries)
      if (delivered_at === null || !received.has(`msg_${id}`)) faults.push(`delivery ${id}: lost`)
    for (const { id, username, events } of writers) {
      const count = deliveries.filter(({ user_id }) => user_id === id).length
      if (count < events) faults.push(`${username}: ${count} deliveries of ${events} events`)
    }
    const repeated = [...received.values()].reduce((sum, count) => sum + count - 1, 0)
    if (repeated > inFlightMax * rounds) faults.push(`${repeated} repeated deliveries`)
    const users = await db.selectFrom('users').select('id').execute()
    for (const { id, username } of leaving)
      if (users.some((user) => user.id === id)) faults.push(`${username}: not removed`)
    faults.push(...(await findDatabaseFaults(db)))
    const counts = { emails: emails.length, deliveries: received.size, deletions: leaving.length }
    return { rounds, ...counts, repeated, faults }
  }
}
