import { TRPCError } from '@trpc/server'
import { timeout, TimeoutStrategy } from 'cockatiel'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import { type SourceName, sourceNames } from '#shared/domain/media.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { ObserveCall } from './calls.ts'
import { type Fetcher, isUnreachable, openFetcher } from './fetcher.ts'
import { igdb } from './igdb.ts'
import { openLibrary } from './open-library.ts'
import type { Source, Sources } from './source.ts'
import { starterSources } from '#server/starter/source.ts'
import { tmdb } from './tmdb.ts'

/** Timeout of a whole search or sync, which can consist of several calls. */
const timeoutMs = 5_000

/** The outside sources. Each is undefined if the configuration lacks its key. */
const modules: Record<
  Exclude<SourceName, 'starter'>,
  (fetcher: Fetcher, config: Config) => Source | undefined
> = { tmdb, openlibrary: openLibrary, igdb }

/** Returns the sources that the configuration has keys for, and the starter catalogue for the other kinds. */
export function openSources(
  config: Config,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  observe?: ObserveCall,
): Sources {
  const fetcher = openFetcher({ log, userAgent: userAgentOf(config), proxy: config.proxy })
  return orderSources(
    sourceNames.flatMap((name) => modules[name](fetcher, config) ?? []),
    observe,
  )
}

/** Returns sources in this order with their timeouts and fallbacks, followed by the starter catalogue. */
export function orderSources(outside: readonly Source[], observe?: ObserveCall): Sources {
  const served = outside.flatMap((source) => source.kinds)
  const [starter] = starterSources.all
  return {
    lookups: outside.flatMap(({ lookup }) => lookup ?? []),
    all: [
      ...outside.map((source) =>
        source.hasFallback
          ? withFallback(withTimeout(source, observe), starter!)
          : withTimeout(source, observe),
      ),
      { ...starter!, kinds: starter!.kinds.filter((kind) => !served.includes(kind)) },
    ],
  }
}

/** Names the instance and a contact address, as Open Library requires. Strips what is not ASCII, since it is a header. */
function userAgentOf({ publicUrl, mailFrom }: Config): string {
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  return `Medley/${packageJson.version} (+${publicUrl}; ${address})`.replace(/[^\x20-\x7e]/g, '')
}

/** Adds a timeout around all calls of one search or sync. The fetcher only limits each call. */
function withTimeout(source: Source, observe?: ObserveCall): Source {
  const limit = async <T>(work: () => Promise<T>) => {
    try {
      const result = await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(work)
      observe?.(source.name)
      return result
    } catch (error) {
      observe?.(source.name, error)
      if (error instanceof TRPCError) throw error
      throw new TRPCError({
        code: 'SERVICE_UNAVAILABLE',
        message: `${source.name} timed out.`,
        cause: error,
      })
    }
  }
  return {
    ...source,
    search: (q, kinds) => limit(() => source.search(q, kinds)),
    find: (kind, id) => limit(() => source.find(kind, id)),
  }
}

/** Uses `fallback` while the source is unreachable. A title missing there may exist at the source: the error is rethrown. */
function withFallback(source: Source, fallback: Source): Source {
  return {
    ...source,
    search: (q, kinds) =>
      source.search(q, kinds).catch((error: unknown) => {
        if (isUnreachable(error)) return fallback.search(q, kinds)
        throw error
      }),
    find: (kind, id) =>
      source.find(kind, id).catch(async (error: unknown) => {
        const title = isUnreachable(error) ? await fallback.find(kind, id) : undefined
        if (title) return title
        throw error
      }),
  }
}
