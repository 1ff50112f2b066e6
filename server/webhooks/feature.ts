import type { Feature } from '#server/feature.ts'
import { disableWebhooksOf, removeDeliveriesOf } from './store.ts'

export const webhooks: Feature = {
  deletion: [{ remove: removeDeliveriesOf }],
  endAccess: (trx, userId, now) => disableWebhooksOf(trx, userId, now),
}
