import { useMutation } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { changed } from '#client/app/facts.ts'
import { getMyRating, setMyRating } from '#client/titles/my-titles.ts'
import { queryClient, retryOnce, type RouterOutputs, trpc, trpcClient, trpcUtils } from '#client/app/trpc.ts'
import { getDeleted, reviewPath } from '#client/app/deleted.ts'
import { deleteLater, sendDeletions } from '#client/app/deletions.ts'
import { withRating, type Ratings } from './histogram.ts'
import { patchReview, type Review } from './hooks.ts'
import { myReview, ratingsRouter } from './queries.ts'
import type { ReviewedTitle } from './title.ts'
import { t } from '#shared/domain/message.ts'

type Saved = Parameters<typeof trpcClient.reviews.save.mutate>[0]
type Confirmed = { running: number; ratings: Ratings | undefined; rating: number | null }

/** What the server has confirmed, by title, while ratings are being saved; a rollback restores it. */
const confirmed = new Map<number, Confirmed>()

/** Optimistic with a rollback. Calls for a title run one after the other, so that the last one wins. */
export function savingReview(title: ReviewedTitle) {
  const mine = myReviewCache(title)
  const { ratingHistogram } = ratingsRouter(trpcUtils, title)
  const input = { id: title.id }
  return {
    ...retryOnce,
    mutationKey: getMutationKey(trpc.reviews.save),
    mutationFn: (saved: Saved) => trpcClient.reviews.save.mutate(saved),
    scope: { id: `review of ${title.id}` },
    async onMutate({ rating }: Saved) {
      const known = confirmed.get(title.id) ?? {
        running: 0,
        ratings: ratingHistogram.getData(input),
        rating: mine.get()?.rating ?? getMyRating(queryClient, title.id) ?? null,
      }
      confirmed.set(title.id, known)
      known.running++
      setMyRating(queryClient, title.id, rating)
      void ratingHistogram.cancel(input)
      if (known.ratings !== undefined)
        ratingHistogram.setData(input, withRating(known.ratings, known.rating, rating))
      // Otherwise a deletion of the previous review would delete this one.
      await sendDeletions()
    },
    onSuccess({ review }: RouterOutputs['reviews']['save']) {
      mine.set(review, false)
      patchReview(review)
      const known = confirmed.get(title.id)
      if (known === undefined) return
      known.ratings &&= withRating(known.ratings, known.rating, review.rating)
      known.rating = review.rating
    },
    onSettled() {
      const known = confirmed.get(title.id)
      if (known === undefined || --known.running > 0) return
      confirmed.delete(title.id)
      if (known.ratings !== undefined) ratingHistogram.setData(input, known.ratings)
      setMyRating(queryClient, title.id, known.rating)
      void changed('rating', title.id)
    },
  }
}

export function useSaveReview(title: ReviewedTitle) {
  return useMutation(savingReview(title))
}

export function useEditReview(title: ReviewedTitle) {
  return trpc.reviews.edit.useMutation({ ...retryOnce, onSuccess: showReview(title) })
}

export type Snapshot = NonNullable<RouterOutputs['reviews']['snapshot']['snapshot']>

/** Fails if the review has changed again since. */
export function useRestoreReview(title: ReviewedTitle) {
  return trpc.reviews.restore.useMutation({ onSuccess: showReview(title) })
}

function showReview(title: ReviewedTitle) {
  const mine = myReviewCache(title)
  return ({ review }: { review: Review }) => {
    const before = mine.get()?.rating
    mine.set(review)
    patchReview(review)
    if (before !== undefined) moveRating(title, before, review.rating)
    void changed('rating', title.id)
  }
}

/** Can be undone for some seconds. `done` is the title of the toast. */
export function removeReview(
  title: ReviewedTitle,
  { id, rating }: Pick<Review, 'id' | 'rating'>,
  done: string,
): void {
  const move = (before: number | null, after: number | null) => {
    moveRating(title, before, after)
    setMyRating(queryClient, title.id, after)
  }
  move(rating, null)
  deleteLater({
    path: reviewPath(id),
    texts: { deleted: done, failed: t`It could not be deleted` },
    onDeleted: () => void changed('rating', title.id),
    onRestored() {
      move(null, rating)
      void changed('rating', title.id)
    },
  })
}

function myReviewCache(title: ReviewedTitle) {
  const { queryKey } = myReview(title)
  return {
    get() {
      const review = queryClient.getQueryData(queryKey)
      return review && getDeleted().has(reviewPath(review.id)) ? null : review
    },
    /** `isLast`: no later rating is being saved, which the posters would show instead. */
    set(review: Review | null, isLast = true) {
      // A response in flight is older than this review.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, review)
      if (isLast) setMyRating(queryClient, title.id, review?.rating ?? null)
    },
  }
}

function moveRating(title: ReviewedTitle, before: number | null, after: number | null): void {
  ratingsRouter(trpcUtils, title).ratingHistogram.setData(
    { id: title.id },
    (ratings) => ratings && withRating(ratings, before, after),
  )
}
