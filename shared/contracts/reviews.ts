import { z } from 'zod'
import * as limits from '#shared/domain/limits.ts'
import { idKeys, type PartIdKey, partIdKeys, perIdKey } from '#shared/domain/kinds.ts'
import { byFlag, reviewFlags } from '#shared/domain/review-flags.ts'
import { safeUnits } from '#shared/domain/safe-up-to.ts'
import { messages } from '#shared/texts/messages.ts'
import { errorRefs } from './errors.ts'
import * as exported from './exported.ts'
import { ratingHistogram } from './ratings.ts'
import {
  count,
  cursor,
  doneText,
  id,
  limit,
  line,
  message,
  nextCursor,
  page,
  pagination,
  person,
  rating,
  stars,
  text,
  time,
} from './scalars.ts'

export const reaction = z.enum(['like', 'dislike', 'none'])

/** Exactly one id; the example shows the first. */
const otherId = id.optional().meta({ examples: [] })

const flag = z.boolean().meta({ example: false })
const flags = byFlag(({ description }) => flag.meta({ description }))

/** An unknown field of what a client has read, such as the number of the episode, is ignored. */
const safeUpTo = z
  .object({
    episodeId: id.optional().meta({ description: 'An episode of a TV show.', example: 31 }),
    page: z.int().min(1).max(limits.stepValueMax).optional().meta({
      description: 'Of a book.',
      examples: [],
    }),
    percent: z.int().min(1).max(100).optional().meta({
      description: 'Of a book, a movie or a game.',
      examples: [],
    }),
  })
  .refine((given) => safeUnits.filter((name) => given[name] !== undefined).length === 1, {
    error: messages.oneSafeUpTo,
  })
export type SafeUpTo = z.output<typeof safeUpTo>

const givenSafeUpTo = safeUpTo.nullable().optional().meta({
  description:
    'How far others must be to get the text: exactly one of the three. Null: they get it in any case.',
  examples: [],
})

const shownSafeUpTo = z
  .object({
    episodeId: otherId,
    season: z.int().optional().meta({ description: 'Of the episode.', example: 2 }),
    number: z.int().optional().meta({ description: 'Of the episode.', example: 5 }),
    page: z.int().optional().meta({ examples: [] }),
    percent: z.int().optional().meta({ examples: [] }),
  })
  .meta({ id: 'SafeUpTo', description: 'Has an episode, a page or a percentage.' })
export type ShownSafeUpTo = z.output<typeof shownSafeUpTo>

/** Without them, nothing is withheld from anybody. */
const withholding = {
  safeUpTo: shownSafeUpTo.optional().meta({
    description:
      'Only present if the text is withheld from those who are not as far: who have not seen the episode, or not logged the page or the percentage.',
    examples: [],
  }),
  isWithheld: z.literal(true).optional().meta({
    description: 'Only present if the text is withheld from the caller. It is blank then.',
    examples: [],
  }),
}

export const reviewedPart = z
  .object({
    seasonId: id,
    episodeId: id.nullable().meta({ description: 'Null for the review of a season.', example: 31 }),
    season: z.int().meta({ description: 'The number of the season; 0 are specials.', example: 2 }),
    number: z.int().nullable().meta({ description: 'Of the episode, within its season.', example: 5 }),
    name: z.string().meta({ description: 'Blank if it is unknown.', example: 'The Ferry' }),
  })
  .meta({ id: 'ReviewedPart', description: 'A season or an episode of a TV show that is reviewed.' })

export const review = z
  .object({
    id,
    userId: id,
    itemId: id,
    ...perIdKey((index) => (index === 0 ? id.optional() : otherId)),
    about: reviewedPart.nullable().meta({
      description: 'The season or the episode that is reviewed; null for the review of a title.',
    }),
    rating: stars,
    text: z.string().meta({
      description: 'Blank if the member only rated.',
      example: 'Slow, and worth every minute.',
    }),
    ...flags,
    ...withholding,
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
    description:
      'Has `itemId` and the id key of the title’s kind, both with the same value. That of a season or an episode has the ids of the show.',
  })

export const comment = z
  .object({
    id,
    text: z.string().meta({ example: 'My thoughts exactly.' }),
    hasSpoilers: flags.hasSpoilers,
    ...withholding,
    createdAt: time,
    author: person,
  })
  .meta({ id: 'Comment' })

export const titleKeys = { ...perIdKey(() => id.optional()), itemId: id.optional() }
const numberWords = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
]
export const oneKey = `one of the ${numberWords[idKeys.length + 1]} ids`
export type TitleKeys = { [Key in keyof typeof titleKeys]?: number | undefined }

export function namesOneTitle(input: TitleKeys): boolean {
  return Object.keys(titleKeys).filter((key) => input[key as keyof TitleKeys] !== undefined).length === 1
}

/** A review is of a title, or of a part of one. */
const partKeys = Object.fromEntries(partIdKeys.map((key) => [key, id.optional()]))
export const subjectKeys = { ...titleKeys, ...(partKeys as Record<PartIdKey, typeof otherId>) }
export const oneSubjectKey = `one of the ${numberWords[Object.keys(subjectKeys).length]} ids`
export type SubjectKeys = { [Key in keyof typeof subjectKeys]?: number | undefined }
export type PartKey = { [Key in PartIdKey]: Record<Key, number> }[PartIdKey]

export function namesOneSubject(input: SubjectKeys): boolean {
  return Object.keys(subjectKeys).filter((key) => input[key as keyof SubjectKeys] !== undefined).length === 1
}

