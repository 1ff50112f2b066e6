import { notFound } from '@tanstack/react-router'
import type { RouterContext } from '#client/app/loader-context.ts'
import { readId } from '#client/app/params.ts'
import { isNotFound } from '#client/app/trpc.ts'
import { type ListParams, type ListsParams, readListParams, readListsParams } from './params.ts'
import { itemsInput, listInput, searchInput } from './queries.ts'

export async function loadLists({ trpc, getSession }: RouterContext, search: ListsParams): Promise<void> {
  const params = readListsParams(search)
  if (getSession() !== null && (params.tab === 'mine' || params.tab === 'followed')) return
  const lists = trpc.lists.search.prefetchInfinite(searchInput(params))
  // Only the server waits: a browser shows a skeleton.
  if (import.meta.env.SSR) await lists
}

/** Throws `notFound()` if the caller may not read it. */
export async function loadList(
  { trpc }: RouterContext,
  idText: string,
  search: ListParams,
): Promise<{ name: string }> {
  const params = readListParams(search)
  const id = readId(idText)
  if (id === null) throw notFound()
  try {
    const [{ list }] = await Promise.all([
      trpc.lists.byId.ensureData(listInput(id, params)),
      trpc.lists.items.prefetchInfinite(itemsInput(id, params)),
    ])
    return { name: list.title }
  } catch (error) {
    throw isNotFound(error) ? notFound() : error
  }
}
