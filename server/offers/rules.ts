import type { TitleOffers, WatchSettings } from '#shared/contracts/offers.ts'
import { includedTypes, offerTypes } from '#shared/domain/offers.ts'
import type { OffersRow, ServiceRow, ServicesByType } from './tables.ts'

export const unknownOffers = (country: string | null): TitleOffers => ({
  isAvailable: false,
  country,
  link: null,
  offers: [],
})

export function servicesOf({ services }: Pick<OffersRow, 'services'>): ServicesByType {
  return JSON.parse(services) as ServicesByType
}

/** By type, the member’s own services first. */
export function toOffers(
  country: string,
  row: OffersRow | undefined,
  services: readonly ServiceRow[],
  subscriptions: readonly number[],
): TitleOffers {
  const known = new Map(services.map((service) => [service.id, toService(service)]))
  const own = new Set(subscriptions)
  const byType = row ? servicesOf(row) : {}
  const offers = offerTypes.flatMap((type) => {
    const ofType = (byType[type] ?? []).flatMap((id) => {
      const provider = known.get(id)
      return provider ? { type, provider, isMine: own.has(id) } : []
    })
    return [...ofType.filter(({ isMine }) => isMine), ...ofType.filter(({ isMine }) => !isMine)]
  })
  return { isAvailable: true, country, link: row?.link ?? null, offers }
}

export function toService({ id, name, image }: ServiceRow) {
  return { id, name, imageUrl: image }
}

/** Whether one of the services has the title in a subscription, free or with advertising. */
export function isIncluded(row: Pick<OffersRow, 'services'>, subscriptions: ReadonlySet<number>): boolean {
  const byType = servicesOf(row)
  return includedTypes.some((type) => byType[type]?.some((id) => subscriptions.has(id)))
}

/** Of a visitor, nothing is known. */
export function presentSettings(
  row: { country: string | null; subscriptions: string } | undefined,
): WatchSettings {
  return {
    country: row?.country ?? null,
    subscriptions: row ? (JSON.parse(row.subscriptions) as number[]) : [],
  }
}
