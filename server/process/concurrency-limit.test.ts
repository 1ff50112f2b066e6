import { expect, test } from 'vitest'
import { openConcurrencyLimit } from './concurrency-limit.ts'

/** Work that is done when the test says so. */
function someWork() {
  let finish!: (value?: unknown) => void
  const done = new Promise((resolve) => (finish = resolve))
  const state = { isBegun: false }
  return { state, finish, work: () => ((state.isBegun = true), done) }
}

test('no more run at once than may, and the next begins when one ends, well or badly', async () => {
  const inTurn = openConcurrencyLimit({ concurrency: 2, waitMaxMs: 10_000 })
  const works = Array.from({ length: 4 }, someWork)
  const runs = works.map(({ work }) => inTurn(work))
  const begun = () => works.map(({ state }) => state.isBegun)
  await Promise.resolve()
  expect(begun()).toEqual([true, true, false, false])
  works[1]!.finish('well')
  expect(await runs[1]).toBe('well')
  expect(begun()).toEqual([true, true, true, false])
  works[0]!.finish(Promise.reject(new Error('badly')))
  await expect(runs[0]).rejects.toThrow('badly')
  expect(begun()).toEqual([true, true, true, true])
})

test('who waits too long is told to come again, and is never run', async () => {
  const inTurn = openConcurrencyLimit({ concurrency: 1, waitMaxMs: 20 })
  const [first, second] = [someWork(), someWork()]
  const run = inTurn(first.work)
  await expect(inTurn(second.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  // Who is at work may take longer than that.
  first.finish('done')
  expect(await run).toBe('done')
  expect(second.state.isBegun).toBe(false)
})
