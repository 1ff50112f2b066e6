import { exportFormats } from '#shared/contracts/export.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idsMax, listItemsMax } from '#shared/domain/limits.ts'
import {
  blockedMaxMs,
  blockedMs,
  slowness,
  threadCpuMs,
  uncountedWork,
  watchHolds,
  leaveUnwatched,
  withoutWatch,
} from '#scripts/testing/event-loop.ts'
import { buildApp } from '#server/app.ts'
import { insertMany } from '#server/db/dialect.ts'
import { usernameColumns } from '#server/db/fold.ts'
import { countRows } from '#server/db/rows.ts'
import { toRow } from '#server/db/tasks.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { addTask, openModeration } from '#server/moderation/work.ts'
import { openNotifications } from '#server/notifications/work.ts'
import type { QueueName } from '#server/process/queue-names.ts'
import { insertWebhook } from '#server/webhooks/store.ts'
import { openWebhookWorker } from '#server/webhooks/worker.ts'
import { aMember, aServer, aSignedInMember, aTitle } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'

// On SQLite, waiting for a query lets no other work run, so only the pauses of the database (server/db/slices.ts) do. Each case
// makes many queries one after another, and held the event loop until all were done.

const { db, as, services } = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(services, { web: noWeb })
afterAll(() => app.close())
const now = new Date('2026-05-04T12:00:00.000Z')
const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() }
const commenters = 60
const tasks = 500

let newApp: FastifyInstance | undefined
let caller: Member & { token: string }
let listId = 0
let reviewId = 0
const titles: number[] = []
const members: Member[] = []
const reporters = Array.from({ length: tasks }, (_, at) => 1_000_000 + at)
const moderator: Member = { ...(await aMember(db)), role: 'moderator' }
const countTasks = (queue: QueueName) =>
  countRows(db.selectFrom('tasks').where('queue', '=', queue).where('due_at', 'is not', null))
beforeAll(async () => {
  caller = await aSignedInMember(db)
  while (titles.length < listItemsMax) titles.push(await aTitle(db))
  while (members.length < commenters) members.push(await aMember(db))
  listId = (await as(caller).lists.create({ title: 'Long', visibility: 'public' })).list.id
  for (let at = 0; at < titles.length; at += idsMax)
    await as(caller).lists.changeItems({
      id: listId,
      items: titles.slice(at, at + idsMax).map((itemId) => ({ itemId })),
    })
  await insertMany(
    db,
    'users',
    reporters.map((id) => ({
      id,
      ...usernameColumns(`reporter${id}`),
      email: `reporter${id}@example.org`,
      email_folded: `reporter${id}@example.org`,
      verified_at: now.toISOString(),
      created_at: now.toISOString(),
    })),
  )
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
  const ratings = [caller, ...members.slice(0, 20)].flatMap((member, by) =>
    titles.slice(0, 300).map((media_id, at) => ({
      user_id: member.id,
      media_id,
      kind: 'movie',
      rating: 10 + 5 * ((by + at) % 9),
      text: '',
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
      rated_at: now.toISOString(),
    })),
  )
  await insertMany(db, 'reviews', ratings)
  reviewId = (await as(caller, { now }).reviews.save({ itemId: titles[400]!, rating: 4, text: 'Long.' }))
    .review.id
}, 300_000)

/** Sends calls in one batch, and returns how many of them succeeded. */
async function batch(method: 'GET' | 'POST', paths: string[], inputOf: (at: number) => object) {
  const input = JSON.stringify(Object.fromEntries(paths.map((_, at) => [at, inputOf(at)])))
  const url = `/trpc/${paths.join(',')}?batch=1`
  const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' }
  const response =
    method === 'GET'
      ? await app.inject({ method, headers, url: `${url}&input=${encodeURIComponent(input)}` })
      : await app.inject({ method, headers, url, payload: input })
  return response.json<{ result?: object }[]>().filter(({ result }) => result).length
}
const times = (path: string) => Array<string>(20).fill(path)
const ids = (from: number, count: number) => titles.slice(from, from + count)

const queueOptions = { db, log, now: () => new Date(now.getTime() + 60_000), pollMs: 0 }
async function runNotifications() {
  const queue = openNotifications(queueOptions)
  await queue.runDue()
  await queue.close()
}

