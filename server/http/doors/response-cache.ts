import { hash } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import { isCurrent, type State, stateOf, versionOf } from '#server/db/version.ts'
import type { Context } from '#server/calls/context.ts'
import { includesTag } from '#server/calls/etag.ts'
import {
  type Compress,
  compressBest,
  compressedBytesMin,
  type Encoding,
  encodingOf,
  uncompressed,
} from '#server/http/compression.ts'
import { varyHeader } from '#server/http/negotiate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    cacheKey?: (request: FastifyRequest) => string | undefined
  }
}

/** `isShareable` is false for errors, and for calls that counted against a rate limit of their own. */
export type Computed = { response: PreparedResponse; isShareable?: boolean }

type Body = string | Buffer
export type PreparedResponse = {
  status: number
  headers: Record<string, string>
  etag: string | undefined
  identity: Body
  encoded: Map<Encoding, Buffer | Promise<Buffer | undefined>>
  bytes: number
  onGrow: () => void
}

type CachedEntry = State & { response: PreparedResponse }
type Outcome = Computed | { error: unknown }
type Computation = State & { outcome: Promise<Outcome> }

const keyLengthMax = 2_000
const shareMax = 1 / 8
const entryBytes = 1_000
/** Node writes a head and a short text at once; a longer one is kept as bytes, which take no conversion. */
const textLengthMax = 4_096

export type ResponseCache = {
  /** Only if nothing has changed since it was computed. Counts a hit. */
  find: (key: string) => PreparedResponse | undefined
  has: (key: string) => boolean
  /** Callers share a running computation if the database has not changed since it started, so no response is older than its call. */
  read: (key: string, compute: () => Promise<Computed>) => Promise<PreparedResponse>
  /** Compressed, or as 304 if the client has it. */
  send: (request: FastifyRequest, reply: FastifyReply, response: PreparedResponse) => FastifyReply
  counts: { hits: number; misses: number }
}

/**
 * REST and tRPC queries without a token, and rendered pages. Valid only while the database has the version from before the computation
 * (docs/decisions/0028-visitors-cache.md).
 */
export function openResponseCache(
  { config: { cacheBytes }, db }: { config: Pick<Config, 'cacheBytes'>; db: Db },
  compress: Compress,
): ResponseCache {
  const version = versionOf(db)
  const entries =
    cacheBytes > 0
      ? new LRUCache<string, CachedEntry>({
          maxSize: cacheBytes,
          maxEntrySize: Math.ceil(cacheBytes * shareMax),
          sizeCalculation: ({ response }, key) => entryBytes + 2 * key.length + bytesOf(response),
        })
      : undefined
  const running = new Map<string, Computation>()
  const counts = { hits: 0, misses: 0 }

  function keep(key: string, entry: CachedEntry): void {
    entries!.set(key, entry)
    // A new object, because lru-cache measures no object twice.
    entry.response.onGrow = () => {
      if (entries!.peek(key)?.response === entry.response) entries!.set(key, { ...entry })
    }
  }

  async function run(key: string, state: State, compute: () => Promise<Computed>): Promise<Outcome> {
    try {
      const computed = await compute()
      if (computed.isShareable && isCurrent(version, state))
        keep(key, { ...state, response: computed.response })
      return computed
    } catch (error) {
      return { error }
    }
  }

  /** Undefined if too many others are being compressed. */
  function encode(response: PreparedResponse, encoding: Exclude<Encoding, 'identity'>) {
    const encoded = compress(encoding, response.identity, response.bytes)
    response.encoded.set(encoding, encoded)
    if (Buffer.isBuffer(encoded)) response.onGrow()
    else
      void encoded.then((body) => {
        if (body) response.encoded.set(encoding, body)
        else response.encoded.delete(encoding)
        response.onGrow()
      })
    return encoded
  }

  return {
    counts,
    has(key) {
      const entry = entries?.peek(key)
      return entry !== undefined && isCurrent(version, entry)
    },
    find(key) {
      const entry = entries?.get(key)
      if (!entry || !isCurrent(version, entry)) return undefined
      counts.hits++
      return entry.response
    },
    async read(key, compute) {
      const before = running.get(key)
      if (before && isCurrent(version, before)) {
        const outcome = await before.outcome
        if ('response' in outcome && outcome.isShareable) {
          counts.hits++
          return outcome.response
        }
        if ('error' in outcome && isBusy(outcome.error)) throw outcome.error
      } else if (entries && key.length <= keyLengthMax) {
        counts.misses++
        const state = stateOf(version)
        const computation = { ...state, outcome: run(key, state, compute) }
        running.set(key, computation)
        const outcome = await computation.outcome
        if (running.get(key) === computation) running.delete(key)
        if ('error' in outcome) throw outcome.error
        return outcome.response
      }
      counts.misses++
      return (await compute()).response
    },
    send(request, reply, response) {
      const { status, headers, etag, identity, bytes } = response
      reply.status(status).headers(headers)
      // On paths of both a page and JSON, `preferPages` has set it.
      if (!reply.hasHeader('vary')) reply.header('vary', varyHeader)
      const { authorization, 'if-none-match': known } = request.headers
      if (authorization !== undefined) reply.header('cache-control', 'no-store')
      if (includesTag(known, etag)) return reply.status(304).send()
      const encoding = bytes < compressedBytesMin ? 'identity' : encodingOf(request)
      if (encoding === 'identity') return reply.send(identity)
      const send = (body: Buffer | undefined) => {
        if (body) return reply.header('content-encoding', encoding).send(body)
        uncompressed.add(reply)
        return reply.send(identity)
      }
      const encoded = response.encoded.get(encoding) ?? encode(response, encoding)
      if (Buffer.isBuffer(encoded)) return send(encoded)
      void encoded.then(send)
      return reply
    },
  }
}

