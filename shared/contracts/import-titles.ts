import { z } from 'zod'
import * as limits from '#shared/domain/limits.ts'
import { diaryStatuses, kindNames } from '#shared/domain/kinds.ts'
import { importParts, partDiff, ratingGiven, importOutput } from './imports.ts'
import {
  cursor,
  id,
  image,
  line,
  limit,
  nextCursor,
  page,
  pagination,
  rating,
  time,
  titleCard,
} from './scalars.ts'
import { importLineStates, importTitleStates } from '#shared/domain/import-states.ts'

const date = z.string().meta({ description: '`YYYY-MM-DD`, `YYYY-MM` or `YYYY`.' })

const plannedEntry = z.object({
  status: z.enum(diaryStatuses),
  startedOn: date.nullable().meta({ example: null }),
  finishedOn: date.nullable().meta({ example: '2023-05' }),
  isAgain: z.boolean(),
  ratingGiven: ratingGiven.nullable().meta({ example: '4.5/5' }),
  text: z.string().meta({ example: 'With Ada, at the old cinema.' }),
})

const written = z.object({
  rating: rating.nullable(),
  ratingGiven: ratingGiven.nullable().meta({ example: '4.5/5' }),
  text: z.string().meta({ example: 'Slow, and worth every minute.' }),
  hasSpoilers: z.boolean(),
  writtenOn: time.nullable(),
  isFavorite: z.boolean(),
  entries: z.array(plannedEntry),
})

const name = z.string().meta({ example: 'The Long Way' })
const year = z.int().nullable().meta({ example: 1999 })
const file = z
  .string()
  .meta({ description: 'The file within a zip, otherwise blank.', example: 'ratings.csv' })
const lineNumber = z.int().meta({ example: 2 })

const candidate = z
  .object({
    title: titleCard.nullable().meta({ description: 'Null if the candidate is not in the catalogue yet.' }),
    kind: z.enum(kindNames),
    name,
    year,
    imageUrl: image,
    creators: z.array(z.string().meta({ example: 'Ines Example' })),
    why: z
      .string()
      .meta({ description: 'Why this title may be meant, for display.', example: 'A year apart' }),
  })
  .meta({ id: 'ImportCandidate' })

/** `candidate` is an index of `candidates`. */
const importDecision = z.union([
  z.object({ mediaId: id }),
  z.object({ candidate: z.int().min(0).max(4) }),
  z.enum(['create', 'skip', 'mine', 'file', 'both']),
])
export type ImportDecision = z.infer<typeof importDecision>

const importTitle = z
  .object({
    id,
    kind: z.enum(kindNames),
    name,
    year,
    authors: z.array(z.string().meta({ example: 'Ines Example' })),
    state: z.enum(importTitleStates).meta({ example: 'new' }),
    reason: z.string().nullable().meta({
      description: 'Why the title was recognized or not, for display.',
      example: 'By its ISBN',
    }),
    verdicts: z.partialRecord(z.enum(importParts), partDiff).meta({
      description: 'What applying does with each part that the file has.',
      example: { rating: 'new', entries: 'same' },
    }),
    notes: z
      .array(z.string().meta({ example: 'The ISBN has a wrong check digit.' }))
      .meta({ description: 'What to know about the values of the file, for display.' }),
    lines: z.array(z.object({ file, line: lineNumber })).meta({ description: 'At most 20.' }),
    title: titleCard.nullable(),
    candidates: z
      .array(candidate)
      .meta({ description: 'The titles that may be meant, best first; at most 5.' }),
    theirs: written.meta({ description: 'What the file says.' }),
    mine: written.nullable().meta({ description: 'What the member has here, if the title is known.' }),
    decision: importDecision.nullable(),
  })
  .meta({ id: 'ImportTitle' })
export type ImportTitle = z.infer<typeof importTitle>

export const listImportTitles = {
  input: z.object({
    id,
    state: z.enum(importTitleStates).optional(),
    isDecided: z.boolean().optional().meta({
      description: 'True: only titles with a decision; false: only titles without one.',
    }),
    isTextWithoutRating: z.boolean().optional().meta({
      description: 'True: only titles whose review has no rating; false: all others.',
    }),
    hasUnknownEpisodes: z.boolean().optional().meta({
      description: 'True: only titles with episodes that the catalogue does not have; false: all others.',
    }),
    q: line(limits.queryMax).optional(),
    page,
    cursor,
    limit: limit(limits.listPageSize),
  }),
  output: z.object({ titles: z.array(importTitle), pagination, nextCursor }),
}

const importLine = z
  .object({
    id,
    file,
    line: lineNumber,
    state: z.enum([...importTitleStates, ...importLineStates]),
    name,
    note: z.string().nullable().meta({ example: null }),
    titleId: id.nullable(),
  })
  .meta({ id: 'ImportLine' })
export type ImportLine = z.infer<typeof importLine>

export const listImportLines = {
  input: z.object({
    id,
    state: z.enum(importLineStates).optional(),
    page,
    cursor,
    limit: limit(limits.listPageSize),
  }),
  output: z.object({ lines: z.array(importLine), pagination, nextCursor }),
}

export const decideTitle = {
  input: z.object({ id, titleId: id, decision: importDecision.nullable() }),
  output: z.object({ title: importTitle }),
}

export const decideTitles = {
  input: z.object({
    id,
    state: z.enum(['ambiguous', 'notFound', 'conflict']),
    decision: z.enum(['suggested', 'create', 'skip', 'mine', 'file', 'both']).nullable(),
  }),
  output: importOutput,
}
