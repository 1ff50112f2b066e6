import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { getMyRating, setMyRating } from '#client/titles/my-titles.ts'
import { queryInput } from '#client/app/query-keys.ts'
import { retryOnce, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { getDeleted, reviewPath } from '#client/app/deleted.ts'
import { deleteLater, sendDeletions } from '#client/app/deletions.ts'
import { withRating, type Ratings } from './histogram.ts'
import { patchReview, type Review } from './hooks.ts'
import { myReview, ratingsRouter } from './queries.ts'
import { isAbout, type Title } from './title.ts'

// Hooks that only members call, lazy-loaded with the components that call them.

type Utils = ReturnType<typeof trpc.useUtils>

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
  /** The state that the server has confirmed while calls are in flight; a rollback restores it. */
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
  return trpc.reviews.edit.useMutation({ ...retryOnce, onSuccess: useShowReview(title) })
}

/** A state of the member’s review, which `useRestoreReview` brings back. */
export type Snapshot = NonNullable<RouterOutputs['reviews']['snapshot']['snapshot']>

/** Restores a state of the member’s review that was replaced. Fails if it has changed again since. */
export function useRestoreReview(title: Title) {
  return trpc.reviews.restore.useMutation({ onSuccess: useShowReview(title) })
}

/** Returns a function that shows a changed review of the member everywhere. */
function useShowReview(title: Title) {
  const utils = trpc.useUtils()
  const mine = useMyReviewCache(title)
  return ({ review }: { review: Review }) => {
    const before = mine.get()?.rating
    mine.set(review)
    patchReview(utils, review)
    if (before !== undefined) moveRating(utils, title, before, review.rating)
    refreshRatings(utils, title)
  }
}

/** Returns a function that deletes a review with its rating, which can be undone for some seconds. `done` is the title of the toast. */
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
    // Refetched when their pages are opened again: titles must not move while a member rates one of them.
    ratings.popular.invalidate(undefined, { refetchType: 'none' }),
    ratings.forYou.invalidate(undefined, { refetchType: 'none' }),
    utils.reviews.list.invalidate(undefined, {
      predicate: ({ queryKey }) => isAbout(title, queryInput(queryKey)),
    }),
    utils.reviews.byId.invalidate(),
    utils.items.byId.invalidate(input),
    // How many of its titles the member has seen.
    utils.lists.byId.invalidate(),
    utils.accounts.profile.invalidate(),
    utils.reviews.ofUser.invalidate(),
    utils.reviews.histogramsOfUser.invalidate(),
  ])
}
