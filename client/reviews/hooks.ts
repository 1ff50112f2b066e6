import { useQuery } from '@tanstack/react-query'
import { useSession } from '#client/app/session.ts'
import { queryInput } from '#client/app/query-keys.ts'
import { isNotFound, retryOnce, showFailure, trpc, trpcUtils } from '#client/app/trpc.ts'
import { reviewPath, useDeleted } from '#client/app/deleted.ts'
import type { PartKey } from '#shared/contracts/reviews.ts'
import { partIdKeys } from '#shared/domain/kinds.ts'
import { listPageSize } from '#shared/domain/limits.ts'
import { myReview, type OwnReview, ratingsRouter, type Review } from './queries.ts'
import type { Listing } from './listing.ts'
import { isAbout, type ReviewedTitle, reviewedKey } from './title.ts'
import { t } from '#shared/domain/message.ts'

export type { Review } from './queries.ts'

export function useRatings(title: ReviewedTitle) {
  const { ratingHistogram, networkHistogram } = ratingsRouter(trpc.useUtils(), title)
  const hasNetwork = useSession() !== null
  const isTitle = title.part === undefined
  // A part has none, and must not get what the cache has of its show: nothing has the id 0.
  const input = { id: isTitle ? title.id : 0 }
  const overall = useQuery({ ...ratingHistogram.queryOptions(input), enabled: isTitle })
  const network = useQuery({ ...networkHistogram.queryOptions(input), enabled: hasNetwork && isTitle })
  return { overall, network }
}

export function useRaters(title: ReviewedTitle) {
  const { networkRaters } = ratingsRouter(trpc.useUtils(), title)
  return useQuery(networkRaters.queryOptions({ id: title.id, limit: listPageSize }))
}

export function useReviews(title: ReviewedTitle, listing: Listing) {
  return trpc.reviews.list.useQuery(
    { ...reviewedKey(title), ...listing },
    {
      placeholderData: (before, query) => (isAbout(title, queryInput(query?.queryKey)) ? before : undefined),
    },
  )
}

export function useMyReview(title: ReviewedTitle) {
  const isMember = useSession() !== null
  const deleted = useDeleted()
  return useQuery({
    ...myReview(title),
    enabled: isMember,
    select: (review) => (review && deleted.has(reviewPath(review.id)) ? null : review),
  })
}

/** Undefined while it loads, if it is deleted, and if it is of another title. The page of a show also has reviews of its seasons and episodes. */
export function useReview(title: ReviewedTitle, id: number) {
  const isDeleted = useDeleted().has(reviewPath(id))
  const { data, error, refetch } = trpc.reviews.byId.useQuery({ id })
  const isOfTitle =
    data &&
    (title.part === undefined
      ? data.review.itemId === title.id
      : data.review.about !== null && isAbout(title, partOf(data.review.about)))
  const review = isDeleted || !isOfTitle ? undefined : data.review
  return { review, error: isNotFound(error) ? null : error, refetch }
}

/** The review of an episode names its season too. */
export function partOf(about: NonNullable<Review['about']>): PartKey {
  const key = partIdKeys.findLast((each) => about[each] !== null)!
  return { [key]: about[key] } as PartKey
}

/** The counts come from the response, without an optimistic update. */
export function useReact() {
  return trpc.reviews.react.useMutation({
    ...retryOnce,
    onSuccess: ({ review }) => patchReview(review),
    onError: (error) => showFailure(t`Your reaction was not saved`, error),
  })
}

export function patchReview(review: Pick<Review, 'id'> & Partial<Review>): void {
  const patch = <Output extends { reviews: Review[] }>(output: Output | undefined) =>
    output?.reviews.some(({ id }) => id === review.id)
      ? {
          ...output,
          reviews: output.reviews.map((old) => (old.id === review.id ? { ...old, ...review } : old)),
        }
      : output
  trpcUtils.reviews.list.setQueriesData(undefined as never, {}, patch)
  // Its cache has the review itself: see `myReview`.
  trpcUtils.reviews.mine.setQueriesData(undefined as never, {}, (mine) =>
    (mine as OwnReview | null | undefined)?.id === review.id ? { ...mine!, ...review } : mine,
  )
  trpcUtils.reviews.byId.setData(
    { id: review.id },
    (output) => output && { review: { ...output.review, ...review } },
  )
}
