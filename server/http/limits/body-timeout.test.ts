import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withBodyTimeout } from './body-timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Reads a body whose next bytes arrive each second. Returns the outcome and the seconds that it took. */
async function readBody(bytesOfSecond: (second: number) => number, seconds: number) {
  const socket = { bytesRead: 0 }
  const headers: Record<string, string> = {}
  const reply = { header: (name: string, value: string) => (headers[name] = value) }
  const body = Promise.withResolvers<string>()
  const outcome = withBodyTimeout({ raw: { socket } } as never, reply as never, body.promise).then(
    (value) => ({ value, second }),
    ({ code }: { code: string }) => ({ code, second, headers }),
  )
  let second = 0
  for (; second < seconds; second++) {
    socket.bytesRead += bytesOfSecond(second)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  body.resolve('read')
  return outcome
}
const kilobytes = 1_024

test('a large body over a slow line is read, however long it takes', async () => {
  const seconds = 1_000
  expect(await readBody(() => 33 * kilobytes, seconds)).toEqual({ value: 'read', second: seconds })
})

test('a pause of nine seconds is allowed again and again, if the body arrives fast enough between them', async () => {
  const bytesOf = (second: number) => (second % 10 === 9 ? 400 * kilobytes : 0)
  expect(await readBody(bytesOf, 100)).toMatchObject({ value: 'read' })
})

test.each([
  ['a byte every four seconds', (second: number) => (second % 4 === 0 ? 1 : 0), 10],
  ['nothing after a fast start', (second: number) => (second < 5 ? 5_000 * kilobytes : 0), 15],
  ['half of the least throughput', () => 16 * kilobytes, 20],
])('a body that arrives too slowly times out: %s', async (_name, bytesOf, before) => {
  const outcome = await readBody(bytesOf, 60)
  expect(outcome).toMatchObject({ code: 'TIMEOUT', headers: { connection: 'close' } })
  expect(outcome.second).toBeLessThanOrEqual(before)
})
