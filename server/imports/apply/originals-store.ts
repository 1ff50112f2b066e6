import { type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { isTitleShown } from '#server/members/visibility.ts'
import { titleOfReview } from '#server/reviews/tables.ts'

/** As the index `reviews_originals` has it. */
const mayBeRounded = sql<SqlBool>`reviews.rating_given is not null and reviews.rating % 10 = 0
  and reviews.removed_text is null`

/** The member’s ratings in whole stars that have an original. `media_id` is the title, also of a rating of a part. */
export function selectWithOriginals(db: Db, userId: number) {
  return db
    .selectFrom('reviews')
    .innerJoin('media', (join) => join.on('media.id', '=', titleOfReview))
    .select(['reviews.id', 'media.id as media_id', 'reviews.rating', 'reviews.rating_given'])
    .where('reviews.user_id', '=', userId)
    .where(mayBeRounded)
    .where(isTitleShown)
}
