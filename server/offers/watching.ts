import type { WatchSettings } from '#shared/contracts/offers.ts'
import type { Context } from '#server/calls/context.ts'
import { presentSettings } from './rules.ts'
import { findSettings } from './store.ts'

/** Where and with which services the caller watches: without a country of their own, in the one of their browser. */
export async function readWatching(
  ctx: Pick<Context, 'db' | 'member' | 'browserCountry'>,
): Promise<WatchSettings> {
  const settings = presentSettings(ctx.member ? await findSettings(ctx.db, ctx.member.id) : undefined)
  return { ...settings, country: settings.country ?? ctx.browserCountry?.() ?? null }
}
