import type { RouterOutputs } from '#client/app/trpc.ts'
import { plusDays } from '#shared/domain/days.ts'
import { diaryDateMin } from '#shared/domain/limits.ts'

export type CalendarEntry = RouterOutputs['progress']['calendar']['entries'][number]

export const firstMonth = diaryDateMin.slice(0, 7)
export const lastMonth = '9999-12'
const agendaDays = 30

export const monthOf = (day: string): string => day.slice(0, 7)

export function plusMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number)
  const at = 12 * year! + number! - 1 + count
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year!, number!, 0)).getUTCDate()}`
}

/** The whole month. Without one: the current month, and always the days ahead, so that the end of a month is not the end of the agenda. */
export function spanOf(month: string | undefined, today: string): { from: string; to: string } {
  const shown = month ?? monthOf(today)
  const [end, ahead] = [lastDay(shown), plusDays(today, agendaDays)]
  return { from: `${shown}-01`, to: month === undefined && ahead > end ? ahead : end }
}

/** Of CLDR 48, `weekData`. Not every browser has `Intl.Locale.getWeekInfo`, and a page is rendered with the same weeks by the server. */
const sunday =
  /^(AG|AS|BD|BR|BS|BT|BW|BZ|CA|CO|DM|DO|ET|GT|GU|HK|HN|ID|IL|IN|IS|JM|JP|KE|KH|KR|LA|MH|MM|MO|MT|MX|MZ|NI|NP|PA|PE|PH|PK|PR|PT|PY|SA|SG|SV|TH|TT|TW|UM|US|VE|VI|WS|YE|ZA|ZW)$/
const friday = /^MV$/
const saturday = /^(AF|BH|DJ|DZ|EG|IQ|IR|JO|KW|LY|OM|QA|SD|SY)$/

/** Sunday is 0. */
export function firstWeekday(locale: string): number {
  const region = new Intl.Locale(locale).maximize().region ?? ''
  if (sunday.test(region)) return 0
  if (friday.test(region)) return 5
  return saturday.test(region) ? 6 : 1
}

/** The days of a month in weeks of seven; null outside of the month. */
export function weeksOf(month: string, firstDay: number): (string | null)[][] {
  const first = `${month}-01`
  const before = (new Date(first).getUTCDay() - firstDay + 7) % 7
  const count = Number(lastDay(month).slice(8))
  return Array.from({ length: Math.ceil((before + count) / 7) }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => {
      const at = 7 * week + day - before
      return at < 0 || at >= count ? null : plusDays(first, at)
    }),
  )
}

export function entriesByDay(entries: readonly CalendarEntry[]): [day: string, entries: CalendarEntry[]][] {
  return [...Map.groupBy(entries, ({ date }) => date)]
}

/** A season can be released on one day: a title is there once, with its episodes. */
export function byTitle(entries: readonly CalendarEntry[]): CalendarEntry[][] {
  return [...Map.groupBy(entries, ({ title }) => title.id).values()]
}

/** An episode with an exact time has aired once it has begun. */
export function hasAired(
  { date, airsAt }: Pick<CalendarEntry, 'date' | 'airsAt'>,
  { today, now }: { today: string; now: number },
): boolean {
  return airsAt === null ? date <= today : Date.parse(airsAt) <= now
}
