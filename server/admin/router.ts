import * as schema from '#shared/audit.ts'
import { readCursor, writeCursor } from '#server/trpc/cursors.ts'
import { moderatorProcedure, router } from '#server/trpc/procedures.ts'
import { listAudit } from './audit-store.ts'
import { presentEntry } from './rules.ts'

const tags = ['Administration']

/** What moderators and admins see of the site. */
export const adminRouter = router({
  audit: moderatorProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/admin/audit',
        operationId: 'listAudit',
        tags,
        summary: 'List what moderators and admins did',
        description: 'Newest first. Entries are never changed or removed.',
        protect: true,
        errorResponses: [403],
      },
    })
    .input(schema.listAudit.input)
    .output(schema.listAudit.output)
    .query(async ({ ctx, input: { cursor, limit, ...filters } }) => {
      const beforeId = cursor === undefined ? undefined : readCursor(cursor, schema.auditCursor)[1]
      // Reads one more than the page, to know whether there is a next page.
      const rows = await listAudit(ctx.db, filters, beforeId, limit + 1)
      const shown = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? writeCursor(['audit', shown.at(-1)!.id]) : null
      return { entries: shown.map(presentEntry), nextCursor }
    }),
})
