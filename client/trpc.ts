import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { httpBatchLink, httpLink, splitLink, type TRPCClientErrorLike, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { requestTimeoutMs, retryDelayMs } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import type { AppRouter } from '#server/router.ts'
import { getSession, setSession } from './session.ts'
import { toasts } from './ui/toasts.ts'

export type RouterOutputs = inferRouterOutputs<AppRouter>
export type ApiError = TRPCClientErrorLike<AppRouter>

export const trpc = createTRPCReact<AppRouter>()

const http = {
  url: '/trpc',
  headers() {
    const token = getSession()?.token
    return token ? { authorization: `Bearer ${token}` } : {}
  },
  fetch: (url: RequestInfo | URL | string, options?: object) => {
    const { signal, ...init } = (options ?? {}) as RequestInit
    const timeout = AbortSignal.timeout(requestTimeoutMs)
    return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
  },
}

const overHttp = () =>
  splitLink<AppRouter>({
    // An outside source may take its time; what else a page asks for does not wait for it.
    condition: ({ path }) => path.startsWith('sources.'),
    true: httpLink(http),
    false: httpBatchLink({ ...http, maxURLLength: 3_000, maxItems: 20 }),
  })

/** Whether asking again may help: no answer at all, or one that speaks of trouble at the server. */
function isPassing(error: unknown): boolean {
  const status = (error as ApiError).data?.httpStatus
  return status === undefined || status >= 500
}

/** For queries, and for mutations that can be sent twice without harm. */
export const retryOnce = {
  retry: (failures: number, error: unknown) => failures < 1 && isPassing(error),
  retryDelay: retryDelayMs,
}

/** What to tell a person of a failed call. */
export function errorText(error: unknown, fallback: string = messages.requestFailed): string {
  const { data, message } = error as ApiError
  if (data) return message || fallback
  // What is no JSON is the answer of something in between (a proxy), with no words for people.
  return (error as Error).cause instanceof SyntaxError ? fallback : messages.networkError
}

export function isNotFound(error: unknown): boolean {
  return (error as ApiError | null)?.data?.code === 'NOT_FOUND'
}

/** For whoever looks into the console: some failures show nowhere else, and inside of a batch not even there. */
function log(error: unknown): void {
  if (!isNotFound(error)) console.warn('A call failed:', (error as Error).message)
}

/** What every failure means, whoever asked. */
function attend(error: unknown): void {
  log(error)
  if ((error as ApiError).data?.code !== 'UNAUTHORIZED' || !getSession()) return
  // The token died (a password change, an expiry): this browser is logged out, whatever it believed.
  setSession(null)
  toasts.add({ title: messages.wasLoggedOut })
}

/**
 * What a page asks with, and what it remembers of the answers: one set for a browser, and one, with a link of its own, for
 * each page that the server renders.
 */
export function createClients(link?: TRPCLink<AppRouter>) {
  const trpcClient = trpc.createClient({ links: [link ?? overHttp()] })
  const queryClient = new QueryClient({
    mutationCache: new MutationCache({ onError: attend }),
    // A page that the server does not get is the browser's to ask for.
    queryCache: new QueryCache(link ? {} : { onError: attend }),
    // Offline, too, a call is made and fails with words: by default it would wait, and the page with it, for the network.
    defaultOptions: {
      queries: {
        ...(link ? { retry: false } : retryOnce),
        staleTime: 30_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  /** `trpcUtils` are for loaders, outside of components. */
  return { queryClient, trpcClient, trpcUtils: createTRPCQueryUtils({ queryClient, client: trpcClient }) }
}

/** The browser's own. */
export const { queryClient, trpcClient, trpcUtils } = createClients()
