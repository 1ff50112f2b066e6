import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSession } from '#client/session.ts'
import { getMyRating, setMyRating } from '#client/my-titles.ts'
import { queryInput } from '#client/query-keys.ts'
import { isNotFound, retryOnce, type RouterOutputs, trpc } from '#client/trpc.ts'
import { messages } from '#shared/messages.ts'
import { withRating, type Ratings } from './histogram.ts'
import { commentPath, deleteLater, getDeleted, reviewPath, sendDeletions, useDeleted } from './deletions.ts'
import { myReview, ratingsRouter, type Review } from './queries.ts'
import type { Listing } from './listing.ts'
import { isAbout, type Title, titleKey } from './title.ts'

export type { Review } from './queries.ts'
export type Comment = RouterOutputs['reviews']['comments']['comments'][number]
type Utils = ReturnType<typeof trpc.useUtils>

const commentsStaleMs = 5 * 60_000

/** The overall ratings of a title, and for members those of their network. */
export function useRatings(title: Title) {
  const { ratingHistogram, networkHistogram } = ratingsRouter(trpc.useUtils(), title)
  const hasNetwork = useSession() !== null
  const overall = useQuery(ratingHistogram.queryOptions({ id: title.id }))
  const network = useQuery({ ...networkHistogram.queryOptions({ id: title.id }), enabled: hasNetwork })
  return { overall, network }
}

/** The latest members of the network who rated a title. */
export function useRaters(title: Title) {
  const { networkRaters } = ratingsRouter(trpc.useUtils(), title)
  return useQuery(networkRaters.queryOptions({ id: title.id }))
}

/** A page of a title's reviews. Keeps the previous page while the next one loads. */
export function useReviews(title: Title, listing: Listing) {
  return trpc.reviews.list.useQuery(
    { ...titleKey(title), ...listing },
    {
      placeholderData: (before, query) => (isAbout(title, queryInput(query?.queryKey)) ? before : undefined),
    },
  )
}

/** The member's own review of a title, or null. Disabled for visitors. */
export function useMyReview(title: Title) {
  const isMember = useSession() !== null
  const deleted = useDeleted()
  return useQuery({
    ...myReview(title),
    enabled: isMember,
    select: (review) => (review && deleted.has(reviewPath(review.id)) ? null : review),
  })
}

/** A review by its id; undefined while it loads, if it is deleted, and if there is none of this title. */
export function useReview(title: Title, id: number) {
  const isDeleted = useDeleted().has(reviewPath(id))
  const { data, error, refetch } = trpc.reviews.byId.useQuery({ id })
  const review = isDeleted || data?.review.itemId !== title.id ? undefined : data.review
  return { review, error: isNotFound(error) ? null : error, refetch }
}

/**
 * Saves the member's rating of a title, and the text of the review if there is one. Updates the histogram and the averages
 * optimistically and rolls back on failure. Calls run one after the other, so that the last one wins.
 */
export function useSaveReview(title: Title) {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const mine = useMyReviewCache(title)
  const { ratingHistogram } = ratingsRouter(utils, title)
  const input = { id: title.id }
  /** The state that the server has confirmed, while calls are in flight: what a rollback restores. */
  const confirmed = useRef<{ running: number; ratings: Ratings | undefined; rating: number | null }>(
    undefined,
  )

  return trpc.reviews.save.useMutation({
    ...retryOnce,
    scope: { id: `review of ${title.id}` },
    async onMutate({ rating }) {
      confirmed.current ??= {
        running: 0,
        ratings: ratingHistogram.getData(input),
        rating: mine.get()?.rating ?? getMyRating(queryClient, title.id) ?? null,
      }
      confirmed.current.running++
      const { ratings, rating: before } = confirmed.current
      setMyRating(queryClient, title.id, rating)
      void ratingHistogram.cancel(input)
      if (ratings !== undefined) ratingHistogram.setData(input, withRating(ratings, before, rating))
      // Otherwise a deletion of the previous review would delete this one.
      await sendDeletions()
    },
    onSuccess({ review }) {
      mine.set(review, false)
      patchReview(utils, review)
      if (confirmed.current === undefined) return
      const { ratings, rating } = confirmed.current
      confirmed.current.ratings = ratings && withRating(ratings, rating, review.rating)
      confirmed.current.rating = review.rating
    },
    onSettled() {
      if (confirmed.current === undefined || --confirmed.current.running > 0) return
      const { ratings, rating } = confirmed.current
      if (ratings !== undefined) ratingHistogram.setData(input, ratings)
      setMyRating(queryClient, title.id, rating)
      confirmed.current = undefined
      refreshRatings(utils, title)
    },
  })
}

/** Edits a review in the list. */
export function useEditReview(title: Title) {
  const utils = trpc.useUtils()
  const mine = useMyReviewCache(title)
  return trpc.reviews.edit.useMutation({
    ...retryOnce,
    onSuccess({ review }) {
      const before = mine.get()?.rating
      mine.set(review)
      patchReview(utils, review)
      if (before !== undefined) moveRating(utils, title, before, review.rating)
      refreshRatings(utils, title)
    },
  })
}

