import { toStars, withStoredRating } from '#shared/domain/ratings.ts'
import { byFlag } from '#shared/domain/review-flags.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { ShownSafeRow } from './tables.ts'
import { pagesOf } from '#server/db/pages.ts'
import { exportPart, type Feature } from '#server/feature.ts'
import { counters, ratingCounts } from './counters.ts'
import { removeComments, removeReactions, removeReviews } from './deletion.ts'
import { exportedPart, toFlags, toSafeColumns, toSafeUpTo, withTitles } from './rules.ts'
import {
  selectExportedComments,
  selectExportedPartReviews,
  selectExportedReactions,
  selectExportedReviews,
  selectRemovedPartReviews,
  selectRemovedReviews,
} from './export-store.ts'
import { listReviews } from './store.ts'
import { titleRows } from './title-rows.ts'

export const reviews: Feature = {
  export: {
    reviews: {
      async *pages({ db, userId }) {
        for await (const rows of pagesOf(selectExportedReviews(db, userId), ['media_id']))
          yield rows.map(toExported)
        for await (const rows of pagesOf(selectRemovedReviews(db, userId), ['media_id']))
          yield rows.map(({ row }) => toExported(withStoredRating(JSON.parse(row) as Exported)))
      },
      tables: ['reviews', 'removed_reviews'],
      sheet: {
        file: 'ratings.csv',
        description: 'Your ratings and reviews.',
        headings: { text: 'Review', ...byFlag(({ heading }) => heading), safeUpTo: null },
      },
    },
    partReviews: {
      async *pages({ db, userId }) {
        for await (const rows of pagesOf(selectExportedPartReviews(db, userId), ['reviews.part_id']))
          yield rows.map((row) => ofPart(row, row))
        for await (const rows of pagesOf(selectRemovedPartReviews(db, userId), ['removed_reviews.part_id']))
          yield rows.map(({ row, ...part }) => ofPart(part, withStoredRating(JSON.parse(row) as Exported)))
      },
      sheet: {
        file: 'episode-ratings.csv',
        description: 'Your ratings and reviews of seasons and episodes.',
        headings: { text: 'Review', partId: 'Id', ...byFlag(({ heading }) => heading) },
      },
    },
    reactions: exportPart(selectExportedReactions, ['reactions.review_id'], (row) => ({
      title: row.media_id,
      author: row.author,
      reaction: row.reaction,
    })),
    comments: exportPart(
      selectExportedComments,
      ['comments.id'],
      (row) => ({
        title: row.media_id,
        author: row.author,
        text: row.removed_text ?? row.text,
        hasSpoilers: row.has_spoilers === 1,
        safeUpTo: toSafeUpTo(row) ?? null,
        createdAt: row.created_at,
      }),
      {
        sheet: {
          file: 'comments.csv',
          description: 'Your comments on reviews.',
          headings: { author: 'Review by', text: 'Comment', hasSpoilers: 'Spoilers', safeUpTo: null },
        },
      },
    ),
  },
  deletion: [
    { table: 'reviews', remove: removeReviews },
    { table: 'comments', remove: removeComments },
    { table: 'reactions', remove: removeReactions },
  ],
  counters,
  rollups: [ratingCounts],
  titles: titleRows,
  changes: {
    async review(db, userId, ids) {
      // A removed review is a deleted one for clients that keep a copy.
      const rows = (await listReviews(db, ids, userId)).filter((row) => row.removed_text === null)
      const cards = await listCards(db, [...new Set(rows.map((row) => row.media_id))])
      return withTitles(rows, cards.map(toTitleCard)).map((review) => [review.id, { review }])
    },
  },
}

type Exported = Awaited<ReturnType<ReturnType<typeof selectExportedReviews>['executeTakeFirstOrThrow']>>

type Part = Omit<
  Awaited<ReturnType<ReturnType<typeof selectRemovedPartReviews>['executeTakeFirstOrThrow']>>,
  'row'
>

function ofPart(part: Part, review: Omit<Exported, 'media_id'>) {
  return { ...toExported({ ...review, media_id: part.media_id }), ...exportedPart(part) }
}

const noSafeColumns = toSafeColumns(null)!

function toExported(row: Omit<Exported, keyof ShownSafeRow> & Partial<ShownSafeRow>) {
  return {
    title: row.media_id,
    rating: toStars(row.rating),
    ratingGiven: row.rating_given,
    text: row.removed_text ?? row.text,
    ...toFlags(row),
    // Rows that a decision has removed lack the numbers of the episode, and old ones the columns.
    safeUpTo: toSafeUpTo({ ...noSafeColumns, ...row }) ?? null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ratedAt: row.rated_at,
  }
}
