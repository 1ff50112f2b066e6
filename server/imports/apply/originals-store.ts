import { type NotNull, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { isTitleShown } from '#server/members/visibility.ts'

/** As the index `reviews_originals` has it. */
const mayBeRounded = sql<SqlBool>`reviews.rating_given is not null and reviews.rating % 10 = 0
  and reviews.removed_text is null`

/** The member’s ratings in whole stars that have an original. */
export function selectWithOriginals(db: Db, userId: number) {
  return db
    .selectFrom('reviews')
    .innerJoin('media', 'media.id', 'reviews.media_id')
    .select(['reviews.id', 'reviews.media_id', 'reviews.rating', 'reviews.rating_given'])
    .where('reviews.user_id', '=', userId)
    .where(mayBeRounded)
    .where(isTitleShown)
    .$narrowType<{ media_id: NotNull }>()
}
