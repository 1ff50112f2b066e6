import { useMutation } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { changed } from '#client/app/facts.ts'
import { getMyRating, setMyRating } from '#client/titles/my-titles.ts'
import {
  queryClient,
  retryOnce,
  type RouterOutputs,
  showFailure,
  trpc,
  trpcClient,
  trpcUtils,
} from '#client/app/trpc.ts'
import { getDeleted, reviewPath } from '#client/app/deleted.ts'
import { deleteLater, sendDeletions } from '#client/app/deletions.ts'
import { withRating, type Ratings } from './histogram.ts'
import { patchReview, type Review } from './hooks.ts'
import { myReview, ratingsRouter } from './queries.ts'
import { type ReviewedTitle, reviewedName } from './title.ts'
import { t } from '#shared/domain/message.ts'

type Saved = Parameters<typeof trpcClient.reviews.save.mutate>[0]
type Confirmed = { running: number; ratings: Ratings | undefined; rating: number | null }

/** What the server has confirmed, by what is rated, while ratings are being saved; a rollback restores it. */
const confirmed = new Map<string, Confirmed>()

/** Optimistic with a rollback. Calls for a title run one after the other, so that the last one wins. */
export function savingReview(title: ReviewedTitle) {
  const mine = myReviewCache(title)
  const name = reviewedName(title)
  const histogram = histogramCache(title)
  return {
    ...retryOnce,
    mutationKey: getMutationKey(trpc.reviews.save),
    mutationFn: (saved: Saved) => trpcClient.reviews.save.mutate(saved),
    scope: { id: `review of ${name}` },
    async onMutate({ rating }: Saved) {
      const known = confirmed.get(name) ?? {
        running: 0,
        ratings: histogram?.get(),
        rating: mine.get()?.rating ?? knownRating(title) ?? null,
      }
      confirmed.set(name, known)
      known.running++
      setKnownRating(title, rating)
      histogram?.cancel()
      if (known.ratings !== undefined) histogram?.set(withRating(known.ratings, known.rating, rating))
      // Otherwise a deletion of the previous review would delete this one.
      await sendDeletions()
    },
    onSuccess({ review }: RouterOutputs['reviews']['save']) {
      mine.set(review, false)
      patchReview(review)
      const known = confirmed.get(name)
      if (known === undefined) return
      known.ratings &&= withRating(known.ratings, known.rating, review.rating)
      known.rating = review.rating
    },
    onSettled() {
      const known = confirmed.get(name)
      if (known === undefined || --known.running > 0) return
      confirmed.delete(name)
      if (known.ratings !== undefined) histogram?.set(known.ratings)
      setKnownRating(title, known.rating)
      ratingChanged(title)
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
  return trpc.reviews.restore.useMutation({
    onSuccess: showReview(title),
    onError: (error) => showFailure(t`It was not undone`, error),
  })
}

function showReview(title: ReviewedTitle) {
  const mine = myReviewCache(title)
  return ({ review }: { review: Review }) => {
    const before = mine.get()?.rating
    mine.set(review)
    patchReview(review)
    if (before !== undefined) moveRating(title, before, review.rating)
    ratingChanged(title)
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
    setKnownRating(title, after)
  }
  move(rating, null)
  deleteLater({
    path: reviewPath(id),
    texts: { deleted: done, failed: t`It could not be deleted` },
    onDeleted: () => ratingChanged(title),
    onRestored() {
      move(null, rating)
      ratingChanged(title)
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
      if (isLast) setKnownRating(title, review?.rating ?? null)
    },
  }
}

function moveRating(title: ReviewedTitle, before: number | null, after: number | null): void {
  const histogram = histogramCache(title)
  const ratings = histogram?.get()
  if (ratings) histogram?.set(withRating(ratings, before, after))
}

/** Posters show the rating of a title, not the ratings of its parts. */
const knownRating = ({ id, part }: ReviewedTitle) => (part ? null : getMyRating(queryClient, id))
const setKnownRating = ({ id, part }: ReviewedTitle, rating: number | null) =>
  part ? undefined : setMyRating(queryClient, id, rating)

/** A part has no histogram. */
function histogramCache(title: ReviewedTitle) {
  if (title.part) return undefined
  const { ratingHistogram } = ratingsRouter(trpcUtils, title)
  const input = { id: title.id }
  return {
    get: () => ratingHistogram.getData(input),
    set: (ratings: Ratings) => void ratingHistogram.setData(input, ratings),
    cancel: () => void ratingHistogram.cancel(input),
  }
}

function ratingChanged({ id, part }: ReviewedTitle): void {
  if (part) void changed('partRating')
  else void changed('rating', id)
}
