import { z } from 'zod'
import { errorRefs } from './errors.ts'
import { cursor, id, limit, line, nextCursor, time } from './scalars.ts'
import { auditActionNames, auditTargets } from '#shared/domain/audit.ts'

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

export const auditCursor = z.tuple([z.literal('audit'), id])

/** A route, not a procedure, because its response is a stream. */
export const auditPaths = {
  '/admin/audit.csv': {
    get: {
      operationId: 'downloadAudit',
      summary: 'Download what moderators and admins did',
      description:
        'A CSV file in UTF-8, the newest entry first, with the filters of `GET /admin/audit`. A cell that a spreadsheet would run as a formula, or that begins with an apostrophe, has an apostrophe before it.',
      tags: ['Administration'],
      security: [{ bearer: [] }, { accessToken: [] }],
      'x-required-scope': 'moderate',
      requestParams: { query: auditFilters },
      responses: {
        200: {
          description: 'OK.',
          content: {
            'text/csv': {
              schema: z.string(),
              example:
                'Id,At,By,Action,Target,Target id,Name,Before,After,Reason\r\n7,2026-05-04T12:30:00.000Z,ann,role.change,user,12,bea,"{""role"":""member""}","{""role"":""moderator""}",\r\n',
            },
          },
        },
        ...errorRefs([400, 401, 403, 429, 500, 503]),
      },
    },
  },
}
