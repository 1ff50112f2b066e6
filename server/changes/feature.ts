import type { Feature } from '#server/feature.ts'

export const changes: Feature = { deletion: [{ table: 'changes' }] }
