import * as admin from '#shared/admin.ts'
import * as schema from '#shared/audit.ts'
import { messages } from '#shared/messages.ts'
import { countMail, insertMail, noticePriority } from '#server/accounts/mail-store.ts'
import { mailKey, mailLimit, mailRetrySeconds, testMail } from '#server/accounts/rules.ts'
import { findAccount } from '#server/accounts/store.ts'
import { readSettings } from '#server/db/settings.ts'
import { readCursor, writeCursor } from '#server/trpc/cursors.ts'
import { TooManyRequests } from '#server/trpc/errors.ts'
import { adminProcedure, found, moderatorProcedure, restIn, router } from '#server/trpc/procedures.ts'
import { listAudit } from './audit-store.ts'
import { readOverview } from './overview.ts'
import { errorMessage, presentEntry } from './rules.ts'

const rest = restIn('Administration')

/** What moderators and admins see of the site. */
export const adminRouter = router({
  overview: moderatorProcedure
    .meta(
      rest('GET /admin/overview', 'getOverview', {
        summary: 'Get the numbers of the site',
        description: 'Of the last 90 days, in UTC; those of past days may be an hour old.',
        errors: [403],
      }),
    )
    .output(admin.overview.output)
    .query(({ ctx }) => readOverview(ctx)),

  sendTestMail: adminProcedure
    .meta(
      rest('POST /admin/test-email', 'sendTestEmail', {
        summary: 'Send an email to the caller',
        description: 'To check that emails of the site arrive. At most one a minute and five an hour (429).',
        errors: [403],
        limit: 'mail',
      }),
    )
    .output(admin.sendTestMail.output)
    .mutation(async ({ ctx: { db, config, member, mailer, now } }) => {
      const { email } = found(await findAccount(db, member.id))
      const { name: site } = await readSettings(db)
      const mail = testMail({ to: email, site, publicUrl: config.publicUrl })
      await db.transaction().execute(async (trx) => {
        if (!(await countMail(trx, mailKey('notice', email), now, mailLimit(now))))
          throw new TooManyRequests(mailRetrySeconds)
        await insertMail(trx, mail, now, noticePriority)
      })
      mailer.flush()
      return { message: messages.testMailSent }
    }),

  testSource: adminProcedure
    .meta(
      rest('POST /admin/sources/{name}/test', 'testSource', {
        summary: 'Search a source of titles, to check its key',
        errors: [403],
        limit: 'search',
      }),
    )
    .input(admin.testSource.input)
    .output(admin.testSource.output)
    .mutation(async ({ ctx: { sources }, input: { name } }) => {
      const source = sources.all.find((one) => one.name === name)
      if (!source) return { isWorking: false, message: messages.sourceNotConfigured }
      try {
        const { source: answered } = await source.search('matrix', source.kinds)
        const isWorking = answered === name
        return { isWorking, message: isWorking ? messages.sourceWorks : messages.sourceDown }
      } catch (error) {
        return { isWorking: false, message: errorMessage(error) }
      }
    }),

  audit: moderatorProcedure
    .meta(
      rest('GET /admin/audit', 'listAudit', {
        summary: 'List what moderators and admins did',
        description: 'Newest first. Entries are never changed or removed.',
        errors: [403],
      }),
    )
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
