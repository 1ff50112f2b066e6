import { z } from 'zod'
import { errorRefs } from './errors.ts'
import * as exported from './exported.ts'
import * as limits from '#shared/domain/limits.ts'
import { allKinds, idKeys, kindNames, namesOf, perIdKey, perKind } from '#shared/domain/media.ts'
import { messages } from '#shared/texts/messages.ts'
import { byFlag, reviewFlags } from '#shared/domain/review-flags.ts'
import {
  count,
  cursor,
  decade,
  doneText,
  genre,
  id,
  idList,
  image,
  limit,
  line,
  message,
  nextCursor,
  page,
  pagination,
  person,
  rating,
  shownName,
  text,
  time,
  titleCard,
} from './scalars.ts'

/**
 * Returns the mean of ratings rounded to four decimals, halves up; null if there are none. Screens show fewer than four decimals, so
 * a value is not rounded twice: 4.446 is shown as 4.4, not rounded to 4.45 and then to 4.5.
 */
export function meanRating(sum: number, count: number): number | null {
  // The sum is an integer, so the division is the only step that can round.
  return count === 0 ? null : Math.round((sum * 10_000) / count) / 10_000
}

export const average = z
  .number()
  .nullable()
  .meta({ description: 'The mean of the ratings, 1 to 5; null if there are none.', example: 3.87 })

export const ratingStats = z.object({ avg: average, count }).meta({ id: 'RatingStats' })

const stars = (example: number) => z.int().min(0).meta({ example })
export const starCounts = z
  .object({ '1': stars(1), '2': stars(2), '3': stars(5), '4': stars(14), '5': stars(20) })
  .meta({ id: 'StarCounts', description: 'The number of ratings of one star, two stars and so on.' })

/** The input of every call about the ratings of one title. */
const ofTitle = z.object({ id })

export const overallRating = { input: ofTitle, output: ratingStats }
export const networkRating = {
  input: ofTitle,
  output: z.object({ networkAvg: average, count }).meta({ id: 'NetworkRating' }),
}
export const ratingHistogram = {
  input: ofTitle,
  output: z.object({ counts: starCounts, total: count, avg: average }),
}
export const networkHistogram = {
  input: ofTitle,
  output: z
    .object({ counts: starCounts, total: count, networkAvg: average })
    .meta({ id: 'NetworkRatingHistogram' }),
}

const rater = z
  .object({
    id,
    username: shownName,
    avatarUrl: image,
    rating: z.int().meta({ description: 'Their rating, 1 to 5.', example: 4 }),
  })
  .meta({ id: 'Rater' })

export const networkRaters = {
  input: z.object({ id, limit: limit(limits.ratersLimit) }),
  output: z.object({ raters: z.array(rater) }),
}

export const reaction = z.enum(['like', 'dislike', 'none'])

/** A review has exactly one of the ids of the kinds; the example shows the first. */
const otherId = id.optional().meta({ examples: [] })

const flag = z.boolean().meta({ example: false })
const flags = byFlag(({ description }) => flag.meta({ description }))

export const review = z
  .object({
    id,
    userId: id,
    itemId: id,
    ...perIdKey((index) => (index === 0 ? id.optional() : otherId)),
    rating: z.int().meta({ description: '1 to 5.', example: 4 }),
    text: z.string().meta({
      description: 'Blank if the member only rated.',
      example: 'Slow, and worth every minute.',
    }),
    ...flags,
    createdAt: time,
    updatedAt: time,
    likeCount: count,
    dislikeCount: z.int().meta({ example: 3 }),
    userReaction: reaction.meta({
      description:
        'The caller’s own reaction; `none` without a token. A token without `read` sees only one that the call itself has set.',
    }),
    commentCount: z.int().meta({ example: 2 }),
    isRemoved: z.literal(true).optional().meta({
      description: 'Only present if a moderator has removed the review, which only its author still sees.',
      examples: [],
    }),
    user: person,
  })
  .meta({
    id: 'Review',
    description: 'Has `itemId` and the id key of the title’s kind, both with the same value.',
  })

const comment = z
  .object({
    id,
    text: z.string().meta({ example: 'My thoughts exactly.' }),
    hasSpoilers: flags.hasSpoilers,
    createdAt: time,
    author: person,
  })
  .meta({ id: 'Comment' })

