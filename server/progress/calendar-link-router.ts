import * as schema from '#shared/contracts/progress.ts'
import { calendarFileDays } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import * as credentials from '#server/accounts/credentials-store.ts'
import { hashToken, newToken } from '#server/accounts/rules.ts'
import { lockAccount } from '#server/accounts/store.ts'
import { callsIn, checkSession, router } from '#server/calls/procedures.ts'

const { forMembers } = callsIn('Progress')

/** The secret address at which calendar apps read the calendar of a member (server/http/files/calendar.ts). */
export const calendarLinkRouter = router({
  calendarLink: forMembers('GET /users/me/calendar-link', 'getCalendarLink', schema.getCalendarLink, {
    summary: 'Tell since when the caller has a calendar link',
    scope: 'account',
    returnsData: 'own',
  }).query(async ({ ctx }) => ({
    createdAt: (await credentials.findCalendarLink(ctx.db, ctx.member.id)) ?? null,
  })),

  createCalendarLink: forMembers(
    'POST /users/me/calendar-link',
    'createCalendarLink',
    schema.createCalendarLink,
    {
      summary: 'Make a calendar link, or a new one in place of the old one',
      description: `Returns the address of a file for calendar apps (RFC 5545): what \`GET /calendar\` lists from ${calendarFileDays.before} days ago to ${calendarFileDays.after} days ahead. \`?kind=\` and \`?status=\` can be added. Whoever has the address can read the calendar. It ends with a new link and with a new password.`,
      scope: 'account',
      limit: 'write',
      hasSecret: true,
    },
  ).mutation(async ({ ctx }) => {
    const secret = newToken()
    await ctx.db.transaction().execute(async (trx) => {
      checkSession(await lockAccount(trx, ctx.member))
      await credentials.setCalendarLink(trx, ctx.member.id, hashToken(secret), ctx.now)
    })
    return { url: new URL(`/calendar/${secret}.ics`, ctx.config.publicUrl).href }
  }),

  removeCalendarLink: forMembers(
    'DELETE /users/me/calendar-link',
    'removeCalendarLink',
    schema.removeCalendarLink,
    { summary: 'End the calendar link of the caller', scope: 'account' },
  ).mutation(async ({ ctx }) => {
    await credentials.removeCalendarLink(ctx.db, ctx.member.id)
    return { message: messages.calendarLinkEnded }
  }),
})
