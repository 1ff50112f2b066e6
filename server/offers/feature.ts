import type { Feature } from '#server/feature.ts'
import { removeOffers } from './store.ts'

export const offers: Feature = {
  titles: {
    tables: ['offers', 'offer_checks'],
    /** The other title has offers of its own, or gets them when somebody looks at it. */
    move: (trx, from) => removeOffers(trx, from),
    remove: removeOffers,
  },
}