/** Returns how to delete a review with its rating, which can be undone for some seconds. `done` is the title of the toast. */
export function useRemoveReview(title: Title) {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const move = (before: number | null, after: number | null) => {
    moveRating(utils, title, before, after)
    setMyRating(queryClient, title.id, after)
  }
  return ({ id, rating }: Pick<Review, 'id' | 'rating'>, done: string) => {
    move(rating, null)
    deleteLater({
      path: reviewPath(id),
      texts: { deleted: done, failed: 'It could not be deleted' },
      onDeleted: () => refreshRatings(utils, title),
      onRestored() {
        move(null, rating)
        refreshRatings(utils, title)
      },
    })
  }
}

function useMyReviewCache(title: Title) {
  const queryClient = useQueryClient()
  const { queryKey } = myReview(title)
  return {
    get() {
      const review = queryClient.getQueryData(queryKey)
      return review && getDeleted().has(reviewPath(review.id)) ? null : review
    },
    /** `isLast`: no later rating is being saved, which the posters of the title would show instead. */
    set(review: Review | null, isLast = true) {
      // A response that is still in flight is older than this review.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, review)
      if (isLast) setMyRating(queryClient, title.id, review?.rating ?? null)
    },
  }
}

/** Sets the member's reaction. The counts come from the response, not from an optimistic update. */
export function useReact() {
  const utils = trpc.useUtils()
  return trpc.reviews.react.useMutation({
    ...retryOnce,
    onSuccess: ({ review }) => patchReview(utils, review),
  })
}

/** The comments of a review, cached while the reader opens and closes them. */
export function useComments(reviewId: number) {
  return trpc.reviews.comments.useQuery({ id: reviewId }, { staleTime: commentsStaleMs })
}

/** Loads the comments before a given one. */
export function useEarlierComments(reviewId: number) {
  const utils = trpc.useUtils()
  return useMutation({
    ...retryOnce,
    mutationFn: (before: number) => utils.client.reviews.comments.query({ id: reviewId, before }),
    onSuccess({ comments, total }) {
      patchComments(utils, reviewId, total, (shown) => [...comments, ...shown])
    },
  })
}

export function useAddComment(reviewId: number) {
  const utils = trpc.useUtils()
  return trpc.reviews.addComment.useMutation({
    onSuccess({ comment, commentCount }) {
      patchComments(utils, reviewId, commentCount, (comments) => [...comments, comment])
    },
  })
}

/** Returns how to delete a comment, which can be undone for some seconds. */
export function useRemoveComment(reviewId: number) {
  const utils = trpc.useUtils()
  const input = { id: reviewId }
  const count = (by: number) => {
    const total = utils.reviews.comments.getData(input)?.total
    if (total !== undefined) patchComments(utils, reviewId, total + by, (comments) => comments)
  }
  return (id: number) => {
    count(-1)
    deleteLater({
      path: commentPath(id),
      texts: { deleted: messages.commentDeleted, failed: 'The comment is still there' },
      onDeleted({ commentCount }) {
        if (commentCount !== undefined)
          patchComments(utils, reviewId, commentCount, (comments) =>
            comments.filter((comment) => comment.id !== id),
          )
      },
      onRestored: () => count(1),
    })
  }
}

function moveRating(utils: Utils, title: Title, before: number | null, after: number | null): void {
  ratingsRouter(utils, title).ratingHistogram.setData(
    { id: title.id },
    (ratings) => ratings && withRating(ratings, before, after),
  )
}

/** Invalidates everything that depends on the ratings and reviews of a title. */
function refreshRatings(utils: Utils, title: Title): void {
  const ratings = ratingsRouter(utils, title)
  const input = { id: title.id }
  void Promise.all([
    ratings.ratingHistogram.invalidate(input),
    ratings.overallRating.invalidate(input),
    ratings.byId.invalidate(input),
    // Fetched when their pages are opened again: titles must not move under the pointer that rates one of them.
    ratings.popular.invalidate(undefined, { refetchType: 'none' }),
    ratings.forYou.invalidate(undefined, { refetchType: 'none' }),
    utils.reviews.list.invalidate(undefined, {
      predicate: ({ queryKey }) => isAbout(title, queryInput(queryKey)),
    }),
    utils.reviews.byId.invalidate(),
    utils.items.byId.invalidate(input),
    utils.accounts.profile.invalidate(),
    utils.reviews.ofUser.invalidate(),
    utils.reviews.histogramsOfUser.invalidate(),
  ])
}

/** Updates a review in every cached list. */
function patchReview(utils: Utils, review: Pick<Review, 'id'> & Partial<Review>): void {
  const patch = <Output extends { reviews: Review[] }>(output: Output | undefined) =>
    output?.reviews.some(({ id }) => id === review.id)
      ? {
          ...output,
          reviews: output.reviews.map((old) => (old.id === review.id ? { ...old, ...review } : old)),
        }
      : output
  utils.reviews.list.setQueriesData(undefined as never, {}, patch)
  utils.reviews.byId.setData(
    { id: review.id },
    (output) => output && { review: { ...output.review, ...review } },
  )
}

function patchComments(
  utils: Utils,
  reviewId: number,
  total: number,
  change: (comments: Comment[]) => Comment[],
) {
  utils.reviews.comments.setData(
    { id: reviewId },
    (old) => old && { ...old, comments: change(old.comments), total },
  )
  patchReview(utils, { id: reviewId, commentCount: total })
}
