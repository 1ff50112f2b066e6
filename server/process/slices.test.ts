import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSlices } from '#server/db/slices.ts'

/** Keeps the processor busy for longer than a slice. */
function work(): void {
  const until = performance.now() + 6
  while (performance.now() < until);
}

test('short work goes on at once, long work in a later turn', async () => {
  const { pause, waitedMs } = openSlices()
  expect([pause(), pause()]).toEqual([undefined, undefined])
  work()
  const over = pause()
  expect(over).toBeInstanceOf(Promise)
  expect(waitedMs()).toBeGreaterThanOrEqual(0)
  let hasTurned = false
  void nextTurn().then(() => (hasTurned = true))
  await over
  await nextTurn()
  expect([hasTurned, waitedMs()]).toEqual([true, 0])
})

test('work that waits has its turns in order, however much new work begins', async () => {
  const { pause } = openSlices()
  const order: string[] = []
  const workInParts = async (name: string, parts: number) => {
    for (let part = 0; part < parts; part++) {
      await pause()
      order.push(name)
      work()
    }
  }
  // Begins one more in each turn, and takes the rest of the slice.
  const ending = new AbortController()
  const others = (async () => {
    while (!ending.signal.aborted) {
      await nextTurn()
      if (pause() === undefined) work()
    }
  })()
  await Promise.all(['a', 'b', 'c'].map((name) => workInParts(name, 3)))
  ending.abort()
  await others
  expect(order.join('')).toBe('abcabcabc')
})
