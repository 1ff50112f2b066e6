import type { Context } from '#server/calls/context.ts'
import { isIncluded } from '#server/offers/rules.ts'
import { readWatching } from '#server/offers/watching.ts'
import * as store from './store.ts'
import type { EntryPlace } from './tables.ts'

/** Entries that one query reads to find titles at the caller’s streaming services. */
const slice = 500

/** Each further query counts as a call: few entries of many may match. */
export async function listPlaces(
  ctx: Context,
  listing: Parameters<typeof store.listEntryIds>[1],
  onMyServices = false,
): Promise<EntryPlace[]> {
  if (!onMyServices) return store.listEntryIds(ctx.db, listing)
  const { country, subscriptions } = await readWatching(ctx)
  if (country === null || subscriptions.length === 0) return []
  const own = new Set(subscriptions)
  const found: EntryPlace[] = []
  for (let { after } = listing; ;) {
    const places = await store.listEntryIds(ctx.db, { ...listing, after, country, limit: slice })
    found.push(...places.filter(({ services }) => services && isIncluded({ services }, own)))
    if (found.length >= listing.limit) return found.slice(0, listing.limit)
    if (places.length < slice) return found
    after = places.at(-1)
    await ctx.limit('general')
  }
}
