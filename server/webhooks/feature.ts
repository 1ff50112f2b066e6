import type { Feature } from '#server/feature.ts'
import { removeDeliveriesOf } from './store.ts'

export const webhooks: Feature = { deletion: [{ remove: removeDeliveriesOf }] }
