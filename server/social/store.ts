import { type NotNull, type RawBuilder, type SqlBool, sql } from 'kysely'
import { networkRowsMax } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { isOneOf, isSqlite, startsWith } from '#server/db/dialect.ts'
import { fold } from '#server/db/fold.ts'
import { prepareByIds, prepareColumns, prepareQuery } from '#server/db/prepared.ts'
import { hasRow, insertNew, removeRows } from '#server/db/rows.ts'
import { isHeard, isTitleShown, mayHear, mayMeet, maySee, maySuggest } from '#server/members/visibility.ts'
import type { Db } from '#server/db/open.ts'
import type { UserRow } from '#server/members/tables.ts'

type PersonRow = Pick<UserRow, 'id' | 'username' | 'picture' | 'is_private'>
type ListedPersonRow = PersonRow & Pick<UserRow, 'review_count'>
export type Follow = { follower_id: number; followee_id: number }

type Counts = Pick<UserRow, 'follower_count' | 'following_count' | 'review_count'>

export async function findCounts(db: Db, userId: number): Promise<Counts | undefined> {
  return db
    .selectFrom('users')
    .select(['follower_count', 'following_count', 'review_count'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

export async function isFollowing(db: Db, { follower_id, followee_id }: Follow): Promise<boolean> {
  return hasRow(db, 'follows', { follower_id, followee_id })
}

export async function listFollowedAmong(
  db: Db,
  followerId: number,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('follows')
    .select('followee_id')
    .where('follower_id', '=', followerId)
    .where(isOneOf(db, 'follows.followee_id', ids))
    .execute()
  return rows.map((row) => row.followee_id)
}

export async function insertFollow(db: Db, follow: Follow & { created_at: string }): Promise<boolean> {
  const isNew = await insertNew(db, 'follows', follow)
  if (isNew) await addFollowCounts(db, follow, 1)
  return isNew
}

export async function insertFollowers(
  db: Db,
  followeeId: number,
  followerIds: readonly number[],
  created_at: string,
): Promise<void> {
  const follows = followerIds.map((follower_id) => ({ follower_id, followee_id: followeeId, created_at }))
  const inserted = await db
    .insertInto('follows')
    .values(follows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('follower_id')
    .execute()
  const ids = inserted.map((row) => row.follower_id)
  await db
    .updateTable('users')
    .set((eb) => ({ following_count: eb('following_count', '+', 1) }))
    .where(isOneOf(db, 'id', ids))
    .execute()
  await db
    .updateTable('users')
    .set((eb) => ({ follower_count: eb('follower_count', '+', ids.length) }))
    .where('id', '=', followeeId)
    .execute()
}

export async function removeFollow(db: Db, { follower_id, followee_id }: Follow): Promise<boolean> {
  const wasThere = await removeRows(db, 'follows', { follower_id, followee_id })
  if (wasThere) await addFollowCounts(db, { follower_id, followee_id }, -1)
  return wasThere
}

/** The lower id first, so that two members who follow each other concurrently do not deadlock. */
async function addFollowCounts(db: Db, follow: Follow, by: 1 | -1): Promise<void> {
  const changes = [
    { id: follow.follower_id, column: 'following_count' as const },
    { id: follow.followee_id, column: 'follower_count' as const },
  ].sort((a, b) => a.id - b.id)
  for (const { id, column } of changes) {
    await db
      .updateTable('users')
      .set((eb) => ({ [column]: eb(column, '+', by) }))
      .where('id', '=', id)
      .execute()
  }
}

type Page = { limit: number; offset: number }

export async function listFollowIds(
  db: Db,
  userId: number,
  direction: 'followers' | 'following',
  { limit, offset }: Page,
): Promise<number[]> {
  const [own, other] =
    direction === 'followers'
      ? (['followee_id', 'follower_id'] as const)
      : (['follower_id', 'followee_id'] as const)
  const rows = await db
    .selectFrom('follows')
    .select(`${other} as id`)
    .where(own, '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy(other, 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => row.id)
}

const peopleWho = (condition: (viewerId: number) => RawBuilder<SqlBool>) =>
  prepareByIds((db, ids, viewerId: number) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'picture', 'is_private', 'review_count'])
      .where(isOneOf(db, 'users.id', ids))
      .where(condition(viewerId)),
  )
const people = {
  met: peopleWho(mayMeet),
  heard: peopleWho(mayHear),
  seen: peopleWho(maySee),
  suggested: peopleWho(maySuggest),
}

/** In the order of the ids. `as` says for what: names, notifications, what they write, or suggestions. */
export async function listPeople(
  db: Db,
  ids: readonly number[],
  viewerId: number,
  as: keyof typeof people,
): Promise<ListedPersonRow[]> {
  return people[as](db, ids, viewerId)
}

/** With more matches, names are scanned in alphabetical order, because sorting all matches takes longer. */
const matchesMax = 300
const partMax = 32

/** Names that start with `q`, then names that contain it from one of the first 60 characters on, each by name. Ignores case and accents. */
export async function searchPeople(db: Db, q: string, limit: number, viewerId: number): Promise<PersonRow[]> {
  const part = fold(q)
  const find = (condition: RawBuilder<SqlBool>, count: number) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'picture', 'is_private'])
      .where(condition)
      .where(mayMeet(viewerId))
      .orderBy('search_text')
      .orderBy('id')
      .limit(count)
      .execute()
  const first = await find(startsWith('search_text', part), limit)
  if (first.length === limit) return first
  const inside = sql<SqlBool>`search_text like ${`_%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
  const start = Array.from(part).slice(0, partMax).join('')
  const matches = await db
    .selectFrom('name_parts')
    .select('user_id')
    .where(startsWith('part', start))
    .limit(matchesMax + 1)
    .execute()
  const ids = [...new Set(matches.map((row) => row.user_id))]
  const known = new Set(first.map((row) => row.id))
  const more = await find(
    matches.length > matchesMax ? inside : sql`${isOneOf(db, 'users.id', ids)} and ${inside}`,
    limit,
  )
  return [...first, ...more.filter((row) => !known.has(row.id))].slice(0, limit)
}

export async function titleExists(db: Db, kind: Kind, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('media')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where(isTitleShown)
    .executeTakeFirst()
  return row !== undefined
}

export async function isFavorite(db: Db, userId: number, kind: Kind, titleId: number): Promise<boolean> {
  return hasRow(db, 'favorites', { user_id: userId, media_id: titleId, kind })
}

export async function insertFavorite(
  db: Db,
  favorite: { user_id: number; media_id: number; kind: Kind; created_at: string },
): Promise<void> {
  await insertNew(db, 'favorites', favorite)
}

export async function removeFavorite(db: Db, userId: number, kind: Kind, titleId: number): Promise<void> {
  await removeRows(db, 'favorites', { user_id: userId, media_id: titleId, kind })
}

/** The others of the kind follow, by time. Ids that are not favorites of the kind are ignored. */
export async function arrangeFavorites(
  db: Db,
  userId: number,
  kind: Kind,
  ids: readonly number[],
): Promise<void> {
  const cases = ids.map((id, index) => sql`when media_id = ${id} then ${sql.lit(ids.length - index)}`)
  await db
    .updateTable('favorites')
    .set({ place: ids.length === 0 ? 0 : sql`case ${sql.join(cases, sql` `)} else 0 end` })
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('place', '>', 0), isOneOf(db, 'media_id', ids)]))
    .execute()
}

