import { queryMax, searchLimit } from '#shared/domain/limits.ts'
import { type Tab, tabNames } from '#shared/domain/kinds.ts'

export type SearchTab = Tab | 'users'
export const searchTabs: readonly SearchTab[] = [...tabNames, 'users']
export type SearchParams = { q?: string | undefined; tab?: SearchTab | undefined }

export function readSearchParams(search: Record<string, unknown>): SearchParams {
  const { q } = search
  // A value that is not text, such as a number, is converted.
  const text = typeof q === 'object' || q === undefined ? '' : String(q).trim().slice(0, queryMax)
  return { q: text === '' ? undefined : text, tab: searchTabs.find((tab) => tab === search['tab']) }
}

export function localSearch(q: string) {
  return { q, local: true, limit: searchLimit }
}
