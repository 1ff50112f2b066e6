import { queryMax } from '#shared/limits.ts'

export const searchTabs = ['screen', 'books', 'games', 'users'] as const
export type SearchTab = (typeof searchTabs)[number]
export type SearchParams = { q?: string | undefined; tab?: SearchTab | undefined }

/** What the address says; whatever it cannot mean is left out. */
export function readSearchParams(search: Record<string, unknown>): SearchParams {
  const { q } = search
  // The router reads `?q=1984` as a number.
  const text = typeof q === 'object' || q === undefined ? '' : String(q).trim().slice(0, queryMax)
  return { q: text === '' ? undefined : text, tab: searchTabs.find((tab) => tab === search['tab']) }
}
