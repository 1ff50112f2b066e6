import { noteOf } from '#shared/texts/import-notes.ts'
import type { ImportOptions } from '#shared/contracts/imports.ts'
import { dayMs } from '#shared/domain/days.ts'
import { fold } from '#server/db/fold.ts'

type DateOrder = ImportOptions['dates']

const languages = 'en de fr es it pt nl pl ru ja zh ko sv da nb fi cs hu tr el uk ro sk id'.split(' ')

function wordsOf(
  type: 'month' | 'weekday',
  dates: readonly number[],
  extra: Intl.DateTimeFormatOptions[] = [{}],
): Map<string, number> {
  const formats = languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) =>
      extra.map((more) => new Intl.DateTimeFormat(language, { [type]: length, ...more, timeZone: 'UTC' })),
    ),
  )
  const words = formats.flatMap((format) =>
    dates.map((date, at) => {
      const name = format.formatToParts(date).find((part) => part.type === type)?.value ?? ''
      return [fold(name).replaceAll('.', ''), at + 1] as const
    }),
  )
  return new Map(words.toReversed().filter(([word]) => /^\p{L}{2,}$/u.test(word)))
}

// With a day, months have another case in some languages.
const months = wordsOf(
  'month',
  Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 15)),
  [{}, { day: 'numeric' }],
)
const weekdays = new Set(
  wordsOf(
    'weekday',
    Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, 1 + day)),
  ).keys(),
)
/** Endings of ordinals, prepositions, abbreviations of “year”. */
const fillers = new Set(
  'st nd rd th er re e o a of the de del di du den der le el la il em am um om op at on kl klo uhr г год года р року r'.split(
    ' ',
  ),
)

/** Lies in a zone, or follows a day; `z` is the zone. */
const instantPattern =
  /^(\d{4}-?\d\d-?\d\d)[T ](\d\d:?\d\d(?::?\d\d(?:\.\d{1,9})?)?) ?(?<z>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i
const zone = '(?:[Zz]|(?:GMT|UTC)?[+-]\\d\\d(?::?\\d\\d)?|GMT|UTC|Uhr|[A-Z]{2,5}$|[A-Z][a-z]+/[A-Z]\\w+)'
const half = '\\s?[AaPp]\\.?\\s?[Mm](?![A-Za-z])\\.?'
const clock = new RegExp(
  `[T,\\s]*(?<![\\d.])\\d{1,2}(?:(?:[:h]\\d\\d){1,2}(?:[.,]\\d{1,9})?(?:${half})?|${half})(?:\\s?${zone})?`,
)
const cjkExtras =
  /[日月火水木金土]曜日?|星期[一二三四五六日天]|周[一二三四五六日]|[일월화수목금토]요일|[午上下][前後午]|오[전후]/g
const eras: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925 }
const yearFirst =
  /^(\d{4})(?:\s?[-/.年년]\s?(\d{1,2})(?:\s?[-/.月월]\s?(\d{1,2})?\s?[日일号號.]?)?)?\s?[年년月월.]?$/
const numericPattern = /^(\d{1,2})([/-]|\.\s?|\s)(\d{1,2})\2(\d{2}|\d{4})\.?$/
const monthFirst = /^(\d{1,2})[/.](\d{4})$/
const isoWeek = /^(\d{4})-?W(\d\d)(?:-?([1-7]))?$/i

function withoutClock(given: string): string {
  return given
    .replace(/\([^()]*\)/g, ' ')
    .replace(cjkExtras, ' ')
    .replace(clock, ' ')
    .trim()
}

/** `1/5/23` in the order of the file. With dots, the day comes first everywhere. */
function numericDate(value: string) {
  const given = value.trim()
  if (!/^\d{1,2}[/\-. ]/.test(given) || given.length > 40) return null
  const [, first, separator, second, year] = numericPattern.exec(withoutClock(given)) ?? []
  if (year === undefined) return null
  return {
    first: Number(first),
    second: Number(second),
    year: fullYear(year),
    hasDots: separator!.startsWith('.'),
  }
}

export function orderFinder() {
  const hasAbove12 = { first: false, second: false }
  return {
    see(value: string) {
      const date = numericDate(value)
      if (!date || date.hasDots) return
      hasAbove12.first ||= date.first > 12
      hasAbove12.second ||= date.second > 12
    },
    /** Undefined if no date decides, or dates contradict each other. */
    order(): 'dmy' | 'mdy' | undefined {
      if (hasAbove12.first === hasAbove12.second) return undefined
      return hasAbove12.first ? 'dmy' : 'mdy'
    },
  }
}

/** An instant if the value has a time and a zone; null if it is not a date. */
export function parseDate(value: string, notes: string[], order: DateOrder): string | null {
  // Most dates have this form.
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return civilOf(value)
  const instant = instantPattern.exec(value)
  if (instant) return instantOf(instant[1]!, instant[2]!, instant.groups!['z'])
  if (/^[\d.]+$/.test(value)) {
    const time = numberedTime(value)
    if (time !== undefined) return time
  }
  const given = withoutClock(value.normalize('NFKC')).replace(
    /(令和|平成|昭和)(\d{1,2}|元)年/,
    (_, era: string, year: string) => `${eras[era]! + (Number(year) || 1)}年`,
  )
  const [, year, month, day] = yearFirst.exec(given) ?? []
  if (year !== undefined) return civil(Number(year), Number(month ?? 0), Number(day ?? 0))
  const [, monthOf, yearOf] = monthFirst.exec(given) ?? []
  if (yearOf !== undefined) return civil(Number(yearOf), Number(monthOf), 0)
  const numeric = numericDate(given)
  if (!numeric) return weekOf(given) ?? namedDate(given)
  const { first, second, hasDots } = numeric
  const isDayFirst = hasDots || (second <= 12 && (first > 12 || order === 'dmy'))
  const isClear = hasDots || first > 12 || second > 12 || first === second || order !== 'auto'
  if (!isClear) notes.push(noteOf('unclearDate', value))
  return isDayFirst ? civil(numeric.year, second, first) : civil(numeric.year, first, second)
}

