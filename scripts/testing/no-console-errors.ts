import { afterEach, expect, vi } from 'vitest'

const consoleError = vi.spyOn(console, 'error')
afterEach(() => {
  const calls = consoleError.mock.calls.splice(0)
  expect(calls, 'console.error was called').toEqual([])
})
