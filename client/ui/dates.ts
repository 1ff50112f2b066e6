import { useContext } from 'react'
import { isEnglish } from '#shared/domain/message.ts'
import { isOfPage, isUsers, type Locales, neutral, useLocales } from './formats.ts'
import { MembersPage, type Reading } from './hydration.ts'

export type Dates = {
  lang: string | undefined
  /** A timestamp (ISO) or a day (`2024-05-01`), which is the same in every time zone. Other text is unchanged. */
  date: (value: string) => string
  /** With the weekday and, for a timestamp, the time; undefined for an invalid date. */
  fullDate: (value: string) => string | undefined
  /** “3 hours ago” or “yesterday”; the date from four weeks on. */
  ago: (value: string, now?: number) => string
  clock: (value: string) => string
  release: (value: string) => string
  month: (value: string, length: 'long' | 'short') => string
  weekday: (day: string) => string
  /** An hour of the day, from 0 to 23. */
  hour: (hour: number) => string
}

const units = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
] as const

/** Styles of timestamps, then of days, which are in UTC. */
type Styles = Record<
  | 'medium'
  | 'full'
  | 'clock'
  | 'day'
  | 'longDay'
  | 'fullDay'
  | 'month'
  | 'monthName'
  | 'shortMonthName'
  | 'weekday'
  | 'hour',
  (time: Date) => string
>

export function datesFor(locales: Locales, timeZone?: string): Dates {
  const format = (options: Intl.DateTimeFormatOptions, zone = timeZone) => {
    // Creating a formatter costs more than a thousand uses.
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
    clock: format({ timeStyle: 'short' }),
    // Days parse as midnight UTC, which is the day before in time zones west of it.
    day: format({ dateStyle: 'medium' }, 'UTC'),
    longDay: format({ dateStyle: 'long' }, 'UTC'),
    fullDay: format({ dateStyle: 'full' }, 'UTC'),
    month: format({ month: 'long', year: 'numeric' }, 'UTC'),
    monthName: format({ month: 'long' }, 'UTC'),
    shortMonthName: format({ month: 'short' }, 'UTC'),
    weekday: format({ weekday: 'short' }, 'UTC'),
    hour: format({ timeStyle: 'short' }, 'UTC'),
  }
  const relative = new Intl.RelativeTimeFormat(locales as string[], { numeric: 'auto' })
  const { locale } = relative.resolvedOptions()
  return {
    lang: isOfPage(locale) ? undefined : locale,
    ...datesIn(styles, (count, unit) => relative.format(count, unit)),
  }
}

type Unit = (typeof units)[number][0] | 'second'

function datesIn(styles: Styles, relative: (count: number, unit: Unit) => string): Omit<Dates, 'lang'> {
  function write(value: string, [timestamp, day]: readonly [keyof Styles, keyof Styles]) {
    const time = new Date(value)
    // A bare year must not become January 1.
    if (/^\d{1,4}$/.test(value) || Number.isNaN(time.getTime())) return undefined
    return styles[isDay(value) ? day : timestamp](time)
  }
  const date = (value: string) => write(value, ['medium', 'day']) ?? value
  return {
    date,
    ago(value, now = Date.now()) {
      const passed = now - new Date(value).getTime()
      if (Number.isNaN(passed) || Math.abs(passed) >= 28 * 86_400_000) return date(value)
      const [unit, ms] = units.findLast(([, size]) => Math.abs(passed) >= size) ?? ['second', 1000]
      return relative(unit === 'second' ? 0 : -Math.trunc(passed / ms), unit)
    },
    clock: (value) => styles.clock(new Date(value)),
    fullDate: (value) => write(value, ['full', 'fullDay']),
    release(value) {
      const time = new Date(value)
      if (Number.isNaN(time.getTime())) return value
      if (isDay(value)) return styles.longDay(time)
      return /^\d{4}-\d{2}$/.test(value) ? styles.month(time) : value
    },
    month: (value, length) => (length === 'long' ? styles.monthName : styles.shortMonthName)(new Date(value)),
    weekday: (day) => styles.weekday(new Date(day)),
    hour: (hour) => styles.hour(new Date(hour * 3_600_000)),
  }
}

