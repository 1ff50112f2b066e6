import type { ListParams, ListsParams } from './params.ts'

export const itemsPageSize = 60

export const listInput = (id: number, { key }: ListParams) => ({ id, ...(key !== undefined && { key }) })

export const itemsInput = (id: number, params: ListParams) => ({
  ...listInput(id, params),
  limit: itemsPageSize,
})

export const searchInput = ({ tab = 'popular', q, tag }: ListsParams) => ({
  ...(q !== undefined && { q }),
  ...(tag !== undefined && { tag }),
  sort: tab === 'new' ? ('newest' as const) : ('popular' as const),
})
