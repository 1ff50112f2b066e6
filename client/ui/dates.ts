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
}

const units = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
] as const

/** Creates formatters. `timeZone` defaults to the user’s. */
export function datesFor(locales: Locales, timeZone?: string): Dates {
  // Built once: creating a formatter costs more than a thousand uses.
  const format = (options: Intl.DateTimeFormatOptions, zone = timeZone) =>
    new Intl.DateTimeFormat(locales as string[], {
      ...options,
      ...(zone !== undefined && { timeZone: zone }),
    })
  const timestamp = {
    medium: format({ dateStyle: 'medium' }),
    full: format({ dateStyle: 'full', timeStyle: 'short' }),
  }
  // In UTC: days parse as midnight UTC, which is the day before in time zones west of it.
  const day = {
    medium: format({ dateStyle: 'medium' }, 'UTC'),
    long: format({ dateStyle: 'long' }, 'UTC'),
    full: format({ dateStyle: 'full' }, 'UTC'),
  }
  const month = format({ month: 'long', year: 'numeric' }, 'UTC')
  const relative = new Intl.RelativeTimeFormat(locales as string[], { numeric: 'auto' })

  function write(value: string, style: 'medium' | 'full') {
    const time = new Date(value)
    // A bare year must not become January 1.
    if (/^\d{1,4}$/.test(value) || Number.isNaN(time.getTime())) return undefined
    return (isDay(value) ? day : timestamp)[style].format(time)
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

const cache = new Map<Locales, Dates>()

/**
 * Returns date formatters for this user. Server rendering and hydration use English and UTC, and must not use `ago`: neither the
 * locale nor the current time of the client is known there.
 */
export function useDates(): Dates & { isHydrated: boolean } {
  const locales = useLocales()
  const isHydrated = locales !== neutral
  const dates = cache.get(locales) ?? datesFor(locales, isHydrated ? undefined : 'UTC')
  cache.set(locales, dates)
  return { ...dates, isHydrated }
}
