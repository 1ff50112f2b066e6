import { recount } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import { partSize } from '#server/db/rows.ts'
import type { OwnReviewRow } from './tables.ts'
import { isUsedIn, type TitleRows } from '#server/feature.ts'
import { counters } from './counters.ts'
import * as rows from './move-store.ts'
import { pairOf } from './rules.ts'
import { changeRating, deleteReview } from './write.ts'

const withoutPublishing = () => {}

/**
 * If a member has reviewed both titles, `pairOf` says which review stays, with the newer of the two ratings, and the comments and reactions
 * of both. The diary keeps the other text.
 */
export const titleRows: TitleRows = {
  tables: ['reviews', 'rating_counts'],
  isUsed: isUsedIn('reviews'),
  async move(trx, from, to) {
    for (;;) {
      const reviews = await rows.listReviewsOf(trx, from, partSize)
      const userIds = reviews.map(({ user_id }) => user_id)
      for (const pair of await rows.listPairs(trx, reviews, to)) await joinReviews(trx, pairOf(...pair))
      await rows.moveReviews(trx, from, to, userIds)
      if (reviews.length < partSize) break
    }
    await rows.moveSafeEpisodes(trx, from, to)
    await rows.moveCounts(trx, from, to)
  },
  async remove(trx, id) {
    for (;;) {
      const reviews = await rows.listReviewsOf(trx, id, partSize)
      await rows.removeReviews(trx, reviews)
      if (reviews.length < partSize) break
    }
    await rows.removeCounts(trx, id)
  },
}

/** The one that is not kept is deleted. */
async function joinReviews(trx: Db, { kept, other }: { kept: OwnReviewRow; other: OwnReviewRow }) {
  await rows.moveReplies(trx, other.id, kept.id)
  await recount(trx, counters, 'reviews', [other.id, kept.id])
  await deleteReview(trx, other, withoutPublishing)
  if (other.rated_at <= kept.rated_at) return
  await changeRating(trx, kept, other, withoutPublishing)
}
