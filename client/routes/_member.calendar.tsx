import { createFileRoute } from '@tanstack/react-router'
import { CalendarScreen } from '#client/progress/calendar-screen.tsx'
import { type CalendarParams, readCalendarParams } from '#client/progress/calendar-params.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/calendar')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): CalendarParams => search,
  head: () => ({ meta: [{ title: t`Calendar` }] }),
  component: CalendarRoute,
})

function CalendarRoute() {
  return <CalendarScreen params={readCalendarParams(Route.useSearch())} />
}
