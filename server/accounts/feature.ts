import type { Feature } from '#server/feature.ts'

export const accounts: Feature = { deletion: [{ table: 'credentials' }, { table: 'idempotency_keys' }] }
