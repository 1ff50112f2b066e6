import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { countRows, hasRow, insertNew, removeRows } from '#server/db/rows.ts'
import type { UserRow } from '#server/members/tables.ts'
import { hasNoBlock, isShown, mayMeet } from '#server/members/visibility.ts'

type PrivacyRow = Pick<UserRow, 'is_private' | 'hides_from_suggestions' | 'hides_follows'>
export type Hidden = 'blocks' | 'mutes'
export type Pair = { user_id: number; member_id: number }
export type Request = { follower_id: number; followee_id: number }
export type PersonSinceRow = Pick<UserRow, 'id' | 'username' | 'picture' | 'is_private'> & { since: string }

export async function findPrivacy(db: Db, userId: number): Promise<PrivacyRow> {
  return db
    .selectFrom('users')
    .select(['is_private', 'hides_from_suggestions', 'hides_follows'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function updatePrivacy(db: Db, userId: number, values: Partial<PrivacyRow>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await db.updateTable('users').set(values).where('id', '=', userId).execute()
}

export async function insertHidden(db: Db, table: Hidden, pair: Pair, at: string): Promise<void> {
  await insertNew(db, table, { ...pair, created_at: at })
}

export async function removeHidden(db: Db, table: Hidden, { user_id, member_id }: Pair): Promise<void> {
  await removeRows(db, table, { user_id, member_id })
}

export async function hasBlocked(db: Db, { user_id, member_id }: Pair): Promise<boolean> {
  return hasRow(db, 'blocks', { user_id, member_id })
}

type Window = { limit: number; offset: number }

export async function listHidden(db: Db, table: Hidden, userId: number, { limit, offset }: Window) {
  return db
    .selectFrom(table)
    .innerJoin('users', 'users.id', `${table}.member_id`)
    .select(['users.id', 'users.username', 'users.picture', 'users.is_private'])
    .select(`${table}.created_at as since`)
    .where(`${table}.user_id`, '=', userId)
    .where(isShown(userId))
    .orderBy(`${table}.created_at`, 'desc')
    .orderBy('users.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countHidden(db: Db, table: Hidden, userId: number): Promise<number> {
  return countRows(db.selectFrom(table).where('user_id', '=', userId))
}

/** Returns false if there is one already, which stays as it is. */
export async function insertRequest(db: Db, request: Request, at: string): Promise<boolean> {
  return insertNew(db, 'follow_requests', { ...request, created_at: at })
}

export async function removeRequest(db: Db, { follower_id, followee_id }: Request): Promise<boolean> {
  return removeRows(db, 'follow_requests', { follower_id, followee_id })
}

export async function removeRequests(
  db: Db,
  followeeId: number,
  followerIds: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('follow_requests')
    .where('followee_id', '=', followeeId)
    .where(isOneOf(db, 'follower_id', followerIds))
    .execute()
}

export async function findRelation(db: Db, userId: number, memberId: number) {
  const row = await db
    .selectNoFrom((eb) => {
      const follows = (table: 'follows' | 'follow_requests') =>
        eb.exists(
          eb
            .selectFrom(table)
            .select(eb.lit(1).as('one'))
            .where(`${table}.follower_id`, '=', userId)
            .where(`${table}.followee_id`, '=', memberId),
        )
      const hides = (table: Hidden) =>
        eb.exists(
          eb
            .selectFrom(table)
            .select(eb.lit(1).as('one'))
            .where(`${table}.user_id`, '=', userId)
            .where(`${table}.member_id`, '=', memberId),
        )
      return [
        follows('follows').as('isFollowing'),
        follows('follow_requests').as('isRequested'),
        hides('mutes').as('isMuted'),
        hides('blocks').as('isBlocked'),
      ]
    })
    .executeTakeFirstOrThrow()
  return {
    isFollowing: Boolean(row.isFollowing),
    ...(row.isRequested && { isRequested: true as const }),
    ...(row.isMuted && { isMuted: true as const }),
    ...(row.isBlocked && { isBlocked: true as const }),
  }
}

export async function countRequestsBy(db: Db, followerId: number): Promise<number> {
  return countRows(db.selectFrom('follow_requests').where('follower_id', '=', followerId))
}

/** Requests of blocked members are kept, so that they do not notice. */
function shownRequests(db: Db, followeeId: number) {
  return db
    .selectFrom('follow_requests')
    .innerJoin('users', 'users.id', 'follow_requests.follower_id')
    .where('follow_requests.followee_id', '=', followeeId)
    .where(mayMeet(followeeId))
}

export async function listRequests(db: Db, followeeId: number, { limit, offset }: Window) {
  return shownRequests(db, followeeId)
    .select(['users.id', 'users.username', 'users.picture', 'users.is_private'])
    .select('follow_requests.created_at as since')
    .orderBy('follow_requests.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countRequests(db: Db, followeeId: number): Promise<number> {
  return countRows(shownRequests(db, followeeId))
}

export async function isRequestShown(db: Db, { follower_id, followee_id }: Request): Promise<boolean> {
  const row = await shownRequests(db, followee_id)
    .select('users.id')
    .where('users.id', '=', follower_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Oldest first, also of suspended members, whose suspension may end. */
export async function listRequesters(db: Db, followeeId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('follow_requests')
    .innerJoin('users', 'users.id', 'follow_requests.follower_id')
    .select('users.id')
    .where('follow_requests.followee_id', '=', followeeId)
    .where('users.verified_at', 'is not', null)
    .where(hasNoBlock(followeeId))
    .orderBy('follow_requests.created_at')
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/**
 * In the order of their ids; returns those who are shown. Every change of a follow, a request or a block locks both members first, so that
 * a block never leaves a follow.
 */
export async function lockMembers(trx: Db, ids: readonly number[]) {
  const rows = await trx
    .selectFrom('users')
    .select(['id', 'is_private', isShown(0).as('isShown')])
    .where(isOneOf(trx, 'users.id', ids))
    .orderBy('id')
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
    .execute()
  return rows.filter((row) => row.isShown)
}

export function selectExportedPairs(db: Db, table: Hidden, userId: number) {
  const pairs = table as 'blocks'
  return db
    .selectFrom(pairs)
    .innerJoin('users', 'users.id', `${pairs}.member_id`)
    .select([`${pairs}.member_id`, 'users.username', `${pairs}.created_at`])
    .where(`${pairs}.user_id`, '=', userId)
}

export function selectExportedRequests(db: Db, userId: number) {
  return db
    .selectFrom('follow_requests')
    .innerJoin('users', 'users.id', 'follow_requests.followee_id')
    .select(['follow_requests.followee_id', 'users.username', 'follow_requests.created_at'])
    .where('follow_requests.follower_id', '=', userId)
}
