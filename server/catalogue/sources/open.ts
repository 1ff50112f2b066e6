import { TRPCError } from '@trpc/server'
import { timeout, TimeoutStrategy } from 'cockatiel'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { isUnreachable, openFetcher } from './fetcher.ts'
import { igdb } from './igdb.ts'
import { openLibrary } from './open-library.ts'
import type { Source, Sources } from './source.ts'
import { starterSources } from './starter.ts'
import { tmdb } from './tmdb.ts'

/** Timeout of a whole search or sync, which can consist of several calls. */
const timeoutMs = 5_000

/**
 * Returns the external sources that the configuration has keys for, and the starter catalogue for the others. It is also
 * the fallback while Open Library is unreachable.
 */
export function openSources(config: Config, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Sources {
  const fetcher = openFetcher({ log, userAgent: userAgentOf(config) })
  const {
    tmdb: { token, apiUrl },
    igdb: { clientId, clientSecret, apiUrl: igdbUrl, authUrl },
  } = config
  const bounded = <Hit, Id>(source: Source<Hit, Id>) => withTimeout(source)
  const screens = token ? tmdb(fetcher, { apiUrl, token }) : undefined
  const books = openLibrary(fetcher, config.openLibrary)
  const games =
    clientId && clientSecret ? igdb(fetcher, { apiUrl: igdbUrl, authUrl, clientId, clientSecret }) : undefined
  return {
    lookups: [screens, books, games].flatMap((each) => each?.lookup ?? []),
    screens: screens ? bounded(screens.source) : starterSources.screens,
    books: withFallback(bounded(books.source), starterSources.books),
    games: games ? bounded(games.source) : starterSources.games,
  }
}

/** Names the instance and a contact address, as Open Library requires. Strips what is not ASCII, since it is a header. */
function userAgentOf({ publicUrl, mailFrom }: Config): string {
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  return `Medley/${packageJson.version} (+${publicUrl}; ${address})`.replace(/[^\x20-\x7e]/g, '')
}

/** Adds a timeout around all calls of one search or sync. The fetcher only limits each call. */
function withTimeout<Hit, Id>(source: Source<Hit, Id>): Source<Hit, Id> {
  const limit = async <T>(work: () => Promise<T>) => {
    try {
      return await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(work)
    } catch (error) {
      if (error instanceof TRPCError) throw error
      throw new TRPCError({
        code: 'SERVICE_UNAVAILABLE',
        message: `${source.name} timed out.`,
        cause: error,
      })
    }
  }
  return {
    name: source.name,
    search: (q) => limit(() => source.search(q)),
    find: (id) => limit(() => source.find(id)),
  }
}

/** Uses `fallback` while the source is unreachable. A title missing there may exist at the source: the error is rethrown. */
function withFallback<Hit, Id>(source: Source<Hit, Id>, fallback: Source<Hit, Id>): Source<Hit, Id> {
  return {
    name: source.name,
    search: (q) =>
      source.search(q).catch((error: unknown) => {
        if (isUnreachable(error)) return fallback.search(q)
        throw error
      }),
    find: (id) =>
      source.find(id).catch(async (error: unknown) => {
        const title = isUnreachable(error) ? await fallback.find(id) : undefined
        if (title) return title
        throw error
      }),
  }
}
