import { type Insertable, type RawBuilder, sql, type SqlBool, type Updateable } from 'kysely'
import { listPopularMax, listPreviewMax, listsMax } from '#shared/domain/limits.ts'
import type { ListSort } from '#shared/contracts/lists.ts'
import { isOneOf, isSqlite, lockKeys, startsWith } from '#server/db/dialect.ts'
import { termsOf } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { countRows, removeInParts } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import type { ListRow } from './tables.ts'
import { isHeard, isListShown, isShown, mayMeet, maySeeList } from '#server/members/visibility.ts'

export type ShownListRow = Omit<ListRow, 'link_key'> & { username: string; picture: string | null }
/** The id is 0 for a visitor; the key is of a link. */
export type Viewer = { id: number; key?: string | undefined }

const shownColumns = [
  'lists.id',
  'lists.user_id',
  'lists.title',
  'lists.description',
  'lists.is_ranked',
  'lists.visibility',
  'lists.tags',
  'lists.item_count',
  'lists.like_count',
  'lists.copied_from',
  'lists.created_at',
  'lists.updated_at',
  'lists.removed_at',
  'users.username',
  'users.picture',
] as const

/** Without lists that a decision removed; their owner sees them. */
function ownedLists(db: Db, viewerId: number) {
  return db.selectFrom('lists').innerJoin('users', 'users.id', 'lists.user_id').where(isListShown(viewerId))
}

const listQuery = prepareFirst((db, id: number, viewerId: number, key: string | null) =>
  ownedLists(db, viewerId)
    .select([...shownColumns, 'lists.link_key'])
    .where('lists.id', '=', id)
    .where(maySeeList(viewerId, key)),
)

export async function findList(db: Db, id: number, viewer: Viewer) {
  return listQuery(db, id, viewer.id, viewer.key ?? null)
}

/** In the order of the ids. Does not check who may read them, but leaves out removed ones of others. */
export const readLists = prepareByIds((db, ids, viewerId: number) =>
  ownedLists(db, viewerId)
    .select(shownColumns)
    .where(isShown(viewerId))
    .where(isOneOf(db, 'lists.id', ids)),
)

export const listReadableAmong = prepareQuery((db, ids: readonly number[], viewerId: number) =>
  ownedLists(db, viewerId)
    .select(shownColumns)
    .where(isOneOf(db, 'lists.id', ids))
    .where(maySeeList(viewerId)),
)

