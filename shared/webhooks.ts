import { changeAreas } from './changes.ts'

/** What a webhook can be told: changes of the member’s own, and comments and reactions of others on the member’s reviews. */
export const webhookEvents = [...changeAreas, 'comment', 'reaction'] as const
export type WebhookEvent = (typeof webhookEvents)[number]
