import type { Selectable } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { ReviewRow } from './tables.ts'

type TitleCounter =
  | 'rating_count'
  | 'rating_sum'
  | `stars_${1 | 2 | 3 | 4 | 5}`
  | `halves_${1 | 2 | 3 | 4}`
  | 'text_count'
  | 'public_text_count'

export async function addCounts(
  db: Db,
  { media_id, part_id, user_id }: Pick<ReviewRow, 'media_id' | 'part_id' | 'user_id'>,
  gain: Record<TitleCounter, number>,
): Promise<void> {
  if (part_id !== null) return addCountsOfPart(db, part_id, gain)
  await db
    .updateTable('media')
    .set((eb) => ({
      rating_count: eb('rating_count', '+', gain.rating_count),
      rating_sum: eb('rating_sum', '+', gain.rating_sum),
      stars_1: eb('stars_1', '+', gain.stars_1),
      stars_2: eb('stars_2', '+', gain.stars_2),
      stars_3: eb('stars_3', '+', gain.stars_3),
      stars_4: eb('stars_4', '+', gain.stars_4),
      stars_5: eb('stars_5', '+', gain.stars_5),
      halves_1: eb('halves_1', '+', gain.halves_1),
      halves_2: eb('halves_2', '+', gain.halves_2),
      halves_3: eb('halves_3', '+', gain.halves_3),
      halves_4: eb('halves_4', '+', gain.halves_4),
      text_count: eb('text_count', '+', gain.text_count),
      public_text_count: eb('public_text_count', '+', gain.public_text_count),
    }))
    .where('id', '=', media_id)
    .execute()
  if (gain.rating_count === 0) return
  await db
    .updateTable('users')
    .set((eb) => ({ review_count: eb('review_count', '+', gain.rating_count) }))
    .where('id', '=', user_id)
    .execute()
}

async function addCountsOfPart(
  db: Db,
  partId: number,
  { rating_count, rating_sum, text_count, public_text_count }: Record<TitleCounter, number>,
): Promise<void> {
  await db
    .updateTable('parts')
    .set((eb) => ({
      rating_count: eb('rating_count', '+', rating_count),
      rating_sum: eb('rating_sum', '+', rating_sum),
      text_count: eb('text_count', '+', text_count),
      public_text_count: eb('public_text_count', '+', public_text_count),
    }))
    .where('id', '=', partId)
    .execute()
}

type RatingGain = Pick<Selectable<Tables['rating_counts']>, 'days' | 'start' | 'count' | 'sum'>

export async function addRatingCounts(
  db: Db,
  { media_id, kind }: Pick<ReviewRow, 'media_id' | 'kind'>,
  gains: readonly RatingGain[],
): Promise<void> {
  if (media_id === null || gains.length === 0) return
  await db
    .insertInto('rating_counts')
    .values(gains.map((gain) => ({ media_id, kind, ...gain })))
    .onConflict((conflict) =>
      conflict.columns(['media_id', 'days', 'start']).doUpdateSet((eb) => ({
        count: eb('rating_counts.count', '+', eb.ref('excluded.count')),
        sum: eb('rating_counts.sum', '+', eb.ref('excluded.sum')),
      })),
    )
    .execute()
  const losses = gains.filter((gain) => gain.count < 0)
  if (losses.length === 0) return
  await db
    .deleteFrom('rating_counts')
    .where('media_id', '=', media_id)
    .where('count', '=', 0)
    .where((eb) => eb.or(losses.map(({ days, start }) => eb.and({ days, start }))))
    .execute()
}
