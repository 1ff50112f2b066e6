import { z } from 'zod'
import { importOrigins } from '#shared/domain/import-formats.ts'
import { diaryStatuses } from '#shared/domain/kinds.ts'
import { writtenThings } from '#shared/domain/written-things.ts'
import { byFlag } from '#shared/domain/review-flags.ts'
import { count, id, rating, time } from './scalars.ts'
import { ratingGiven } from './imports.ts'

const day = z.string().nullable().meta({ description: 'A date; an imported one may be `YYYY-MM` or `YYYY`.' })

/** Only what the thing has. */
const values = z
  .object({
    rating,
    ratingGiven: ratingGiven.nullable(),
    text: z.string().meta({ example: 'Better than I remembered.' }),
    ...byFlag(({ description }) => z.boolean().meta({ description })),
    status: z.enum(diaryStatuses),
    startedOn: day,
    finishedOn: day,
    isAgain: z.boolean(),
    note: z.string(),
    createdAt: time,
  })
  .partial()
  .meta({ id: 'WrittenValues', example: { rating: 4.5, ratingGiven: '4.5/5', text: '' } })

const write = z
  .object({
    what: z.enum(writtenThings),
    id: id.meta({
      description: 'The review, the diary entry, the title of a favorite, or the list of its title.',
    }),
    by: z.object({
      type: z.enum(['import', 'originals']),
      id: id.nullable().meta({ description: 'The import; null if it is deleted.' }),
      service: z.enum(importOrigins),
      fileName: z.string().nullable().meta({
        description: 'Null without a file, and if the import is deleted.',
        example: 'letterboxd-maria.zip',
      }),
    }),
    at: time,
    lines: z
      .array(
        z.object({
          file: z.string().meta({ example: 'ratings.csv' }),
          line: count.meta({ example: 14 }),
          given: ratingGiven.nullable(),
        }),
      )
      .meta({ description: 'The first lines of the file that say so. None if the import is deleted.' }),
    before: values.nullable().meta({ description: 'The replaced values; null if it was added.' }),
    after: values,
    isCurrent: z
      .boolean()
      .meta({ description: 'Whether all that was written is still there as it was written.' }),
  })
  .meta({ id: 'Write' })
export type Write = z.infer<typeof write>

const output = z.object({
  writes: z.array(write).meta({ description: 'Newest first; at most 100. Empty for what the member wrote.' }),
})

export const origin = { input: z.object({ id }), output }
export const origins = { input: z.object({ itemId: id }), output }
