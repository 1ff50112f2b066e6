import { z } from 'zod'
import * as limits from './limits.ts'
import { messages } from './messages.ts'
import { id, limit, page, pagination, person, rating, text, time } from './scalars.ts'

export const reaction = z.enum(['like', 'dislike', 'none'])

export const review = z
  .object({
    id,
    userId: id,
    itemId: id,
    movieId: id.optional(),
    tvShowId: id.optional(),
    bookId: id.optional(),
    gameId: id.optional(),
    rating: z.int(),
    text: z.string().meta({ description: 'Blank where only a rating was given.' }),
    createdAt: time,
    updatedAt: time,
    likeCount: z.int(),
    dislikeCount: z.int(),
    userReaction: reaction.meta({ description: 'The caller’s own; `none` for a visitor.' }),
    commentCount: z.int(),
    user: person,
  })
  .meta({ id: 'Review', description: 'Carries `itemId` and the id key of its kind with the same number.' })

export const comment = z
  .object({ id, text: z.string(), createdAt: time, author: person })
  .meta({ id: 'Comment' })

/** The title that a review is about: exactly one of the five keys. */
const titleKeys = {
  movieId: id.optional(),
  tvShowId: id.optional(),
  bookId: id.optional(),
  gameId: id.optional(),
  itemId: id.optional(),
}
export type TitleKeys = { [Key in keyof typeof titleKeys]?: number | undefined }

function namesOneTitle(input: TitleKeys): boolean {
  return Object.keys(titleKeys).filter((key) => input[key as keyof TitleKeys] !== undefined).length === 1
}

export const sortBy = z.enum(['createdAt', 'rating'])
export const order = z.enum(['asc', 'desc'])
export const scope = z.enum(['overall', 'network'])

const listing = {
  page,
  limit: limit(limits.reviewsPageSize),
  sortBy: sortBy.default('createdAt'),
  order: order.default('desc'),
  scope: scope.default('overall'),
}

export const listReviews = {
  input: z.object({ ...titleKeys, ...listing }).refine(namesOneTitle, { error: messages.oneTitle }),
  output: z.object({ reviews: z.array(review), pagination }),
}

export const itemReviews = { input: z.object({ id, ...listing }), output: listReviews.output }

export const reviewAnswer = z.object({ review })

export const myReview = {
  input: z.object(titleKeys).refine(namesOneTitle, { error: messages.oneTitle }),
  output: reviewAnswer,
}

export const saveReview = {
  input: z
    .object({ ...titleKeys, rating, text: text(limits.reviewTextMax).optional() })
    .refine(namesOneTitle, { error: messages.oneTitle }),
  output: reviewAnswer,
}

export const editReview = {
  input: z.object({ id, rating: rating.optional(), text: text(limits.reviewTextMax).optional() }),
  output: reviewAnswer,
}

export const removeReview = { input: z.object({ id }) }

export const react = { input: z.object({ id, reaction }), output: reviewAnswer }

export const listComments = {
  input: z.object({ id }),
  output: z.object({ comments: z.array(comment), total: z.int() }),
}

export const addComment = {
  input: z.object({ id, text: text(limits.commentTextMax).min(1, messages.commentEmpty) }),
  output: z.object({ comment, commentCount: z.int() }),
}

export const removeComment = {
  input: z.object({ id }),
  output: z.object({ message: z.string(), commentCount: z.int() }),
}
