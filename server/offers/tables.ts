import type { Selectable } from 'kysely'
import type { OfferType } from '#shared/domain/offers.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** When the source was last asked where a title can be watched. Without a row, that is not known. */
    offer_checks: { media_id: number; checked_at: string }
    /** Without a row, no service of the country has the title. */
    offers: {
      media_id: number
      country: string
      link: string | null
      /** JSON of `ServicesByType`. */
      services: string
    }
    /** By their ids at the source. */
    streaming_services: { id: number; name: string; image: string | null }
    /** A JSON array of all ids, the best known first. */
    country_services: { country: string; services: string; checked_at: string }
  }
}

/** The ids of the services that have an offer, the best known first. */
export type ServicesByType = { [Type in OfferType]?: number[] }

export type OffersRow = Selectable<Tables['offers']>
export type ServiceRow = Selectable<Tables['streaming_services']>

export const privateColumns = {
  offer_checks: [],
  offers: [],
  streaming_services: [],
  country_services: [],
} satisfies PrivateColumns
