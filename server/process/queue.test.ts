import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { isSqlite } from '#server/db/dialect.ts'
import { openDatabase } from '#server/db/open.ts'
import {
  claimTask,
  endClaims,
  enqueue,
  extendClaim,
  listLines,
  measureQueues,
  removeGivenUp,
  removeTasks,
} from '#server/db/tasks.ts'
import { aServer, plansOf } from '#server/testing.ts'
import { ClaimLost, openQueue } from './queue.ts'

const { db, config } = await aServer()
/** As of another process. */
const otherDb = openDatabase(config)
afterAll(() => otherDb.destroy())

const second = 1_000
const minute = 60 * second
const start = new Date('2026-05-01T12:00:00.000Z')
let clock = start
const after = (ms: number) => new Date(start.getTime() + ms)
beforeEach(async () => {
  clock = start
  await db.deleteFrom('tasks').execute()
})

type Options = Omit<Partial<Parameters<typeof openQueue>[0]>, 'run' | 'log'>
/** A process that works on the queue `jobs`. */
function aQueue(run: Parameters<typeof openQueue>[0]['run'], options: Options = {}) {
  const logged: string[] = []
  const note = (...line: unknown[]) => void logged.push(String(line[1]))
  const log = { info: note, warn: note, error: note }
  const queue = openQueue({ db, log, name: 'jobs', run, pollMs: 0, now: () => clock, ...options })
  onTestFinished(queue.close)
  return { ...queue, logged }
}
const add = (key: string | null, { owner = 'server', priority = 0, dueAt = clock } = {}) =>
  enqueue(db, { queue: 'jobs', key, owner, priority }, dueAt)
const rows = () => db.selectFrom('tasks').selectAll().orderBy('id').execute()
const aClaim = (leaseMs: number) =>
  claimTask(
    otherDb,
    { queue: 'jobs', owner: 'server', priority: 0, isOnly: false },
    clock,
    new Date(clock.getTime() + leaseMs),
  )

test('each task is run once, by one of two processes', async () => {
  const keys = Array.from({ length: 60 }, (_, at) => `task ${at}`)
  for (const key of keys) await add(key)
  const ran: string[] = []
  const run = async ({ key }: { key: string | null }) => void ran.push(key!)
  const queues = [db, otherDb, db].map((each) => aQueue(run, { db: each, concurrencyMax: 5 }))
  await Promise.all(queues.map((queue) => queue.runDue()))
  expect(ran.sort()).toEqual(keys.sort())
  expect(await rows()).toEqual([])
})

test('the work of a process that was killed is done again once its lease ends, and the dead claim changes nothing', async () => {
  await add('work')
  const dead = (await aClaim(30 * second))!
  const attempts: number[] = []
  const queue = aQueue(async (task) => void attempts.push(task.attempts))
  clock = after(29 * second)
  await queue.runDue()
  expect(attempts).toEqual([])
  clock = after(30 * second)
  await queue.runDue()
  expect(attempts).toEqual([2])
  expect(await extendClaim(db, dead, after(60 * second))).toBe(false)
})

test('after a start on a database that no other process uses, claims end at once', async () => {
  await add('work')
  await aClaim(30 * second)
  await endClaims(db, clock)
  const ran: unknown[] = []
  await aQueue(async ({ key }) => void ran.push(key)).runDue()
  expect(ran).toEqual(['work'])
})

test('a process that works keeps its claim, however long the work takes', async () => {
  await add('long')
  const ended = Promise.withResolvers<void>()
  const queue = aQueue(() => ended.promise, { leaseMs: 60 })
  const done = queue.runDue()
  await expect.poll(async () => (await rows())[0]?.claim).toEqual(expect.any(String))
  clock = after(60 * minute)
  await expect.poll(async () => Date.parse((await rows())[0]!.due_at!)).toBeGreaterThan(clock.getTime())
  ended.resolve()
  await done
  expect(await rows()).toEqual([])
})

