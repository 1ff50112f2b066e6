import { z } from 'zod'
import { card } from './catalogue.ts'
import * as limits from './limits.ts'
import type { Kind } from './media.ts'
import { id, image, keyed, limit } from './scalars.ts'

export const forYou = {
  input: z.object({ limit: limit(limits.feedLimit) }),
  output: <K extends Kind>(kind: K) =>
    z.object({
      forYou: z.array(
        keyed(kind, card[kind] as (typeof card)[K], { friendAvg: z.number(), friendCount: z.int() }),
      ),
    }),
}

export const networkRaters = {
  input: z.object({ id, limit: limit(limits.ratersLimit) }),
  output: z.object({ raters: z.array(z.object({ id, username: z.string(), avatarUrl: image })) }),
}
