import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { isNotFound, type RouterOutputs, trpc, trpcClient } from '#client/trpc.ts'
import { kinds } from '#shared/media.ts'
import { type Listing, type Title, titleKey } from './title.ts'

// What loaders ask for comes with every page; the hooks, and what they change, with the pages that show reviews.

export type Review = RouterOutputs['reviews']['list']['reviews'][number]
type Utils = ReturnType<typeof trpc.useUtils>

// Ratings are asked and answered alike for all four kinds, so a kind's router is read as that of movies.
export function ratingsOf<Routers extends Record<'movies', unknown>>(
  routers: Routers,
  { kind }: Title,
): Routers['movies'] {
  return (routers as Record<string, unknown>)[kinds[kind].router] as Routers['movies']
}

// In the place of tRPC's own query, which would hold “there is none” as a failure and ask again and again.
export function myReview(title: Title) {
  const input = titleKey(title)
  return queryOptions({
    queryKey: getQueryKey(trpc.reviews.mine, input, 'query'),
    queryFn: async ({ signal }): Promise<Review | null> => {
      try {
        return (await trpcClient.reviews.mine.query(input, { signal })).review
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
  })
}

/** For loaders: asks for what a title's page tells of its reviews, in the same words as the hooks. */
export async function prefetchReviews(
  { queryClient, trpc: utils }: { queryClient: QueryClient; trpc: Pick<Utils, 'reviews' | 'movies'> },
  title: Title,
  { listing, isMember }: { listing: Listing; isMember: boolean },
): Promise<void> {
  const ratings = ratingsOf(utils, title)
  const input = { id: title.id }
  await Promise.all([
    ratings.ratingHistogram.prefetch(input),
    utils.reviews.list.prefetch({ ...titleKey(title), ...listing }),
    isMember && ratings.networkHistogram.prefetch(input),
    isMember && queryClient.prefetchQuery(myReview(title)),
  ])
}