export async function lockList(trx: Db, id: number): Promise<ListRow | undefined> {
  return trx
    .selectFrom('lists')
    .selectAll()
    .where('id', '=', id)
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

/** No other call can add a list until the transaction ends. */
export async function lockListCount(trx: Db, userId: number): Promise<number> {
  await lockKeys(trx, [`lists of ${userId}`])
  return countRows(trx.selectFrom('lists').where('user_id', '=', userId))
}

export async function listNamesOf(
  db: Db,
  userId: number,
): Promise<{ id: number; title: string; removed_at: string | null }[]> {
  return db
    .selectFrom('lists')
    .select(['id', 'title', 'removed_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

export async function insertList(
  trx: Db,
  list: Insertable<Tables['lists']>,
  words: readonly string[],
): Promise<number> {
  const { id } = await trx.insertInto('lists').values(list).returning('id').executeTakeFirstOrThrow()
  await insertWords(trx, id, words)
  return id
}

export async function updateList(
  trx: Db,
  id: number,
  values: Updateable<Tables['lists']>,
  words?: readonly string[],
): Promise<void> {
  await trx.updateTable('lists').set(values).where('id', '=', id).execute()
  if (!words) return
  await trx.deleteFrom('list_words').where('list_id', '=', id).execute()
  await insertWords(trx, id, words)
}

async function insertWords(trx: Db, id: number, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  await trx
    .insertInto('list_words')
    .values(words.map((word) => ({ word, list_id: id })))
    .execute()
}

/** Removes what refers to the list first, in parts, because it can be very much. */
export async function removeList(trx: Db, id: number): Promise<void> {
  const isOfList = sql`list_id = ${id}`
  await removeInParts(trx, 'list_items', isOfList)
  await removeInParts(trx, 'list_likes', isOfList)
  await removeInParts(trx, 'list_follows', isOfList)
  // A constant, for the partial index.
  const isOfTarget = sql`target_type = 'list' and target_id = ${id} and target_id > 0`
  await removeInParts(trx, 'notifications', isOfTarget)
  await trx.deleteFrom('lists').where('id', '=', id).execute()
}

type Window = { limit: number; offset: number }

const listsOf = prepareQuery((db, userId: number, viewerId: number, limit: number, offset: number) =>
  ownedLists(db, viewerId)
    .select(shownColumns)
    .where('lists.user_id', '=', userId)
    .where(maySeeList(viewerId))
    .orderBy('lists.updated_at', 'desc')
    .orderBy('lists.id', 'desc')
    .limit(limit)
    .offset(offset),
)

export async function listListsOf(
  db: Db,
  userId: number,
  viewerId: number,
  { limit, offset }: Window,
): Promise<ShownListRow[]> {
  return listsOf(db, userId, viewerId, limit, offset)
}

export async function listEditable(
  db: Db,
  userId: number,
  { limit, offset }: Window,
): Promise<ShownListRow[]> {
  const own = db.selectFrom('lists').select('id').where('user_id', '=', userId)
  const edited = db
    .selectFrom('list_editors')
    .select('list_id as id')
    .where('user_id', '=', userId)
    .where('accepted_at', 'is not', null)
    .limit(sql.lit(listsMax))
  return ownedLists(db, userId)
    .select(shownColumns)
    .where(mayMeet(userId))
    .where((eb) => eb.or([eb('lists.id', 'in', own), eb('lists.id', 'in', edited)]))
    .orderBy('lists.updated_at', 'desc')
    .orderBy('lists.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function listInvitations(
  db: Db,
  userId: number,
  { limit, offset }: Window,
): Promise<ShownListRow[]> {
  return ownedLists(db, userId)
    .innerJoin('list_editors', 'list_editors.list_id', 'lists.id')
    .select(shownColumns)
    .where(mayMeet(userId))
    .where('list_editors.user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .orderBy('invited_at', 'desc')
    .orderBy('lists.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function listFollowed(
  db: Db,
  userId: number,
  { limit, offset }: Window,
): Promise<ShownListRow[]> {
  return ownedLists(db, userId)
    .innerJoin('list_follows', 'list_follows.list_id', 'lists.id')
    .select(shownColumns)
    .where('list_follows.user_id', '=', userId)
    .where(maySeeList(userId))
    .orderBy('list_follows.created_at', 'desc')
    .orderBy('lists.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

const recentLikesMax = 20_000
const listsOfTitleMax = 2_000

function recentLikes(db: Db, since: string) {
  const newest = db
    .selectFrom('list_likes')
    .select('list_id')
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(recentLikesMax))
  return db
    .selectFrom(newest.as('newest'))
    .select((eb) => ['list_id', eb.fn.countAll<number>().as('likes')])
    .groupBy('list_id')
}

/** Words begin words of the title or the tags; the tag is whole. */
type Search = { words: readonly string[]; tag?: string | undefined }

/** Also without lists of members whom the viewer has muted; see `isListShown`. */
function isPublic(db: Db, { words, tag }: Search, viewerId: number): RawBuilder<SqlBool> {
  // The fewest lists have the longest word.
  const terms = termsOf(words).toSorted((a, b) => b.length - a.length)
  const matches = terms.map((word) => startsWith('word', word))
  if (tag !== undefined) matches.unshift(sql`word = ${`#${tag}`}`)
  const found = matches.map((match, at) => {
    // SQLite finds lists by the first match and tests the others: by two, it would look up each pair of ids.
    const id = at > 0 && isSqlite(db) ? sql`+lists.id` : sql`lists.id`
    return sql`${id} in (select list_id from list_words where ${match})`
  })
  const isOpen = sql`lists.visibility = 'public' and ${maySeeList(viewerId)} and ${isHeard(viewerId)}`
  return sql<SqlBool>`${sql.join([isOpen, ...found], sql` and `)}`
}

const publicLists = (db: Db, search: Search, viewerId: number) =>
  ownedLists(db, viewerId).where(isPublic(db, search, viewerId))

/** `popular`: the most likes since a time, then the most likes of all, at most 500. */
export async function searchLists(
  db: Db,
  { sort, since, ...search }: Search & { sort: ListSort; since: string },
  { limit, offset }: Window,
  viewerId: number,
): Promise<ShownListRow[]> {
  const lists = publicLists(db, search, viewerId).select(shownColumns)
  const liked = lists.orderBy('lists.like_count', 'desc').orderBy('lists.id', 'desc')
  const page = { newest: lists.orderBy('lists.id', 'desc'), liked }
  if (sort !== 'popular') return page[sort].limit(limit).offset(offset).execute()
  const end = Math.min(listPopularMax, offset + limit)
  // SQLite would read all public lists; few have recent likes. Postgres looks up as many as it returns, because recent likes are in order.
  const liking = recentLikes(db, since).orderBy('likes', 'desc').orderBy('list_id', 'desc')
  const recent = await db
    .selectFrom(liking.as('recent'))
    .crossJoin('lists')
    .crossJoin('users')
    .whereRef('lists.id', '=', 'recent.list_id')
    .whereRef('users.id', '=', 'lists.user_id')
    .where(isListShown(viewerId))
    .where(isPublic(db, search, viewerId))
    .select(shownColumns)
    .orderBy('recent.likes', 'desc')
    .orderBy('recent.list_id', 'desc')
    .limit(end)
    .execute()
  const others = recent.length < end ? await liked.limit(end).execute() : []
  return [...new Map([...recent, ...others].map((row) => [row.id, row])).values()].slice(offset, end)
}

/** Of the newest 2,000 if sorted by popularity. */
export async function listListsWith(
  db: Db,
  titleId: number,
  { sort, since }: { sort: 'popular' | 'newest'; since: string },
  { limit, offset }: Window,
  viewerId: number,
): Promise<ShownListRow[]> {
  const withTitle = db
    .selectFrom('list_items')
    .select('list_id')
    .where('media_id', '=', titleId)
    .orderBy('list_id', 'desc')
    .$if(sort === 'popular', (query) => query.limit(sql.lit(listsOfTitleMax)))
  const lists = publicLists(db, { words: [] }, viewerId)
    .innerJoin(withTitle.as('has'), 'has.list_id', 'lists.id')
    .select(shownColumns)
    .limit(limit)
    .offset(offset)
  const byId = lists.orderBy('lists.id', 'desc')
  if (sort === 'newest') return byId.execute()
  const popular = lists
    .leftJoin(recentLikes(db, since).as('recent'), 'recent.list_id', 'lists.id')
    .orderBy(sql`coalesce(recent.likes, 0)`, 'desc')
    .orderBy('lists.like_count', 'desc')
    .orderBy('lists.id', 'desc')
  return popular.execute()
}

export const listPreviews = prepareQuery((db, ids: readonly number[]) => {
  const first = sql`select media_id, place from list_items where list_items.list_id = lists.id
    order by place, media_id limit ${sql.lit(listPreviewMax)}`
  return isSqlite(db)
    ? sql<{ list_id: number; media_id: number }>`select lists.id as list_id, title.value as media_id
        from lists, json_each((select json_group_array(media_id) from (${first}))) as title
        where ${isOneOf(db, 'lists.id', ids)} order by lists.id, title.key`
    : sql<{ list_id: number; media_id: number }>`select lists.id as list_id, title.media_id
        from lists cross join lateral (${first}) as title
        where ${isOneOf(db, 'lists.id', ids)} order by lists.id, title.place, title.media_id`
})

export async function countSeen(db: Db, listId: number, userId: number): Promise<number> {
  return Number((await seenQuery(db, listId, userId, userId))!.count)
}

const seenQuery = prepareFirst(
  (_db, listId: number, raterId: number, readerId: number) => sql<{ count: number }>`
    select count(*) as count from list_items as item where item.list_id = ${listId} and (
      exists (select 1 from reviews where reviews.user_id = ${raterId} and reviews.media_id = item.media_id)
      or exists (select 1 from diary_entries where diary_entries.user_id = ${readerId}
        and diary_entries.media_id = item.media_id and diary_entries.status = 'finished'))`,
)

export function selectExportedLists(db: Db, userId: number) {
  return db.selectFrom('lists').selectAll().where('user_id', '=', userId)
}

/** Liked, followed or edited, as far as the member may read them. */
export function selectExportedFrom(
  db: Db,
  table: 'list_likes' | 'list_follows' | 'list_editors',
  userId: number,
) {
  const own = table as 'list_likes'
  const time = sql.ref<string>(`${table}.${table === 'list_editors' ? 'accepted_at' : 'created_at'}`)
  return db
    .selectFrom(own)
    .innerJoin('lists', 'lists.id', `${own}.list_id`)
    .innerJoin('users', 'users.id', 'lists.user_id')
    .select([`${own}.list_id`, 'lists.title', 'users.username', time.as('at')])
    .where(`${own}.user_id`, '=', userId)
    .where(sql<boolean>`${time} is not null`)
    .where(maySeeList(userId))
    .where(isListShown(userId))
}

export async function findLastListId(db: Db): Promise<number> {
  const { id } = await db
    .selectFrom('lists')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

export async function listPublicBetween(db: Db, first: number, last: number): Promise<number[]> {
  const lists = publicLists(db, { words: [] }, 0).select('lists.id')
  const rows = await lists
    .where('lists.id', '>=', first)
    .where('lists.id', '<=', last)
    .orderBy('lists.id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function removeOneListOf(db: Db, userId: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const list = await trx
      .selectFrom('lists')
      .select('id')
      .where('user_id', '=', userId)
      .limit(1)
      .$if(!isSqlite(trx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!list) return 0
    await removeList(trx, list.id)
    return 1
  })
}
