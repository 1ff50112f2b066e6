import { sql } from 'kysely'
import { type Counter, counterOf, type Rollup } from '#server/db/counters.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { spanLengths } from '#server/db/spans.ts'
import { areTextsPublic } from '#server/members/visibility.ts'

/** Reviews first, because titles and parts count `is_public`. */
export const counters: readonly Counter[] = [
  {
    table: 'reviews',
    column: 'is_public',
    // The texts of an unsettled member have either value.
    recount: sql`select case when reviews.text = '' or has_public_texts <> areTextsPublic
      then reviews.is_public else has_public_texts end
      from (select has_public_texts, ${areTextsPublic} as areTextsPublic from users where users.id = reviews.user_id) as author`,
  },
  counterOf('reviews', 'like_count', "reactions x where x.review_id = reviews.id and x.reaction = 'like'"),
  counterOf(
    'reviews',
    'dislike_count',
    "reactions x where x.review_id = reviews.id and x.reaction = 'dislike'",
  ),
  counterOf(
    'reviews',
    'comment_count',
    'comments c where c.review_id = reviews.id and c.removed_text is null',
  ),
  counterOf('media', 'rating_count', 'reviews r where r.media_id = media.id'),
  {
    table: 'media',
    column: 'rating_sum',
    recount: sql`select coalesce(sum(r.rating), 0) from reviews r where r.media_id = media.id`,
  },
  ...[1, 2, 3, 4, 5].map((stars) =>
    counterOf(
      'media',
      `stars_${stars}`,
      `reviews r where r.media_id = media.id and r.rating in (${stars - 1}5, ${stars}0)`,
    ),
  ),
  ...[1, 2, 3, 4].map((stars) =>
    counterOf('media', `halves_${stars}`, `reviews r where r.media_id = media.id and r.rating = ${stars}5`),
  ),
  counterOf('media', 'text_count', "reviews r where r.media_id = media.id and r.text <> ''"),
  counterOf(
    'media',
    'public_text_count',
    "reviews r where r.media_id = media.id and r.text <> '' and r.is_public = 1",
  ),
  counterOf('users', 'review_count', 'reviews r where r.user_id = users.id and r.media_id is not null'),
  counterOf('parts', 'rating_count', 'reviews r where r.part_id = parts.id'),
  {
    table: 'parts',
    column: 'rating_sum',
    recount: sql`select coalesce(sum(r.rating), 0) from reviews r where r.part_id = parts.id`,
  },
  counterOf('parts', 'text_count', "reviews r where r.part_id = parts.id and r.text <> ''"),
  counterOf(
    'parts',
    'public_text_count',
    "reviews r where r.part_id = parts.id and r.text <> '' and r.is_public = 1",
  ),
]

export const ratingCounts: Rollup = {
  table: 'rating_counts',
  columns: ['media_id', 'kind', 'days', 'start', 'count', 'sum'],
  owner: 'media_id',
  rows(db) {
    const day = isSqlite(db)
      ? sql`cast(julianday(substr(rated_at, 1, 10)) - 2440587.5 as integer)`
      : sql`(substr(rated_at, 1, 10)::date - date '1970-01-01')`
    const spans = sql.join(
      spanLengths.map((days) => sql`select ${sql.lit(days)} as days`),
      sql` union all `,
    )
    return sql`select media_id, kind, days, day / days * days as start, count(*) as count, sum(rating) as sum
      from (select media_id, kind, rating, ${day} as day from reviews where media_id is not null) as ratings
      cross join (${spans}) as spans group by media_id, kind, days, day / days * days`
  },
}
