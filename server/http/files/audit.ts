import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type AuditFilters, auditFilters } from '#shared/contracts/audit.ts'
import { id } from '#shared/contracts/scalars.ts'
import type { Db } from '#server/db/open.ts'
import { sheetLine } from '#server/export/csv-line.ts'
import type { Member } from '#server/calls/context.ts'
import { loggedIn } from '#server/calls/procedures.ts'
import type { Calls } from '#server/http/doors/calls.ts'
import { serveFile } from '#server/http/doors/file.ts'
import { listAudit } from '#server/admin/audit-store.ts'

const pageSize = 500
const query = auditFilters.extend({ targetId: z.coerce.number().pipe(id).optional() })

export function registerAuditFile(app: FastifyInstance, calls: Calls): void {
  const meta = { requiresMember: true, role: 'moderator', scope: 'moderate', cost: 10 } as const
  const route = { method: 'GET', url: '/admin/audit.csv', meta, input: query } as const
  serveFile(app, calls, route, async ({ ctx, input: filters, reply }) => {
    const member = loggedIn(ctx)
    await ctx.limit('export', `member ${member.id}`)
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="medley-audit-${ctx.now.toISOString().slice(0, 10)}.csv"`,
      )
      .send(Readable.from(linesOf(ctx.db, filters, member)))
  })
}

/** With a byte order mark, so that Excel recognizes UTF-8. */
async function* linesOf(db: Db, filters: AuditFilters, viewer: Member): AsyncGenerator<string> {
  yield `\ufeff${sheetLine(['Id', 'At', 'By', 'Action', 'Target', 'Target id', 'Name', 'Before', 'After', 'Reason'])}`
  for (let beforeId: number | undefined; ;) {
    const rows = await listAudit(db, filters, viewer, beforeId, pageSize)
    yield rows
      .map((row) =>
        sheetLine([
          row.id,
          row.at,
          row.actor,
          row.action,
          row.target_type,
          row.target_id,
          row.target,
          row.before,
          row.after,
          row.reason,
        ]),
      )
      .join('')
    if (rows.length < pageSize) return
    beforeId = rows.at(-1)!.id
    await nextTurn()
  }
}
