import { afterAll, vi } from 'vitest'

const msPerTurn = 10

/**
 * Ten milliseconds in each turn of the event loop: no time passes while the machine stalls. Applies to `Date`, timers and
 * `AbortSignal.timeout`, not to `performance`. Only for code whose peers run in the same process.
 */
export function passTimeByTurns(): void {
  const setRealTimeout = setTimeout
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const abortSignalTimeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('Timed out.', 'TimeoutError')), ms)
    return controller.signal
  })
  let isOver = false
  const turn = () => {
    if (isOver) return
    vi.advanceTimersByTime(msPerTurn)
    setRealTimeout(turn, 1)
  }
  turn()
  afterAll(() => {
    isOver = true
    abortSignalTimeout.mockRestore()
    vi.useRealTimers()
  })
}
