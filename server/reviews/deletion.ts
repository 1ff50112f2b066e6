import type { Db } from '#server/db/open.ts'
import * as deletions from './deletion-store.ts'
import { reactionsBetween } from './rules.ts'
import { addToCommentCount, removeComment } from './comments-store.ts'
import { addReactionCounts, findReaction, setReaction } from './reactions-store.ts'
import { findReview, lockReview, lockTitleOf } from './store.ts'
import { deleteReview } from './write.ts'

// Each function removes a batch and returns the number of removed items.

/** Or a batch of its comments or reactions if it has more than one batch. */
export async function removeReviews(db: Db, userId: number, limit: number): Promise<number> {
  const found = await deletions.findReviewOf(db, userId)
  if (!found) return 0
  await db.transaction().execute(async (trx) => {
    await lockTitleOf(trx, found.id)
    if (!(await lockReview(trx, found.id))) return
    if (found.comment_count > limit) {
      const comments = await deletions.takeComments(trx, found.id, limit)
      const counted = comments.filter(({ removed_text }) => removed_text === null)
      await addToCommentCount(trx, found.id, -counted.length)
    } else if (found.like_count + found.dislike_count > limit) {
      const reactions = await deletions.takeReactions(trx, found.id, limit)
      const likes = reactions.filter(({ reaction }) => reaction === 'like').length
      await addReactionCounts(trx, found.id, { like_count: -likes, dislike_count: likes - reactions.length })
    } else await deleteReview(trx, (await findReview(trx, found.id))!, () => {})
  })
  return 1
}

export async function removeComments(db: Db, userId: number, limit: number): Promise<number> {
  const comments = await deletions.listCommentsBy(db, userId, limit)
  if (comments.length === 0) return 0
  // So that two processes with the same work do not deadlock.
  comments.sort((a, b) => a.review_id - b.review_id)
  await db.transaction().execute(async (trx) => {
    for (const { id, review_id } of comments) {
      if (!(await lockReview(trx, review_id))) continue
      if ((await removeComment(trx, id))?.isCounted) await addToCommentCount(trx, review_id, -1)
    }
  })
  return comments.length
}

export async function removeReactions(db: Db, userId: number, limit: number): Promise<number> {
  const reviewIds = await deletions.listReactedReviews(db, userId, limit)
  if (reviewIds.length === 0) return 0
  await db.transaction().execute(async (trx) => {
    for (const reviewId of reviewIds) {
      if (!(await lockReview(trx, reviewId))) continue
      const key = { review_id: reviewId, user_id: userId }
      const reaction = await findReaction(trx, key)
      if (!reaction) continue
      await setReaction(trx, key, 'none')
      await addReactionCounts(trx, reviewId, reactionsBetween(reaction, 'none'))
    }
  })
  return reviewIds.length
}
