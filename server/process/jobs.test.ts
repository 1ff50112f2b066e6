import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeInBatches, startJobs } from './jobs.ts'

const minute = 60_000
const log = { info: vi.fn<() => void>(), error: vi.fn<() => void>() }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  vi.clearAllMocks()
})
afterEach(() => void vi.useRealTimers())

test('each job runs a minute after the start and then at its interval; what it changed is logged', async () => {
  const runs = { often: 0, rarely: 0 }
  const jobs = startJobs(
    [
      { name: 'often', everyMs: 10 * minute, run: async () => ({ rows: runs.often++ }) },
      { name: 'rarely', everyMs: 60 * minute, run: async () => void runs.rarely++ },
    ],
    log,
  )
  await vi.advanceTimersByTimeAsync(minute - 1)
  expect(runs).toEqual({ often: 0, rarely: 0 })
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toEqual({ often: 1, rarely: 1 })
  await vi.advanceTimersByTimeAsync(59 * minute)
  expect(runs).toEqual({ often: 7, rarely: 2 })
  await jobs.close()
  await vi.advanceTimersByTimeAsync(600 * minute)
  expect(runs).toEqual({ often: 7, rarely: 2 })
  // The first run changed no row, and the other job counts none.
  expect(log.info.mock.calls).toEqual([1, 2, 3, 4, 5, 6].map((rows) => [{ job: 'often', rows }, 'job done']))
  expect(log.error).not.toHaveBeenCalled()
})

test('jobs run one at a time; one that fails is logged, stops no other, and runs again', async () => {
  const events: string[] = []
  const end = Promise.withResolvers<void>()
  const jobs = startJobs(
    [
      {
        name: 'slow',
        everyMs: 60 * minute,
        async run() {
          events.push('slow starts')
          await end.promise
          events.push('slow ends')
        },
      },
      {
        name: 'broken',
        everyMs: 60 * minute,
        async run() {
          events.push('broken')
          throw new Error('The database is away.')
        },
      },
    ],
    log,
  )
  await vi.advanceTimersByTimeAsync(minute)
  expect(events).toEqual(['slow starts'])
  end.resolve()
  await vi.advanceTimersByTimeAsync(60 * minute)
  await jobs.close()
  expect(events).toEqual(['slow starts', 'slow ends', 'broken', 'slow starts', 'slow ends', 'broken'])
  expect(log.error.mock.calls).toEqual(
    [1, 2].map(() => [{ err: expect.any(Error), job: 'broken' }, 'job failed']),
  )
})

test('close waits for the run in progress, tells it to stop, and starts no other', async () => {
  const runs: string[] = []
  const jobs = startJobs(
    [
      {
        name: 'first',
        everyMs: minute,
        run: (_now, signal) =>
          new Promise((resolve) => {
            runs.push('first')
            signal.addEventListener('abort', () => resolve())
          }),
      },
      { name: 'second', everyMs: minute, run: async () => void runs.push('second') },
    ],
    log,
  )
  await vi.advanceTimersByTimeAsync(minute)
  await jobs.close()
  expect(runs).toEqual(['first'])
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
