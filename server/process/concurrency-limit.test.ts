import type { TRPCError } from '@trpc/server'
import { expect, test } from 'vitest'
import { openConcurrencyLimit } from './concurrency-limit.ts'

/** Work that finishes when the test calls `finish`. */
function someWork() {
  let finish!: (value?: unknown) => void
  const done = new Promise((resolve) => (finish = resolve))
  const state = { isStarted: false }
  return { state, finish, work: () => ((state.isStarted = true), done) }
}

test('at most `concurrency` run at the same time, and the next starts when one resolves or rejects', async () => {
  const limited = openConcurrencyLimit({ concurrency: 2, waitMaxMs: 10_000 })
  const works = Array.from({ length: 4 }, someWork)
  const runs = works.map(({ work }) => limited(work))
  const started = () => works.map(({ state }) => state.isStarted)
  await Promise.resolve()
  expect(started()).toEqual([true, true, false, false])
  works[1]!.finish('resolved')
  expect(await runs[1]).toBe('resolved')
  expect(started()).toEqual([true, true, true, false])
  works[0]!.finish(Promise.reject(new Error('rejected')))
  await expect(runs[0]).rejects.toThrow('rejected')
  expect(started()).toEqual([true, true, true, true])
})

test('work that waits too long is rejected with SERVICE_UNAVAILABLE and never runs', async () => {
  const limited = openConcurrencyLimit({ concurrency: 1, waitMaxMs: 20 })
  const [first, second] = [someWork(), someWork()]
  const run = limited(first.work)
  await expect(limited(second.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  // Running work may take longer than `waitMaxMs`.
  first.finish('done')
  expect(await run).toBe('done')
  expect(second.state.isStarted).toBe(false)
})

test('owners have their turns, and a full queue drops the last of the one with the most waiting', async () => {
  const limited = openConcurrencyLimit({ concurrency: 1, waitMaxMs: 60_000, queueMax: 4 })
  const order: string[] = []
  const run = async (name: string, owner: string) => {
    try {
      await limited(async () => void order.push(name), [owner])
    } catch (error) {
      order.push(`${name} is dropped: ${(error as TRPCError).code}`)
    }
  }
  const first = someWork()
  const running = limited(first.work, ['flood'])
  const waiting = ['1', '2', '3', '4', '5'].map((name) => run(name, 'flood'))
  await expect.poll(() => order).toEqual(['5 is dropped: SERVICE_UNAVAILABLE'])
  waiting.push(run('quiet', 'elsewhere'))
  await expect.poll(() => order.at(-1)).toBe('4 is dropped: SERVICE_UNAVAILABLE')
  first.finish()
  await Promise.all([running, ...waiting])
  expect(order.slice(2)).toEqual(['quiet', '1', '2', '3'])
})

test('work with a greater weight has its turn, and runs while they are all free', async () => {
  const limited = openConcurrencyLimit({ concurrency: 2, waitMaxMs: 60_000 })
  const works = Array.from({ length: 4 }, someWork)
  const runs = works.map(({ work }, index) => limited(work, [`owner ${index}`], index === 1 ? 2 : 1))
  const started = () => works.map(({ state }) => state.isStarted)
  await Promise.resolve()
  expect(started()).toEqual([true, false, false, false])
  works[0]!.finish()
  await expect.poll(started).toEqual([true, true, false, false])
  works[1]!.finish()
  await expect.poll(started).toEqual([true, true, true, true])
  for (const { finish } of works) finish()
  await Promise.all(runs)
})
