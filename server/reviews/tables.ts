import { type Generated, type Selectable, sql } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { type FlagColumn, byFlag } from '#shared/domain/review-flags.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type { UserRow } from '#server/members/tables.ts'
import type { PartRow } from '#server/titles/tables.ts'

/** How far in the title others must be to read the text: null, or one of the three. See server/members/withheld.ts. */
type SafeUpTo = Record<(typeof safeColumns)[number], Generated<number | null>>
export const safeColumns = ['safe_episode_id', 'safe_page', 'safe_percent'] as const

declare module '#server/db/tables.ts' {
  interface Tables {
    reviews: {
      id: Generated<number>
      /** Null for a review of a part. So whatever is asked about a title finds reviews of the title alone. */
      media_id: number | null
      /** The season or the episode; null for a review of a title. */
      part_id: number | null
      /** Of the title, also for a review of a part. */
      kind: Kind
      user_id: number
      /** In tenths of a star, 10 to 50: see shared/domain/ratings.ts. */
      rating: number
      text: string
      /** On the scale of an imported service, as in `4.5/5`; null once the member changes the stars. */
      rating_given: Generated<string | null>
      created_at: string
      updated_at: string
      rated_at: string
      like_count: Generated<number>
      dislike_count: Generated<number>
      comment_count: Generated<number>
      /** The `text` of a removed review is blank. */
      removed_text: Generated<string | null>
      /** While a decision marks the review as a spoiler. */
      own_has_spoilers: Generated<number | null>
      /** As far as the author is settled (`isUnsettled`). Without a text, it means nothing. */
      is_public: Generated<number>
    } & SafeUpTo &
      Record<FlagColumn, Generated<number>>
    /** Per span of `days` days (1, 8 or 64). `start` counts days since 1970 and is a multiple of `days`, `sum` tenths of a star. */
    rating_counts: { media_id: number; kind: Kind; days: number; start: number; count: number; sum: number }
    reactions: { review_id: number; user_id: number; reaction: 'like' | 'dislike' }
    comments: {
      id: Generated<number>
      review_id: number
      user_id: number
      text: string
      has_spoilers: Generated<number>
      created_at: string
      removed_text: Generated<string | null>
      own_has_spoilers: Generated<number | null>
    } & SafeUpTo
  }
}

export type ReviewRow = Selectable<Tables['reviews']>
export type AboutColumn = 'media_id' | 'part_id'

export const flagColumns = Object.values(byFlag(({ column }) => column))

export const writtenColumns = ['rating', 'text', ...flagColumns] as const

/** Without the `safe_` columns, these stay as they are. */
export type WrittenRow = Pick<ReviewRow, (typeof writtenColumns)[number]> & Partial<SafeRow>

export type SafeRow = Pick<ReviewRow, (typeof safeColumns)[number]>

export type ShownSafeRow = SafeRow & { safe_season: number | null; safe_number: number | null }

export const ownReviewColumns = [
  'id',
  'media_id',
  'part_id',
  'kind',
  'user_id',
  ...writtenColumns,
  ...safeColumns,
  'rating_given',
  'updated_at',
  'rated_at',
  'removed_text',
  'own_has_spoilers',
  'is_public',
] as const
export type OwnReviewRow = Pick<ReviewRow, (typeof ownReviewColumns)[number]>

export const reviewColumns = [
  'reviews.id',
  'reviews.media_id',
  'reviews.part_id',
  'reviews.kind',
  'reviews.user_id',
  'reviews.rating',
  ...flagColumns,
  'reviews.created_at',
  'reviews.updated_at',
  'reviews.like_count',
  'reviews.dislike_count',
  'reviews.comment_count',
  'reviews.removed_text',
] as const

export type ReviewedPart = Pick<
  PartRow,
  'id' | 'media_id' | 'parent_id' | 'type' | 'season' | 'number' | 'name'
>

/** `media_id` is the title, also of a review of a part. `text` is null if it is withheld. */
export type ShownReviewRow = Omit<
  ReviewRow,
  'media_id' | 'part_id' | 'rated_at' | 'rating_given' | 'own_has_spoilers' | 'is_public' | 'text'
> &
  ShownSafeRow &
  Pick<UserRow, 'username' | 'picture'> & {
    media_id: number
    part: ReviewedPart | null
    text: string | null
    reaction: 'like' | 'dislike' | null
  }

/** `text` is null if it is withheld. Without a `safe_` column of their own, comments have the columns of their review. */
export type ShownCommentRow = Omit<
  Selectable<Tables['comments']>,
  'removed_text' | 'own_has_spoilers' | 'text'
> &
  ShownSafeRow &
  Pick<UserRow, 'username' | 'picture'> & { text: string | null }

/** The title of a row of `reviews`, also of a review of a part. */
export const titleOfReview = sql<number>`coalesce(reviews.media_id,
  (select parts.media_id from parts where parts.id = reviews.part_id))`

export const privateColumns = {
  reviews: ['rating_given'],
  rating_counts: [],
  reactions: ['reaction'],
  comments: [],
} satisfies PrivateColumns
