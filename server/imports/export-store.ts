import { sql } from 'kysely'
import type { Kind } from '#shared/media.ts'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { EntryRow, ImportLineRow, ImportRow, MediaRow, ReviewRow, Tables } from '#server/db/tables.ts'

/**
 * What an export reads: each list page after page, in the order of an index. `after` is the last row of the previous page.
 */

export async function findExportingMember(
  db: Db,
  userId: number,
): Promise<{ username: string; created_at: string } | undefined> {
  return db.selectFrom('users').select(['username', 'created_at']).where('id', '=', userId).executeTakeFirst()
}

/** Lists the ids of the titles that a member has reviewed, has in the diary or among the favorites, in order. */
export async function listTitleIds(
  db: Db,
  userId: number,
  after: { id: number } | undefined,
  limit: number,
): Promise<{ id: number }[]> {
  const parts = (['reviews', 'diary_entries', 'favorites'] as const).map(
    (table) => sql`select id from (select distinct media_id as id from ${sql.table(table)}
      where user_id = ${userId} and media_id > ${after?.id ?? 0} order by media_id limit ${limit}) as ${sql.ref(`of_${table}`)}`,
  )
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(parts, sql` union `)}) as titles order by id limit ${limit}`.execute(db)
  return rows
}

export type ExportedTitleRow = Pick<MediaRow, 'id' | 'kind' | 'name' | 'release_year' | 'details' | 'source'>

/** Returns the titles with these ids, by id. */
export async function listTitles(db: Db, ids: readonly number[]): Promise<ExportedTitleRow[]> {
  return db
    .selectFrom('media')
    .select(['id', 'kind', 'name', 'release_year', 'details', 'source'])
    .where(isOneOf(db, 'media.id', ids))
    .orderBy('id')
    .execute()
}

export type ExternalIdRow = Tables['external_ids']

/** Returns the external ids of the titles. */
export async function listExternalIds(db: Db, ids: readonly number[]): Promise<ExternalIdRow[]> {
  return db
    .selectFrom('external_ids')
    .select(['source', 'external_id', 'media_id'])
    .where(isOneOf(db, 'external_ids.media_id', ids))
    .orderBy('media_id')
    .orderBy('source')
    .orderBy('external_id')
    .execute()
}

const reviewColumns = [
  'media_id',
  'rating',
  'rating_given',
  'text',
  'has_spoilers',
  'created_at',
  'updated_at',
  'rated_at',
] as const
export type ExportedReviewRow = Pick<ReviewRow, (typeof reviewColumns)[number]>

/** Lists a member's reviews by the id of the title. */
export async function listReviews(
  db: Db,
  userId: number,
  after: { media_id: number } | undefined,
  limit: number,
  kind?: Kind,
): Promise<ExportedReviewRow[]> {
  return db
    .selectFrom('reviews')
    .select(reviewColumns)
    .where('user_id', '=', userId)
    .where('media_id', '>', after?.media_id ?? 0)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('media_id')
    .limit(limit)
    .execute()
}

const entryColumns = [
  'id',
  'media_id',
  'status',
  'started_on',
  'finished_on',
  'is_again',
  'rating_given',
  'text',
  'origin',
  'created_at',
  'updated_at',
] as const
export type ExportedEntryRow = Pick<EntryRow, (typeof entryColumns)[number]>

/** Lists a member's diary entries by the id of the title, then by status: the order of an index. */
export async function listEntries(
  db: Db,
  userId: number,
  after: Pick<EntryRow, 'media_id' | 'status' | 'id'> | undefined,
  limit: number,
  kind?: Kind,
): Promise<ExportedEntryRow[]> {
  return db
    .selectFrom('diary_entries')
    .select(entryColumns)
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query
        // Alone, SQLite would not use the row comparison to find its place in the index.
        .where('media_id', '>=', after!.media_id)
        .where(sql<boolean>`(media_id, status, id) > (${after!.media_id}, ${after!.status}, ${after!.id})`),
    )
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('media_id')
    .orderBy('status')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type ExportedFavoriteRow = Pick<Tables['favorites'], 'media_id' | 'created_at'>

/** Lists a member's favorites by the id of the title. */
export async function listFavorites(
  db: Db,
  userId: number,
  after: { media_id: number } | undefined,
  limit: number,
): Promise<ExportedFavoriteRow[]> {
  return db
    .selectFrom('favorites')
    .select(['media_id', 'created_at'])
    .where('user_id', '=', userId)
    .where('media_id', '>', after?.media_id ?? 0)
    .orderBy('media_id')
    .limit(limit)
    .execute()
}

export type ExportedFollowRow = { followee_id: number; username: string; created_at: string }

/** Lists the people that a member follows by their ids. */
export async function listFollowing(
  db: Db,
  userId: number,
  after: { followee_id: number } | undefined,
  limit: number,
): Promise<ExportedFollowRow[]> {
  return db
    .selectFrom('follows')
    .innerJoin('users', 'users.id', 'follows.followee_id')
    .select(['follows.followee_id', 'users.username', 'follows.created_at'])
    .where('follows.follower_id', '=', userId)
    .where('follows.followee_id', '>', after?.followee_id ?? 0)
    .orderBy('follows.followee_id')
    .limit(limit)
    .execute()
}

/** `author` is the username of the author of the review. */
type OfReview = { media_id: number; author: string }
export type ExportedReactionRow = OfReview & Omit<Tables['reactions'], 'user_id'>

/** Lists a member's reactions by the ids of the reviews. */
export async function listReactions(
  db: Db,
  userId: number,
  after: { review_id: number } | undefined,
  limit: number,
): Promise<ExportedReactionRow[]> {
  return db
    .selectFrom('reactions')
    .innerJoin('reviews', 'reviews.id', 'reactions.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['reactions.review_id', 'reactions.reaction', 'reviews.media_id', 'users.username as author'])
    .where('reactions.user_id', '=', userId)
    .where('reactions.review_id', '>', after?.review_id ?? 0)
    .orderBy('reactions.review_id')
    .limit(limit)
    .execute()
}

export type ExportedCommentRow = OfReview &
  Pick<Tables['comments'], 'text' | 'created_at'> & { id: number; has_spoilers: number }

/** Lists a member's comments by their ids. */
export async function listComments(
  db: Db,
  userId: number,
  after: { id: number } | undefined,
  limit: number,
): Promise<ExportedCommentRow[]> {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select([
      'comments.id',
      'comments.text',
      'comments.has_spoilers',
      'comments.created_at',
      'reviews.media_id',
      'users.username as author',
    ])
    .where('comments.user_id', '=', userId)
    .where('comments.id', '>', after?.id ?? 0)
    .orderBy('comments.id')
    .limit(limit)
    .execute()
}

export type ExportedImportRow = Pick<ImportRow, 'id' | 'service' | 'file_name' | 'created_at' | 'applied_at'>

export async function listImports(
  db: Db,
  userId: number,
  after: { id: number } | undefined,
  limit: number,
): Promise<ExportedImportRow[]> {
  return db
    .selectFrom('imports')
    .select(['id', 'service', 'file_name', 'created_at', 'applied_at'])
    .where('user_id', '=', userId)
    .where('id', '>', after?.id ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type UnusedLineRow = Pick<ImportLineRow, 'id' | 'file' | 'line' | 'raw'>

/** Lists the lines of an import that Medley has no place for. */
export async function listUnusedLines(
  db: Db,
  importId: number,
  after: { id: number } | undefined,
  limit: number,
): Promise<UnusedLineRow[]> {
  return db
    .selectFrom('import_lines')
    .select(['id', 'file', 'line', 'raw'])
    .where('import_id', '=', importId)
    .where('state', '=', 'notKept')
    .where('id', '>', after?.id ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute()
}
