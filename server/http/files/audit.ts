import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AuditFilters, auditFilters } from '#shared/contracts/audit.ts'
import { id } from '#shared/contracts/scalars.ts'
import type { Db } from '#server/db/open.ts'
import { sheetLine } from '#server/export/csv-line.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { requireRole, requireScope, requireStanding } from '#server/calls/procedures.ts'
import { listAudit } from '#server/admin/audit-store.ts'

/** Rows per query. No query waits for the client. */
const pageSize = 500
const query = auditFilters.extend({ targetId: z.coerce.number().pipe(id).optional() })

/** Registers `GET /admin/audit.csv`, which is not a procedure because its response is a stream. */
export function registerAuditFile(
  app: FastifyInstance,
  createContext: (request: FastifyRequest) => Promise<Context>,
): void {
  app.get('/admin/audit.csv', { config: { cost: 10 } }, async (request, reply) => {
    const ctx = await createContext(request)
    requireScope(ctx, 'moderate')
    requireStanding(ctx, true)
    const member = requireRole(ctx, 'moderator')
    const { data: filters, error } = query.safeParse(request.query)
    if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error })
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

/** Yields the entries page by page, with a byte order mark, so that Excel recognizes UTF-8. */
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
