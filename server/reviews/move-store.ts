import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { removeInParts, updateInParts } from '#server/db/rows.ts'
import { type AboutColumn, type OwnReviewRow, ownReviewColumns } from './tables.ts'

// The move of reviews from one title or part to another, and the removal of a title.

export type About = { column: AboutColumn; id: number }

const isAbout = ({ column, id }: About): RawBuilder<boolean> => sql`${sql.ref(`reviews.${column}`)} = ${id}`

type Author = { id: number; user_id: number }

export async function listReviewsOf(db: Db, about: About, limit: number, after = 0): Promise<Author[]> {
  return db
    .selectFrom('reviews')
    .select(['id', 'user_id'])
    .where(isAbout(about))
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

/** Reviews whose authors have reviewed `to` too, each with that review. */
export async function listPairs(
  db: Db,
  reviews: readonly Author[],
  to: About,
): Promise<[from: OwnReviewRow, to: OwnReviewRow][]> {
  const byAuthor = new Map(reviews.map(({ id, user_id }) => [user_id, id]))
  const others = await db
    .selectFrom('reviews')
    .select(ownReviewColumns)
    .where(isAbout(to))
    .where(isOneOf(db, 'user_id', [...byAuthor.keys()]))
    .orderBy('user_id')
    .execute()
  const ids = others.map(({ user_id }) => byAuthor.get(user_id)!)
  const own = await db
    .selectFrom('reviews')
    .select(ownReviewColumns)
    .where(isOneOf(db, 'id', ids))
    .execute()
  const ownByAuthor = new Map(own.map((review) => [review.user_id, review]))
  return others.map((other) => [ownByAuthor.get(other.user_id)!, other])
}

/** Leaves the counters to `moveCounts`. */
export async function moveReviews(
  trx: Db,
  from: About,
  to: About,
  userIds: readonly number[],
): Promise<void> {
  await trx
    .updateTable('reviews')
    .set({ [to.column]: to.id })
    .where(isAbout(from))
    .where(isOneOf(trx, 'user_id', userIds))
    .execute()
}

/** Comments and reactions. Members who have reacted to both keep the reaction to the other one. */
export async function moveReplies(trx: Db, from: number, to: number): Promise<void> {
  await updateInParts(trx, 'comments', sql`review_id = ${to}`, sql`review_id = ${from}`)
  await updateInParts(
    trx,
    'reactions',
    sql`review_id = ${to}`,
    sql`review_id = ${from} and user_id not in (select user_id from reactions where review_id = ${to})`,
  )
}

/** To the episode with the same numbers, as plays move; without one, the episode moves to the other title itself. */
export async function moveSafeEpisodes(trx: Db, from: number, to: number): Promise<void> {
  const other = sql`select other.id from parts as own join parts as other on other.media_id = ${to} and other.type = 'episode'
    and other.season = own.season and other.number = own.number where own.media_id = ${from} and own.type = 'episode'`
  for (const table of ['reviews', 'comments'] as const) {
    const episode = sql.ref(`${table}.safe_episode_id`)
    const isOf = sql`${other} and own.id = ${episode}`
    await updateInParts(
      trx,
      table,
      sql`safe_episode_id = (${isOf} order by other.is_gone limit 1)`,
      sql`safe_episode_id in (select id from parts where media_id = ${from}) and exists (${isOf})`,
    )
  }
}

const partCounters = ['rating_count', 'rating_sum', 'text_count', 'public_text_count'] as const
const counters = [
  ...partCounters,
  ...(['stars_1', 'stars_2', 'stars_3', 'stars_4', 'stars_5'] as const),
  ...(['halves_1', 'halves_2', 'halves_3', 'halves_4'] as const),
]
const countersOf = { media: counters, parts: partCounters }

async function addCounters(trx: Db, table: 'media' | 'parts', from: number, to: number): Promise<void> {
  const gains = countersOf[table].map((name) => {
    const column = sql.ref(name)
    return sql`${column} = ${column} + (select ${column} from ${sql.table(table)} as source where source.id = ${from})`
  })
  await sql`update ${sql.table(table)} set ${sql.join(gains)} where id = ${to}`.execute(trx)
}

async function clearCounters(trx: Db, table: 'media' | 'parts', id: number): Promise<void> {
  const none = Object.fromEntries(countersOf[table].map((name) => [name, 0]))
  await trx.updateTable(table).set(none).where('id', '=', id).execute()
}

export async function moveCounts(trx: Db, from: number, to: number): Promise<void> {
  await addCounters(trx, 'media', from, to)
  await sql`insert into rating_counts (media_id, kind, days, start, count, sum)
    select ${sql.lit(to)}, kind, days, start, count, sum from rating_counts where media_id = ${from}
    on conflict (media_id, days, start) do update
    set count = rating_counts.count + excluded.count, sum = rating_counts.sum + excluded.sum`.execute(trx)
  await removeCounts(trx, from)
}

export async function removeCounts(trx: Db, titleId: number): Promise<void> {
  await removeInParts(trx, 'rating_counts', sql`media_id = ${titleId}`)
  await clearCounters(trx, 'media', titleId)
}

/** The parts of a title that have reviews, also removed ones. */
export async function listReviewedParts(db: Db, titleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('parts')
    .select('id')
    .where('media_id', '=', titleId)
    .where((eb) =>
      eb.or([
        eb('rating_count', '>', 0),
        eb.exists(eb.selectFrom('removed_reviews').select('review_id').whereRef('part_id', '=', 'parts.id')),
      ]),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Of two that a member cannot have both, the one of the other part stays. */
export async function moveRemovedOfPart(trx: Db, from: number, to: number): Promise<void> {
  await updateInParts(
    trx,
    'removed_reviews',
    sql`part_id = ${to}`,
    sql`part_id = ${from} and user_id not in (select user_id from removed_reviews where part_id = ${to})`,
  )
}

export async function moveCountsOfPart(trx: Db, from: number, to: number): Promise<void> {
  await addCounters(trx, 'parts', from, to)
  await clearCounters(trx, 'parts', from)
}

/** With comments and reactions. The counts of the title stay: see `removeCounts`. */
export async function removeReviews(trx: Db, reviews: readonly Author[], about: About): Promise<void> {
  const ids = reviews.map(({ id }) => id)
  for (const table of ['comments', 'reactions'] as const)
    await removeInParts(trx, table, isOneOf(trx, 'review_id', ids))
  await trx
    .deleteFrom('reviews')
    .where(isOneOf(trx, 'id', ids))
    .execute()
  if (about.column === 'part_id') return
  // A member has one review of the title at most.
  const authors = reviews.map(({ user_id }) => user_id)
  await trx
    .updateTable('users')
    .set((eb) => ({ review_count: eb('review_count', '-', 1) }))
    .where(isOneOf(trx, 'id', authors))
    .execute()
}
