import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSession } from '#client/session.ts'
import { retryOnce, type RouterOutputs, trpc } from '#client/trpc.ts'
import { withRating, type Ratings } from './histogram.ts'
import { myReview, ratingsOf, type Review } from './queries.ts'
import { isAbout, type Listing, type Title, titleKey } from './title.ts'

export type { Review } from './queries.ts'
export type Comment = RouterOutputs['reviews']['comments']['comments'][number]
type Utils = ReturnType<typeof trpc.useUtils>

const commentsStaleMs = 5 * 60_000

/** How everybody rated a title, and for members how those did whom they follow. */
export function useRatings(title: Title) {
  const { ratingHistogram, networkHistogram } = ratingsOf(trpc.useUtils(), title)
  const hasNetwork = useSession() !== null
  const overall = useQuery(ratingHistogram.queryOptions({ id: title.id }))
  const network = useQuery({ ...networkHistogram.queryOptions({ id: title.id }), enabled: hasNetwork })
  return { overall, network }
}

/** The latest of those whom the member follows who rated a title. */
export function useRaters(title: Title) {
  const { networkRaters } = ratingsOf(trpc.useUtils(), title)
  return useQuery(networkRaters.queryOptions({ id: title.id }))
}

/** A page of a title's reviews; the page before stays until it is there. */
export function useReviews(title: Title, listing: Listing) {
  return trpc.reviews.list.useQuery(
    { ...titleKey(title), ...listing },
    { placeholderData: (before, query) => (isAbout(title, inputOf(query?.queryKey)) ? before : undefined) },
  )
}

/** The member's own review of a title; null where there is none. Of visitors nothing is asked. */
export function useMyReview(title: Title) {
  const isMember = useSession() !== null
  return useQuery({ ...myReview(title), enabled: isMember })
}

/**
 * Rates a title, and writes its review where a text is sent. The histogram and the averages show it at once; a failure
 * rolls them back. Calls go one after the other, so that of two quick ones the later counts.
 */
export function useSaveReview(title: Title) {
  const utils = trpc.useUtils()
  const mine = useMyReviewCache(title)
  const { ratingHistogram } = ratingsOf(utils, title)
  const input = { id: title.id }
  /** What the server knows, while calls are on their way. */
  const known = useRef<{ running: number; ratings: Ratings | undefined; rating: number | null }>(undefined)

  return trpc.reviews.save.useMutation({
    ...retryOnce,
    scope: { id: `review of ${title.id}` },
    onMutate({ rating }) {
      known.current ??= {
        running: 0,
        ratings: ratingHistogram.getData(input),
        rating: mine.get()?.rating ?? null,
      }
      known.current.running++
      const { ratings, rating: before } = known.current
      void ratingHistogram.cancel(input)
      if (ratings !== undefined) ratingHistogram.setData(input, withRating(ratings, before, rating))
    },
    onSuccess({ review }) {
      mine.set(review)
      patchReview(utils, review)
      if (known.current?.ratings === undefined) return
      known.current.ratings = withRating(known.current.ratings, known.current.rating, review.rating)
      known.current.rating = review.rating
    },
    onSettled() {
      if (known.current === undefined || --known.current.running > 0) return
      const { ratings } = known.current
      if (ratings !== undefined) ratingHistogram.setData(input, ratings)
      known.current = undefined
      refreshRatings(utils, title)
    },
  })
}

/** Changes a review where it stands in the list. */
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

/** Takes a review away, with its rating. */
export function useRemoveReview(title: Title, rating: number) {
  const utils = trpc.useUtils()
  const mine = useMyReviewCache(title)
  return trpc.reviews.remove.useMutation({
    onSuccess() {
      mine.set(null)
      moveRating(utils, title, rating, null)
      refreshRatings(utils, title)
    },
  })
}

function useMyReviewCache(title: Title) {
  const queryClient = useQueryClient()
  const { queryKey } = myReview(title)
  return {
    get: () => queryClient.getQueryData(queryKey),
    set(review: Review | null) {
      // An answer that is still on its way is older than this one.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, review)
    },
  }
}

/** Likes, dislikes, or neither; the counts are those of the server's answer. */
export function useReact() {
  const utils = trpc.useUtils()
  return trpc.reviews.react.useMutation({
    ...retryOnce,
    onSuccess: ({ review }) => patchReview(utils, review),
  })
}

/** The comments of a review; opened again within the time, they are those of before. */
export function useComments(reviewId: number) {
  return trpc.reviews.comments.useQuery({ id: reviewId }, { staleTime: commentsStaleMs })
}

/** Reads the comments before the first one that is shown. */
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

export function useRemoveComment(reviewId: number) {
  const utils = trpc.useUtils()
  return trpc.reviews.removeComment.useMutation({
    onSuccess({ commentCount }, { id }) {
      patchComments(utils, reviewId, commentCount, (comments) =>
        comments.filter((comment) => comment.id !== id),
      )
    },
  })
}

function moveRating(utils: Utils, title: Title, before: number | null, after: number | null): void {
  ratingsOf(utils, title).ratingHistogram.setData(
    { id: title.id },
    (ratings) => ratings && withRating(ratings, before, after),
  )
}

/** After a rating changed: what counts it is read anew, where it is shown now or when it is shown next. */
function refreshRatings(utils: Utils, title: Title): void {
  const ratings = ratingsOf(utils, title)
  const input = { id: title.id }
  void Promise.all([
    ratings.ratingHistogram.invalidate(input),
    ratings.overallRating.invalidate(input),
    ratings.byId.invalidate(input),
    ratings.popular.invalidate(),
    ratings.forYou.invalidate(),
    utils.reviews.list.invalidate(undefined, {
      predicate: ({ queryKey }) => isAbout(title, inputOf(queryKey)),
    }),
    utils.reviews.ofItem.invalidate({ id: title.id }),
    utils.accounts.profile.invalidate(),
  ])
}

/** Puts the server's answer in the place of a review, in whichever list it stands. */
function patchReview(utils: Utils, review: Pick<Review, 'id'> & Partial<Review>): void {
  const patch = <Answer extends { reviews: Review[] }>(answer: Answer | undefined) =>
    answer?.reviews.some(({ id }) => id === review.id)
      ? {
          ...answer,
          reviews: answer.reviews.map((old) => (old.id === review.id ? { ...old, ...review } : old)),
        }
      : answer
  utils.reviews.list.setQueriesData(undefined as never, {}, patch)
  utils.reviews.ofItem.setQueriesData(undefined as never, {}, patch)
}

function patchComments(
  utils: Utils,
  reviewId: number,
  total: number,
  change: (comments: Comment[]) => Comment[],
) {
  utils.reviews.comments.setData({ id: reviewId }, (old) => old && { comments: change(old.comments), total })
  patchReview(utils, { id: reviewId, commentCount: total })
}

/** tRPC keeps the input of a query in the second part of its key. */
export function inputOf(queryKey: readonly unknown[] | undefined): object | undefined {
  return (queryKey?.[1] as { input?: object } | undefined)?.input
}
