import { expect, test } from 'vitest'
import { firstWeekday, hasAired, plusMonths, spanOf, weeksOf } from './calendar-days.ts'

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
const regions = letters.flatMap((first) => letters.map((second) => first + second))
/** As ICU knows them. Monday is 1. */
const weekInfo = (locale: Intl.Locale) =>
  (locale as Intl.Locale & { getWeekInfo: () => { firstDay: number } }).getWeekInfo()

test('a week begins on the day on which it begins in the region of the reader, or in the main region of the language', () => {
  const shown = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const known = regions.filter((region) => shown.of(region) !== undefined && region !== 'ZZ')
  expect(known.length).toBeGreaterThan(240)
  for (const locale of [
    ...known.map((region) => `en-${region}`),
    'en',
    'de',
    'fr',
    'es',
    'ja',
    'ar',
    'pt',
    'zh',
  ])
    expect([locale, firstWeekday(locale)]).toEqual([locale, weekInfo(new Intl.Locale(locale)).firstDay % 7])
})

test('the weeks of a month have each of its days once, in the column of its weekday', () => {
  for (const month of [
    '1870-01',
    '2023-02',
    '2024-02',
    '2026-02',
    '2026-03',
    '2026-11',
    '2100-02',
    '9999-12',
  ])
    for (const firstDay of [0, 1, 5, 6]) {
      const weeks = weeksOf(month, firstDay)
      const days = weeks.flat().filter((day) => day !== null)
      const [year, number] = month.split('-').map(Number)
      expect(days).toHaveLength(new Date(Date.UTC(year!, number!, 0)).getUTCDate())
      expect(days).toEqual([...new Set(days)].toSorted())
      for (const week of weeks) {
        expect(week).toHaveLength(7)
        expect(week.some((day) => day !== null)).toBe(true)
        for (const [column, day] of week.entries())
          if (day !== null) expect(new Date(day).getUTCDay()).toBe((column + firstDay) % 7)
      }
    }
})

test('months are counted across years, and the current month has the next thirty days too', () => {
  expect([plusMonths('2026-12', 1), plusMonths('2026-01', -1), plusMonths('2026-05', 0)]).toEqual([
    '2027-01',
    '2025-12',
    '2026-05',
  ])
  expect(spanOf('2024-02', '2026-11-27')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(spanOf(undefined, '2026-11-27')).toEqual({ from: '2026-11-01', to: '2026-12-27' })
  expect(spanOf(undefined, '2026-12-01')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
})

test('an episode has aired from its exact time on, or else from its day on', () => {
  const clock = { today: '2026-11-27', now: Date.parse('2026-11-27T20:00:00.000Z') }
  const at = (date: string, airsAt: string | null = null) => hasAired({ date, airsAt }, clock)
  expect([at('2026-11-26'), at('2026-11-27'), at('2026-11-28')]).toEqual([true, true, false])
  expect(at('2026-11-27', '2026-11-27T20:00:00.000Z')).toBe(true)
  expect(at('2026-11-27', '2026-11-27T20:00:01.000Z')).toBe(false)
})
