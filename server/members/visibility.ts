import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { prepareFirst } from '#server/db/prepared.ts'
import type { UserRow } from '#server/members/tables.ts'

/**
 * What members may see of each other is decided in this file only: every query that returns a member’s data joins `users` and has one of
 * these conditions. docs/privacy.md lists the rules, and a test checks every read against them. `viewerId` is 0 for a visitor, whose
 * conditions are shorter.
 */

/**
 * The viewer of a preview of the own profile: an imaginary follower who follows nobody else. There is no such row in `users`, so this
 * viewer owns nothing, and sees of others what a stranger sees.
 */
export const followerOf = (userId: number) => -userId

/**
 * The profile can be opened, even if it is closed. Unverified accounts are never shown, because anyone could have chosen their names and
 * pictures; suspended members see only themselves.
 */
export function isShown(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`users.verified_at is not null and users.standing <> 'suspended'`
  return sql`users.verified_at is not null and (users.standing <> 'suspended' or users.id = ${viewerId})`
}

/** The name may be seen: neither has blocked the other. */
export function mayMeet(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return isShown(viewerId)
  return sql`${isShown(viewerId)} and ${hasNoBlock(viewerId)}`
}

/** Between the viewer and another member, even if that one is not shown. */
export function hasNoBlock(viewerId: number): RawBuilder<SqlBool> {
  return sql`${hasNo('blocks', 'user_id', viewerId, 'member_id')} and ${hasNo('blocks', 'member_id', viewerId, 'user_id')}`
}

/** What a member writes. Private members write for accepted followers. */
export function maySee(viewerId: number): RawBuilder<SqlBool> {
  return sql`${mayMeet(viewerId)} and ${isOpenTo(viewerId)}`
}

/** Notifications: neither has blocked the other, and the viewer has not muted the member. */
export function mayHear(viewerId: number): RawBuilder<SqlBool> {
  return sql`${mayMeet(viewerId)} and ${isHeard(viewerId)}`
}

/** The reverse of `mayHear`, for many recipients of an actor who is shown. */
export function hears(actorId: number): RawBuilder<SqlBool> {
  return sql`${hasNoBlock(actorId)} and ${hasNo('mutes', 'member_id', actorId, 'user_id')}`
}

/**
 * Not muted. Lists of what several members write have it in addition to another condition. For followed people it is enough, because a
 * block ends follows, and private members are open to their followers.
 */
export function isHeard(viewerId: number, column = 'users.id'): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`true`
  return hasNo('mutes', 'user_id', viewerId, 'member_id', column)
}

export function maySuggest(viewerId: number): RawBuilder<SqlBool> {
  return sql`${maySee(viewerId)} and ${isHeard(viewerId)} and users.hides_from_suggestions = 0`
}

/** The author's texts may be seen, and it is the viewer’s own or was not removed. */
export function maySeeReview(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`${maySee(viewerId)} and reviews.removed_text is null`
  return sql`${maySee(viewerId)} and (reviews.removed_text is null or reviews.user_id = ${viewerId})`
}

/**
 * 1 if everybody may see the texts of a member, as far as it depends on the member alone. `has_public_texts` and `is_public` of reviews get
 * this value, so that a page of reviews is read from an index. The expression of the index `users_unsettled`.
 */
export const areTextsPublic = sql.raw<number>(
  "case when users.is_private = 0 and users.standing <> 'suspended' and users.closed_at is null then 1 else 0 end",
)

/** The reviews may not have the current value of `areTextsPublic` yet. Few members are so, for a minute. */
export const isUnsettled = sql<SqlBool>`users.has_public_texts <> ${areTextsPublic}`

/**
 * The members whose `is_public` may not say what the viewer sees: those between whom and the viewer there is something, and the unsettled
 * ones, some of them twice, because SQLite takes long to leave out repetitions. `withFollowees` adds the viewer and those whom they follow.
 */
export function exceptionsFor(viewerId: number, withFollowees: boolean): RawBuilder<{ id: number }> {
  const unsettled = sql`select users.id from users where ${isUnsettled}`
  if (viewerId === 0) return sql`${unsettled}`
  const followees = sql`union all select abs(cast(${viewerId} as bigint)) union all select followee_id from follows where follower_id = ${viewerId}`
  return sql`${unsettled}
    union all select member_id from blocks where user_id = ${viewerId} union all select user_id from blocks where member_id = ${viewerId}
    union all select member_id from mutes where user_id = ${viewerId} ${withFollowees ? followees : sql``}`
}

/** The author of a review also sees the comments of private members on it. */
export function maySeeComment(viewerId: number): RawBuilder<SqlBool> {
  return sql`${mayHear(viewerId)} and (${isOpenTo(viewerId)} or ${isOnOwnReview(viewerId)})
    and comments.removed_text is null`
}

export function maySeeDiary(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`${maySee(viewerId)} and users.diary_visibility = 'public'`
  return sql`${maySee(viewerId)} and (users.diary_visibility = 'public' or users.id = ${viewerId}
    or users.diary_visibility = 'followers' and ${isFollowedBy(viewerId)})`
}

