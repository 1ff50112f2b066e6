import { addTask, notify, takeBack, type Target } from '#server/accounts/notify-store.ts'
import type { Db } from '#server/db/open.ts'
import { hasRow } from '#server/db/rows.ts'
import { findReview } from './store.ts'

const reviewTarget = (id: number): Target => ({ type: 'review', id })

export async function reviewLiked(
  trx: Db,
  { reviewId, by, isLiked }: { reviewId: number; by: number; isLiked: boolean },
  now: Date,
): Promise<void> {
  const review = await findReview(trx, reviewId)
  if (!review) return
  const like = { type: 'like' as const, to: review.user_id, by, target: reviewTarget(reviewId) }
  await (isLiked ? notify(trx, { ...like, now }) : takeBack(trx, like))
}

type Comment = { id: number; review_id: number; user_id: number }

/** The author of the review at once; in the background those who commented before. */
export async function commented(
  trx: Db,
  { id, review_id, user_id: by }: Comment,
  { isFirst, now }: { isFirst: boolean; now: Date },
): Promise<void> {
  if (!isFirst) await addTask(trx, 'thread', [id], now)
  const review = await findReview(trx, review_id)
  if (review)
    await notify(trx, { type: 'comment', to: review.user_id, by, target: reviewTarget(review_id), now })
}

export async function uncommented(trx: Db, { review_id, user_id: by }: Omit<Comment, 'id'>): Promise<void> {
  if (await hasRow(trx, 'comments', { review_id, user_id: by, removed_text: null })) return
  await takeBack(trx, { type: 'comment', by, target: reviewTarget(review_id) })
}
