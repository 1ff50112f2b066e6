import type { Db } from '#server/db/open.ts'
import type { DeliveryRow } from './tables.ts'
import { withResources } from '#server/changes/resources.ts'
import type { Feature } from '#server/feature.ts'
import { findComment } from '#server/reviews/comments-store.ts'
import { toComment } from '#server/reviews/rules.ts'
import { findReaction } from '#server/reviews/reactions-store.ts'
import { toPerson } from '#server/social/rules.ts'
import { listPeople } from '#server/social/store.ts'
import { typeOf } from './rules.ts'

/** With the current state of the resource; undefined if a comment or a reaction no longer exists, or the member may not see who made it. */
export async function payloadOf(
  db: Db,
  features: readonly Feature[],
  userId: number,
  row: Pick<DeliveryRow, 'event' | 'action' | 'thing_id' | 'media_id' | 'actor_id' | 'created_at'>,
): Promise<string | undefined> {
  const { event, action, thing_id, media_id, actor_id, created_at } = row
  const body = (data: object, type = typeOf(row)) => JSON.stringify({ type, timestamp: created_at, data })
  if (event === 'test') return body({ webhookId: thing_id })
  if (event === 'comment') {
    const comment = await findComment(db, thing_id, userId)
    if (!comment) return undefined
    return body({
      reviewId: comment.review_id,
      itemId: media_id,
      comment: toComment(comment),
    })
  }
  if (event === 'reaction') {
    const reaction = await findReaction(db, { review_id: thing_id, user_id: actor_id! })
    const [user] = await listPeople(db, [actor_id!], userId, 'heard')
    if (!reaction || !user) return undefined
    return body({
      reviewId: thing_id,
      itemId: media_id,
      reaction,
      user: toPerson(user),
    })
  }
  const [change] = await withResources(db, features, userId, [
    { area: event, action, thing_id, media_id, at: created_at },
  ])
  return body(change!, typeOf({ event, action: change!.action }))
}
