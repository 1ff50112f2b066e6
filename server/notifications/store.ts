import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { unreadMax } from '#shared/domain/limits.ts'
import type { ImportOrigin } from '#shared/domain/import-formats.ts'
import { rankOf, type Role } from '#shared/domain/roles.ts'
import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { cardColumns } from '#server/titles/tables.ts'
import { titleOfReview } from '#server/reviews/tables.ts'
import type { InboxRow } from './tables.ts'
import {
  isListShown,
  mayDecideAbout,
  staffOf,
  isTitleShown,
  mayHear,
  maySeeComment,
  maySeeEditor,
  maySeeList,
  maySeeReview,
} from '#server/members/visibility.ts'
import { shownText } from '#server/members/withheld.ts'
import type { ReportTarget } from '#shared/domain/moderation.ts'

// Inboxes

const emptyInbox = { last_at: '', read_to: '', mailed_to: '', digest_at: null, settings: '{}' }

export async function findInbox(db: Db, userId: number): Promise<InboxRow> {
  const row = await db.selectFrom('inboxes').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row ?? { user_id: userId, ...emptyInbox }
}

/** Not of members who are suspended or gone. */
export async function listInboxStates(db: Db, userIds: readonly number[]) {
  return db
    .selectFrom('users')
    .leftJoin('inboxes', 'inboxes.user_id', 'users.id')
    .select(['users.id', 'inboxes.last_at', 'inboxes.read_to'])
    .where(isOneOf(db, 'users.id', userIds))
    .where('users.standing', '<>', 'suspended')
    .execute()
}

// Reading

export const endOfTime = '9999'

export const listNotifications = prepareQuery((db, userId: number, before: string, limit: number) =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('at', '<', before)
    .orderBy('at', 'desc')
    .limit(limit),
)

const unread = prepareFirst(
  (db, viewerId: number, rank: number, limit: number) => sql<{ count: number }>`
    select count(*) as count from (select actors, target_type, target_id from notifications where user_id = ${viewerId}
      and at > coalesce((select read_to from inboxes where user_id = ${viewerId}), '')
      order by at desc limit ${limit}) as unread
    where ${isPresented(db, viewerId, rank)}`,
)

/** With the role that the call may use. */
export type Recipient = { id: number; role: Role }

/** Of the last `unreadMax`, as far as they are shown. */
export async function countUnread(db: Db, { id, role }: Recipient): Promise<number> {
  return Number((await unread(db, id, rankOf(role), unreadMax))!.count)
}

function isPresented(db: Db, viewerId: number, rank: number): RawBuilder<SqlBool> {
  const isActor = isSqlite(db)
    ? sql`users.id in (select value from json_each(unread.actors))`
    : sql`users.id = any(translate(unread.actors, '[]', '{}')::bigint[])`
  return sql`(actors = '[]' or exists (select 1 from users where ${isActor} and ${mayHear(viewerId)}))
    and case target_type
      when 'review' then exists (select 1 from reviews
        join users on users.id = reviews.user_id join media on media.id = ${titleOfReview}
        where reviews.id = unread.target_id and ${maySeeReview(viewerId)} and ${isTitleShown})
      when 'list' then exists (select 1 from lists join users on users.id = lists.user_id
        where lists.id = unread.target_id and ${maySeeList(viewerId)} and ${isListShown(viewerId)})
      when 'season' then exists (select 1 from parts join media on media.id = parts.media_id
        where parts.id = unread.target_id and parts.is_gone = 0 and ${isTitleShown})
      when 'case' then ${rank === 0 ? sql`false` : sql`exists (select 1 from cases where cases.id = unread.target_id and ${mayDecideAbout('cases.user_id', staffOf(viewerId, rank))})`}
      else true end`
}

export const listActors = prepareQuery((db, ids: readonly number[], viewerId: number) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'picture'])
    .where(isOneOf(db, 'users.id', ids))
    .where(mayHear(viewerId)),
)

export const listReviewTargets = prepareQuery((db, ids: readonly number[], viewerId: number) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .innerJoin('media', (join) => join.on('media.id', '=', titleOfReview))
    .select([
      ...cardColumns,
      'reviews.id as review_id',
      'reviews.user_id',
      'reviews.part_id',
      'reviews.has_spoilers',
      shownText(viewerId, 'review'),
    ])
    .where(isOneOf(db, 'reviews.id', ids))
    .where(maySeeReview(viewerId))
    .where(isTitleShown),
)

export async function listDecidable(
  db: Db,
  ids: readonly number[],
  { id, role }: Recipient,
): Promise<number[]> {
  if (ids.length === 0 || role === 'member') return []
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where(isOneOf(db, 'cases.id', ids))
    .where(mayDecideAbout('cases.user_id', staffOf(id, rankOf(role))))
    .execute()
  return rows.map((row) => row.id)
}