/** First the favorites that the member has put in order, then the others, last added first. */
export async function listFavoriteIds(
  db: Db,
  userId: number,
  kind: Kind,
  { limit, offset }: Page,
): Promise<number[]> {
  const rows = await db
    .selectFrom('favorites')
    .select('media_id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('place', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('media_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => row.media_id)
}

/** Unordered, at most `networkRowsMax`. SQLite executes a cross join in the order written. */
export async function listNetworkFavorites(db: Db, followerId: number, kind: Kind) {
  return db
    .selectFrom('follows')
    .crossJoin('favorites')
    .select(['favorites.media_id', 'favorites.created_at'])
    .where('follows.follower_id', '=', followerId)
    .where(isHeard(followerId, 'follows.followee_id'))
    .whereRef('favorites.user_id', '=', 'follows.followee_id')
    .where('favorites.kind', '=', kind)
    .limit(sql.lit(networkRowsMax))
    .execute()
}

export const listRatingsOf = prepareQuery((db, userId: number, limit: number) =>
  db
    .selectFrom('reviews')
    .select(['media_id', 'rating'])
    .where('user_id', '=', userId)
    .where('media_id', 'is not', null)
    .$narrowType<{ media_id: NotNull }>()
    .limit(limit),
)

/** The ratings other than 3 stars, each with the number of ratings of its title; at most 1,000. */
export const listOpinions = prepareQuery((db, userId: number) =>
  db
    .selectFrom('reviews')
    .innerJoin('media', 'media.id', 'reviews.media_id')
    .select(['reviews.media_id', 'reviews.rating', 'media.rating_count'])
    .where('reviews.user_id', '=', userId)
    .where('reviews.rating', '<>', sql.lit(30))
    .$narrowType<{ media_id: NotNull }>()
    .limit(sql.lit(1_000)),
)

