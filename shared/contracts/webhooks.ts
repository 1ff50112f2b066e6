import { z } from 'zod'
import { areas, type ChangeArea, changeAreas } from './features.ts'
import { webhooksMax, webhookUrlMax } from '#shared/domain/limits.ts'
import { t } from '#shared/domain/message.ts'
import { messages } from '#shared/texts/messages.ts'
import { id, message, time } from './scalars.ts'

/** The member’s own changes, and comments and reactions of others on the member’s reviews. */
export const eventExplanations = {
  ...(Object.fromEntries(changeAreas.map((area) => [area, areas[area].event])) as Record<ChangeArea, string>),
  comment: t`Someone comments on a review of yours.`,
  reaction: t`Someone likes or dislikes a review of yours.`,
}
export type WebhookEvent = keyof typeof eventExplanations
export const webhookEvents = Object.keys(eventExplanations) as WebhookEvent[]

const event = z.enum(webhookEvents).meta({
  id: 'WebhookEvent',
  description:
    '`review`, `diary`, `favorite`, `list` and `follow` are changes by the member; `comment` and `reaction` are those by others on the member’s reviews.',
})
const events = z
  .array(event)
  .min(1, messages.webhookEventRequired)
  .max(webhookEvents.length)
  .meta({ example: ['review', 'comment'] })

/** Credentials would be shown in the list; fragments are not sent. */
const url = z
  .string()
  .trim()
  .max(webhookUrlMax)
  .refine((text) => {
    const parsed = URL.parse(text)
    return (
      parsed !== null &&
      /^https?:$/.test(parsed.protocol) &&
      !parsed.username &&
      !parsed.password &&
      !parsed.hash &&
      parsed.href.length <= webhookUrlMax
    )
  }, messages.webhookUrlInvalid)
  // Also runs if the refinement above failed.
  .overwrite((text) => URL.parse(text)?.href ?? text)
  .meta({ example: 'https://example.org/medley' })

const webhook = z
  .object({
    id,
    url: z.string().meta({ example: 'https://example.org/medley' }),
    events: z.array(event).meta({ example: ['review', 'comment'] }),
    createdAt: time,
    failingSince: time
      .nullable()
      .meta({ description: 'When deliveries began to fail; null if the last one succeeded.', example: null }),
    disabledAt: time.nullable().meta({
      description:
        'When the webhook was disabled: after it failed for a week, because the receiver responded 410, or by a new password.',
      example: null,
    }),
  })
  .meta({ id: 'Webhook', description: 'A webhook, without its secret.' })

const webhookOutput = z.object({ webhook })

export const listWebhooks = {
  output: z.object({ webhooks: z.array(webhook).meta({ description: `At most ${webhooksMax}.` }) }),
}
export const createWebhook = {
  input: z.object({ url, events }),
  output: z.object({
    webhook,
    secret: z.string().meta({
      description: 'Verifies the signatures of deliveries. It is not returned again.',
      example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDRtXfmr6Xk5g=',
    }),
  }),
}
export const editWebhook = {
  input: z.object({
    id,
    url: url.optional(),
    events: events.optional(),
    isEnabled: z
      .literal(true)
      .optional()
      .meta({ description: 'Enables a webhook that was disabled.', example: true }),
  }),
  output: webhookOutput,
}
export const removeWebhook = { input: z.object({ id }), output: message }
export const testWebhook = { input: z.object({ id }), output: message }

const delivery = z
  .object({
    id: z.string().meta({ description: 'The `webhook-id` header.', example: 'msg_42' }),
    type: z.string().meta({ example: 'review.created' }),
    createdAt: time,
    attempts: z.int().min(0).meta({ example: 1 }),
    attemptedAt: time.nullable(),
    deliveredAt: time.nullable(),
    nextAttemptAt: time.nullable().meta({ description: 'Null if there is none.', example: null }),
    status: z.int().nullable().meta({ description: 'The HTTP status of the last attempt.', example: 204 }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed, for display.', example: null }),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event for a webhook, with the result of its delivery.' })

export const listDeliveries = {
  input: z.object({ id }),
  output: z.object({ deliveries: z.array(delivery).meta({ description: 'The newest 50, newest first.' }) }),
}
