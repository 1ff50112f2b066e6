/** In the order in which they are shown. `stream` is part of a subscription. */
export const offerTypes = ['stream', 'free', 'ads', 'rent', 'buy'] as const
export type OfferType = (typeof offerTypes)[number]

/** Of these, a member with a subscription pays nothing more. */
export const includedTypes: readonly OfferType[] = ['stream', 'free', 'ads']
