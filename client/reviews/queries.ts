import { queryOptions } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { kindRouter } from '#client/app/kinds.ts'
import type { RouterContext } from '#client/app/loader-context.ts'
import { isNotFound, type RouterOutputs, trpc, clientOf } from '#client/app/trpc.ts'
import { type KindDefinition, kinds } from '#shared/domain/kinds.ts'
import { listingOf, type ReviewsSearch } from './listing.ts'
import { type ReviewedTitle, reviewedKey } from './title.ts'

// Every page loads the loaders, so the hooks are in hooks.ts.

export type Review = RouterOutputs['reviews']['list']['reviews'][number]

export function ratingsRouter<Routers extends Record<KindDefinition['router'], unknown>>(
  routers: Routers,
  { kind }: ReviewedTitle,
): Routers[KindDefinition['router']] {
  return kindRouter(routers, kinds[kind])
}

/** Unknown after the review was saved here. */
export type OwnReview = Review & { ratingGiven?: string | null }

/** Null without a review. tRPC's query would cache NOT_FOUND as an error and retry. */
export function myReview(title: ReviewedTitle) {
  const input = reviewedKey(title)
  return queryOptions({
    queryKey: getQueryKey(trpc.reviews.mine, input, 'query'),
    queryFn: ({ signal, client }): Promise<OwnReview | null> =>
      clientOf(client)
        .reviews.mine.query(input, { signal })
        .then(
          ({ review, ratingGiven }) => ({ ...review, ratingGiven }),
          (error) => {
            if (isNotFound(error)) return null
            throw error
          },
        ),
  })
}

/** The query keys equal the keys of the hooks. A server waits for all of it, a browser for a pinned review. */
export async function prefetchReviews(
  { queryClient, trpc: utils, getSession }: RouterContext,
  title: ReviewedTitle,
  search: ReviewsSearch,
): Promise<void> {
  const isMember = getSession() !== null
  const ratings = title.part ? undefined : ratingsRouter(utils, title)
  const input = { id: title.id }
  const pinned = search.review && utils.reviews.byId.prefetch({ id: search.review })
  const others = [
    ratings?.ratingHistogram.prefetch(input),
    utils.reviews.list.prefetch({ ...reviewedKey(title), ...listingOf(search, isMember) }),
    isMember && ratings?.networkHistogram.prefetch(input),
    isMember && queryClient.prefetchQuery(myReview(title)),
  ]
  if (import.meta.env.SSR) await Promise.all(others)
  await pinned
}
