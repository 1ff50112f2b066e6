import type { Audience } from './listing.ts'

export const audiences: readonly { value: Audience; label: string }[] = [
  { value: 'overall', label: 'Everyone' },
  { value: 'network', label: 'Following' },
]