/** The keys that identify the title of a review; an input has exactly one of them. */
export const titleKeys = { ...perIdKey(() => id.optional()), itemId: id.optional() }
/** For the API document. */
export const oneKey = `one of the ${['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][idKeys.length - 1]} ids`
export type TitleKeys = { [Key in keyof typeof titleKeys]?: number | undefined }

export function namesOneTitle(input: TitleKeys): boolean {
  return Object.keys(titleKeys).filter((key) => input[key as keyof TitleKeys] !== undefined).length === 1
}

const sortBy = z.enum(['createdAt', 'rating', 'likeCount'])
export type SortBy = z.infer<typeof sortBy>
const order = z.enum(['asc', 'desc'])
const scope = z.enum(['overall', 'network'])

const listing = {
  page,
  cursor,
  limit: limit(limits.reviewsPageSize),
  sortBy: sortBy.default('createdAt'),
  order: order.default('desc'),
  scope: scope.default('overall'),
}

export const listReviews = {
  input: z.object({ ...titleKeys, ...listing }).refine(namesOneTitle, { error: messages.oneTitle }),
  output: z.object({ reviews: z.array(review), pagination, nextCursor }),
}

export const itemReviews = { input: z.object({ id, ...listing }), output: listReviews.output }

const reviewOutput = z.object({ review })

export const reviewById = { input: z.object({ id }), output: reviewOutput }

export const myReview = {
  input: z.object(titleKeys).refine(namesOneTitle, { error: messages.oneTitle }),
  output: reviewOutput.extend({
    ratingGiven: z.string().nullable().meta({
      description:
        'The rating on the scale of the service that it was imported from; null if it was given or changed here.',
      example: '4.5/5',
    }),
  }),
}

/** An event of a title's live updates: the current ratings, and the reviews that entered or left the list. */
export const live = {
  input: myReview.input,
  event: z
    .object({
      ratings: ratingHistogram.output,
      reviews: z.array(z.object({ id, userId: id, isListed: z.boolean() })),
    })
    .meta({ id: 'LiveEvent', description: 'An event of the live updates of a title.' }),
}
export type LiveEvent = z.infer<typeof live.event>

/** The live updates in the API document; a route, because a procedure with a REST path responds with JSON. */
export const livePaths = {
  '/reviews/live': {
    get: {
      operationId: 'streamLiveUpdates',
      summary: 'Follow the ratings and reviews of a title',
      description:
        'A stream of server-sent events (`EventSource`). The `data` of each is a `LiveEvent` as JSON: the current ratings, and the ids of the reviews that entered or left the list. ' +
        'The first event comes immediately, the others when something has changed. Lines that begin with a colon keep the connection open. ' +
        `Exactly ${oneKey} is required.`,
      tags: ['Reviews'],
      security: [],
      parameters: Object.keys(titleKeys).map((name) => ({
        name,
        in: 'query',
        schema: { type: 'integer', exclusiveMinimum: 0 },
        ...(name === idKeys[0] && { example: 12 }),
      })),
      responses: {
        200: {
          description: 'The stream, which does not end.',
          content: {
            // The schema of the data of each event: OpenAPI 3.1 cannot describe the sequence.
            'text/event-stream': { schema: live.event },
          },
        },
        ...errorRefs([400, 403, 404, 429, 500, 503]),
      },
    },
  },
}

const feedExample =
  '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>Reviews by ada</title></feed>\n'
const newestReviews = 'the 50 newest reviews with a text, without what is marked as a spoiler'
const atomPath = (operationId: string, summary: string, content = newestReviews, statuses = [404]) => ({
  get: {
    operationId,
    summary,
    description: `An Atom feed of ${content}. Made for feed readers: what a visitor sees, whatever token is sent.`,
    tags: ['Feeds'],
    security: [],
    requestParams: { path: z.object({ id }) },
    responses: {
      200: {
        description: 'The feed.',
        content: { 'application/atom+xml': { schema: z.string(), example: feedExample } },
      },
      ...errorRefs([400, ...statuses, 429, 500, 503]),
    },
  },
})

