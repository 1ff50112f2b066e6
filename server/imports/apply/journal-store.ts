import { type Insertable, type Selectable, sql, type SqlBool } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import { isTitleShown } from '#server/members/visibility.ts'
import { titleOfReview } from '#server/reviews/tables.ts'

/** The owner, the subject and the order of the rows of a table. */
const columns = {
  reviews: ['user_id', 'media_id', 'id'],
  diary_entries: ['user_id', 'media_id', 'id'],
  favorites: ['user_id', 'media_id', 'media_id'],
  import_changes: ['user_id', 'media_id', 'id'],
  lists: ['user_id', 'id', 'id'],
  follows: ['follower_id', 'followee_id', 'followee_id'],
} as const
export type OwnTable = keyof typeof columns

/** About these titles, these lists, or the follows of these members. */
export async function listOwn<Table extends OwnTable>(
  db: Db,
  table: Table,
  userId: number,
  ids: readonly number[],
): Promise<Selectable<Tables[Table]>[]> {
  if (ids.length === 0) return []
  const [owner, about, order] = columns[table] as (typeof columns)['reviews']
  const rows = db
    .selectFrom(table as 'reviews')
    .selectAll()
    .where(owner, '=', userId)
  return (await rows
    .where(isOneOf(db, about, ids))
    .orderBy(order)
    .execute()) as never
}

/** Of seasons and episodes: by their titles, or these reviews. `media_id` is the title. */
export async function listOwnPartReviews(
  db: Db,
  userId: number,
  by: 'parts.media_id' | 'reviews.id',
  ids: readonly number[],
) {
  if (ids.length === 0) return []
  return db
    .selectFrom('reviews')
    .innerJoin('parts', 'parts.id', 'reviews.part_id')
    .selectAll('reviews')
    .select(['parts.media_id', 'parts.type', 'parts.number', 'parts.season'])
    .where('reviews.user_id', '=', userId)
    .where(isOneOf(db, by, ids))
    .execute()
}

export async function listOwnItems(db: Db, userId: number, mediaIds: readonly number[]) {
  if (mediaIds.length === 0) return []
  return db
    .selectFrom('list_items')
    .innerJoin('lists', 'lists.id', 'list_items.list_id')
    .select(['list_items.list_id', 'list_items.media_id', 'list_items.note'])
    .where('lists.user_id', '=', userId)
    .where(isOneOf(db, 'list_items.media_id', mediaIds))
    .execute()
}

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

export async function insertIntoJournal(db: Db, values: Insertable<Tables['import_changes']>): Promise<void> {
  await db.insertInto('import_changes').values(values).execute()
}

export async function listJournalBefore(db: Db, importId: number, before: number, limit: number) {
  const changes = db.selectFrom('import_changes').selectAll().where('import_id', '=', importId)
  return changes.where('id', '<', before).orderBy('id', 'desc').limit(limit).execute()
}

/** What restorations of original ratings have written about these titles, or this review of one, in order. */
export async function listRestorations(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
  reviewId?: number,
) {
  return db
    .selectFrom('import_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .$if(reviewId !== undefined, (query) => query.where('target_id', '=', reviewId!))
    .where('import_id', 'in', (eb) =>
      eb.selectFrom('imports').select('id').where('user_id', '=', userId).where('service', '=', 'originals'),
    )
    .orderBy('id')
    .execute()
}

export async function removeFromJournal(db: Db, changes: readonly { id: number }[]): Promise<void> {
  const ids = changes.map(({ id }) => id)
  const journal = db.deleteFrom('import_changes')
  await journal.where(isOneOf(db, 'id', ids)).execute()
}

export async function hasOtherHalfStars(db: Db, userId: number, importId: number): Promise<boolean> {
  const changes = db.selectFrom('import_changes').select('id').where('user_id', '=', userId)
  const ofMember = changes.where('media_id', 'is', null).where('what', '=', 'halfStars')
  return (await ofMember.where('import_id', '<>', importId).limit(1).execute()).length > 0
}

type EntryValues = Pick<EntryRow, 'status' | 'origin'> & Partial<EntryRow>

/** Changes nothing and returns false if another entry excludes it: two that are wanted, two that are under way, or two of one origin. */
export async function updateImportedEntry(db: Db, id: number, values: EntryValues): Promise<boolean> {
  const { status, origin } = values
  const isOpen = status === 'started' || status === 'paused'
  const excluded = isOpen ? ['started', 'paused'] : status === 'want' ? ['want'] : ['none']
  const { numUpdatedRows } = await db
    .updateTable('diary_entries')
    .set(values)
    .where('id', '=', id)
    .where(
      sql<boolean>`not exists (select 1 from diary_entries as others
        where others.user_id = diary_entries.user_id and others.id <> diary_entries.id and (others.origin = ${origin}
          or (others.media_id = diary_entries.media_id and others.status in (${sql.join(excluded)}))))`,
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
