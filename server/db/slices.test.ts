import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSlices } from './slices.ts'

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

test('work that waits has its turns, a few in a row, however much new work begins', async () => {
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
  await Promise.all(['a', 'b', 'c'].map((name) => workInParts(name, 25)))
  ending.abort()
  await others
  const text = order.join('')
  for (const name of ['a', 'b', 'c']) expect(text.indexOf(name)).toBeLessThan(25)
  expect(text).not.toMatch(/(.)\1{12}/)
  expect(text).toMatch(/(.)\1{8}/)
})

test('new work begins in order, and while other work goes on, less often', async () => {
  const { pause, begin } = openSlices()
  const order: string[] = []
  const goOn = async (name: string) => {
    for (let part = 0; part < 30; part++) {
      await pause()
      order.push(name)
      work()
    }
  }
  const running = goOn('-')
  await nextTurn()
  const requests = ['a', 'b', 'c'].map(async (name) => {
    await begin()
    order.push(name)
  })
  await Promise.all([running, ...requests])
  const text = order.join('')
  expect(text.replaceAll('-', '')).toBe('abc')
  expect(text).toMatch(/a-+b-+c/)
})
