import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { changed } from '#client/app/facts.ts'
import { retryOnce, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { kinds, type Tab, tabNames } from '#shared/domain/kinds.ts'
import { type Hit, localHit, sourceHit } from './hits.ts'
import { localSearch, type SearchTab } from './params.ts'

type Results = RouterOutputs['sources']['search']
type Person = RouterOutputs['social']['searchUsers']['results'][number]

/** The results of a source are followed by matching titles of the catalogue that no source has. */
export function useSearches(q: string): Record<SearchTab, Search> {
  const options = { enabled: q !== '' }
  const found = trpc.useQueries((api) => tabNames.map((tab) => api.sources.search({ q, tab }, options)))
  const users = trpc.social.searchUsers.useQuery({ q }, options)
  const local = trpc.items.search.useQuery(localSearch(q), options)
  const localHits = (local.data?.results ?? []).map(localHit)
  const ofTab = (tab: Tab, results: Parameters<typeof sourceHit>[0][] | undefined) => {
    if (results === undefined || local.isPending) return { hits: undefined, count: undefined }
    const hits = [...results.map(sourceHit), ...localHits.filter(({ kind }) => kinds[kind].tab === tab)]
    return { hits, count: hits.length }
  }
  const searches = tabNames.map((tab, index): [Tab, Search] => {
    const query = found[index]!
    return [tab, { ...stateOf(query), ...ofTab(tab, query.data?.results) }]
  })
  return {
    ...(Object.fromEntries(searches) as Record<Tab, Search>),
    users: { ...stateOf(users), people: users.data?.results },
  }
}

type Query = {
  error: unknown
  isFetching: boolean
  data: { results: readonly unknown[]; source?: string } | undefined
  refetch: () => unknown
}

function stateOf({ error, isFetching, data, refetch }: Query) {
  return { error, isFetching, count: data?.results.length, source: data?.source, retry: () => void refetch() }
}

export type SearchState = ReturnType<typeof stateOf>
type Search = SearchState & { hits?: Hit[] | undefined; people?: Person[] | undefined }

export function useAddHit() {
  const utils = trpc.useUtils()
  const cache = useQueryClient()
  return useMutation({
    ...retryOnce,
    async mutationFn({ kind, ids: [best] }: Hit): Promise<number | undefined> {
      return best && (await utils.client.sources.sync.mutate({ kind, ...best })).id
    },
    async onSuccess(localId, { kind, ids: [best] }) {
      cache.setQueriesData<Results>({ queryKey: getQueryKey(trpc.sources.search) }, (data) => {
        const isHit = (one: Results['results'][number]) =>
          one.kind === kind && one.ids[0]?.source === best?.source && one.ids[0]?.id === best?.id
        return (
          data && {
            ...data,
            results: data.results.map((one) => (isHit(one) ? { ...one, localId: localId ?? null } : one)),
          }
        )
      })
      await changed('catalogue')
    },
  })
}
