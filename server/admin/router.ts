import * as admin from '#shared/contracts/admin.ts'
import * as schema from '#shared/contracts/audit.ts'
import { messages } from '#shared/texts/messages.ts'
import { insertCountedMail } from '#server/accounts/mail-store.ts'
import { mailKey, mailLimit, mailRetrySeconds } from '#server/accounts/rules.ts'
import { findAccount } from '#server/accounts/store.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { TooManyRequests } from '#server/calls/errors.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { listAudit } from './audit-store.ts'
import { readOverview } from './overview.ts'
import { errorMessage, presentEntry } from './rules.ts'

const { forAdmins, forModerators } = callsIn('Administration')

export const adminRouter = router({
  overview: forModerators('GET /admin/overview', 'getOverview', admin.overview, {
    summary: 'Get the numbers of the site',
    description: 'Of the last 90 days, in UTC; numbers of past days may be an hour old.',
    errors: [403],
  }).query(({ ctx }) => readOverview(ctx)),

  sendTestMail: forAdmins('POST /admin/test-email', 'sendTestEmail', admin.sendTestMail, {
    summary: 'Send an email to the caller',
    description: 'To check that emails of the site arrive. At most one a minute and five an hour (429).',
    errors: [403],
    limit: 'mail',
  }).mutation(async ({ ctx: { db, member, mailer, now } }) => {
    const { email } = found(await findAccount(db, member.id))
    const mail = { to: email, mail: 'test' } as const
    await db.transaction().execute(async (trx) => {
      if (!(await insertCountedMail(trx, mail, mailKey('test-mail', email), now, mailLimit(now))))
        throw new TooManyRequests(mailRetrySeconds)
    })
    mailer.flush()
    return { message: messages.testMailSent }
  }),

  testSource: forAdmins('POST /admin/sources/{name}/test', 'testSource', admin.testSource, {
    summary: 'Ask a source of titles or episodes, to check that it answers',
    errors: [403],
    limit: 'search',
  }).mutation(async ({ ctx: { sources }, input: { name } }) => {
    const source = sources.all.find((one) => one.name === name)
    const check = sources.episodes.find((one) => one.name === name)?.check
    try {
      if (!source && check) {
        await check()
        return { isWorking: true, message: messages.sourceWorks }
      }
      if (!source) return { isWorking: false, message: messages.sourceNotConfigured }
      const { source: answered } = await source.search('matrix', source.kinds)
      const isWorking = answered === name
      return { isWorking, message: isWorking ? messages.sourceWorks : messages.sourceDown }
    } catch (error) {
      return { isWorking: false, message: errorMessage(error) }
    }
  }),

  audit: forModerators('GET /admin/audit', 'listAudit', schema.listAudit, {
    summary: 'List what moderators and admins did',
    description:
      'Newest first. Entries are never changed or removed. Those about cases that the caller may not decide are left out.',
    errors: [403],
  }).query(async ({ ctx, input: { cursor, limit, ...filters } }) => {
    const beforeId = readCursor(cursor, schema.auditCursor)?.[1]
    const rows = await listAudit(ctx.db, filters, ctx.member, beforeId, limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, ({ id }) => ['audit', id])
    return { entries: shown.map(presentEntry), nextCursor }
  }),
})
