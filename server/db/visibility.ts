import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The condition that a viewer may see a member: the one place that decides it. Every query that returns something of a member joins
 * `users` and has it. `viewerId` is 0 for a visitor. Unverified accounts are never shown, because anyone could have chosen their names
 * and pictures; suspended members see only themselves.
 */
export function maySee(viewerId: number): RawBuilder<SqlBool> {
  return sql`users.verified_at is not null and (users.standing <> 'suspended' or users.id = ${viewerId})`
}

/** The condition that a viewer may see a review: not a removed one of somebody else, nor one of a member whom they may not see. */
export function maySeeReview(viewerId: number): RawBuilder<SqlBool> {
  return sql`${maySee(viewerId)} and (reviews.removed_text is null or reviews.user_id = ${viewerId})`
}

/** The condition that a title was not removed. Every query that returns titles has it; moderators see them as targets of cases. */
export const isTitleShown = sql<SqlBool>`media.removed_at is null`
