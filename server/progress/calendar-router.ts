import * as schema from '#shared/contracts/progress.ts'
import { plusDays } from '#shared/domain/days.ts'
import { calendarDaysMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import { clockIn } from '#server/titles/airing.ts'
import { readCalendar } from './calendar.ts'
import { findTimeZone } from './episodes-store.ts'

const { forMembers } = callsIn('Progress')
const defaultDays = 30

export const calendarRouter = router({
  calendar: forMembers('GET /calendar', 'listCalendar', schema.listCalendar, {
    summary: 'List what airs and is released for the caller',
    description:
      'Episodes of TV shows in the diary that are not dropped, without specials; of shows on the want list the first episode of each season. Other titles of the want list on the day of their release. More than 366 days return 400 with the reason `RANGE_TOO_LONG`.',
    returnsData: 'own',
  }).query(async ({ ctx, input: { from: given, to: givenTo, ...filters } }) => {
    const viewer = { userId: ctx.member.id, timeZone: await findTimeZone(ctx.db, ctx.member.id) }
    const from = given ?? clockIn(viewer.timeZone, ctx.now).today
    const to = givenTo ?? plusDays(from, defaultDays)
    if (to > plusDays(from, calendarDaysMax))
      throw new ReasonedError('BAD_REQUEST', 'RANGE_TOO_LONG', messages.rangeTooLong)
    return { entries: await readCalendar(ctx.db, viewer, { from, to }, filters) }
  }),
})
