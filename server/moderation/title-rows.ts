import { partSize } from '#server/db/rows.ts'
import type { TitleRows } from '#server/feature.ts'
import * as content from './content-store.ts'

/**
 * If a member has a removed review of each title, the other title’s stays: only one could come back. Cases about the title itself
 * stay with it.
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
