import { z } from 'zod'
import { card, titleCard } from './catalogue.ts'
import * as limits from './limits.ts'
import type { Kind } from './media.ts'
import { id, keyed, limit } from './scalars.ts'

const friends = {
  friendAvg: z
    .number()
    .meta({ description: 'The mean rating by the people the caller follows, 1 to 5.', example: 4.5 }),
  friendCount: z
    .int()
    .meta({ description: 'The number of people the caller follows who rated it.', example: 2 }),
}

export const forYou = {
  input: z.object({ limit: limit(limits.feedLimit) }),
  output: <K extends Kind>(kind: K) =>
    z.object({
      forYou: z.array(keyed(kind, card[kind] as (typeof card)[K], friends)),
    }),
}

export const similar = {
  input: z.object({ id, limit: limit(limits.similarTitlesLimit) }),
  output: z.object({ similar: z.array(titleCard) }),
}
