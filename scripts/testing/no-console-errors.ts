import { afterEach, expect, vi } from 'vitest'

// A test that makes something complain on the console has found something.
const complain = vi.spyOn(console, 'error')
afterEach(() => {
  const calls = complain.mock.calls.splice(0)
  expect(calls, 'console.error was called').toEqual([])
})