/** First the ratings by members from `firstId` on, then by the others. */
function ratingsOfTitle(db: Db, titleId: RawBuilder<number>, firstId: number, limit: number) {
  const ratings = db
    .selectFrom('reviews')
    .select(['user_id', 'media_id', 'rating'])
    .where('media_id', '=', titleId)
    .$narrowType<{ media_id: NotNull }>()
    .orderBy('user_id')
    .limit(limit)
  const [from, before] = [ratings.where('user_id', '>=', firstId), ratings.where('user_id', '<', firstId)]
  return db
    .selectFrom(from.as('from_id'))
    .selectAll()
    .unionAll(db.selectFrom(before.as('before_id')).selectAll())
    .limit(limit)
}
const ratingsOfOne = prepareQuery((db, titleId: number, firstId: number, limit: number) =>
  ratingsOfTitle(db, sql`${titleId}`, firstId, limit),
)
const ratingsOfAll = prepareQuery((db, titleIds: readonly number[], firstId: number, limit: number) =>
  db
    .selectFrom(sql<{ id: number }>`unnest(${titleIds}::bigint[])`.as<'title'>(sql`title(id)`))
    .innerJoinLateral(ratingsOfTitle(db, sql.ref<number>('title.id'), firstId, limit).as('ratings'), (join) =>
      join.onTrue(),
    )
    .selectAll('ratings'),
)

/** First the ratings by members from `firstId` on, then by the others. */
export async function listRatingsOfTitles(
  db: Db,
  titleIds: readonly number[],
  firstId: number,
  limit: number,
) {
  // SQLite has no lateral join, and a further query costs little.
  if (!isSqlite(db)) return ratingsOfAll(db, titleIds, firstId, limit)
  return (await Promise.all(titleIds.map((id) => ratingsOfOne(db, id, firstId, limit)))).flat()
}

/** Who wrote the last 500 reviews and ratings of titles among the last 5,000 of all, the most active first. */
export const listActive = prepareQuery((db) =>
  db
    .selectFrom(
      db
        .selectFrom(
          db
            .selectFrom('reviews')
            .select(['id', 'user_id', 'media_id'])
            .orderBy('id', 'desc')
            .limit(sql.lit(5_000))
            .as('newest'),
        )
        .select('user_id')
        .where('media_id', 'is not', null)
        .orderBy('id', 'desc')
        .limit(sql.lit(500))
        .as('last'),
    )
    .select('user_id')
    .groupBy('user_id')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('user_id')
    .limit(sql.lit(100)),
)

export const listFolloweeIds = prepareColumns(['followee_id'], (db, followerId: number) =>
  db.selectFrom('follows').select('followee_id').where('follower_id', '=', followerId),
)

export async function findLastMemberId(db: Db): Promise<number> {
  const { id } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

export async function listFollowsOf(
  db: Db,
  side: 'follower_id' | 'followee_id',
  userId: number,
  limit: number,
): Promise<Follow[]> {
  return db
    .selectFrom('follows')
    .select(['follower_id', 'followee_id'])
    .where(side, '=', userId)
    .limit(limit)
    .execute()
}

/** Unless their members have that one already. Returns how many there were. */
export async function moveFavorites(trx: Db, from: number, to: number, limit: number): Promise<number> {
  const favorites = await trx
    .selectFrom('favorites')
    .selectAll()
    .where('media_id', '=', from)
    .limit(limit)
    .execute()
  if (favorites.length === 0) return 0
  const moved = favorites.map((favorite) => ({ ...favorite, media_id: to }))
  await insertNew(trx, 'favorites', moved)
  const userIds = favorites.map(({ user_id }) => user_id)
  const left = trx.deleteFrom('favorites').where('media_id', '=', from)
  await left.where(isOneOf(trx, 'user_id', userIds)).execute()
  return favorites.length
}

export async function listFavoritesAmong(db: Db, userId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('favorites')
    .select('media_id')
    .where('user_id', '=', userId)
    .where('media_id', 'in', ids)
    .execute()
  return rows.map((row) => row.media_id)
}

export function selectExportedFavorites(db: Db, userId: number) {
  return db.selectFrom('favorites').selectAll().where('user_id', '=', userId)
}

export function selectExportedFollows(db: Db, userId: number) {
  return db
    .selectFrom('follows')
    .innerJoin('users', 'users.id', 'follows.followee_id')
    .select(['follows.followee_id', 'users.username', 'follows.created_at'])
    .where('follows.follower_id', '=', userId)
}
