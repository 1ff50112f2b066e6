import { type Locales, neutral, useLocales } from './formats.ts'

/** Formats dates in the user’s locale. */
export type Dates = {
  /** Their language, for the attribute `lang`; undefined for English, the language of the page. */
  lang: string | undefined
  /** Formats a timestamp (ISO) or a day (`2024-05-01`), which is the same day in every time zone. Returns other text unchanged. */
  date: (value: string) => string
  /** As `date`, with the weekday and, for a timestamp, the time. Returns undefined for an invalid date. */
  fullDate: (value: string) => string | undefined
  /** Returns “3 hours ago” or “yesterday”, and the date if it is four weeks or longer ago. */
  ago: (value: string, now?: number) => string
  /** Formats a release date to its precision: a day, a month or a year. */
  release: (value: string) => string
  /** Returns the name of the month of a date: “January” or “Jan”. */
  month: (value: string, length: 'long' | 'short') => string
}

const units = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
] as const

/** Functions that format a time; the styles of timestamps, then those of days, which are in UTC. */
type Styles = Record<
  'medium' | 'full' | 'day' | 'longDay' | 'fullDay' | 'month' | 'monthName' | 'shortMonthName',
  (time: Date) => string
>

/** Creates formatters. `timeZone` defaults to the user’s. */
export function datesFor(locales: Locales, timeZone?: string): Dates {
  const format = (options: Intl.DateTimeFormatOptions, zone = timeZone) => {
    // Created with its first use: creating a formatter costs more than a thousand uses.
    let formatter: Intl.DateTimeFormat | undefined
    return (time: Date) =>
      (formatter ??= new Intl.DateTimeFormat(locales as string[], {
        ...options,
        ...(zone !== undefined && { timeZone: zone }),
      })).format(time)
  }
  const styles: Styles = {
    medium: format({ dateStyle: 'medium' }),
    full: format({ dateStyle: 'full', timeStyle: 'short' }),
    // In UTC: days parse as midnight UTC, which is the day before in time zones west of it.
    day: format({ dateStyle: 'medium' }, 'UTC'),
    longDay: format({ dateStyle: 'long' }, 'UTC'),
    fullDay: format({ dateStyle: 'full' }, 'UTC'),
    month: format({ month: 'long', year: 'numeric' }, 'UTC'),
    monthName: format({ month: 'long' }, 'UTC'),
    shortMonthName: format({ month: 'short' }, 'UTC'),
  }
  const relative = new Intl.RelativeTimeFormat(locales as string[], { numeric: 'auto' })
  const { locale } = relative.resolvedOptions()
  const { date, ...others } = datesIn(styles)
  return {
    lang: /^en\b/.test(locale) ? undefined : locale,
    date,
    ...others,
    ago(value, now = Date.now()) {
      const passed = now - new Date(value).getTime()
      if (Number.isNaN(passed) || Math.abs(passed) >= 28 * 86_400_000) return date(value)
      const [unit, ms] = units.findLast(([, size]) => Math.abs(passed) >= size) ?? ['second', 1000]
      const count = unit === 'second' ? 0 : -Math.trunc(passed / ms)
      return relative.format(count, unit)
    },
  }
}

function datesIn(styles: Styles): Pick<Dates, 'date' | 'fullDate' | 'release' | 'month'> {
  function write(value: string, [timestamp, day]: readonly [keyof Styles, keyof Styles]) {
    const time = new Date(value)
    // A bare year must not become January 1.
    if (/^\d{1,4}$/.test(value) || Number.isNaN(time.getTime())) return undefined
    return styles[isDay(value) ? day : timestamp](time)
  }
  return {
    date: (value) => write(value, ['medium', 'day']) ?? value,
    fullDate: (value) => write(value, ['full', 'fullDay']),
    release(value) {
      const time = new Date(value)
      if (Number.isNaN(time.getTime())) return value
      if (isDay(value)) return styles.longDay(time)
      return /^\d{4}-\d{2}$/.test(value) ? styles.month(time) : value
    },
    month: (value, length) => (length === 'long' ? styles.monthName : styles.shortMonthName)(new Date(value)),
  }
}

const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const monthOf = (time: Date) => months[time.getUTCMonth()]!
const dayOf = (time: Date, month: string) => `${month} ${time.getUTCDate()}, ${time.getUTCFullYear()}`
const medium = (time: Date) => dayOf(time, monthOf(time).slice(0, 3))
const longDay = (time: Date) => dayOf(time, monthOf(time))
const fullDay = (time: Date) => `${weekdays[time.getUTCDay()]}, ${longDay(time)}`

/** Formats as `datesFor(['en'], 'UTC')` does, but without `Intl`, as `english` in formats.ts. `ago` returns the date. */
export const englishDates: Dates = {
  lang: undefined,
  ...datesIn({
    medium,
    day: medium,
    longDay,
    fullDay,
    full(time) {
      const hours = time.getUTCHours()
      const minutes = String(time.getUTCMinutes()).padStart(2, '0')
      return `${fullDay(time)} at ${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
    },
    month: (time) => `${monthOf(time)} ${time.getUTCFullYear()}`,
    monthName: monthOf,
    shortMonthName: (time) => monthOf(time).slice(0, 3),
  }),
  ago: (value) => englishDates.date(value),
}

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
}

const cache = new Map([[neutral, englishDates]])

/**
 * Returns date formatters for this user. Server rendering and hydration use English and UTC, and must not use `ago`: neither the
 * locale nor the current time of the client is known there.
 */
export function useDates(): Dates & { isHydrated: boolean } {
  const locales = useLocales()
  const dates = cache.get(locales) ?? datesFor(locales)
  cache.set(locales, dates)
  return { ...dates, isHydrated: locales !== neutral }
}
