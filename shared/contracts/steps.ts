import { z } from 'zod'
import { ownEntry, writtenDay } from './diary.ts'
import * as exported from './exported.ts'
import { progressUnits } from '#shared/domain/kinds.ts'
import * as limits from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { cursor, id, limit, message, nextCursor, text, time, titleCard } from './scalars.ts'

const isFineEnough = (value: number) => Math.round(value * 100) / 100 === value
const amount = z.number().min(0).max(limits.stepValueMax).optional()

const unit = z.enum(progressUnits).meta({ example: 'page' })
const value = z.number().min(0).max(limits.stepValueMax).meta({ example: 120 })
const on = z.string().meta({ description: '`YYYY-MM-DD`.', example: '2026-05-04' })
const stepText = text(limits.stepTextMax).meta({ example: 'The chapter with the whale.' })

const step = z
  .object({
    id,
    unit,
    value,
    on,
    text: z.string().meta({
      description: 'A private note: blank for everybody but the owner.',
      example: 'The chapter with the whale.',
    }),
    createdAt: time,
  })
  .meta({ id: 'Step', description: 'How far a member was in a movie, a book or a game on a day.' })
export type Step = z.infer<typeof step>

export const addStep = {
  input: z
    .object({
      id,
      page: z.int().min(0).max(limits.stepValueMax).optional().meta({
        description: 'Of a book.',
        example: 120,
      }),
      percent: z.int().min(0).max(100).optional().meta({ examples: [] }),
      hours: amount
        .refine((given) => given === undefined || isFineEnough(given), messages.progressTooFine)
        .meta({
          description: 'Of a game, with at most two decimals.',
          examples: [],
        }),
      minutes: z.int().min(0).max(limits.stepValueMax).optional().meta({
        description: 'Of a movie.',
        examples: [],
      }),
      on: writtenDay.optional().meta({
        description: 'By default the current day in the time zone of the member. Not in the future.',
        example: '2026-05-04',
      }),
      text: stepText.optional().meta({ description: 'A private note.' }),
    })
    .refine((input) => progressUnits.filter((name) => input[name] !== undefined).length === 1, {
      error: messages.oneProgress,
    }),
  output: z.object({ entry: ownEntry, step }),
}
export type GivenStep = z.output<typeof addStep.input>

export const listSteps = {
  input: z.object({ id, limit: limit(limits.listPageSize), cursor }),
  output: z.object({
    title: titleCard,
    steps: z.array(step).meta({ description: 'The last day first, and the last added first of a day.' }),
    nextCursor,
  }),
}
/** The day and the id of the last step of a page. */
export const stepCursor = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\d$/), id])

export const removeStep = { input: z.object({ id, stepId: id }), output: message }

export const exportedStep = z.object({
  title: exported.titleRef,
  entry: z.int().positive().meta({ description: 'The `ref` of an entry of `diary`.', example: 12 }),
  unit,
  value,
  on,
  text: exported.text.meta({ description: 'The private note.' }),
  createdAt: time,
})
