import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { aServer } from '#server/testing.ts'
import { type Job, removeInBatches, startJobs } from './scheduler.ts'

const { db } = await aServer()
const minute = 60_000
const start = new Date('2026-05-01T12:00:00.000Z')
let clock = start
const logged: unknown[][] = []
const note = (...line: unknown[]) => void logged.push(line)
const log = { info: note, warn: note, error: note }
beforeEach(async () => {
  logged.length = 0
  await db.deleteFrom('tasks').execute()
})

async function aStart(jobs: Job[]) {
  const queue = await startJobs(jobs, { db, log, now: () => clock, pollMs: 0 })
  onTestFinished(queue.close)
  return {
    ...queue,
    async runAt(minutes: number) {
      clock = new Date(start.getTime() + minutes * minute)
      await queue.runDue()
    },
  }
}

test('each job runs a minute after the first start and then at its interval, also across restarts; what it changed is logged', async () => {
  const runs = { often: 0, rarely: 0 }
  const jobs: Job[] = [
    { name: 'often', everyMs: 10 * minute, run: async () => ({ rows: runs.often++ }) },
    { name: 'rarely', everyMs: 60 * minute, run: async () => void runs.rarely++ },
  ]
  clock = start
  const first = await aStart(jobs)
  await first.runAt(0)
  expect(runs).toEqual({ often: 0, rarely: 0 })
  for (let minutes = 1; minutes < 40; minutes++) await first.runAt(minutes)
  await first.close()
  const second = await aStart(jobs)
  for (let minutes = 40; minutes <= 61; minutes++) await second.runAt(minutes)
  expect(runs).toEqual({ often: 7, rarely: 2 })
  // The first run changed no row, and the other job counts none.
  expect(logged).toEqual([1, 2, 3, 4, 5, 6].map((rows) => [{ job: 'often', rows }, 'job done']))
})

test('of several processes, one runs a job; a job that no longer exists is dropped', async () => {
  let runs = 0
  clock = start
  const jobs: Job[] = [{ name: 'sweep', everyMs: 10 * minute, run: async () => void runs++ }]
  await Promise.all([await aStart(jobs), await aStart(jobs)].map((queue) => queue.runAt(1)))
  expect(runs).toBe(1)
  await (await aStart([{ ...jobs[0]!, name: 'new' }])).runAt(11)
  expect(await db.selectFrom('tasks').select('key').execute()).toEqual([{ key: 'new' }])
})

test('a job that is interrupted by the end of its process is due at once', async () => {
  clock = start
  const queue = await aStart([
    {
      name: 'long',
      everyMs: 60 * minute,
      run: (_now, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve())
          void queue.close()
        }),
    },
  ])
  await queue.runAt(1)
  expect(await db.selectFrom('tasks').select('due_at').execute()).toEqual([{ due_at: clock.toISOString() }])
})

test('a removal in batches ends with the first batch that is not full, or when it is aborted', async () => {
  const batches = [5, 5, 2, 5]
  const remove = async () => batches.shift()!
  expect(await removeInBatches(remove, 5)).toBe(12)
  expect(batches).toEqual([5])
  const closing = new AbortController()
  const abort = async () => {
    closing.abort()
    return 5
  }
  expect(await removeInBatches(abort, 5, closing.signal)).toBe(5)
})
