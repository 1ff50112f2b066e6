import { useQuery } from '@tanstack/react-query'
import { cardOf, kindRouter, titleIn } from '#client/app/kinds.ts'
import { useSession } from '#client/app/session.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import type { FeedOrder } from '#shared/domain/limits.ts'
import { allKinds, type KindDefinition, kinds } from '#shared/domain/kinds.ts'
import { type FeedEntry, mergeFeeds } from './feed.ts'

function entriesFrom(definition: KindDefinition, { forYou }: RouterOutputs['movies']['forYou']): FeedEntry[] {
  return forYou.map((entry) => {
    const { friendAvg, friendCount, match } = entry
    return { ...cardOf(definition, titleIn(definition, entry)), friendAvg, friendCount, match }
  })
}

function forYouInput(order: FeedOrder | undefined) {
  return order === undefined || order === 'average' ? {} : { order }
}

/** Only a failure of the first kind (movies) is an error; others that fail are left out. */
export function useFeed(order: FeedOrder) {
  const enabled = useSession() !== null
  const feeds = trpc.useQueries((api) =>
    allKinds.map((definition) => kindRouter(api, definition).forYou(forYouInput(order), { enabled })),
  )
  const [movies] = feeds
  return {
    isPending: feeds.some((feed) => feed.isLoading),
    isRefetching: feeds.some((feed) => feed.isRefetching),
    error: movies?.data ? null : (movies?.error ?? null),
    entries: mergeFeeds(
      allKinds.map((definition, index) => {
        const data = feeds[index]?.data
        return data ? entriesFrom(definition, data) : []
      }),
      order,
    ),
    retry: () => {
      for (const feed of feeds) if (feed.isError) void feed.refetch()
    },
  }
}

export function useRaters({ kind, id }: FeedEntry) {
  const { networkRaters } = kindRouter(trpc.useUtils(), kinds[kind])
  return useQuery(networkRaters.queryOptions({ id })).data?.raters
}