const oEmbed = z
  .object({
    version: z.literal('1.0'),
    type: z.enum(['link', 'rich']).meta({ description: '`rich` for the permalink of a review.' }),
    title: z.string().meta({ example: 'lantern_moth on The Long Way' }),
    provider_name: z.string().meta({ example: 'Medley' }),
    provider_url: z.string().meta({ format: 'uri', example: 'https://medley.example/' }),
    cache_age: z.int().meta({ description: 'In seconds.', example: 3_600 }),
    author_name: shownName.optional(),
    author_url: z.string().optional().meta({ format: 'uri', example: 'https://medley.example/user/7' }),
    html: z.string().optional().meta({ description: 'A `blockquote` of the review, without scripts.' }),
    width: z.int().optional().meta({ example: 550 }),
    height: z.int().optional().meta({ example: 240 }),
  })
  .meta({ id: 'OEmbed', description: 'Describes a title, a review or a list, as in https://oembed.com.' })

const maxSize = z.int().min(1).optional().meta({ description: 'In pixels.', examples: [] })

/** Atom feeds and oEmbed in the API document; they are routes, not procedures. */
export const feedPaths = {
  // That of a private profile is refused.
  '/users/{id}/reviews.atom': atomPath(
    'getMemberFeed',
    'Get the reviews of a member as an Atom feed',
    newestReviews,
    [403, 404],
  ),
  ...Object.fromEntries(
    allKinds.map((definition) => {
      const { One, one } = namesOf(definition)
      return [
        `/${definition.path}/{id}/reviews.atom`,
        atomPath(`get${One}Feed`, `Get the reviews of a ${one} as an Atom feed`),
      ]
    }),
  ),
  '/lists/{id}.atom': atomPath(
    'getListFeed',
    'Get the titles of a list as an Atom feed',
    'the 50 titles that were added last',
  ),
  '/oembed': {
    get: {
      operationId: 'getOEmbed',
      summary: 'Describe a title, a review or a list for embedding',
      description:
        'Takes the address of the page of a title or a list, or the permalink of a review (`?review=42`), on this host.',
      tags: ['Feeds'],
      security: [],
      requestParams: {
        query: z.object({
          url: z
            .string()
            .max(2_000)
            .meta({ format: 'uri', example: 'https://medley.example/movies/12?review=42' }),
          format: z
            .string()
            .optional()
            .meta({ description: '`json`, the default; 501 for another one.', examples: [] }),
          maxwidth: maxSize,
          maxheight: maxSize,
        }),
      },
      responses: {
        200: { description: 'OK.', content: { 'application/json': { schema: oEmbed } } },
        ...errorRefs([400, 404, 429, 500, 501, 503]),
      },
    },
  },
}

/** The fields that the author of a review writes. */
const written = {
  rating,
  text: text(limits.reviewTextMax).meta({ example: 'Slow, and worth every minute.' }).optional(),
  ...byFlag(({ description }) =>
    flag.optional().meta({ description: `${description} By default it keeps its value.` }),
  ),
}
export type Written = z.output<z.ZodObject<typeof written>>

const edited = { ...written, rating: rating.optional() }
export type Edited = z.output<z.ZodObject<typeof edited>>

export const saveReview = {
  input: z
    .object({ ...titleKeys, ...written })
    .refine(namesOneTitle, { error: messages.oneTitle })
    .meta({
      description: `Exactly ${oneKey} is required.`,
      examples: [
        { movieId: 12, rating: 4 },
        { itemId: 12, rating: 4, text: 'Slow, and worth every minute.' },
      ],
    }),
  output: reviewOutput,
}

export const editReview = {
  input: z.object({ id, ...edited }),
  output: reviewOutput,
}

/** A time of a stored review. */
const storedTime = z.iso.datetime().max(limits.timeMax)

/** What the author wrote in a review, with the times and the imported rating that depend on it. */
const snapshot = z.object({
  id,
  rating,
  text: text(limits.reviewTextMax),
  ...flags,
  ratingGiven: line(limits.nameMax).nullable(),
  updatedAt: storedTime,
  ratedAt: storedTime,
})
export type ReviewSnapshot = z.output<typeof snapshot>

export const reviewSnapshot = {
  input: myReview.input,
  output: z.object({ snapshot: snapshot.nullable() }),
}

export const restoreReview = {
  input: snapshot.extend({
    replaced: storedTime
      .optional()
      .meta({ description: 'The `updatedAt` of the review that is replaced; without it, any is.' }),
  }),
  output: reviewOutput,
}

export const removeReview = { input: z.object({ id }), output: message }

export const react = { input: z.object({ id, reaction }), output: reviewOutput }

