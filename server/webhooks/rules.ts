import { createHmac, randomBytes } from 'node:crypto'
import { BlockList, isIPv4 } from 'node:net'
import type { z } from 'zod'
import { type listDeliveries, type listWebhooks, type WebhookEvent, webhookEvents } from '#shared/webhooks.ts'
import type { DeliveryRow, WebhookRow } from '#server/db/tables.ts'

const secretPrefix = 'whsec_'

export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/** Returns the headers of a delivery, as in https://www.standardwebhooks.com. */
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
/** The waits between the attempts, a day in all. */
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

/** Returns when to try again after a number of failed attempts; null if it is given up. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? null : new Date(now.getTime() + delay)
}

/** Returns until when a webhook that fails is left alone: as long as it has been failing, 5 seconds to an hour. */
export function pauseEnd(failingSince: string, now: Date): Date {
  const pauseMs = Math.min(hour, Math.max(retryDelaysMs[0], now.getTime() - Date.parse(failingSince)))
  return new Date(now.getTime() + pauseMs)
}

/** Returns whether to disable a webhook that has failed since a time. */
export function isGivenUp(failingSince: string, now: Date): boolean {
  return now.getTime() - Date.parse(failingSince) >= failingMaxMs
}

/** The IPv4 networks that are not public (IANA’s special-purpose registry), with multicast and reserved ones. */
const privateIPv4 = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  add(privateIPv4, network, 'ipv4')

/** Global unicast. Everything else is refused, such as loopback, link-local, IPv4-mapped and NAT64 addresses. */
const globalIPv6 = new BlockList()
add(globalIPv6, '2000::/3', 'ipv6')
/** Within it: protocol assignments such as Teredo, documentation, and 6to4, which contains an IPv4 address. */
const specialIPv6 = new BlockList()
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  add(specialIPv6, network, 'ipv6')

function add(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address, bits] = network.split('/') as [string, string]
  list.addSubnet(address, Number(bits), family)
}

/** Returns whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateIPv4.check(address, 'ipv4')
  return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6')
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

/** Returns the type of an event, such as `review.created`. */
export function typeOf({ event, action }: Pick<DeliveryRow, 'event' | 'action'>): string {
  return event === 'test' ? 'webhook.test' : `${event}.${action}`
}

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: messageId(row),
    type: typeOf(row),
    createdAt: row.created_at,
    attempts: row.attempts,
    attemptedAt: row.attempted_at,
    deliveredAt: row.delivered_at,
    nextAttemptAt: row.next_attempt_at,
    status: row.status,
    error: row.error,
  }
}
