import { z } from 'zod'
import { card } from './catalogue.ts'
import * as limits from './limits.ts'
import type { Kind } from './media.ts'
import { keyed, limit } from './scalars.ts'

const friends = {
  friendAvg: z.number().meta({ description: 'The mean of their ratings, 1 to 5.', example: 4.5 }),
  friendCount: z.int().meta({ description: 'How many of them rated it.', example: 2 }),
}

export const forYou = {
  input: z.object({ limit: limit(limits.feedLimit) }),
  output: <K extends Kind>(kind: K) =>
    z.object({
      forYou: z.array(keyed(kind, card[kind] as (typeof card)[K], friends)),
    }),
}
