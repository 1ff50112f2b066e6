import type { Scope } from './listing.ts'

export const scopes: readonly { value: Scope; label: string }[] = [
  { value: 'overall', label: 'Everyone' },
  { value: 'network', label: 'Following' },
]
