import { onlineManager } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { messages } from '#shared/messages.ts'

const fetch = vi.fn<typeof globalThis.fetch>()
vi.stubGlobal('fetch', fetch)
vi.stubGlobal('window', new EventTarget())
vi.stubGlobal('localStorage', { getItem: () => null })
const { errorText, queryClient, retryOnce, trpcClient, trpcUtils } = await import('./trpc.ts')

beforeEach(() => void fetch.mockReset())

/** How a call fails. */
function failure(): Promise<unknown> {
  return trpcClient.movies.byId.query({ id: 1 }).then(
    () => expect.fail('the call went well'),
    (error: unknown) => error,
  )
}

function answer(httpStatus: number, message: string): Response {
  const error = { message, code: -32_000, data: { code: 'ANY', httpStatus } }
  return Response.json([{ error }], { status: httpStatus })
}

test('no answer is a network error, asked for once more', async () => {
  fetch.mockRejectedValue(new TypeError('Failed to fetch'))
  const error = await failure()
  expect(errorText(error)).toBe(messages.networkError)
  expect(retryOnce.retry(0, error)).toBe(true)
  expect(retryOnce.retry(1, error)).toBe(false)
  expect(retryOnce.retryDelay).toBe(800)
})

test('the words of the server are told, and a refusal is not asked for again', async () => {
  fetch.mockResolvedValue(answer(404, 'Movie not found.'))
  const error = await failure()
  expect(errorText(error, messages.followFailed)).toBe('Movie not found.')
  expect(retryOnce.retry(0, error)).toBe(false)
})

test('trouble at the server is asked for once more; where it has no words, those of the call stand', async () => {
  fetch.mockResolvedValue(answer(500, ''))
  const error = await failure()
  expect(errorText(error)).toBe('Request failed')
  expect(errorText(error, messages.followFailed)).toBe(messages.followFailed)
  expect(retryOnce.retry(0, error)).toBe(true)
})

test('a page of a proxy is an answer without words', async () => {
  fetch.mockResolvedValue(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const error = await failure()
  expect(errorText(error)).toBe('Request failed')
  expect(errorText(error, messages.loginFailed)).toBe('Login failed')
  expect(retryOnce.retry(0, error)).toBe(true)
})

test('offline, a page is told so after the second attempt, and does not wait for the network', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  fetch.mockRejectedValue(new TypeError('Failed to fetch'))
  const begun = performance.now()
  const error = await trpcUtils.movies.byId.fetch({ id: 1 }).catch((reason: unknown) => reason)
  expect(performance.now() - begun).toBeGreaterThan(790)
  expect(errorText(error)).toBe(messages.networkError)
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(warn).toHaveBeenCalledOnce()
  queryClient.clear()
})
