import { removeRows } from '#server/db/rows.ts'
import type { Db } from '#server/db/open.ts'

type ReactionKey = { review_id: number; user_id: number }

export async function findReaction(db: Db, key: ReactionKey): Promise<'like' | 'dislike' | undefined> {
  const row = await db
    .selectFrom('reactions')
    .select('reaction')
    .where('review_id', '=', key.review_id)
    .where('user_id', '=', key.user_id)
    .executeTakeFirst()
  return row?.reaction
}

export async function setReaction(
  db: Db,
  { review_id, user_id }: ReactionKey,
  reaction: 'like' | 'dislike' | 'none',
): Promise<void> {
  const key = { review_id, user_id }
  if (reaction === 'none') return void (await removeRows(db, 'reactions', key))
  await db
    .insertInto('reactions')
    .values({ ...key, reaction })
    .onConflict((conflict) => conflict.columns(['review_id', 'user_id']).doUpdateSet({ reaction }))
    .execute()
}

export async function addReactionCounts(
  db: Db,
  reviewId: number,
  gain: { like_count: number; dislike_count: number },
): Promise<void> {
  await db
    .updateTable('reviews')
    .set((eb) => ({
      like_count: eb('like_count', '+', gain.like_count),
      dislike_count: eb('dislike_count', '+', gain.dislike_count),
    }))
    .where('id', '=', reviewId)
    .execute()
}
