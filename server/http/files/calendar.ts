import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { calendarFile as query } from '#shared/contracts/progress.ts'
import { plusDays } from '#shared/domain/days.ts'
import { calendarFileDays } from '#shared/domain/limits.ts'
import { findMemberByCalendar } from '#server/accounts/credentials-store.ts'
import { hashToken } from '#server/accounts/rules.ts'
import type { Services } from '#server/calls/context.ts'
import { withTimeout } from '#server/calls/errors.ts'
import { includesTag } from '#server/calls/etag.ts'
import { found } from '#server/calls/procedures.ts'
import type { Calls } from '#server/http/doors/calls.ts'
import { serveFile } from '#server/http/doors/file.ts'
import { languageOf } from '#server/http/pages/language.ts'
import { readSettings } from '#server/members/settings.ts'
import { calendarFile } from '#server/progress/calendar-file.ts'

const name = /^([\w-]{43})\.ics$/

/**
 * The calendar of the member who has made the secret address. What is no such address is not found, whatever the reason. The secret is in
 * no log: see `shownPath`.
 */
export function registerCalendarFile(
  app: FastifyInstance,
  { config, translators }: Pick<Services, 'config' | 'translators'>,
  calls: Calls,
): void {
  // The address is the permission, also on a site that keeps visitors out.
  const route = {
    method: 'GET',
    url: '/calendar/:secret',
    meta: { isAlwaysOpen: true },
    input: query,
  } as const
  serveFile(app, calls, route, async ({ ctx, input: { secret: file, ...filters }, request, reply }) => {
    const [, secret] = found(name.exec(file))
    const member = found(await findMemberByCalendar(ctx.db, hashToken(secret!)))
    await ctx.limit('calendarFile', `member ${member.id}`)
    const today = ctx.now.toISOString().slice(0, 10)
    const days = {
      from: plusDays(today, -calendarFileDays.before),
      to: plusDays(today, calendarFileDays.after),
    }
    const call = await calls.callerAs(request, member)
    const { entries } = await withTimeout(() => call.progress.calendar({ ...days, ...filters }))
    const site = { name: (await readSettings(ctx.db)).name, origin: config.publicUrl }
    const body = await calendarFile(entries, site, translators.of(languageOf(request)), ctx.now)
    const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
    reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    if (includesTag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    return reply
      .header('content-disposition', 'inline; filename="medley.ics"')
      .type('text/calendar; charset=utf-8')
      .send(body)
  })
}
