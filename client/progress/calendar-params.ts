import { diaryStatuses, type Kind, kindNames } from '#shared/domain/kinds.ts'
import { type CalendarEntry, firstMonth, lastMonth } from './calendar-days.ts'

const views = ['agenda', 'month'] as const
export type View = (typeof views)[number]
type Status = CalendarEntry['status']

export const calendarStatuses = diaryStatuses.filter((status) => status !== 'dropped') satisfies Status[]

export type CalendarParams = {
  /** The agenda on a phone, otherwise the month. */
  view?: View | undefined
  /** `2026-05`; the current one without it. */
  month?: string | undefined
  kind?: Kind | undefined
  status?: Status | undefined
}

export function readCalendarParams(search: Record<string, unknown>): CalendarParams {
  return {
    view: views.find((view) => view === search['view']),
    month: readMonth(search['month']),
    kind: kindNames.find((kind) => kind === search['kind']),
    status: calendarStatuses.find((status) => status === search['status']),
  }
}

function readMonth(value: unknown): string | undefined {
  const isMonth = typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value)
  return isMonth && value >= firstMonth && value <= lastMonth ? value : undefined
}
