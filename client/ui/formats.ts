import { useSyncExternalStore } from 'react'

/** Numbers and dates as a reader writes them; the words around them are English. */
export type Formats = {
  /** The language of what it writes, for `lang`; undefined where that is the page's own. */
  lang: string | undefined
  /** 12,345 */
  count: (value: number) => string
  /** With so many decimals, an exact half up: 4.5 for 4.45 and one decimal. */
  decimal: (value: number, digits: number) => string
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

/** `timeZone` is that of moments; the reader's own where it is left out. */
export function formatsFor(locales: string | readonly string[], timeZone?: string): Formats {
  // Built at the first use and then kept: a formatter costs more than a thousand uses of it.
  const formatter = once((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locales, options))
  const number = once((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locales, options))
  const relative = once(
    (options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locales, options),
  )

  const write = (value: string, dateStyle: 'medium' | 'full') => {
    const date = new Date(value)
    // A bare year is no day of January.
    if (/^\d{1,4}$/.test(value) || Number.isNaN(date.getTime())) return undefined
    if (isDay(value)) return formatter({ dateStyle, timeZone: 'UTC' }).format(date)
    return formatter({
      dateStyle,
      ...(dateStyle === 'full' && { timeStyle: 'short' }),
      ...(timeZone !== undefined && { timeZone }),
    }).format(date)
  }
  const date = (value: string) => write(value, 'medium') ?? value

  const { locale } = number({}).resolvedOptions()
  return {
    lang: /^en\b/.test(locale) ? undefined : locale,
    count: (value) => number({}).format(value),
    decimal: (value, digits) =>
      number({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(rounded(value, digits)),
    date,
    fullDate: (value) => write(value, 'full'),
    ago(value, now = Date.now()) {
      const passed = now - new Date(value).getTime()
      if (Number.isNaN(passed) || Math.abs(passed) >= 28 * 86_400_000) return date(value)
      const [unit, ms] = units.findLast(([, size]) => Math.abs(passed) >= size) ?? ['second', 1000]
      const count = unit === 'second' ? 0 : -Math.trunc(passed / ms)
      return relative({ numeric: 'auto' }).format(count, unit)
    },
    release(value) {
      const time = new Date(value)
      if (Number.isNaN(time.getTime())) return value
      if (isDay(value)) return formatter({ dateStyle: 'long', timeZone: 'UTC' }).format(time)
      if (!/^\d{4}-\d{2}$/.test(value)) return value
      return formatter({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(time)
    },
  }
}

/** Averages come with four decimals; as whole numbers of those, a half is exactly a half. */
function rounded(value: number, digits: number): number {
  return Math.round(Math.round(value * 10_000) / 10 ** (4 - digits)) / 10 ** digits
}

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
}

function once<Options extends object, Made>(make: (options: Options) => Made): (options: Options) => Made {
  const made = new Map<string, Made>()
  return (options) => {
    const key = JSON.stringify(options)
    const known = made.get(key) ?? make(options)
    made.set(key, known)
    return known
  }
}

/** What the server writes, who does not know its reader, and what a page shows until it is alive. */
const neutral = formatsFor('en', 'UTC')
let own: Formats | undefined
const never = () => () => {}

function readersLocales(): string[] {
  try {
    return Intl.getCanonicalLocales([...navigator.languages])
  } catch {
    // Some browsers name what is no language (`en-US@posix`): then it is the browser's own.
    return []
  }
}

/** Numbers and dates for this reader. */
export function useFormats(): Formats {
  return useSyncExternalStore(
    never,
    () => (own ??= formatsFor(readersLocales())),
    () => neutral,
  )
}

/** Whether the page is alive: false at the server, and while its page comes to life here. */
export function useIsAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
