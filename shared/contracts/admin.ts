import { z } from 'zod'
import { overdueDays, queryMax } from '#shared/domain/limits.ts'
import { outsideNames } from '#shared/domain/source-variables.ts'
import { decision } from './moderation.ts'
import { roles } from '#shared/domain/roles.ts'
import {
  count,
  cursor,
  id,
  image,
  limit,
  line,
  message,
  nextCursor,
  person,
  shownName,
  time,
} from './scalars.ts'
import { invite } from './site.ts'
import { memberStateNames } from '#shared/domain/member-states.ts'

const reason = line(500).exactOptional().meta({ description: 'For the audit log.', examples: [] })

const memberSummary = z
  .object({
    id,
    username: shownName,
    profilePicture: image,
    role: z.enum(roles),
    state: z.enum(memberStateNames),
    email: z
      .string()
      .exactOptional()
      .meta({ format: 'email', description: 'For admins only.', examples: [] }),
    createdAt: time,
    seenOn: z
      .string()
      .nullable()
      .meta({ description: 'The last day of a call: `YYYY-MM-DD`.', example: '2026-05-04' }),
    reviewCount: count,
    signUpReason: z.string().nullable().meta({ description: 'What an applicant wrote.', example: null }),
  })
  .meta({ id: 'MemberSummary', description: 'An account, for moderators and admins.' })
export type MemberSummary = z.infer<typeof memberSummary>

export const listMembers = {
  input: z.object({
    q: line(queryMax)
      .optional()
      .meta({ description: 'A part of the username; for admins also of the email.', examples: [] }),
    state: z.enum(memberStateNames).optional().meta({ examples: [] }),
    role: z.enum(roles).optional().meta({ examples: [] }),
    invitedBy: id.optional().meta({ description: 'Only members whom this one invited.', examples: [] }),
    cursor,
    limit: limit(50),
  }),
  output: z.object({ members: z.array(memberSummary), nextCursor }),
}
export const memberCursor = z.tuple([z.literal('members'), id])

export const getMember = {
  input: z.object({ id }),
  output: z.object({
    member: memberSummary.extend({
      deletionAt: time.nullable().meta({ example: null }),
      sessions: count,
      invitedBy: person.pick({ id: true, username: true }).nullable().meta({ example: null }),
      invited: count.meta({ description: 'Members who used an invite of this one.' }),
      decisions: z
        .array(decision)
        .meta({ description: 'Decisions of moderators about the member, newest first, at most 20.' }),
      counts: z.object({ reviews: count, comments: count, favorites: count, uploads: count, titles: count }),
    }),
  }),
}

export const setRole = {
  input: z.object({ id, role: z.enum(roles).meta({ example: 'moderator' }), reason }),
  output: message,
}
export const actOnMember = { input: z.object({ id, reason }), output: message }

const series = z.array(count).meta({ description: 'A number for each day, the oldest first.', example: [0] })
export const overview = {
  output: z.object({
    version: z.string().meta({ example: '0.2.0' }),
    members: count,
    pending: count.meta({ description: 'Accounts that wait for approval.' }),
    firstDay: z.string().meta({ example: '2026-02-04' }),
    days: z.object({ signUps: series, active: series, ratings: series, reviews: series }),
    cases: z.object({
      open: count,
      overdue: count.meta({ description: `Open for more than ${overdueDays} days.` }),
      appealed: count.meta({ description: 'With an appeal that waits for an answer.' }),
      oldest: time.nullable().meta({ description: 'When the oldest open case was opened.', example: null }),
    }),
    queues: z.array(
      z.object({
        name: z.string().meta({ example: 'mail' }),
        waiting: count,
        givenUp: count,
        oldest: time
          .nullable()
          .meta({ description: 'When the task that waits longest was first due.', example: null }),
      }),
    ),
    storage: z.object({
      databaseBytes: count,
      pictureBytes: count,
    }),
    lastBackupAt: time.nullable().meta({ description: 'Of the backups below `DATA_DIR`.', example: null }),
    sendsMail: z.boolean().meta({ description: 'Whether an SMTP server is configured.' }),
    sources: z.array(
      z.object({
        name: z.enum(outsideNames),
        isConfigured: z.boolean(),
        succeededAt: time
          .nullable()
          .meta({ description: 'The last successful call, at most 5 minutes late.', example: null }),
        failedAt: time.nullable().meta({ description: 'The last failed call.', example: null }),
        error: z.string().nullable().meta({ description: 'Of the last failed call.', example: null }),
      }),
    ),
    isNamed: z.boolean(),
    hasRules: z.boolean(),
    choseRegistration: z.boolean(),
  }),
}
export const sendTestMail = { output: message }
export const testSource = {
  input: z.object({ name: z.enum(outsideNames).meta({ example: 'openlibrary' }) }),
  output: z.object({ isWorking: z.boolean(), message: z.string() }),
}

const anyInvite = invite
  .omit({ code: true, url: true })
  .extend({
    isOpen: z.boolean().meta({ description: 'Whether it can still be used.' }),
    createdBy: person,
    joined: count.meta({ description: 'Members whom its creator invited, with this invite or another.' }),
  })
  .meta({ id: 'AnyInvite', description: 'An invite of any member, without its code.' })
export const listAllInvites = {
  input: z.object({
    isOpen: z
      .boolean()
      .optional()
      .meta({ description: 'Only those that can still be used, or cannot.', examples: [] }),
    cursor,
    limit: limit(50),
  }),
  output: z.object({ invites: z.array(anyInvite), nextCursor }),
}
export const invitesCursor = z.tuple([z.literal('invites'), id])
