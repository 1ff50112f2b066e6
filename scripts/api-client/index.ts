import createFetchClient, { type Client, type MaybeOptionalInit } from 'openapi-fetch'
import type { components, paths } from './schema.js'

export type { components, operations, paths } from './schema.js'

/** A schema of the API document: `Schema<'Review'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export type MedleyOptions = {
  /** The origin of the server, such as `https://medley.example`. */
  baseUrl: string
  /** A token of `POST /auth/login`, or a personal access token. */
  token?: string
  /** After a network error, or a 409, 429 or 503 with `Retry-After`. Default: 3; 0 disables retries. */
  retries?: number
  /** In seconds. If the server asks for a longer wait, its response is returned. Default: 60. */
  waitMaxSeconds?: number
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/** `medley.GET('/movies/{id}', …)` */
export type Medley = Client<paths> & {
  /** Starts at the page or cursor in the query. Throws a `MedleyError` if a call fails. */
  pages: <Path extends ListPath>(path: Path, ...init: Init<Path>) => AsyncGenerator<Page<Path>, void>
  /** Throws a `MedleyError` if a call fails. */
  items: <Path extends ListPath>(path: Path, ...init: Init<Path>) => AsyncGenerator<Item<Page<Path>>, void>
  /**
   * The first event has the current ratings. Reconnects until the signal aborts or the loop ends. Throws a `MedleyError` if the server
   * refuses the stream.
   */
  live: (title: TitleKey, options?: { signal?: AbortSignal }) => AsyncGenerator<LiveEvent, void>
}

/** Exactly one id. */
export type TitleKey = { [Key in keyof TitleKeys]-?: Record<Key, number> }[keyof TitleKeys]
type TitleKeys = NonNullable<paths['/reviews/live']['get']['parameters']['query']>

/** The current ratings, and the reviews that have entered or left the list since the last event. */
export type LiveEvent = {
  ratings: Schema<'RatingHistogram'>
  reviews: { id: number; userId: number; isListed: boolean }[]
}

type GetPath = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths]
type Page<Path extends GetPath> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never
export type ListPath = {
  [Path in GetPath]: Page<Path> extends { nextCursor: string | null } ? Path : never
}[GetPath]
type Item<Body> = {
  [Key in keyof Body]: Body[Key] extends readonly (infer One)[] ? One : never
}[keyof Body]
type Init<Path extends ListPath> =
  {} extends MaybeOptionalInit<paths[Path], 'get'>
    ? [init?: MaybeOptionalInit<paths[Path], 'get'>]
    : [init: MaybeOptionalInit<paths[Path], 'get'>]

/** `code` is the constant of the API, such as `NOT_FOUND`; `reason` distinguishes errors of one code. */
export class MedleyError extends Error {
  readonly response: Response
  readonly code: Schema<'ApiError'>['code'] | undefined
  readonly reason: Schema<'ApiError'>['reason']
  readonly issues: NonNullable<Schema<'ApiError'>['issues']>
  constructor(response: Response, body: unknown) {
    const { message, code, reason, issues = [] } = (body ?? {}) as Partial<Schema<'ApiError'>>
    super(message ?? `The server responded with status ${response.status}.`)
    this.name = 'MedleyError'
    this.response = response
    this.code = code
    this.reason = reason
    this.issues = issues
  }
}

/** Throws a `MedleyError` if the call failed. */
export function unwrap<Data>(result: {
  data?: Data
  error?: unknown
  response: Response
}): NonNullable<Data> {
  if (!result.response.ok || result.data === undefined || result.data === null)
    throw new MedleyError(result.response, result.error)
  return result.data
}