const sortBy = z.enum(['createdAt', 'rating', 'likeCount'])
export type SortBy = z.infer<typeof sortBy>
export const order = z.enum(['asc', 'desc'])
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
  input: z.object({ ...subjectKeys, ...listing }).refine(namesOneSubject, { error: messages.oneSubject }),
  output: z.object({ reviews: z.array(review), pagination, nextCursor }),
}

export const itemReviews = { input: z.object({ id, ...listing }), output: listReviews.output }

const reviewOutput = z.object({ review })

const reveal = z
  .boolean()
  .default(false)
  .meta({ description: 'Whether the caller wants to read what is withheld from them.', examples: [] })

export const reviewById = { input: z.object({ id, reveal }), output: reviewOutput }

export const myReview = {
  input: z.object(subjectKeys).refine(namesOneSubject, { error: messages.oneSubject }),
  output: reviewOutput.extend({
    ratingGiven: z.string().nullable().meta({
      description:
        'The rating on the scale of the service that it was imported from; null if it was given or changed here.',
      example: '4.5/5',
    }),
  }),
}

/** The first event has the current ratings. */
export const live = {
  input: myReview.input,
  event: z
    .object({
      ratings: ratingHistogram.output,
      reviews: z.array(z.object({ id, userId: id, isListed: z.boolean() })),
    })
    .meta({
      id: 'LiveEvent',
      description: 'An event of the live updates of a title, a season or an episode.',
    }),
}
export type LiveEvent = z.infer<typeof live.event>

/** A route, because a procedure with a REST path responds with JSON. */
export const livePaths = {
  '/reviews/live': {
    get: {
      operationId: 'streamLiveUpdates',
      summary: 'Follow the ratings and reviews of a title, a season or an episode',
      description:
        'A stream of server-sent events (`EventSource`). The `data` of each is a `LiveEvent` as JSON: the current ratings, and the ids of the reviews that entered or left the list. ' +
        'The first event comes immediately, the others when something has changed. Lines that begin with a colon keep the connection open. ' +
        `Exactly ${oneSubjectKey} is required.`,
      tags: ['Reviews'],
      security: [],
      parameters: Object.keys(subjectKeys).map((name) => ({
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

const written = {
  rating,
  text: text(limits.reviewTextMax).meta({ example: 'Slow, and worth every minute.' }).optional(),
  ...byFlag(({ description }) =>
    flag.optional().meta({ description: `${description} By default it keeps its value.` }),
  ),
  safeUpTo: givenSafeUpTo,
}
export type Written = z.output<z.ZodObject<typeof written>>

const edited = { ...written, rating: rating.optional() }
export type Edited = z.output<z.ZodObject<typeof edited>>

export const saveReview = {
  input: z
    .object({ ...subjectKeys, ...written })
    .refine(namesOneSubject, { error: messages.oneSubject })
    .meta({
      description: `Exactly ${oneSubjectKey} is required.`,
      examples: [
        { movieId: 12, rating: 4 },
        { itemId: 12, rating: 4, text: 'Slow, and worth every minute.' },
        { episodeId: 31, rating: 4.5 },
      ],
    }),
  output: reviewOutput,
}

export const editReview = {
  input: z.object({ id, ...edited }),
  output: reviewOutput,
}

const storedTime = z.iso.datetime().max(limits.timeMax)

const snapshot = z.object({
  id,
  rating,
  text: text(limits.reviewTextMax),
  ...flags,
  safeUpTo: givenSafeUpTo,
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

/** The list, and the time and id of the oldest comment. */
export const commentsCursor = z.tuple([z.literal('comments'), z.iso.datetime(), id])

export const listComments = {
  input: z.object({
    id,
    before: id
      .optional()
      .meta({ description: 'The id of a comment: returns the comments before it.', examples: [] }),
    cursor: cursor.meta({ description: 'The `nextCursor` of the previous page. Replaces `before`.' }),
    reveal,
  }),
  output: z.object({ comments: z.array(comment), total: count, nextCursor }),
}

export const addComment = {
  input: z.object({
    id,
    text: text(limits.commentTextMax).min(1, messages.commentEmpty).meta({ example: 'My thoughts exactly.' }),
    hasSpoilers: flag.default(false).meta({ description: reviewFlags.hasSpoilers.description }),
    safeUpTo: givenSafeUpTo.meta({ description: 'As of a review. Without it, that of the review counts.' }),
  }),
  output: z.object({ comment, commentCount: count }),
}

export const removeComment = {
  input: z.object({ id }),
  output: z.object({ message: doneText, commentCount: count }),
}

export const exportedReview = z.object({
  title: exported.titleRef,
  rating,
  ratingGiven: exported.ratingGiven,
  text: exported.text.meta({ description: 'Blank if the member only rated.' }),
  ...byFlag(() => z.boolean()),
  safeUpTo: shownSafeUpTo.nullable(),
  createdAt: time,
  updatedAt: time,
  ratedAt: time,
})

export const exportedPartReview = exportedReview.extend({
  season: z.int().meta({ description: 'The number of the season; 0 are specials.', example: 2 }),
  episode: z.int().nullable().meta({
    description: 'The number of the episode within its season; null for the review of a season.',
    example: 5,
  }),
  partId: z.string().nullable().meta({
    description: 'The id of the episode or the season at a source.',
    example: 'tmdb-episode:62085',
  }),
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
  safeUpTo: shownSafeUpTo.nullable(),
  createdAt: time,
})
