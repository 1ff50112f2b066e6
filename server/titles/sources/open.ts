import { t } from '#shared/domain/message.ts'
import { TRPCError } from '@trpc/server'
import { timeout, TimeoutStrategy } from 'cockatiel'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import { type SourceName, sourceNames } from '#shared/domain/kinds.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { ObserveCall } from './calls.ts'
import { type Fetcher, isUnreachable, openFetcher } from './fetcher.ts'
import { igdb } from './igdb.ts'
import { openLibrary } from './open-library.ts'
import type { EpisodeSource, OfferSource, Source, Sources } from './source.ts'
import { starterSources } from '#server/starter/source.ts'
import { tmdb } from './tmdb.ts'
import { tvmaze } from './tvmaze.ts'

const timeoutMs = 5_000

const modules: Record<
  Exclude<SourceName, 'starter'>,
  (fetcher: Fetcher, config: Config) => Source | undefined
> = { tmdb, openlibrary: openLibrary, igdb }

/** The starter catalogue for kinds without a key. */
export function openSources(
  config: Config,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  observe?: ObserveCall,
): Sources {
  const fetcher = openFetcher({ log, userAgent: userAgentOf(config), proxy: config.proxy })
  return orderSources(
    sourceNames.flatMap((name) => modules[name](fetcher, config) ?? []),
    observe,
    [tvmaze(fetcher, config) ?? []].flat(),
  )
}

export function orderSources(
  outside: readonly Source[],
  observe?: ObserveCall,
  ofEpisodes: readonly EpisodeSource[] = [],
): Sources {
  const served = outside.flatMap((source) => source.kinds)
  const [starter] = starterSources.all
  const withOffers = outside.find(({ offers }) => offers)
  return {
    lookups: outside.flatMap(({ lookup }) => lookup ?? []),
    episodes: [
      ...outside.flatMap(({ episodes }) => episodes ?? []),
      ...ofEpisodes.map((source) => withObserver(source, observe)),
    ],
    offers: withOffers && observed(withOffers.name, withOffers.offers!, observe),
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

/** Open Library requires the instance and a contact address. ASCII only, since it is a header. */
function userAgentOf({ publicUrl, mailFrom }: Config): string {
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  return `Medley/${packageJson.version} (+${publicUrl}; ${address})`.replace(/[^\x20-\x7e]/g, '')
}

/** Around all calls of one search or sync; the fetcher limits each call. */
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
        message: t`${source.name} timed out.`,
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

/** Its calls have time limits of their own. */
function withObserver(source: EpisodeSource, observe?: ObserveCall): EpisodeSource {
  return {
    ...source,
    findEpisodes: (ids) => observeCall(source.name, () => source.findEpisodes(ids), observe),
  }
}

function observed(
  name: string,
  { findOffers, listServices }: OfferSource,
  observe?: ObserveCall,
): OfferSource {
  return {
    findOffers: (ids, priority) => observeCall(name, () => findOffers(ids, priority), observe),
    listServices: (country) => observeCall(name, () => listServices(country), observe),
  }
}

async function observeCall<T>(name: string, call: () => Promise<T>, observe?: ObserveCall): Promise<T> {
  try {
    const result = await call()
    observe?.(name)
    return result
  } catch (error) {
    observe?.(name, error)
    throw error
  }
}

/** While the source is unreachable. A title missing in the fallback may exist at the source: the error is rethrown. */
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
