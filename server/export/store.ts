import type { NotNull } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { isTitleShown } from '#server/members/visibility.ts'
import type { Tables } from '#server/db/tables.ts'
import type { TitleRow } from '#server/titles/tables.ts'

export async function findExportingMember(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .leftJoin('inboxes', 'inboxes.user_id', 'users.id')
    .select(['username', 'created_at', 'bio', 'half_stars', 'language', 'title_names'])
    .select(['country', 'subscriptions', 'inboxes.settings'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
}

export function selectTitleIds(
  db: Db,
  table: 'reviews' | 'removed_reviews' | 'diary_entries' | 'favorites',
  userId: number,
) {
  return db
    .selectFrom(table as 'reviews')
    .select('media_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('media_id', 'is not', null)
    .$narrowType<{ media_id: NotNull }>()
}

export type ExportedTitleRow = Pick<TitleRow, 'id' | 'kind' | 'name' | 'release_year' | 'details' | 'source'>

/** By id. Removed ones have no name and no details, so that what a member wrote about them stays. */
export async function listTitles(db: Db, ids: readonly number[]): Promise<ExportedTitleRow[]> {
  const rows = await db
    .selectFrom('media')
    .select(['id', 'kind', 'name', 'release_year', 'details', 'source', isTitleShown.as('is_shown')])
    .where(isOneOf(db, 'media.id', ids))
    .orderBy('id')
    .execute()
  const nothing = { name: '', release_year: null, details: JSON.stringify({ creators: [] }) }
  return rows.map(({ is_shown, ...row }) => (is_shown ? row : { ...row, ...nothing }))
}

export type ExternalIdRow = Tables['external_ids']

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

export async function countFavorites(db: Db, userId: number) {
  return db
    .selectFrom('favorites')
    .select(['kind', (query) => query.fn.countAll().as('count')])
    .where('user_id', '=', userId)
    .groupBy('kind')
    .execute()
}

/** In the member’s own lists. */
export async function countListItems(db: Db, userId: number) {
  return db
    .selectFrom('lists')
    .innerJoin('list_items', 'list_items.list_id', 'lists.id')
    .select(['list_items.kind', (query) => query.fn.countAll().as('count')])
    .where('lists.user_id', '=', userId)
    .groupBy('list_items.kind')
    .execute()
}

export async function countPartReviews(db: Db, userId: number) {
  return db
    .selectFrom('reviews')
    .select(['kind', (query) => query.fn.countAll().as('count')])
    .where('user_id', '=', userId)
    .where('part_id', 'is not', null)
    .groupBy('kind')
    .execute()
}