/** With the card of the show, and the first episode that the recipient has not watched. */
export const listSeasonTargets = prepareQuery((db, ids: readonly number[], viewerId: number) =>
  db
    .selectFrom('parts as season')
    .innerJoin('media', 'media.id', 'season.media_id')
    .leftJoin('parts as next', (join) =>
      join.on(
        'next.id',
        '=',
        sql`(select parts.id from parts where parts.parent_id = season.id and parts.type = 'episode' and parts.is_gone = 0
          and not exists (select 1 from plays where plays.user_id = ${viewerId} and plays.episode_id = parts.id)
          order by parts.number limit 1)`,
      ),
    )
    .select(cardColumns)
    .select(['season.id as season_id', 'season.number as season_number'])
    .select(['next.id as next_id', 'next.number as next_number', 'next.name as next_name'])
    .select(['next.release_date as next_on', 'next.airs_at as next_at', 'next.runtime as next_runtime'])
    .select(
      sql<string | null>`(select min(parts.release_date) from parts where parts.parent_id = season.id
        and parts.type = 'episode' and parts.is_gone = 0 and parts.number > next.number)`.as('later_on'),
    )
    .where(isOneOf(db, 'season.id', ids))
    .where('season.is_gone', '=', 0)
    .where(isTitleShown),
)

/** The numbers are JSON. */
export function listImportTargets(
  db: Db,
  ids: readonly number[],
  userId: number,
): Promise<{ id: number; service: ImportOrigin; facts: string }[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('imports')
    .select(['id', 'service', 'facts'])
    .where(isOneOf(db, 'imports.id', ids))
    .where('user_id', '=', userId)
    .execute()
}

/** The snapshot is JSON. */
export function listDecisionTargets(
  db: Db,
  ids: readonly number[],
  userId: number,
): Promise<{ id: number; target_type: ReportTarget; snapshot: string }[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('decisions')
    .innerJoin('cases', 'cases.id', 'decisions.case_id')
    .select(['decisions.id', 'decisions.target_type', 'cases.snapshot'])
    .where(isOneOf(db, 'decisions.id', ids))
    .where('decisions.user_id', '=', userId)
    .execute()
}

/** Returns how many. */
export async function removeBefore(db: Db, day: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('notifications')
    .where('id', 'in', (eb) =>
      eb.selectFrom('notifications').select('id').where('day', '<', day).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

// Who is notified

/** Undefined if the account cannot be used. */
export async function findMailbox(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email', 'role', 'standing'])
    .where('id', '=', userId)
    .where('verified_at', 'is not', null)
    .where('standing', '<>', 'suspended')
    .executeTakeFirst()
}

export async function listModerators(db: Db, caseId: number, limit: number): Promise<number[]> {
  const staff = { id: sql<number>`users.id`, isAdmin: sql<SqlBool>`users.role = 'admin'` }
  const rows = await db
    .selectFrom('users')
    .innerJoin('cases', (join) => join.on('cases.id', '=', caseId))
    .select('users.id')
    .where('users.role', 'in', ['moderator', 'admin'])
    .where('users.standing', '=', 'active')
    .where(mayDecideAbout('cases.user_id', staff))
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

type CommentRow = { id: number; review_id: number; user_id: number; author_id: number }

export async function findComment(db: Db, id: number): Promise<CommentRow | undefined> {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .select(['comments.id', 'comments.review_id', 'comments.user_id', 'reviews.user_id as author_id'])
    .where('comments.id', '=', id)
    .where('comments.removed_text', 'is', null)
    .executeTakeFirst()
}

export async function seesComment(
  db: Db,
  { id, review_id }: Pick<CommentRow, 'id' | 'review_id'>,
  viewerId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select('comments.id')
    .where('comments.id', '=', id)
    .where(maySeeComment(viewerId))
    .executeTakeFirst()
  return row !== undefined && (await listReviewTargets(db, [review_id], viewerId)).length > 0
}

const threadMax = 200

export async function listCommenters(db: Db, { id, review_id }: CommentRow): Promise<number[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('comments')
        .select('user_id')
        .where('review_id', '=', review_id)
        .where('id', '<', id)
        .where('removed_text', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(threadMax)
        .as('last'),
    )
    .select('user_id')
    .distinct()
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Undefined if the source does not have it any longer. */
export async function findSeason(
  db: Db,
  id: number,
): Promise<{ media_id: number; number: number } | undefined> {
  return db
    .selectFrom('parts')
    .innerJoin('media', 'media.id', 'parts.media_id')
    .select(['parts.media_id', 'parts.number'])
    .where('parts.id', '=', id)
    .where('parts.type', '=', 'season')
    .where('parts.is_gone', '=', 0)
    .where(isTitleShown)
    .executeTakeFirst()
}

/** Who has a title in the diary, by id. */
export async function listViewers(db: Db, titleId: number, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('diary_entries')
    .select('user_id')
    .distinct()
    .where('media_id', '=', titleId)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function hasTitlesBy(db: Db, listId: number, by: number, after: Date): Promise<boolean> {
  const row = await db
    .selectFrom('list_items')
    .select('media_id')
    .where('list_id', '=', listId)
    .where('added_by', '=', by)
    .where('added_at', '>', after.toISOString())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Undefined if they may not hear of the editor at all. */
export async function seesEditor(
  db: Db,
  listId: number,
  editorId: number,
  viewerId: number,
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom(['users', 'lists'])
    .select(maySeeEditor(viewerId, 'lists.id').as('isNamed'))
    .where('users.id', '=', editorId)
    .where('lists.id', '=', listId)
    .where(mayHear(viewerId))
    .executeTakeFirst()
  return row && Boolean(row.isNamed)
}
