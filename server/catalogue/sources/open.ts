import { TRPCError } from '@trpc/server'
import { timeout, TimeoutStrategy } from 'cockatiel'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { isOffline, openFetcher } from './fetcher.ts'
import { igdb } from './igdb.ts'
import { openLibrary } from './open-library.ts'
import type { Source, Sources } from './source.ts'
import { starterSources } from './starter.ts'
import { tmdb } from './tmdb.ts'

/** How long a search or a sync may take at the source. */
const timeoutSeconds = 5

/**
 * The outside sources that the configuration has keys for; the starter catalogue in the place of the others, and in
 * Open Library's while there is no way to it. `second` is how many milliseconds the sources' seconds last, for tests.
 */
export function openSources(
  config: Config,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  second = 1000,
): Sources {
  const fetcher = openFetcher({ log, userAgent: userAgentOf(config), second })
  const {
    tmdb: { token, apiUrl },
    igdb: { clientId, clientSecret, apiUrl: igdbUrl, authUrl },
  } = config
  const inTime = <Hit, Id>(source: Source<Hit, Id>) => withTimeout(source, timeoutSeconds * second)
  return {
    screens: token ? inTime(tmdb(fetcher, { apiUrl, token })) : starterSources.screens,
    books: withStandIn(inTime(openLibrary(fetcher, config.openLibrary)), starterSources.books),
    games:
      clientId && clientSecret
        ? inTime(igdb(fetcher, { apiUrl: igdbUrl, authUrl, clientId, clientSecret }))
        : starterSources.games,
  }
}

/** Names the instance and somebody to write to, as Open Library asks for; a header is plain ASCII. */
function userAgentOf({ publicUrl, mailFrom }: Config): string {
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  return `Medley/${packageJson.version} (+${publicUrl}; ${address})`.replace(/[^\x20-\x7e]/g, '')
}

/** Each call to a host is bounded by itself; this bounds all the calls of one search or sync together. */
function withTimeout<Hit, Id>(source: Source<Hit, Id>, ms: number): Source<Hit, Id> {
  const within = async <T>(work: () => Promise<T>) => {
    try {
      return await timeout(ms, TimeoutStrategy.Aggressive).execute(work)
    } catch (error) {
      if (error instanceof TRPCError) throw error
      throw new TRPCError({
        code: 'SERVICE_UNAVAILABLE',
        message: `${source.name} took too long.`,
        cause: error,
      })
    }
  }
  return {
    name: source.name,
    search: (q) => within(() => source.search(q)),
    find: (id) => within(() => source.find(id)),
  }
}

/** Answers from `standIn` where there is no way to the source. What `standIn` does not know is not said to be nowhere. */
function withStandIn<Hit, Id>(source: Source<Hit, Id>, standIn: Source<Hit, Id>): Source<Hit, Id> {
  return {
    name: source.name,
    search: (q) =>
      source.search(q).catch((error: unknown) => {
        if (isOffline(error)) return standIn.search(q)
        throw error
      }),
    find: (id) =>
      source.find(id).catch(async (error: unknown) => {
        const title = isOffline(error) ? await standIn.find(id) : undefined
        if (title) return title
        throw error
      }),
  }
}
