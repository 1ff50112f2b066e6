import { afterEach, expect, test, vi } from 'vitest'
import { withTimeout } from './errors.ts'

afterEach(() => vi.useRealTimers())

test('a call that takes longer than 25 seconds is refused as busy, and its later failure is ignored', async () => {
  vi.useFakeTimers()
  let fail!: (error: Error) => void
  const call = withTimeout(() => new Promise((_resolve, reject) => (fail = reject)))
  const refused = expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await vi.advanceTimersByTimeAsync(25_000)
  await refused
  fail(new Error('Too late.'))
  expect(vi.getTimerCount()).toBe(0)
})

test('a call that ends leaves no timer', async () => {
  vi.useFakeTimers()
  await expect(withTimeout(async () => 'done')).resolves.toBe('done')
  await expect(withTimeout(() => Promise.reject(new Error('Broken.')))).rejects.toThrow('Broken.')
  expect(vi.getTimerCount()).toBe(0)
})
