import type { Audience } from './listing.ts'
import { t } from '#shared/domain/message.ts'

export const audiences: readonly { value: Audience; label: string }[] = [
  { value: 'overall', label: t`Everyone` },
  { value: 'network', label: t`Following` },
]