/** Weak, because it is the same for all encodings. See `versionTag`. */
export function tagOf(body: string, version?: string): string {
  const hashed = hash('sha256', body, 'base64url').slice(0, 22)
  return version === undefined ? `W/"${hashed}"` : `W/"${version}.${hashed}"`
}

export const publicCaching = 'public, no-cache'

/** Browsers and proxies may store it and revalidate it each time. */
export function prepareResponse(
  status: number,
  { etag: given, ...headers }: Record<string, string>,
  body: string,
): PreparedResponse {
  const etag = given ?? (status === 200 ? tagOf(body) : undefined)
  return {
    status,
    headers: {
      ...(etag === undefined ? { 'cache-control': 'no-cache' } : { etag, 'cache-control': publicCaching }),
      ...headers,
    },
    etag,
    identity: body.length > textLengthMax ? Buffer.from(body) : body,
    encoded: new Map(),
    bytes: Buffer.byteLength(body),
    onGrow() {},
  }
}

export async function prepareFile(contentType: string, body: string): Promise<PreparedResponse> {
  const prepared = prepareResponse(200, { 'content-type': contentType }, body)
  return { ...prepared, encoded: await compressBest(body) }
}

/** Prepared on first use. All responses share the same buffers. */
export function servePrepared(
  app: FastifyInstance,
  cache: ResponseCache,
  path: string,
  prepare: () => Promise<PreparedResponse>,
): void {
  let prepared: Promise<PreparedResponse> | undefined
  app.get(path, async (request, reply) => {
    prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined
      throw error
    })
    return cache.send(request, reply.header('vary', 'Accept-Encoding'), await prepared)
  })
}

function bytesOf({ identity, encoded }: PreparedResponse): number {
  let bytes = typeof identity === 'string' ? 2 * identity.length : identity.length
  for (const body of encoded.values()) if (Buffer.isBuffer(body)) bytes += body.length
  return bytes
}

function isBusy(error: unknown): boolean {
  return error instanceof TRPCError && error.code === 'SERVICE_UNAVAILABLE'
}

export function watchLimits<C extends Pick<Context, 'limit'>>(
  context: C,
): { ctx: C; hasCounted: () => boolean } {
  let hasCounted = false
  const limit: Context['limit'] = (name, ...counted) => {
    // A cached page is not rendered.
    hasCounted ||= name !== 'general' && name !== 'render'
    return context.limit(name, ...counted)
  }
  return { ctx: { ...context, limit }, hasCounted: () => hasCounted }
}
