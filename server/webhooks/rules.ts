import { createHmac, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import {
  type listDeliveries,
  type listWebhooks,
  type WebhookEvent,
  webhookEvents,
} from '#shared/contracts/webhooks.ts'
import { messages } from '#shared/texts/messages.ts'
import type { DeliveryRow, WebhookRow } from './tables.ts'

const secretPrefix = 'whsec_'

/** Other ports would let members scan a host from the address of this server. */
const ports = ['', '443', '8443']

/** The address of its host is checked when it is resolved. */
export function isAllowedUrl(url: string): boolean {
  const { protocol, port } = new URL(url)
  return protocol === 'https:' && ports.includes(port)
}

export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/** https://www.standardwebhooks.com */
export function signedHeaders(secret: string, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signature = createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

export const messageId = ({ id }: Pick<DeliveryRow, 'id'>) => `msg_${id}`

const minute = 60_000
const hour = 60 * minute
const retryDelaysMs = [
  5_000,
  minute,
  5 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
] as const
const failingMaxMs = 7 * 24 * hour

export function nextAttempt(attempts: number, now: Date): Date | null {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? null : new Date(now.getTime() + delay)
}

/** The pause is as long as the webhook has been failing: from 5 seconds to an hour. */
export function pauseEnd(failingSince: string, now: Date): Date {
  const pauseMs = Math.min(hour, Math.max(retryDelaysMs[0], now.getTime() - Date.parse(failingSince)))
  return new Date(now.getTime() + pauseMs)
}

export function isGivenUp(failingSince: string, now: Date): boolean {
  return now.getTime() - Date.parse(failingSince) >= failingMaxMs
}

export function joinEvents(events: readonly WebhookEvent[]): string {
  return webhookEvents.filter((event) => events.includes(event)).join(' ')
}

type Webhook = z.infer<typeof listWebhooks.output>['webhooks'][number]
type Delivery = z.infer<typeof listDeliveries.output>['deliveries'][number]

export function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: webhookEvents.filter((event) => row.events.split(' ').includes(event)),
    createdAt: row.created_at,
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
  }
}

export function typeOf({ event, action }: Pick<DeliveryRow, 'event' | 'action'>): string {
  return event === 'test' ? 'webhook.test' : `${event}.${action}`
}

const deliveryErrors = {
  disabled: () => messages.webhookWasDisabled,
  suspended: () => messages.webhookSuspended,
  gone: () => messages.deliveredResourceGone,
  status: (status) =>
    status !== null && status >= 300 && status < 400
      ? `The server redirected (${status}), which is not followed.`
      : `The server responded ${status}.`,
  notPublic: () => 'The host has no public address, or the URL is not https on port 443 or 8443.',
  hostNotFound: () => 'The host was not found.',
  timeout: () => 'The server did not respond in time.',
  certificate: () => 'The certificate is not valid.',
  connection: () => 'The connection failed.',
} satisfies Record<string, (status: number | null) => string>
export type DeliveryError = keyof typeof deliveryErrors

/** Rows of earlier versions have the text itself. */
function describeError(error: string, status: number | null): string {
  return Object.hasOwn(deliveryErrors, error) ? deliveryErrors[error as DeliveryError](status) : error
}

export function presentDelivery(row: DeliveryRow & { next_attempt_at: string | null }): Delivery {
  return {
    id: messageId(row),
    type: typeOf(row),
    createdAt: row.created_at,
    attempts: row.attempts,
    attemptedAt: row.attempted_at,
    deliveredAt: row.delivered_at,
    nextAttemptAt: row.next_attempt_at,
    status: row.status,
    error: row.error === null ? null : describeError(row.error, row.status),
  }
}
