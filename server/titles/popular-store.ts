import { type NotNull, sql } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import type { Span, Window } from '#server/db/spans.ts'

export async function listMostRated(
  db: Db,
  kind: Kind,
  spans: readonly Span[],
  limit: number,
): Promise<{ list: number; id: number; count: number }[]> {
  const lists = spans.map(
    ({ days, start }, list) => sql`select * from (select ${sql.lit(list)} as list, media_id as id, count
      from rating_counts where kind = ${kind} and days = ${sql.lit(days)} and start = ${start}
      order by count desc limit ${limit}) as list${sql.raw(String(list))}`,
  )
  const { rows } = await sql<{ list: number; id: number; count: number }>`
    ${sql.join(lists, sql` union all `)}`.execute(db)
  return rows
}

const ratingBounds = prepareQuery((db, kind: Kind, firstDay: number, eights: number, sixtyFours: number) => {
  const inSpans = (days: number, from: number) =>
    db
      .selectFrom('rating_counts')
      .select(['media_id', 'count', 'days', 'start'])
      .where('kind', '=', kind)
      .where('days', '=', sql.lit(days))
      .where('start', '>=', from)
  return db
    .selectFrom(
      inSpans(1, firstDay)
        .where('start', '<', eights)
        .unionAll(inSpans(8, eights).where('start', '<', sixtyFours))
        .unionAll(inSpans(64, sixtyFours))
        .as('spans'),
    )
    .select((eb) => [
      'media_id as id',
      sql<number>`sum(case when days = 1 and start = ${firstDay} then 0 else count end)`.as('least'),
      eb.fn.sum<number>('count').as('most'),
    ])
    .groupBy('media_id')
    .orderBy('most', 'desc')
})

/** Highest first. The bounds differ by the ratings of the first day. */
export async function listRatingBounds(
  db: Db,
  kind: Kind,
  { firstDay, eights, sixtyFours }: Window,
): Promise<{ id: number; least: number; most: number }[]> {
  return ratingBounds(db, kind, firstDay, eights, sixtyFours)
}

const ratingSums = prepareQuery(
  (
    db,
    ids: readonly number[],
    since: string,
    firstDayEnd: string,
    firstDay: number,
    eights: number,
    sixtyFours: number,
  ) => {
    const whole = db
      .selectFrom('rating_counts')
      .select(['media_id', 'count', 'sum'])
      .where(isOneOf(db, 'media_id', ids))
    const part = db
      .selectFrom('reviews')
      .select(['media_id', sql.lit(1).as('count'), 'rating as sum'])
      .where(isOneOf(db, 'media_id', ids))
      .where('rated_at', '>=', since)
      .where('rated_at', '<', firstDayEnd)
      .$narrowType<{ media_id: NotNull }>()
    const inSpans = (days: number, operator: '>' | '>=', from: number) =>
      whole.where('days', '=', sql.lit(days)).where('start', operator, from)
    return db
      .selectFrom(
        part
          .unionAll(inSpans(1, '>', firstDay).where('start', '<', eights))
          .unionAll(inSpans(8, '>=', eights).where('start', '<', sixtyFours))
          .unionAll(inSpans(64, '>=', sixtyFours))
          .as('ratings'),
      )
      .select((eb) => [
        'media_id as id',
        eb.fn.sum<number>('count').as('count'),
        eb.fn.sum<number>('sum').as('sum'),
      ])
      .groupBy('media_id')
  },
)

export async function listRatingSums(
  db: Db,
  ids: readonly number[],
  { since, firstDayEnd, firstDay, eights, sixtyFours }: Window,
): Promise<RatingSum[]> {
  return ratingSums(db, ids, since, firstDayEnd, firstDay, eights, sixtyFours)
}
export type RatingSum = { id: number; count: number; sum: number }
