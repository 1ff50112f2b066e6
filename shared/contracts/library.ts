import { z } from 'zod'
import * as limits from '#shared/domain/limits.ts'
import { kindNames } from '#shared/domain/kinds.ts'
import { numberText } from '#shared/texts/formats.ts'
import { review, order } from './reviews.ts'
import { count, cursor, decade, genre, id, limit, line, nextCursor, rating, titleCard } from './scalars.ts'

export const librarySort = z.enum(['createdAt', 'rating', 'title', 'release'])
export type LibrarySort = z.infer<typeof librarySort>

const about = z.enum(['titles', 'parts'])
export type LibraryAbout = z.infer<typeof about>

const libraryFilters = {
  about: about.default('titles').meta({
    description:
      'What is rated: titles, or their seasons and episodes (`parts`). Filters and sorts of `parts` read the show.',
  }),
  q: line(limits.queryMax)
    .optional()
    .meta({
      description: `Only titles whose name or authors contain all words. Searches the newest ${numberText(limits.librarySearchMax)} ratings.`,
      examples: [],
    }),
  kind: z.enum(kindNames).optional(),
  hasText: z.boolean().optional().meta({
    description: 'True: only reviews with a text; false: only ratings without one.',
  }),
  rating: rating.optional().meta({ description: 'Only this rating, such as 3.5.', examples: [] }),
  stars: z
    .int()
    .min(limits.ratingMin)
    .max(limits.ratingMax)
    .optional()
    .meta({ description: 'Only the ratings of this bar of a histogram: 4 for 3.5 and 4.', examples: [] }),
  decade: decade.optional(),
  genre: genre.optional(),
  year: z
    .int()
    .min(1970)
    .max(9_998)
    .optional()
    .meta({ description: 'The year (UTC) of `createdAt`.', example: 2026 }),
}

const listingOfLibrary = {
  ...libraryFilters,
  sort: librarySort.default('createdAt').meta({
    description:
      '`rating` sorts equal ratings by `createdAt` in the same direction. `release` has titles without a release date last in descending order.',
  }),
  order: order.default('desc'),
  cursor: cursor.meta({
    description:
      'The `nextCursor` of the previous page, requested with the same `about`, `sort` and `order`.',
    examples: [],
  }),
  limit: limit(limits.listPageSize),
}

export const reviewWithTitle = review
  .extend({ title: titleCard })
  .meta({ id: 'ReviewWithTitle', description: 'A review with the title that it is about.' })

export const library = {
  input: z.object({ id: id.meta({ description: 'The id of a member.' }), ...listingOfLibrary }),
  ownInput: z.object(listingOfLibrary),
  output: z.object({
    reviews: z.array(reviewWithTitle),
    nextCursor,
    total: count.meta({ description: 'The number of reviews on all pages.' }),
  }),
}
export type LibraryListing = z.output<typeof library.ownInput>

export const cursorTime = z.string().regex(/^[\d:.TZ-]{10,30}$/)

/** The sort, the order and the sort key of the last review. */
export const libraryCursor = z.tuple([
  librarySort,
  order,
  z.union([z.tuple([cursorTime, id]), z.tuple([rating, cursorTime, id]), z.tuple([id, id]), z.tuple([id])]),
])
export type LibraryKey = z.infer<typeof libraryCursor>[2]
