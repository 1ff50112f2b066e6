import { partSize } from '#server/db/rows.ts'
import type { TitleRows } from '#server/feature.ts'
import * as content from './content-store.ts'

/**
 * Reviews that were removed with their ratings. If a member has one of each title, the one of the other title stays: only one could come
 * back. Cases and decisions about the title itself are about what it said, and stay with it.
 */
export const titleRows: TitleRows = {
  tables: ['removed_reviews'],
  async move(trx, from, to) {
    for (;;) {
      const removed = await content.listRemovedReviewsOf(trx, from, partSize)
      for (const review of removed)
        if (!(await content.moveRemovedReview(trx, review, to)))
          await content.deleteRemovedReview(trx, review.review_id)
      if (removed.length < partSize) return
    }
  },
  async remove(trx, id) {
    for (;;) {
      const removed = await content.listRemovedReviewsOf(trx, id, partSize)
      for (const { review_id } of removed) await content.deleteRemovedReview(trx, review_id)
      if (removed.length < partSize) return
    }
  },
}
