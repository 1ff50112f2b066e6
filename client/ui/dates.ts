import { type Locales, neutral, useLocales } from './formats.ts'

/** Dates as a reader writes them. */
export type Dates = {
  /** The language they are in, for `lang`; undefined where that is the page's own. */
  lang: string | undefined
  /** A moment (ISO) or a day (`2024-05-01`), which is that day everywhere; what is neither stays as it is. */
  date: (value: string) => string
  /** The same with the day of the week and, of a moment, the time; undefined for what is no date. */
  fullDate: (value: string) => string | undefined
  /** “3 hours ago”, “yesterday”; older than four weeks: the date. */
  ago: (value: string, now?: number) => string
  /** A release date in words, no more exactly than it is known: the day, the month or only the year. */
  release: (value: string) => string
}

const units = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
] as const

/** Without a `timeZone` moments are told in the reader's own. */
export function datesFor(locales: Locales, timeZone?: string): Dates {
  // Built once: a formatter costs more than a thousand uses of it.
  const format = (options: Intl.DateTimeFormatOptions, zone = timeZone) =>
    new Intl.DateTimeFormat(locales as string[], {
      ...options,
      ...(zone !== undefined && { timeZone: zone }),
    })
  const moment = {
    medium: format({ dateStyle: 'medium' }),
    full: format({ dateStyle: 'full', timeStyle: 'short' }),
  }
  // In UTC, or whoever lives west of London reads the day before.
  const day = {
    medium: format({ dateStyle: 'medium' }, 'UTC'),
    long: format({ dateStyle: 'long' }, 'UTC'),
    full: format({ dateStyle: 'full' }, 'UTC'),
  }
  const month = format({ month: 'long', year: 'numeric' }, 'UTC')
  const relative = new Intl.RelativeTimeFormat(locales as string[], { numeric: 'auto' })

  function write(value: string, style: 'medium' | 'full') {
    const time = new Date(value)
    // A bare year is no day of January.
    if (/^\d{1,4}$/.test(value) || Number.isNaN(time.getTime())) return undefined
    return (isDay(value) ? day : moment)[style].format(time)
  }
  const date = (value: string) => write(value, 'medium') ?? value
  const { locale } = month.resolvedOptions()
  return {
    lang: /^en\b/.test(locale) ? undefined : locale,
    date,
    fullDate: (value) => write(value, 'full'),
    ago(value, now = Date.now()) {
      const passed = now - new Date(value).getTime()
      if (Number.isNaN(passed) || Math.abs(passed) >= 28 * 86_400_000) return date(value)
      const [unit, ms] = units.findLast(([, size]) => Math.abs(passed) >= size) ?? ['second', 1000]
      const count = unit === 'second' ? 0 : -Math.trunc(passed / ms)
      return relative.format(count, unit)
    },
    release(value) {
      const time = new Date(value)
      if (Number.isNaN(time.getTime())) return value
      if (isDay(value)) return day.long.format(time)
      return /^\d{4}-\d{2}$/.test(value) ? month.format(time) : value
    },
  }
}

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
}

const known = new Map<Locales, Dates>()

/** Dates for this reader. A page that comes from the server tells the time of no place and of no moment at first. */
export function useDates(): Dates & { isAlive: boolean } {
  const locales = useLocales()
  const isAlive = locales !== neutral
  const dates = known.get(locales) ?? datesFor(locales, isAlive ? undefined : 'UTC')
  known.set(locales, dates)
  return { ...dates, isAlive }
}