test('work that fails is retried with exponential backoff, up to an hour', async () => {
  await add('broken')
  const queue = aQueue(async () => {
    throw new Error('Not yet.')
  })
  const delays: number[] = []
  for (let attempt = 1; attempt <= 10; attempt++) {
    await queue.runDue()
    const [row] = await rows()
    delays.push((Date.parse(row!.due_at!) - clock.getTime()) / minute)
    clock = new Date(row!.due_at!)
  }
  expect(delays).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(new Set(queue.logged)).toEqual(new Set(['task failed']))
})

test('work that decides itself when to go on is due then; a retry counts its attempts, a success starts anew', async () => {
  await add('steps')
  const seen: number[] = []
  const queue = aQueue(async ({ attempts }) => {
    seen.push(attempts)
    return { dueAt: new Date(clock.getTime() + minute), isRetry: attempts < 3 }
  })
  for (let run = 0; run < 5; run++) {
    await queue.runDue()
    await queue.runDue()
    clock = new Date(clock.getTime() + minute)
  }
  expect(seen).toEqual([1, 2, 3, 1, 2])
})

test('work that fails for too long is given up, counted, and finally removed', async () => {
  await add('hopeless')
  const queue = aQueue(
    async () => {
      throw new Error('Never.')
    },
    { giveUpAfterMs: 60 * minute },
  )
  await queue.runDue()
  expect(queue.logged).toEqual(['task failed'])
  clock = after(61 * minute)
  await queue.runDue()
  await queue.runDue()
  expect(queue.logged).toEqual(['task failed', 'task given up'])
  expect(await measureQueues(db)).toEqual([
    { queue: 'jobs', waiting: 0, givenUp: 1, failing: 0, oldestAt: null },
  ])
  expect(await removeGivenUp(db, start)).toBe(0)
  expect(await removeGivenUp(db, after(1))).toBe(1)
})

test('a key is in a queue once: adding it again moves the task, and work on it is repeated', async () => {
  await add('same')
  await add('same', { dueAt: after(minute) })
  await enqueue(db, { queue: 'mail', key: 'same' }, clock)
  for (const key of [null, null]) await add(key, { dueAt: after(9 * minute) })
  const ran: (string | null)[] = []
  const queue = aQueue(async ({ key }) => {
    if (ran.push(key) === 1) await add('same')
  })
  await queue.runDue()
  expect(ran).toEqual([])
  clock = after(minute)
  await queue.runDue()
  expect(ran).toEqual(['same', 'same'])
  expect(await rows()).toMatchObject([{ queue: 'mail' }, { key: null }, { key: null }])
})

test('work whose task was removed or lost ends without an error', async () => {
  await add('canceled')
  const queue = aQueue(async () => {
    await removeTasks(db, 'jobs', 'key', ['canceled'])
    throw new ClaimLost()
  })
  await queue.runDue()
  expect([queue.logged, await rows()]).toEqual([[], []])
})

/** Returns the tasks in the order in which two workers of a process start them. */
async function orderOf(options: Options = {}): Promise<(string | null)[]> {
  const order: (string | null)[] = []
  await aQueue(async ({ key }) => void order.push(key), options).runDue()
  return order
}

test('lower priorities come first, and within one, what has been due for longest', async () => {
  await add('late', { dueAt: after(-1) })
  await add('notice', { priority: 1, owner: 'a', dueAt: after(-minute) })
  await add('early', { dueAt: after(-2) })
  await add('link', { owner: 'z' })
  expect(await orderOf()).toEqual(['early', 'link', 'late', 'notice'])
})

test('owners take turns, however many tasks one of them has', async () => {
  for (let at = 0; at < 50; at++) await add(`many ${at}`, { owner: 'a', dueAt: after(at - 100) })
  for (const owner of ['b', 'c']) for (const at of [0, 1]) await add(`${owner} ${at}`, { owner })
  const order = await orderOf()
  expect(order).toHaveLength(54)
  expect(order.slice(0, 6)).toEqual(['many 0', 'b 0', 'c 0', 'many 1', 'b 1', 'c 1'])
})

