import { z } from 'zod'
import { card } from './titles.ts'
import * as limits from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { cursorTime, reviewWithTitle } from './library.ts'
import { cursor, id, keyed, limit, nextCursor, titleCard } from './scalars.ts'

const friends = {
  friendAvg: z
    .number()
    .meta({ description: 'The mean rating by the people the caller follows, 1 to 5.', example: 4.5 }),
  friendCount: z
    .int()
    .meta({ description: 'The number of people the caller follows who rated it.', example: 2 }),
}

const match = z.int().min(0).max(100).optional().meta({
  description:
    'With the order `match`: the rating to expect of the caller, in percent of the scale. Ratings of people with a similar taste weigh more.',
  example: 86,
})

export const forYou = {
  input: z.object({
    limit: limit(limits.feedLimit),
    order: z.enum(limits.feedOrders).default('average').meta({
      description:
        '`average` for the highest `friendAvg`, `friends` for the most ratings, or `match` for the best taste match.',
    }),
  }),
  output: (kind: Kind) => z.object({ forYou: z.array(keyed(kind, card, { ...friends, match })) }),
}

export const similar = {
  input: z.object({ id, limit: limit(limits.similarTitlesLimit) }),
  output: z.object({ similar: z.array(titleCard) }),
}

export const sameStory = {
  input: z.object({ id }),
  output: z.object({ titles: z.array(titleCard) }),
}

export const following = {
  input: z.object({ cursor, limit: limit(limits.feedLimit) }),
  output: z.object({ entries: z.array(reviewWithTitle), nextCursor }),
}

export const followingCursor = z.tuple([cursorTime, id])