/** With an offset, the day is the one that the file writes, even if it is another one in UTC. */
function instantOf(given: string, time: string, zone: string | undefined): string | null {
  const day = given.replace(/^(\d{4})-?(\d\d)-?(\d\d)$/, '$1-$2-$3')
  const date = civilOf(day)
  if (!zone || !date) return date
  const offset = /^\D+$/.test(zone)
    ? 'Z'
    : zone.replace(/^(...):?(\d\d)?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`)
  const [hours, minutes, ...seconds] = time.replaceAll(':', '').match(/\d\d(\.\d+)?/g)!
  const instant = new Date(`${day}T${hours}:${minutes}:${seconds[0] ?? '00'}${offset}`)
  if (Number.isNaN(instant.getTime())) return null
  return instant.toISOString().startsWith(day) ? instant.toISOString() : date
}

/** `20231231`, seconds, milliseconds or microseconds since 1970, or days in a spreadsheet. */
function numberedTime(value: string): string | null | undefined {
  const compact = /^(\d{4})(\d\d)(\d\d)(?:\d{6})?$/.exec(value)
  if (compact) return civil(...(compact.slice(1, 4).map(Number) as [number, number, number]))
  const [whole = ''] = value.split('.')
  if (!/^\d+(\.\d+)?$/.test(value)) return undefined
  const number = Number(value)
  // From 1954 to 2119.
  if (whole.length === 5 && number >= 20_000 && number < 80_500)
    return new Date(Math.floor(number - 25_569) * dayMs).toISOString().slice(0, 10)
  const unit = { 9: 1_000, 10: 1_000, 12: 1, 13: 1, 16: 0.001 }[whole.length]
  return unit && number * unit < Date.UTC(2120) ? new Date(number * unit).toISOString() : undefined
}

/** `2023-W52-7` or `2023-365`; of a week, what all of its days have in common. */
function weekOf(given: string): string | null {
  const [, ordinalYear, ordinal] = /^(\d{4})-(\d{3})$/.exec(given) ?? []
  if (ordinal) {
    const date = new Date(Date.UTC(Number(ordinalYear), 0, Number(ordinal))).toISOString()
    return date.startsWith(ordinalYear!) ? date.slice(0, 10) : null
  }
  const [, year = '', week = '', day] = isoWeek.exec(given) ?? []
  if (year === '' || Number(week) < 1 || Number(week) > 53) return null
  // 4 January is always in the first week.
  const fourth = Date.UTC(Number(year), 0, 4)
  const monday = fourth + (7 * (Number(week) - 1) - ((new Date(fourth).getUTCDay() + 6) % 7)) * dayMs
  const dayAt = (at: number) => new Date(monday + at * dayMs).toISOString().slice(0, 10)
  // Many years have 52 weeks.
  if (dayAt(3).slice(0, 4) !== year) return null
  if (day) return dayAt(Number(day) - 1)
  return [7, 4].map((length) => dayAt(0).slice(0, length)).find((start) => dayAt(6).startsWith(start)) ?? year
}

/** `18 April 2011`, `Sun, Apr 18th 2011` or `abril de 2011`, in any of the languages. */
function namedDate(given: string): string | null {
  if (/[^\p{L}\p{M}\d\s.,'’/-]/u.test(given)) return null
  const tokens = fold(given)
    .match(/\p{L}+|\d+/gu)
    ?.filter((token) => !fillers.has(token))
  if (!tokens) return null
  // In French, mar. is Tuesday as well as March.
  const named = tokens.filter((token) => months.has(token))
  const name = named.find((token) => !weekdays.has(token)) ?? named[0]
  const isOther = (token: string) => !/^\d/.test(token) && token !== name && !weekdays.has(token)
  if (!name || tokens.some(isOther)) return null
  const month = months.get(name)!
  const numbers = tokens.filter((token) => /^\d/.test(token))
  const year = numbers.find((token) => token.length === 4)
  if (numbers.length === 1 && year) return civil(Number(year), month, 0)
  if (numbers.length !== 2) return null
  // Without four digits, the year comes last.
  const [first, second] = numbers as [string, string]
  const day = Number(year === first ? second : first)
  return day === 0 ? null : civil(fullYear(year ?? second), month, day)
}

const civilOf = (day: string) => civil(...(day.split('-').map(Number) as [number, number, number]))

function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length === 4) return year
  return digits.length === 2 ? year + (year < 50 ? 2000 : 1900) : 0
}

/** `YYYY[-MM[-DD]]`; a month or day of 0 is unknown. Null if the calendar has no such date. */
function civil(year: number, month: number, day: number): string | null {
  if (year < 1000 || month > 12 || day > 31) return null
  if (month === 0) return String(year)
  const start = `${year}-${String(month).padStart(2, '0')}`
  if (day === 0) return start
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return day > lastDay ? null : `${start}-${String(day).padStart(2, '0')}`
}