test.each<[name: string, prepare: () => Promise<unknown>, work: () => Promise<unknown>]>([
  [
    'a batch of lists that are copied',
    async () => {},
    async () => expect(await batch('POST', times('lists.copy'), () => ({ id: listId }))).toBe(20),
  ],
  [
    'a batch of titles that are moved',
    async () => {},
    async () =>
      expect(
        await batch('POST', times('lists.changeItems'), (at) => ({
          id: listId,
          action: 'move',
          items: ids(at, idsMax).map((itemId, place) => ({ itemId, position: 1 + ((place * 7 + at) % 400) })),
        })),
      ).toBe(20),
  ],
  [
    'a batch of comparisons of taste',
    async () => {},
    async () =>
      expect(
        await batch('GET', times('social.tasteMatches').slice(10), () => ({
          ids: members
            .slice(0, 20)
            .map(({ id }) => id)
            .join(','),
        })),
      ).toBe(10),
  ],
  [
    'a batch of searches of lists',
    async () => {},
    async () => expect(await batch('GET', times('lists.search'), () => ({ q: 'lo' }))).toBe(20),
  ],
  [
    'a batch of years of a diary',
    async () => {},
    async () =>
      expect(await batch('GET', times('diary.year'), (at) => ({ id: caller.id, year: 2007 + at }))).toBe(20),
  ],
  [
    'the notifications of a thread',
    async () => {
      for (const member of members)
        await as(member, { now }).reviews.addComment({ id: reviewId, text: 'So long!', hasSpoilers: false })
    },
    runNotifications,
  ],
  [
    'a backlog of daily emails',
    () =>
      insertMany(
        db,
        'tasks',
        reporters.map((id) => ({
          ...toRow(
            {
              queue: 'notifications',
              key: `digest ${id}`,
              owner: `digest ${id}`,
              priority: 1,
              payload: '',
            },
            now,
          ),
        })),
      ),
    runNotifications,
  ],
  [
    'a backlog of deliveries about the comments of a deleted review',
    async () => {
      const webhook = { user_id: caller.id, url: 'https://hooks.example/', secret: 's', events: 'comment' }
      const { id } = await insertWebhook(db, { ...webhook, created_at: now.toISOString() })
      const delivery = {
        webhook_id: id,
        event: 'comment' as const,
        action: 'created' as const,
        thing_id: 1_000_000,
      }
      const rows = Array.from({ length: tasks }, () => ({ ...delivery, created_at: now.toISOString() }))
      // A trigger adds the tasks.
      await insertMany(db, 'webhook_deliveries', rows)
    },
    async () => {
      const sender = { send: () => expect.unreachable(), close: async () => {} }
      const worker = openWebhookWorker({ ...services, ...queueOptions, sender })
      await worker.deliverDue()
      await worker.close()
      expect(await countTasks('webhooks')).toBe(0)
    },
  ],
  [
    'the notifications of those who reported a list',
    async () => {
      const call = as(moderator, { now }).moderation
      const { id } = (await call.open({ target: { type: 'list', id: listId } })).case
      const report = {
        case_id: id,
        category: 'spam' as const,
        rules: '[]',
        comment: '',
        outcome: 'removed' as const,
      }
      const rows = reporters.map((user_id) => ({ ...report, user_id, created_at: now.toISOString() }))
      for (const table of ['reports', 'tasks'] as const) await db.deleteFrom(table).execute()
      await insertMany(db, 'reports', rows)
      await addTask(db, 'reporters', id, now)
    },
    async () => {
      const queue = openModeration(services, queueOptions)
      await queue.runDue()
      await queue.close()
      expect(await countTasks('mail')).toBe(reporters.length)
    },
  ],
  [
    'an export of long texts',
    async () => {
      const longest = String.fromCodePoint(
        ...Array.from({ length: 10_000 }, (_, at) => 0x4e00 + (at % 20_000)),
      )
      await db.updateTable('reviews').set({ text: longest }).where('user_id', '=', caller.id).execute()
    },
    async () => {
      for (const format of exportFormats) {
        const headers = { authorization: `Bearer ${caller.token}` }
        // Read as a stream: `inject` would make one text of 13 MB, which holds the event loop itself.
        const response = await app.inject({ url: `/export?format=${format}`, headers, payloadAsStream: true })
        expect(response.statusCode).toBe(200)
        let bytes = 0
        for await (const chunk of response.stream()) bytes += (chunk as Buffer).length
        expect(bytes).toBeGreaterThan(0)
      }
    },
  ],
  [
    'the first request for the API document and its page',
    async () => {
      newApp = await buildApp(services, { web: noWeb })
    },
    async () => {
      for (const url of ['/openapi.json', '/docs']) expect((await newApp!.inject(url)).statusCode).toBe(200)
      await newApp!.close()
    },
  ],
])('%s does not hold the event loop', async (_name, prepare, work) => {
  // Repeated, to rule out other programs.
  let [heldMs, limitMs] = [Infinity, 0]
  for (let run = 0; run < 3 && heldMs > limitMs; run++) {
    await prepare()
    heldMs = Math.min(heldMs, await blockedMs(work))
    limitMs = blockedMaxMs * slowness()
  }
  expect(heldMs).toBeLessThanOrEqual(limitMs)
})

test('the watch of all tests counts work, but not a test’s own', async () => {
  // It holds the event loop itself.
  leaveUnwatched()
  const hold = (ms: number) => {
    const until = threadCpuMs() + ms
    while (threadCpuMs() < until);
  }
  const watch = watchHolds()
  await withoutWatch(() => hold(400))
  // The turn in which it ended is over.
  await wait(20)
  expect(Math.max(0, ...(await watch.end()).map(({ ms }) => ms))).toBeLessThan(200)
  expect(await blockedMs(async () => hold(60))).toBeGreaterThan(50)
  const both = await blockedMs(async () => {
    uncountedWork(() => hold(400))
    hold(60)
  })
  expect(both).toBeGreaterThan(50)
  expect(both).toBeLessThan(200)
})
