import { z } from 'zod'
import { cursor, id, limit, line, nextCursor, time } from './scalars.ts'

/** What the audit log records, with the words that the web app shows after the name of the actor. */
export const auditActions = {
  'settings.change': 'changed the settings',
  'role.change': 'changed the role of',
  'case.open': 'opened a case about',
  'case.assign': 'assigned',
  'decision.make': 'decided about',
  'decision.undo': 'undid',
  'appeal.answer': 'answered an appeal against',
  'title.correct': 'corrected',
  'member.approve': 'approved',
  'member.reject': 'rejected',
  'member.logOut': 'ended the sessions of',
  'member.sendReset': 'sent a new password link to',
  'member.delete': 'scheduled the deletion of',
} as const
export type AuditAction = keyof typeof auditActions
const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

/** The kinds of things that an entry is about. */
const auditTargets = [
  'site',
  'user',
  'invite',
  'title',
  'review',
  'comment',
  'list',
  'case',
  'decision',
] as const
export type AuditTarget = (typeof auditTargets)[number]

const changed = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({
    description: 'The values that changed, by name; null if there were none.',
    example: { role: 'member' },
  })

const auditEntry = z
  .object({
    id,
    at: time,
    actor: z
      .object({ id: id.nullable(), name: z.string() })
      .meta({ description: 'The member at that time. `id` is null for a command on the server.' }),
    action: z.enum(auditActionNames),
    target: z.object({ type: z.enum(auditTargets), id: id.nullable(), name: z.string() }),
    before: changed,
    after: changed,
    reason: z.string().meta({ example: '' }),
  })
  .meta({ id: 'AuditEntry', description: 'What a moderator or an admin did.' })
export type AuditEntry = z.infer<typeof auditEntry>

const day = z.iso.date().max(10).optional()

export const auditFilters = z.object({
  actor: line(100).optional().meta({ description: 'The name of the actor, or a command.', examples: [] }),
  action: z.enum(auditActionNames).optional().meta({ examples: [] }),
  target: z.enum(auditTargets).optional().meta({ description: 'The kind of target.', examples: [] }),
  targetId: id.optional().meta({ description: 'Requires `target`.', examples: [] }),
  from: day.meta({ description: 'The first day, in UTC.', examples: [] }),
  to: day.meta({ description: 'The last day, in UTC.', examples: [] }),
})
export type AuditFilters = z.infer<typeof auditFilters>

export const listAudit = {
  input: auditFilters.extend({ cursor, limit: limit(50) }),
  output: z.object({ entries: z.array(auditEntry), nextCursor }),
}

/** The values of a cursor: the id of the last entry. */
export const auditCursor = z.tuple([z.literal('audit'), id])