/**
 * `users` is its owner. With the `key` of its link, everybody may read a list that is shared by link; who follows it with that key needs no
 * key. Public lists of a private member are for followers.
 */
export function maySeeList(viewerId: number, key: string | null = null): RawBuilder<SqlBool> {
  const byKey = key === null ? sql`` : sql`or lists.visibility = 'link' and lists.link_key = ${key}`
  const byFollow =
    viewerId === 0
      ? sql``
      : sql`or lists.visibility = 'link' and exists (select 1 from list_follows where list_follows.list_id = lists.id
          and list_follows.user_id = ${viewerId} and list_follows.link_key = lists.link_key)`
  return sql`${mayMeet(viewerId)} and (
    lists.visibility = 'public' and ${isOpenTo(viewerId)} ${byKey} ${byFollow}
    or lists.visibility = 'followers' and ${isFollowedBy(viewerId)}
    or ${worksOn(viewerId, 'lists.id')})`
}

/** The name of an editor, or of who added a title; `users` is that member. */
export function maySeeEditor(viewerId: number, listId: string): RawBuilder<SqlBool> {
  return sql`${mayMeet(viewerId)} and (${isOpenTo(viewerId)} or ${worksOn(viewerId, listId)})`
}

/** Not removed by a decision, or the viewer’s own. */
export function isListShown(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`lists.removed_at is null`
  return sql`(lists.removed_at is null or lists.user_id = ${viewerId})`
}

type Staff = { id: number | RawBuilder<number>; isAdmin: RawBuilder<SqlBool> }

/**
 * Also who may read the cases about the member: nobody about themselves, and only admins about moderators and admins. `mayDecide` of
 * server/moderation/rules.ts is the same for loaded rows.
 */
export function mayDecideAbout(column: string, { id, isAdmin }: Staff): RawBuilder<SqlBool> {
  const userId = sql.ref(column)
  return sql`(${userId} is null or ${userId} <> ${id} and (${isAdmin}
    or not exists (select 1 from users as subject where subject.id = ${userId} and subject.role <> 'member')))`
}

export const staffOf = (id: number, rank: number): Staff => ({ id, isAdmin: sql`${rank} > 1` })

/** Every query that returns titles has it; moderators see removed ones as targets of cases. */
export const isTitleShown = sql<SqlBool>`media.removed_at is null`

type Counts = Pick<UserRow, 'follower_count' | 'following_count' | 'review_count'>

const accessQuery = prepareFirst((db, userId: number, viewerId: number) =>
  db
    .selectFrom('users')
    .select(['follower_count', 'following_count', 'review_count', 'hides_follows'])
    .select(maySee(viewerId).as('isOpen'))
    .where('users.id', '=', userId)
    .where(isShown(viewerId)),
)

/** Undefined if there is no such member. `showsFollows` is for follows and followers. */
export async function findAccess(
  db: Db,
  userId: number,
  viewerId: number,
): Promise<(Counts & { isOpen: boolean; showsFollows: boolean }) | undefined> {
  const row = await accessQuery(db, userId, viewerId)
  if (!row) return undefined
  const isOpen = Boolean(row.isOpen)
  return { ...row, isOpen, showsFollows: isOpen && (row.hides_follows === 0 || userId === viewerId) }
}

/** Few viewers are in such a table at all: the databases ask for that first, once per query, and look the members up for the others only. */
function hasNo(
  table: 'blocks' | 'mutes',
  viewerColumn: 'user_id' | 'member_id',
  viewerId: number,
  memberColumn: 'user_id' | 'member_id',
  member = 'users.id',
): RawBuilder<SqlBool> {
  const ofViewer = sql`select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${viewerColumn}`)} = ${viewerId}`
  const isMember = sql`${sql.ref(`${table}.${memberColumn}`)} = ${sql.ref(member)}`
  return sql`(not exists (${ofViewer}) or not exists (${ofViewer} and ${isMember}))`
}

function isOpenTo(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`users.is_private = 0`
  return sql`(users.is_private = 0 or users.id = ${viewerId} or ${isFollowedBy(viewerId)})`
}

function isFollowedBy(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`false`
  // The second part is `followerOf`, in SQL because prepared queries call this function once.
  return sql`(exists (select 1 from follows where follows.follower_id = ${viewerId} and follows.followee_id = users.id)
    or ${viewerId} = -users.id)`
}

export function isOnOwnReview(viewerId: number): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`false`
  return sql`exists (select 1 from reviews where reviews.id = comments.review_id and reviews.user_id = ${viewerId})`
}

/** Owns it, edits it, or is invited to. */
function worksOn(viewerId: number, listId: string): RawBuilder<SqlBool> {
  if (viewerId === 0) return sql`false`
  const id = sql.ref(listId)
  return sql`(exists (select 1 from lists as own where own.id = ${id} and own.user_id = ${viewerId})
    or exists (select 1 from list_editors where list_editors.list_id = ${id} and list_editors.user_id = ${viewerId}))`
}