function clockOf(time: Date): string {
  const hours = time.getUTCHours()
  const minutes = String(time.getUTCMinutes()).padStart(2, '0')
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const monthOf = (time: Date) => months[time.getUTCMonth()]!
const dayOf = (time: Date, month: string) => `${month} ${time.getUTCDate()}, ${time.getUTCFullYear()}`
const medium = (time: Date) => dayOf(time, monthOf(time).slice(0, 3))
const longDay = (time: Date) => dayOf(time, monthOf(time))
const weekdayOf = (time: Date) => weekdays[time.getUTCDay()]!
const fullDay = (time: Date) => `${weekdayOf(time)}, ${longDay(time)}`

function relativeInEnglish(count: number, unit: Unit): string {
  if (unit === 'second') return 'now'
  if (count === -1 && unit === 'day') return 'yesterday'
  if (count === 1 && unit === 'day') return 'tomorrow'
  if (Math.abs(count) === 1 && unit === 'week') return count < 0 ? 'last week' : 'next week'
  const text = `${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`
  return count < 0 ? `${text} ago` : `in ${text}`
}

/** `inZone` returns the time whose UTC fields equal a time in the time zone. */
function americanDatesFor(inZone: (time: Date) => Date): Dates {
  const styles: Styles = {
    medium: (time) => medium(inZone(time)),
    full: (time) => `${fullDay(inZone(time))} at ${clockOf(inZone(time))}`,
    clock: (time) => clockOf(inZone(time)),
    day: medium,
    longDay,
    fullDay,
    month: (time) => `${monthOf(time)} ${time.getUTCFullYear()}`,
    monthName: monthOf,
    shortMonthName: (time) => monthOf(time).slice(0, 3),
    weekday: (time) => weekdayOf(time).slice(0, 3),
    hour: clockOf,
  }
  return { lang: undefined, ...datesIn(styles, relativeInEnglish) }
}

const inUtc = americanDatesFor((time) => time)
/** As `datesFor(['en'], 'UTC')`, without `Intl` (see `english`). `ago` returns the date. */
export const englishDates: Dates = { ...inUtc, ago: inUtc.date }

export const americanDates = americanDatesFor(
  (time) => new Date(time.getTime() - time.getTimezoneOffset() * 60_000),
)

/** Shifts a time, so that its UTC fields show the local time. */
function zoned(timeZone: string): (time: Date) => Date {
  let formatter: Intl.DateTimeFormat | undefined
  return (time) => {
    formatter ??= new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    const fields = Object.fromEntries(
      formatter.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    )
    const { year, month, day, hour, minute } = fields as Record<string, number>
    return new Date(Date.UTC(year!, month! - 1, day, hour, minute))
  }
}

const isAmerican = (locales: Locales) => /^en(-US)?$/.test(locales[0] ?? '')

/** The same on the server and during hydration. */
function datesOf({ locales, timeZone, now }: Reading): Dates {
  const dates = isAmerican(locales) ? americanDatesFor(zoned(timeZone)) : datesFor(locales, timeZone)
  return { ...dates, ago: (value) => dates.ago(value, now) }
}

/** Where and when the page was rendered, until it has been hydrated. */
function usePageReading(): Reading | null {
  const locales = useLocales()
  const page = useContext(MembersPage)
  return page?.locales === locales ? page : null
}

export function useToday(): string {
  const page = usePageReading()
  if (page !== null) return zoned(page.timeZone)(new Date(page.now)).toISOString().slice(0, 10)
  return localDay()
}

/** Milliseconds since 1970. */
export function useNow(): number {
  return usePageReading()?.now ?? localNow()
}

const localNow = () => Date.now()

function localDay(time = new Date()): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
}

const cache = new WeakMap<Locales, Dates>()

function visitorsDates(): Dates {
  if (isEnglish) return englishDates
  const dates = datesFor(neutral, 'UTC')
  return { ...dates, ago: dates.date }
}

/** On visitors’ pages, rendering and hydration use the language of the page and UTC, and `ago` returns the date: the client’s locale and time are unknown there. */
export function useDates(): Dates & { isHydrated: boolean } {
  const locales = useLocales()
  const page = useContext(MembersPage)
  const dates =
    cache.get(locales) ??
    (locales === neutral
      ? visitorsDates()
      : page?.locales === locales
        ? datesOf(page)
        : isAmerican(locales)
          ? americanDates
          : datesFor(locales))
  cache.set(locales, dates)
  return { ...dates, isHydrated: isUsers(locales) }
}
