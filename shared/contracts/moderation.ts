import { z } from 'zod'
import { key as listKey } from './lists.ts'
import * as exported from './exported.ts'
import { reviewedPart } from './reviews.ts'
import * as limits from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  cursor,
  id,
  image,
  limit,
  line,
  message,
  nextCursor,
  person,
  text,
  time,
  titleCard,
  uploadedImage,
  stars,
} from './scalars.ts'
import { decisionActionNames, reportCategoryNames, reportTargets } from '#shared/domain/moderation.ts'

/** The strictest decision in force: a frozen member writes nothing, a suspended one is hidden as well. */
export const standings = ['active', 'frozen', 'suspended'] as const
export type Standing = (typeof standings)[number]

const target = z
  .object({ type: z.enum(reportTargets), id })
  .meta({ id: 'ReportTarget', example: { type: 'review', id: 12 } })

const ruleIds = z
  .array(line(40).min(1))
  .max(20)
  .meta({ description: 'The ids of the rules of the site that were broken.', example: [] })
const rules = z
  .array(z.string())
  .meta({ description: 'The texts of these rules at that time.', example: ['Be kind.'] })
const reason = text(limits.decisionTextMax).meta({
  description: 'Shown to the member.',
  example: 'Advertises a shop.',
})

export const createReport = {
  input: z.object({
    target,
    key: listKey,
    category: z.enum(reportCategoryNames),
    ruleIds: ruleIds.default([]),
    comment: text(limits.reportCommentMax).default('').meta({ example: 'The same text is on ten titles.' }),
  }),
  output: z.object({
    report: z
      .object({
        id,
        target,
        category: z.enum(reportCategoryNames),
        comment: z.string(),
        createdAt: time,
        outcome: z
          .enum(['removed', 'handled'])
          .nullable()
          .meta({ description: 'Null until a moderator has decided.', example: null }),
        closedAt: time.nullable().meta({ example: null }),
      })
      .meta({ id: 'Report', description: 'A report of the caller, and what became of it.' }),
  }),
}
export const reportsCursor = z.tuple([z.literal('reports'), id])
export const listReports = {
  input: z.object({ cursor, limit: limit(limits.listPageSize) }),
  output: z.object({ reports: z.array(createReport.output.shape.report), nextCursor }),
}

const about = reviewedPart.nullable().meta({
  description:
    'The season or the episode of the title, if a review of one or a comment on it is the target; otherwise null.',
  example: null,
})

/** As it was when the case was opened. */
const snapshot = z
  .object({
    text: z.string().meta({ example: 'Buy my things.' }),
    rating: stars.nullable().meta({ example: 1 }),
    hasSpoilers: z.boolean(),
    imageUrl: image,
    title: titleCard.nullable(),
    about,
    writtenAt: time.nullable(),
  })
  .meta({ id: 'Snapshot', description: 'A target as it was when the first report arrived.' })
export type Snapshot = z.infer<typeof snapshot>

const appeal = z
  .object({
    text: z.string().meta({ example: 'It is no advertisement.' }),
    appealedAt: time,
    answer: z.string().nullable().meta({ example: null }),
    answeredAt: time.nullable().meta({ example: null }),
    isAccepted: z.boolean().nullable().meta({ description: 'Null until it is answered.', example: null }),
  })
  .meta({ id: 'Appeal' })

const decided = z.object({
  id,
  target,
  action: z.enum(decisionActionNames),
  rules,
  reason: z.string().meta({ example: 'Advertises a shop.' }),
  until: time.nullable().meta({ description: 'When it ends by itself.', example: null }),
  createdAt: time,
  endedAt: time.nullable().meta({ description: 'Null while it is in force.', example: null }),
  endReason: z.enum(['undone', 'expired', 'accepted']).nullable().meta({ example: null }),
  appeal: appeal.nullable().meta({ example: null }),
})

const ownDecision = decided
  .extend({
    content: z.string().meta({ description: 'The text that it is about.', example: 'Buy my things.' }),
    title: titleCard.nullable(),
    about,
    needsConfirmation: z
      .boolean()
      .meta({ description: 'Whether the member still has to confirm a warning.' }),
    appealUntil: time
      .nullable()
      .meta({ description: 'Until when it can be appealed; null if it cannot.', example: null }),
  })
  .meta({ id: 'OwnDecision', description: 'A decision about the caller.' })

export const decision = decided
  .extend({
    caseId: id,
    keepsRating: z.boolean(),
    since: time.nullable().meta({ description: 'What `removeAll` begins with.', example: null }),
    moderator: person.nullable(),
    isUndoable: z.boolean(),
  })
  .meta({ id: 'Decision' })

