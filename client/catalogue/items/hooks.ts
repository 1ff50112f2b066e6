import { keepPreviousData } from '@tanstack/react-query'
import { trpc } from '#client/trpc.ts'
import type { ItemsParams } from './params.ts'

/** A page of the catalogue. Keeps the previous page while the next one loads. */
export function useItems({ page = 1, category }: ItemsParams) {
  return trpc.items.list.useQuery({ page, category }, { placeholderData: keepPreviousData })
}
