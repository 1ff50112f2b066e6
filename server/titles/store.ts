import { sql } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { meanRating } from '#shared/domain/ratings.ts'
import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { insertNew, sortByIds } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import {
  cardColumns,
  itemColumns,
  type ItemRow,
  knownColumns,
  type KnownTitle,
  type NewTitle,
  titleColumns,
  type TitlePageRow,
} from './tables.ts'
import { isTitleShown, maySee } from '#server/members/visibility.ts'

const ratedCardColumns = [
  ...cardColumns,
  'media.rating_count',
  'media.rating_sum',
  'media.created_at',
] as const

export const listCards = prepareByIds((db, ids) =>
  db
    .selectFrom('media')
    .select(ratedCardColumns)
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown),
)

export async function listAverages(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  return new Map(
    (await listCards(db, ids)).flatMap(({ id, rating_sum: sum, rating_count: count }) => {
      const average = meanRating(sum, count)
      return average === null ? [] : [[id, average]]
    }),
  )
}

/** A second query would double the time of the call. */
const externalIds = sql<
  string | null
>`(select string_agg(source || ' ' || external_id, ' ' order by external_id)
  from external_ids where media_id = media.id)`.as('ids')

/** `id username` of the member whose import created the title. */
const addedBy = sql<string | null>`case when source = 'import' then
  (select id || ' ' || username from users where users.id = media.created_by and ${maySee(0)}) end`.as(
  'added_by',
)

/** `language name`. The starter catalogue comes after other sources. */
const original = sql<string | null>`(select language || ' ' || name from title_names
  where media_id = media.id and kind = 'original' order by source = 'starter', source limit 1)`.as('original')

export const findTitle = prepareFirst((db, kind: Kind, id: number) =>
  db
    .selectFrom('media')
    .select(titleColumns)
    .select([externalIds, addedBy, original])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where(isTitleShown),
)

export async function listTitles(db: Db, ids: readonly number[]): Promise<TitlePageRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .select(titleColumns)
    .select([externalIds, addedBy, original])
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown)
    .execute()
  return sortByIds(ids, rows)
}

export async function listTitlesBetween(db: Db, first: number, last: number) {
  return db
    .selectFrom('media')
    .select(['id', 'kind'])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where(isTitleShown)
    .orderBy('id')
    .execute()
}

export async function findLastTitleId(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? 0
}

export async function insertTitle(db: Db, title: NewTitle): Promise<number> {
  const { id } = await db.insertInto('media').values(title).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Skips titles that are part of them already. */
export async function insertStoryTitles(db: Db, titles: Tables['story_titles'][]): Promise<void> {
  if (titles.length > 0) await insertNew(db, 'story_titles', titles)
}

export async function moveStories(trx: Db, from: number, to: number): Promise<void> {
  const left = await trx.deleteFrom('story_titles').where('media_id', '=', from).returning('story').execute()
  await insertStoryTitles(
    trx,
    left.map(({ story }) => ({ story, media_id: to })),
  )
}

export const listSameStory = prepareQuery((db, titleId: number, limit: number) =>
  db
    .selectFrom('story_titles as own')
    .innerJoin('story_titles as other', 'other.story', 'own.story')
    .innerJoin('media', 'media.id', 'other.media_id')
    .select('media.id')
    .distinct()
    .select(['media.rating_count', 'media.popularity'])
    .where('own.media_id', '=', titleId)
    .where('media.id', '<>', titleId)
    .orderBy('media.rating_count', 'desc')
    .orderBy('media.popularity', 'desc')
    .orderBy('media.id')
    .limit(limit),
)

export async function findItem(db: Db, id: number): Promise<ItemRow | undefined> {
  return db
    .selectFrom('media')
    .select(itemColumns)
    .where('id', '=', id)
    .where(isTitleShown)
    .executeTakeFirst()
}

export async function listFetchStates(db: Db, ids: readonly number[]) {
  return db.selectFrom('media').select(['id', 'source', 'fetched_at']).where('id', 'in', ids).execute()
}

export async function lockTitle(trx: Db, id: number): Promise<KnownTitle | undefined> {
  const query = trx.selectFrom('media').select(knownColumns).where('id', '=', id)
  return (isSqlite(trx) ? query : query.forUpdate()).executeTakeFirst()
}

/**
 * On Postgres, also locks them against deletion until the transaction ends. Deleting a title locks first the title, then the import rows
 * that refer to it: lock in the same order to avoid deadlocks.
 */
export async function lockFromRemoval(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where(isOneOf(db, 'media.id', [...new Set(ids)]))
    .orderBy('id')
    .$if(!isSqlite(db), (query) => query.forKeyShare())
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function updateTitle(db: Db, id: number, values: Partial<NewTitle>): Promise<void> {
  await db.updateTable('media').set(values).where('id', '=', id).execute()
}

export async function disownTitles(db: Db, userId: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ created_by: null })
    .where('id', 'in', (eb) =>
      eb.selectFrom('media').select('id').where('created_by', '=', userId).limit(limit),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
