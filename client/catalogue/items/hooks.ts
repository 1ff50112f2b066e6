import { keepPreviousData } from '@tanstack/react-query'
import { trpc } from '#client/trpc.ts'
import { itemsInput, type ItemsParams } from './params.ts'

/** A page of the catalogue. Keeps the previous page while the next one loads. */
export function useItems(params: ItemsParams) {
  return trpc.items.list.useQuery(itemsInput(params), { placeholderData: keepPreviousData })
}