test('work that takes long keeps no other waiting, nor what becomes due meanwhile', async () => {
  const ended = Promise.withResolvers<void>()
  const ran: (string | null)[] = []
  const queue = aQueue(async ({ key }) => (key === 'long' ? ended.promise : void ran.push(key)), {
    concurrencyMax: 2,
  })
  for (const key of ['long', 'one', 'two']) await add(key)
  queue.wake()
  await expect.poll(() => ran).toEqual(['one', 'two'])
  await add('three')
  queue.wake()
  await expect.poll(() => ran).toEqual(['one', 'two', 'three'])
  ended.resolve()
})

test('where an owner has one turn at a time, its tasks wait for each other in all processes', async () => {
  for (const owner of ['a', 'b', 'c']) for (const at of [0, 1, 2]) await add(`${owner}${at}`, { owner })
  const running = new Set<string>()
  const overlaps: string[] = []
  let most = 0
  const run = async ({ owner }: { owner: string }) => {
    if (running.has(owner)) overlaps.push(owner)
    running.add(owner)
    most = Math.max(most, running.size)
    // The first tasks wait until the tasks of two owners run.
    await vi.waitFor(() => expect(most).toBeGreaterThan(1))
    await measureQueues(db)
    running.delete(owner)
  }
  const queues = [db, otherDb].map((each) => aQueue(run, { db: each, isOnly: true, concurrencyMax: 2 }))
  while ((await rows()).length > 0) await Promise.all(queues.map((queue) => queue.runDue()))
  expect(overlaps).toEqual([])
})

test('lines are listed in pages with one look-up each, however many tasks they have', async () => {
  for (const owner of ['a', 'b', 'c'])
    for (const at of [3, 1, 2]) await add(null, { owner, priority: owner === 'a' ? 1 : 0, dueAt: after(at) })
  const line = (owner: string, priority = 0) => ({ owner, priority, due_at: after(1).toISOString() })
  expect(await listLines(db, 'jobs', 0, '', 9)).toEqual([line('b'), line('c'), line('a', 1)])
  expect(await listLines(db, 'jobs', 0, '', 2)).toEqual([line('b'), line('c')])
  expect(await listLines(db, 'jobs', 0, 'c', 2)).toEqual([line('a', 1)])
  if (!isSqlite(db)) return
  const plans = await plansOf(db, (recorded) => listLines(recorded, 'jobs', 0, '', 9))
  const lookUps = plans.filter((line) => line.includes('tasks_due'))
  expect(lookUps).toHaveLength(2)
  for (const line of lookUps)
    expect(line).toMatch(/^SEARCH tasks USING COVERING INDEX tasks_due \(queue=\? AND \(priority,owner\)>/)
})

test('the depth of a queue counts what waits and what runs, and its age is the oldest task’s', async () => {
  await add('one', { dueAt: after(-minute) })
  await add('two')
  await enqueue(db, { queue: 'mail', key: null }, after(minute))
  await aClaim(minute)
  const ofJobs = { queue: 'jobs', waiting: 2, givenUp: 0, failing: 0, oldestAt: after(-minute).toISOString() }
  const measured = await measureQueues(db)
  expect(measured.sort((a, b) => (a.queue < b.queue ? -1 : 1))).toEqual([
    ofJobs,
    { queue: 'mail', waiting: 1, givenUp: 0, failing: 0, oldestAt: after(minute).toISOString() },
  ])
})

test('close tells the work to stop, waits for it, and starts no other', async () => {
  for (const key of ['one', 'two']) await add(key)
  const started: unknown[] = []
  const queue = aQueue(async ({ key }, _waiting, signal) => {
    started.push(key)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    return { dueAt: clock }
  })
  queue.wake()
  await expect.poll(() => started).toEqual(['one'])
  await queue.close()
  expect(await rows()).toMatchObject([{ claim: null }, { claim: null }])
  expect(started).toEqual(['one'])
})
