import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { type MediaType, mediaTypes } from '#shared/domain/kinds.ts'
import { offerTypes, type OfferType } from '#shared/domain/offers.ts'
import { externalId, listOf, maybe, parseBody, requiredListOf, toLine } from './clean.ts'
import type { HostClient } from './fetcher.ts'
import type { CountryOffers, FoundService, OfferSource } from './source.ts'

const countriesMax = 250
const servicesMax = 100
const titleServicesMax = 1_000
const listedServicesMax = 1_000
const serviceNameMax = 100

const priority = maybe(z.number())
const provider = z.object({
  provider_id: externalId,
  provider_name: z.string(),
  logo_path: maybe(z.string()),
  display_priority: priority,
})
type Provider = z.infer<typeof provider>

const keyOf: Record<OfferType, string> = {
  stream: 'flatrate',
  free: 'free',
  ads: 'ads',
  rent: 'rent',
  buy: 'buy',
}

const offersBody = z.object({ results: z.record(z.string(), z.unknown()) })
const countryBody = z.object({
  link: maybe(z.string()),
  ...Object.fromEntries(Object.values(keyOf).map((key) => [key, listOf(provider, servicesMax)])),
})
/** Only TMDB’s own 404 has this body; a proxy can send one too. */
export const notFound = z.object({ status_code: z.union([z.literal(34), z.literal(6)]) })
const servicesBody = z.object({
  results: requiredListOf(
    provider.extend({ display_priorities: maybe(z.record(z.string(), z.number())) }),
    listedServicesMax,
  ),
})

/** TMDB has the data from JustWatch (developer.themoviedb.org/reference/movie-watch-providers). */
export function tmdbOffers(
  callTmdb: HostClient,
  pictureOf: (path: string | undefined) => string | null,
): OfferSource {
  const toService = ({ provider_id: id, provider_name, logo_path }: Provider): FoundService | undefined => {
    const name = toLine(provider_name, serviceNameMax)
    return name === null ? undefined : { id, name, image: pictureOf(logo_path) }
  }

  return {
    async findOffers(ids, priority) {
      const id = ids.find(({ source }) => source === 'tmdb-movie' || source === 'tmdb-tv')
      if (!id) return undefined
      const call = {
        path: `/${id.source === 'tmdb-tv' ? 'tv' : 'movie'}/${Number(id.external_id)}/watch/providers`,
        priority,
        accepts: [404],
        // It is stored.
        isCached: false,
      } as const
      const results = await callTmdb(call, ({ status, body }) => {
        if (status !== 404) return parseBody('tmdb', offersBody, body).results
        parseBody('tmdb', notFound, body)
        return {}
      })
      const services = new Map<number, FoundService | undefined>()
      const known = (one: Provider) => {
        if (!services.has(one.provider_id) && services.size < titleServicesMax)
          services.set(one.provider_id, toService(one))
        return services.get(one.provider_id)
      }
      const found: CountryOffers[] = []
      for (const [country, given] of Object.entries(results).slice(0, countriesMax)) {
        const parsed = /^[A-Z]{2}$/.test(country) ? countryBody.safeParse(given).data : undefined
        const body = parsed as ({ link?: string } & Record<string, Provider[]>) | undefined
        const offers = offerTypes.flatMap((type) =>
          inOrder(body?.[keyOf[type]] ?? []).flatMap((one) => {
            const service = known(one)
            return service ? { type, service } : []
          }),
        )
        if (offers.length > 0) found.push({ country, link: linkOf(body?.link), offers })
        await setImmediate()
      }
      return found
    },

    async listServices(country) {
      const lists = await Promise.all(mediaTypes.map((type) => readServices(type, country)))
      const all = inOrder(
        lists.flat().map(({ display_priorities: priorities, ...one }) => ({
          ...one,
          display_priority: priorities?.[country] ?? one.display_priority,
        })),
      )
      const services = new Map<number, FoundService>()
      for (const one of all) {
        const service = services.has(one.provider_id) ? undefined : toService(one)
        if (service) services.set(service.id, service)
        if (services.size >= listedServicesMax) break
        if (services.size % 100 === 0) await setImmediate()
      }
      return [...services.values()]
    },
  }

  function readServices(type: MediaType, country: string) {
    const query = { watch_region: country, language: 'en-US' }
    return callTmdb(
      { path: `/watch/providers/${type}`, query, priority: 'sync', isCached: false },
      ({ body }) => parseBody('tmdb', servicesBody, body).results,
    )
  }
}

function inOrder<One extends Provider>(providers: readonly One[]): One[] {
  const distinct = new Map(providers.toReversed().map((one) => [one.provider_id, one]))
  return providers
    .filter((one) => distinct.get(one.provider_id) === one)
    .toSorted((a, b) => (a.display_priority ?? Infinity) - (b.display_priority ?? Infinity) || 0)
}

function linkOf(link: string | undefined): string | null {
  const url = link === undefined || link.length > 300 ? null : URL.parse(link)
  return url?.origin === 'https://www.themoviedb.org' ? url.href : null
}
