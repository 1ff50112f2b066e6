import {
  MutationCache,
  type MutationOptions,
  notifyManager,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query'
import {
  httpBatchLink,
  splitLink,
  type TRPCClientError,
  type TRPCClientErrorLike,
  type TRPCLink,
} from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { requestTimeoutMs, retryDelayMs } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { AppRouter } from '#server/router.ts'
import { endSession, getSession } from './session.ts'
import { toasts } from '#client/ui/toasts.ts'
import { language, t } from '#shared/domain/message.ts'

// By default a timer notifies components after the callbacks of `mutate`: a render between the two would show old data.
notifyManager.setScheduler(queueMicrotask)

export type RouterOutputs = inferRouterOutputs<AppRouter>
export type ApiError = TRPCClientErrorLike<AppRouter>

export const trpc = createTRPCReact<AppRouter>()

const staleTimeMs = 30_000

const sentHeaders = new WeakMap<Response, { authorization?: string }>()

export const sessionHeaders = () => {
  const token = getSession()?.token
  return token ? { authorization: `Bearer ${token}` } : {}
}

const http = (credentials: RequestCredentials) => ({
  // Errors and names of titles are in the language of the page, even if the browser asks for another one.
  url: `/trpc?lang=${language}`,
  headers: sessionHeaders,
  async fetch(url: RequestInfo | URL | string, options?: object) {
    const { signal, ...init } = (options ?? {}) as RequestInit
    const timeout = AbortSignal.timeout(requestTimeoutMs)
    const response = await fetch(url, {
      ...init,
      credentials,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    sentHeaders.set(response, init.headers as object)
    return response
  },
})

export const batches = { ...http('omit'), maxURLLength: 3_000, maxItems: 20 }

/** The browser sends no cookies with other calls, and ignores those in their responses. */
const setsCookie =
  /^accounts\.(\w*[lL]ogin\w*|secondFactor|providerLink|linkProvider|confirmByProvider|confirmSelf|logout|updatePassword|openPages|closePages)$/

const overHttp = () =>
  splitLink<AppRouter>({
    // External sources may be slow: a batch would wait for them.
    condition: ({ path }) => path.startsWith('sources.'),
    // A batch of one: `httpLink` would be more code.
    true: httpBatchLink({ ...http('omit'), maxItems: 1 }),
    false: splitLink<AppRouter>({
      condition: ({ path }) => setsCookie.test(path),
      true: httpBatchLink({ ...http('same-origin'), maxItems: 1 }),
      false: httpBatchLink(batches),
    }),
  })

/** There was no response, or a server error. */
export function isTransient(error: unknown): boolean {
  const status = (error as ApiError).data?.httpStatus
  return status === undefined || status >= 500
}

export const retryOnce = {
  retry: (failures: number, error: unknown) => failures < 1 && isTransient(error),
  retryDelay: retryDelayMs,
}

export const nextPage = {
  getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
}

export function errorText(error: unknown, fallback: string = messages.requestFailed): string {
  const { data, message } = error as ApiError
  if (data) return message || fallback
  // A proxy’s response that is not JSON has no message for users.
  return (error as Error).cause instanceof SyntaxError ? fallback : messages.networkError
}

export function showFailure(title: string, error: unknown, onRetry?: () => void): void {
  const action = onRetry && { label: t`Try again`, onAction: onRetry }
  toasts.add({ tone: 'error', title, description: errorText(error), action })
}

export function isNotFound(error: unknown): boolean {
  return (error as ApiError | null)?.data?.code === 'NOT_FOUND'
}

/** Prefetches and single calls of a batch show their failures nowhere else. */
function log(error: unknown): void {
  if (!isNotFound(error)) console.warn('A call failed:', (error as Error).message)
}

function handleError(error: unknown): void {
  log(error)
  const { data, meta } = error as TRPCClientError<AppRouter>
  if (data?.code !== 'UNAUTHORIZED') return
  // The token expired or was revoked. Another member may have logged in since the call was sent.
  if (endSession(sentHeaders.get(meta?.['response'] as Response)?.authorization))
    toasts.add({ title: messages.wasLoggedOut })
}

const clientsOf = new WeakMap<QueryClient, ReturnType<typeof trpc.createClient>>()

export function clientOf(queryClient: QueryClient): ReturnType<typeof trpc.createClient> {
  return clientsOf.get(queryClient)!
}

/** One pair for a browser; one, with a link of its own, for each page that the server renders. */
export function createClients(link?: TRPCLink<AppRouter>) {
  const trpcClient = trpc.createClient({ links: [link ?? overHttp()] })
  const queryClient = new QueryClient({
    mutationCache: new MutationCache({ onError: handleError }),
    // On the server a failed query fails the page; the browser then renders it and reports errors.
    queryCache: new QueryCache(link ? {} : { onError: handleError }),
    // `always`: offline calls fail with a message. By default they, and the page, would wait for the network.
    defaultOptions: {
      queries: {
        ...(link ? { retry: false } : retryOnce),
        staleTime: staleTimeMs,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  clientsOf.set(queryClient, trpcClient)
  return { queryClient, trpcClient, trpcUtils: createTRPCQueryUtils({ queryClient, client: trpcClient }) }
}

export const { queryClient, trpcClient, trpcUtils } = createClients()

/** For commands, which are functions, not components. */
export function runMutation<Output, Input, Context>(
  options: MutationOptions<Output, Error, Input, Context>,
  input: Input,
): Promise<Output> {
  const mutation = queryClient.getMutationCache().build<Output, Error, Input, Context>(queryClient, options)
  return mutation.execute(input)
}
