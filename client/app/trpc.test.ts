import { onlineManager } from '@tanstack/react-query'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import type { Session } from './session.ts'

const fetch = vi.fn<typeof globalThis.fetch>()
vi.stubGlobal('fetch', fetch)
vi.stubEnv('SSR', false)
vi.stubGlobal('window', new EventTarget())
const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
})
vi.stubGlobal('document', { documentElement: { dataset: {}, toggleAttribute() {} } })
const { getSession, setSession } = await import('./session.ts')
const { errorText, queryClient, retryOnce, trpcClient, trpcUtils } = await import('./trpc.ts')
const { changeUser, refreshUser } = await import('./user.ts')

beforeEach(() => void fetch.mockReset())

/** Returns the error of a call that must fail. */
function callError(): Promise<unknown> {
  return trpcClient.movies.byId.query({ id: 1 }).then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  )
}

function errorItem(httpStatus: number, message: string) {
  return { error: { message, code: -32_000, data: { code: 'ANY', httpStatus } } }
}

function errorResponse(httpStatus: number, message: string): Response {
  return Response.json([errorItem(httpStatus, message)], { status: httpStatus })
}

test('a failed fetch is a network error, and is retried once', async () => {
  fetch.mockRejectedValue(new TypeError('Failed to fetch'))
  const error = await callError()
  expect(errorText(error)).toBe(messages.networkError)
  expect(retryOnce.retry(0, error)).toBe(true)
  expect(retryOnce.retry(1, error)).toBe(false)
  expect(retryOnce.retryDelay).toBe(800)
})

test('the server’s message is shown, and a 4xx is not retried', async () => {
  fetch.mockResolvedValue(errorResponse(404, 'Movie not found.'))
  const error = await callError()
  expect(errorText(error, messages.followFailed)).toBe('Movie not found.')
  expect(retryOnce.retry(0, error)).toBe(false)
})

test('a 5xx is retried once, and without a message the fallback text is shown', async () => {
  fetch.mockResolvedValue(errorResponse(500, ''))
  const error = await callError()
  expect(errorText(error)).toBe('Request failed')
  expect(errorText(error, messages.followFailed)).toBe(messages.followFailed)
  expect(retryOnce.retry(0, error)).toBe(true)
})

test('a proxy’s HTML error page counts as a response without a message', async () => {
  fetch.mockResolvedValue(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const error = await callError()
  expect(errorText(error)).toBe('Request failed')
  expect(errorText(error, messages.loginFailed)).toBe('Login failed')
  expect(retryOnce.retry(0, error)).toBe(true)
})

test('a query fails offline after one retry, instead of waiting for the network', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  fetch.mockRejectedValue(new TypeError('Failed to fetch'))
  const startedAt = performance.now()
  const error = await trpcUtils.movies.byId.fetch({ id: 1 }).catch((reason: unknown) => reason)
  expect(performance.now() - startedAt).toBeGreaterThan(790)
  expect(errorText(error)).toBe(messages.networkError)
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(warn).toHaveBeenCalledOnce()
  queryClient.clear()
})

const sessionOf = (id: number): Session => ({
  token: `token-${id}`,
  user: {
    id,
    username: `member-${id}`,
    email: `${id}@example.org`,
    profilePicture: null,
  } as Session['user'],
})

describe('a response that refuses a token', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockReturnValue()
    setSession(sessionOf(1))
    return () => {
      setSession(null)
      queryClient.clear()
    }
  })

  /** Makes a call, runs `meanwhile`, and then responds that the token of the call is invalid. */
  async function refuse(meanwhile: () => void = () => {}) {
    const response = Promise.withResolvers<Response>()
    fetch.mockReturnValue(response.promise)
    const call = trpcUtils.accounts.me.fetch(undefined, { staleTime: 0 }).catch(() => {})
    await vi.waitFor(() => expect(fetch).toHaveBeenCalled())
    meanwhile()
    const error = {
      message: 'Please log in.',
      code: -32_001,
      data: { code: 'UNAUTHORIZED', httpStatus: 401 },
    }
    response.resolve(Response.json([{ error }], { status: 401 }))
    await call
  }

  test('ends the session of that token', async () => {
    await refuse()
    expect(getSession()).toBeNull()
    expect(stored.size).toBe(0)
  })

  test('leaves the session of a member who logged in meanwhile', async () => {
    await refuse(() => setSession(sessionOf(2)))
    expect(getSession()).toEqual(sessionOf(2))
    expect(stored.get('token')).toBe('token-2')
  })

  test('leaves the session of a member who logged in from another tab, and adopts it', async () => {
    await refuse(() => {
      stored.set('token', 'token-2')
      stored.set('user', JSON.stringify(sessionOf(2).user))
    })
    expect(getSession()).toEqual(sessionOf(2))
    expect(stored.get('token')).toBe('token-2')
  })
})

describe('a change of the member', () => {
  beforeEach(() => {
    setSession(sessionOf(1))
    return () => {
      setSession(null)
      queryClient.clear()
    }
  })

  /** Responds to a call for the member, with more ratings, after `meanwhile`. */
  async function refresh(meanwhile: () => void = () => {}) {
    const response = Promise.withResolvers<Response>()
    fetch.mockReturnValue(response.promise)
    const refreshed = refreshUser()
    await vi.waitFor(() => expect(fetch).toHaveBeenCalled())
    meanwhile()
    const user = { ...sessionOf(1).user, reviewCount: 5 }
    response.resolve(Response.json([{ result: { data: { user } } }]))
    await refreshed
  }

  test('is stored, and is in the cache', async () => {
    await refresh()
    expect(getSession()?.user.reviewCount).toBe(5)
    changeUser(1, (user) => ({ ...user, halfStars: true }))
    expect(JSON.parse(stored.get('user')!)).toMatchObject({ reviewCount: 5, halfStars: true })
    expect(trpcUtils.accounts.me.getData()?.user).toMatchObject({ reviewCount: 5, halfStars: true })
  })

  test('that arrives after the logout does not begin the session again', async () => {
    await refresh(() => setSession(null))
    expect(getSession()).toBeNull()
    expect(stored.size).toBe(0)
  })

  test('does not change another member who logged in meanwhile', async () => {
    await refresh(() => setSession(sessionOf(2)))
    changeUser(undefined, (user) => ({ ...user, halfStars: true }))
    expect(getSession()).toEqual(sessionOf(2))
  })
})
