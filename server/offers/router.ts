import { TRPCError } from '@trpc/server'
import * as schema from '#shared/contracts/offers.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { badRequest } from '#server/calls/errors.ts'
import type { Context } from '#server/calls/context.ts'
import { callsIn, type Documented, found, router } from '#server/calls/procedures.ts'
import { findItem } from '#server/titles/store.ts'
import { presentSettings, servicesOf, toOffers, toService, unknownOffers } from './rules.ts'
import { areOffersKnown, areServicesKnown } from './refresh.ts'
import * as store from './store.ts'
import { readWatching } from './watching.ts'

const { forAll, forMembers } = callsIn('Where to watch')

const description =
  'The data is from JustWatch, by TMDB: name JustWatch where you show it, and link to `link`. It is at most a day old if TMDB answers, and a month otherwise. ' +
  'Without `country`, it is the one that the caller has set, then the one of the `Accept-Language` of the request.'
const aboutOffers = (summary: string): Documented => ({
  summary,
  description,
  errors: [404],
  readsToken: true,
  limit: 'offers',
  returnsData: ['catalogue', 'own'],
})

export const offersRouter = router({
  ofMovie: forAll(
    'GET /movies/{id}/providers',
    'listOffersOfMovie',
    schema.getOffers,
    aboutOffers('List where a movie can be watched'),
  ).query(({ ctx, input }) => readOffers(ctx, 'movie', input)),

  ofTvShow: forAll(
    'GET /tv-shows/{id}/providers',
    'listOffersOfTvShow',
    schema.getOffers,
    aboutOffers('List where a TV show can be watched'),
  ).query(({ ctx, input }) => readOffers(ctx, 'tvShow', input)),

  services: forMembers('GET /streaming-services', 'listStreamingServices', schema.listServices, {
    summary: 'List the streaming services of a country',
    description:
      'Those that TMDB knows, to choose one’s own from. Without `country`, as `GET /movies/{id}/providers`. Empty if the site has no key of TMDB; 503 if TMDB does not answer.',
    errors: [503],
    limit: 'offers',
    returnsData: 'catalogue',
  }).query(async ({ ctx, input }) => {
    const country = input.country ?? (await readWatching(ctx)).country
    if (country === null) return { country, services: [] }
    return { country, services: (await listServices(ctx, country)).map(toService) }
  }),

  settings: forMembers('GET /users/me/providers', 'getWatchSettings', schema.getSettings, {
    summary: 'Get the country and the streaming services of the caller',
    returnsData: 'own',
  }).query(async ({ ctx }) => presentSettings(await store.findSettings(ctx.db, ctx.member.id))),

  changeSettings: forMembers('PATCH /users/me/providers', 'updateWatchSettings', schema.changeSettings, {
    summary: 'Set the country and the streaming services of the caller',
    description:
      'Nobody else sees them, and TMDB does not get them. Omitted fields do not change. Returns 400 for services that are neither set before nor among `GET /streaming-services` of the country.',
    errors: [503],
    scope: 'account',
  }).mutation(async ({ ctx, input }) => {
    const before = presentSettings(await store.findSettings(ctx.db, ctx.member.id))
    const { country } = input
    const subscriptions = input.subscriptions && [...new Set(input.subscriptions)]
    const added = subscriptions?.filter((id) => !before.subscriptions.includes(id)) ?? []
    if (added.length > 0)
      await checkServices(ctx, country === undefined ? (await readWatching(ctx)).country : country, added)
    if (country !== undefined || subscriptions !== undefined)
      await store.updateSettings(ctx.db, ctx.member.id, {
        ...(country !== undefined && { country }),
        ...(subscriptions && { subscriptions: JSON.stringify(subscriptions) }),
      })
    return presentSettings(await store.findSettings(ctx.db, ctx.member.id))
  }),
})

async function readOffers(
  ctx: Context,
  kind: 'movie' | 'tvShow',
  input: { id: number; country?: string | undefined },
): Promise<schema.TitleOffers> {
  const title = await findItem(ctx.db, input.id)
  found(title?.kind === kind, kinds[kind].words.notFound)
  const { subscriptions, ...watching } = await readWatching(ctx)
  const { country = watching.country } = input
  const source = ctx.sources.offers
  // What was just stored is missing on a replica.
  const { primary: db = ctx.db, now } = ctx
  if (!source || country === null || !(await areOffersKnown({ db, source, now }, input.id)))
    return unknownOffers(country)
  const row = await store.findOffers(db, input.id, country)
  const ids = row ? [...new Set(Object.values(servicesOf(row)).flat())] : []
  return toOffers(country, row, await store.listServices(db, ids), subscriptions)
}

/** Throws SERVICE_UNAVAILABLE if the source does not answer. */
async function listServices(
  { sources: { offers: source }, primary, db: read, now }: Context,
  country: string,
) {
  const db = primary ?? read
  if (!source) return []
  if (!(await areServicesKnown({ db, source, now }, country)))
    throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.sourceDown })
  const row = found(await store.findCountryServices(db, country))
  return store.listServices(db, JSON.parse(row.services) as number[])
}

/** Throws BAD_REQUEST. */
async function checkServices(ctx: Context, country: string | null, ids: readonly number[]): Promise<void> {
  const known = new Set((country === null ? [] : await listServices(ctx, country)).map(({ id }) => id))
  if (!ids.every((id) => known.has(id))) throw badRequest(messages.servicesUnknown)
}