export function createMedley(options: MedleyOptions): Medley {
  const { token, retries = 3, waitMaxSeconds = 60 } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = createFetchClient<paths>({
    baseUrl,
    headers,
    fetch: (request) => sendWithRetries(request, { send, retries, waitMaxMs: waitMaxSeconds * 1_000 }),
  })

  async function* pages(path: string, init: ListInit = {}): AsyncGenerator<ListBody, void> {
    let query = init.params?.query ?? {}
    for (;;) {
      const params = { ...init.params, query }
      const page = unwrap(await (client.GET as Get)(path, { ...init, params }))
      yield page
      const { nextCursor, hasMore } = page
      if (!nextCursor || hasMore === false) return
      // The list of changes has `hasMore`, and a cursor at its end too.
      query = { ...query, [hasMore ? 'since' : 'cursor']: nextCursor }
    }
  }
  async function* items(path: string, init?: ListInit): AsyncGenerator<unknown, void> {
    for await (const page of pages(path, init)) {
      const list: unknown = Object.values(page).find((value) => Array.isArray(value))
      yield* list as unknown[]
    }
  }
  const url = (title: TitleKey) => {
    const query = new URLSearchParams(Object.entries(title).map(([name, id]) => [name, String(id)]))
    return `${baseUrl}/reviews/live?${query}`
  }
  const live: Medley['live'] = (title, { signal } = {}) =>
    streamEvents(
      (stop) => send(new Request(url(title), { headers: { accept: eventStream }, signal: stop })),
      signal,
    )
  return { ...client, pages, items, live } as Medley
}

type ListInit = { params?: { query?: Record<string, unknown> } }
type ListBody = { nextCursor?: string | null; hasMore?: boolean }
type Get = (path: string, init: ListInit) => Promise<{ data?: ListBody; error?: unknown; response: Response }>

type Sending = { send: (request: Request) => Promise<Response>; retries: number; waitMaxMs: number }

/** All attempts of a POST have the same `Idempotency-Key`, so that the server processes it once. */
async function sendWithRetries(request: Request, { send, retries, waitMaxMs }: Sending): Promise<Response> {
  if (request.method === 'POST' && !request.headers.has('idempotency-key'))
    request.headers.set('idempotency-key', newKey())
  for (let retry = 0; retry < retries; retry++) {
    let delayMs = backoffMs(retry)
    try {
      const response = await send(request.clone())
      // A 409 with `Retry-After`: the first attempt is still running.
      const given = [409, 429, 503].includes(response.status) ? retryAfterMs(response) : undefined
      if (given === undefined || given > waitMaxMs) return response
      delayMs = given
      await response.body?.cancel()
    } catch (error) {
      if (request.signal.aborted) throw error
    }
    await wait(delayMs, request.signal)
    request.signal.throwIfAborted()
  }
  return send(request)
}

/** Browsers have `crypto.randomUUID` on https pages only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** With jitter: about half a second at first, doubled with each retry. */
function backoffMs(retry: number): number {
  return 500 * 2 ** Math.min(retry, 6) * (0.5 + Math.random())
}

/** `Retry-After` has seconds or a date. */
function retryAfterMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
}

const eventStream = 'text/event-stream'
/** Longer than the interval of the server's pings. */
const silenceMaxMs = 60_000

async function* streamEvents(
  open: (signal: AbortSignal) => Promise<Response>,
  signal?: AbortSignal,
): AsyncGenerator<LiveEvent, void> {
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) return
    const stopping = new AbortController()
    const stop = () => stopping.abort()
    signal?.addEventListener('abort', stop)
    let delayMs = backoffMs(failures)
    try {
      const response = await open(stopping.signal)
      const isStream = response.headers.get('content-type')?.startsWith(eventStream)
      if (isStream && response.body) {
        for await (const { event, data } of readEvents(response.body, stop)) {
          failures = 0
          if (event === 'message') yield JSON.parse(data) as LiveEvent
        }
      } else {
        const given = retryAfterMs(response)
        if (given === undefined) throw new MedleyError(response, await response.json().catch(() => undefined))
        delayMs = given
      }
    } catch (error) {
      if (error instanceof MedleyError) throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      stop()
    }
    await wait(delayMs, signal)
  }
}

/** Calls `onSilence` if nothing arrives for `silenceMaxMs`. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onSilence: () => void,
): AsyncGenerator<{ event: string; data: string }, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const timer = setTimeout(onSilence, silenceMaxMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const lines = block.split('\n')
        const field = (name: string) =>
          lines
            .filter((line) => line.startsWith(`${name}:`))
            .map((line) => line.slice(name.length + 1).trim())
        const data = field('data').join('\n')
        const [event = 'message'] = field('event')
        if (data !== '' || event !== 'message') yield { event, data }
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