const caseFields = z.object({
  id,
  target,
  state: z.enum(['open', 'closed']),
  openedAt: time,
  closedAt: time.nullable().meta({ example: null }),
  assignee: person.nullable(),
  member: person
    .nullable()
    .meta({ description: 'Whom it concerns: the author, or the member. Null if the account is gone.' }),
  snapshot,
  categories: z.array(z.enum(reportCategoryNames)).meta({ example: ['spam'] }),
  reportCount: z.int().min(0).meta({ example: 1 }),
  isAppealed: z.boolean().meta({ description: 'Whether an appeal waits for an answer.' }),
})
const listedCase = caseFields.meta({ id: 'ListedCase' })
const fullCase = caseFields
  .extend({
    standing: z.enum(standings).meta({ description: 'Of the member.' }),
    current: z
      .object({ text: z.string(), hasSpoilers: z.boolean(), isRemoved: z.boolean() })
      .nullable()
      .meta({ description: 'The target now; null if it no longer exists.' }),
    reports: z.array(
      z.object({
        id,
        reporter: person.nullable(),
        category: z.enum(reportCategoryNames),
        rules,
        comment: z.string(),
        createdAt: time,
      }),
    ),
    decisions: z.array(decision).meta({ description: 'Of this case, oldest first.' }),
    history: z
      .array(decision)
      .meta({ description: 'Other decisions about the member, newest first, at most 20.' }),
  })
  .meta({ id: 'Case' })
export type Case = z.infer<typeof fullCase>

const caseOutput = z.object({ case: fullCase })

export const casesCursor = (state: string) => z.tuple([z.literal(`cases ${state}`), id])
export const listCases = {
  input: z.object({
    state: z.enum(['open', 'closed', 'appealed']).default('open'),
    category: z.enum(reportCategoryNames).optional().meta({ examples: [] }),
    assignee: id.optional().meta({ description: 'The id of a moderator.', examples: [] }),
    cursor,
    limit: limit(50),
  }),
  output: z.object({ cases: z.array(listedCase), nextCursor }),
}
export const openCase = { input: z.object({ target }), output: caseOutput }
export const caseById = { input: z.object({ id }), output: caseOutput }
export const assignCase = {
  input: z.object({
    id,
    userId: id.nullable().meta({ description: 'A moderator, or null.', example: null }),
  }),
  output: caseOutput,
}

export const decide = {
  input: z
    .object({
      id,
      action: z.enum(decisionActionNames).meta({ example: 'dismiss' }),
      ruleIds: ruleIds.default([]),
      reason: reason.default(''),
      until: z.iso.datetime().max(30).optional().meta({
        description: 'When `freeze` (required), `suspend` or `removeAll` ends; otherwise they last.',
        examples: [],
      }),
      keepsRating: z
        .boolean()
        .default(true)
        .meta({ description: 'With `remove` and `removeAll`: whether the ratings still count.' }),
      days: z.int().min(1).max(limits.removeDaysMax).optional().meta({
        description: 'With `removeAll`: only what was written in so many last days.',
        examples: [],
      }),
    })
    .refine(({ action, until }) => action !== 'freeze' || until !== undefined, {
      path: ['until'],
      error: messages.freezeNeedsUntil,
    }),
  output: caseOutput.extend({ decisionId: id }),
}
export const undoDecision = { input: z.object({ id }), output: caseOutput }
export const answerAppeal = {
  input: z.object({
    id,
    accepts: z.boolean(),
    answer: text(limits.decisionTextMax).min(1).meta({ example: 'You are right, we have undone it.' }),
  }),
  output: caseOutput,
}

export const listOwnDecisions = { output: z.object({ decisions: z.array(ownDecision) }) }
export const decisionById = { input: z.object({ id }), output: z.object({ decision: ownDecision }) }
export const confirmDecision = { input: z.object({ id }), output: message }
export const appealDecision = {
  input: z.object({
    id,
    text: text(limits.decisionTextMax).min(1).meta({ example: 'It is no advertisement.' }),
  }),
  output: decisionById.output,
}

const createdTitle = titleCard
  .extend({
    overview: z.string().nullable().meta({ example: 'Two sisters walk home.' }),
    creator: person.nullable(),
    createdAt: time,
    ratingCount: z.int().min(0).meta({ example: 3 }),
    isRemoved: z.boolean(),
  })
  .meta({ id: 'CreatedTitle', description: 'A title that a member created, also by an import.' })

export const titlesCursor = z.tuple([z.literal('titles'), id])
export const listTitles = {
  input: z.object({ cursor, limit: limit(limits.listPageSize) }),
  output: z.object({ titles: z.array(createdTitle), nextCursor }),
}
export const correctTitle = {
  input: z.object({
    id,
    name: line(limits.nameMax).min(1, messages.nameRequired).optional().meta({ example: 'The Long Way' }),
    releaseYear: z.int().min(1).max(9_999).nullable().optional().meta({ example: 1999 }),
    overview: text(limits.descriptionMax).optional().meta({ example: 'Two sisters walk home.' }),
    imageUrl: uploadedImage
      .nullable()
      .optional()
      .meta({ description: 'The `imageUrl` of an upload, or null.', examples: [] }),
    reason: reason.default('').meta({ description: 'For the audit log.', example: 'A typo.' }),
  }),
  output: z.object({ title: createdTitle }),
}

export const exportedReport = z.object({
  target: z.enum(reportTargets),
  targetId: z.int(),
  category: z.string().meta({ example: 'spam' }),
  comment: z.string().meta({ example: '' }),
  createdAt: time,
  outcome: z.string().nullable().meta({ example: 'handled' }),
})

export const exportedDecision = z.object({
  action: z.string().meta({ example: 'remove' }),
  text: exported.text.meta({ description: 'The text that it is about.' }),
  reason: z.string().meta({ example: 'Advertises a shop.' }),
  createdAt: time,
  endedAt: time.nullable(),
  appeal: z.string().nullable().meta({ example: null }),
  answer: z.string().nullable().meta({ example: null }),
})