/** The values of a cursor of comments: the list, and the time and the id of the oldest comment of the page. */
export const commentsCursor = z.tuple([z.literal('comments'), z.iso.datetime(), id])

export const listComments = {
  input: z.object({
    id,
    before: id
      .optional()
      .meta({ description: 'The id of a comment: returns the comments before it.', examples: [] }),
    cursor: cursor.meta({ description: 'The `nextCursor` of the previous page. Replaces `before`.' }),
  }),
  output: z.object({ comments: z.array(comment), total: count, nextCursor }),
}

export const addComment = {
  input: z.object({
    id,
    text: text(limits.commentTextMax).min(1, messages.commentEmpty).meta({ example: 'My thoughts exactly.' }),
    hasSpoilers: flag.default(false).meta({ description: reviewFlags.hasSpoilers.description }),
  }),
  output: z.object({ comment, commentCount: count }),
}

export const removeComment = {
  input: z.object({ id }),
  output: z.object({ message: doneText, commentCount: count }),
}

/** A member's own ratings of the titles on a screen. */
export const myRatings = {
  input: z.object({ ids: idList(/[1-9]\d{0,14}/, '12,13') }),
  output: z.object({
    ratings: z
      .array(z.object({ titleId: id, rating: stars(4) }))
      .meta({ description: 'Unordered. Titles that the caller has not rated are left out.' }),
  }),
}

/** What the people that a member follows gave to the titles on a screen. */
export const networkRatings = {
  input: z.object({ ids: idList(/[1-9]\d{0,14}/, '12,13') }),
  output: z.object({
    ratings: z
      .array(
        z.object({
          titleId: id,
          count,
          average: z.number().meta({ example: 4.5 }),
          raters: z.array(person).meta({ description: 'At most 3, the highest rating first.' }),
        }),
      )
      .meta({ description: 'Unordered. Titles that none of them rated are left out.' }),
  }),
}

export const librarySort = z.enum(['createdAt', 'rating', 'title', 'release'])
export type LibrarySort = z.infer<typeof librarySort>

const libraryFilters = {
  q: line(limits.queryMax)
    .optional()
    .meta({
      description: `Only titles whose name or authors contain all words. Searches the newest ${limits.librarySearchMax.toLocaleString('en')} ratings.`,
      examples: [],
    }),
  kind: z.enum(kindNames).optional(),
  hasText: z.boolean().optional().meta({
    description: 'True: only reviews with a text; false: only ratings without one.',
  }),
  rating: rating.optional(),
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
    description: 'The `nextCursor` of the previous page, requested with the same `sort` and `order`.',
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

/** The values of a cursor of a library: the sort, the order and the sort key of the last review of the page. */
export const libraryCursor = z.tuple([
  librarySort,
  order,
  z.union([
    z.tuple([cursorTime, id]),
    z.tuple([rating, cursorTime, id]),
    // The id of the title, whose name or release date is the sort key.
    z.tuple([id]),
  ]),
])
export type LibraryKey = z.infer<typeof libraryCursor>[2]

const memberHistogram = z
  .object({ counts: starCounts, total: count, avg: average })
  .meta({ id: 'RatingHistogram' })

export const memberHistograms = {
  input: z.object({ id: id.meta({ description: 'The id of a member.' }) }),
  output: z.object({
    all: memberHistogram,
    ...perKind(() => memberHistogram),
    firstRatedAt: time.nullable().meta({ description: 'Null if the member has rated nothing.' }),
  }),
}

/** Parts of `medley.json`. */
export const exportedReview = z.object({
  title: exported.titleRef,
  rating: z.int().min(1).max(5).meta({ description: 'Stars.', example: 4 }),
  ratingGiven: exported.ratingGiven,
  text: exported.text.meta({ description: 'Blank if the member only rated.' }),
  ...byFlag(() => z.boolean()),
  createdAt: time,
  updatedAt: time,
  ratedAt: time,
})

const authorOfReview = exported.username.nullable().meta({
  description: 'The author of the review; null if the member can no longer see what they write.',
})

export const exportedReaction = z.object({
  title: exported.titleRef,
  author: authorOfReview,
  reaction: z.enum(['like', 'dislike']),
})

export const exportedComment = z.object({
  title: exported.titleRef,
  author: authorOfReview,
  text: exported.text,
  hasSpoilers: z.boolean(),
  createdAt: time,
})
