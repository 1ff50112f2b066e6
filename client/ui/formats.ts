import { useContext, useEffect, useState } from 'react'
import { englishCount, grouped, isEnglish, language, t } from '#shared/domain/message.ts'
import { afterHydration, MembersPage, useIsHydrating } from './hydration.ts'

/** Numbers in the user’s locale. On pages in another language than English, in its language. */
export type Formats = {
  count: (value: number) => string
  /** 0 to 2 decimals, an exact half up: 4.45 with one digit is 4.5. */
  decimal: (value: number, digits: number) => string
}

export type Locales = readonly string[]

export function formatsFor(locales: Locales): Formats {
  // Creating a formatter costs more than a thousand uses.
  const formatters: Intl.NumberFormat[] = []
  const format = (value: number, digits: number) =>
    (formatters[digits] ??= new Intl.NumberFormat(locales as string[], {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })).format(value)
  return {
    count: (value) => format(value, 0),
    decimal: (value, digits) => format(rounded(value, digits), digits),
  }
}

/** As integers of ten-thousandths, an exact half is representable. */
function rounded(value: number, digits: number): number {
  return Math.round(Math.round(value * 10_000) / 10 ** (4 - digits)) / 10 ** digits
}

/** For visitors’ pages on the server and during hydration, where the user’s locale is unknown. */
export const neutral: Locales = [language]
const userLocales = inLanguage(readUserLocales())

/** As `formatsFor(['en'])`, without `Intl`: its first formatter takes longer than hydrating all reviews of a page. */
export const english: Formats = {
  count: englishCount,
  decimal: (value, digits) => grouped(rounded(value, digits).toFixed(digits)),
}

export const englishLocales: ReadonlySet<string | undefined> = new Set([
  'en',
  'en-US',
  'en-GB',
  'en-AU',
  'en-CA',
  'en-IE',
  'en-NZ',
])

/** Whether a locale is the page’s language, in whatever region. */
export function isOfPage(locale: string): boolean {
  return locale.split('-', 1)[0] === language.split('-', 1)[0]
}

/** The region and the numerals of the reader, if the page is in the reader’s language. English pages have any locale of the reader. */
export function inLanguage(locales: Locales): Locales {
  if (isEnglish) return locales
  return [...locales.filter(isOfPage), language]
}

function readUserLocales(): Locales {
  try {
    return Intl.getCanonicalLocales([...navigator.languages])
  } catch {
    // On the server, or with an invalid locale (`en-US@posix`). Empty selects the default locale.
    return []
  }
}

/** Always the same arrays. Until the page is hydrated and idle: the locales with which the server rendered it. */
export function useLocales(): Locales {
  const page = useContext(MembersPage)
  const isHydrating = useIsHydrating()
  const [locales, setLocales] = useState(isHydrating ? (page?.locales ?? neutral) : userLocales)
  useEffect(() => {
    if (locales === userLocales) return undefined
    return afterHydration(() => setLocales(userLocales))
  }, [locales])
  return locales
}

export function isUsers(locales: Locales): boolean {
  return locales === userLocales
}

const cache = new WeakMap<Locales, Formats>()

export function useFormats(): Formats {
  const locales = useLocales()
  const formats = cache.get(locales) ?? (englishLocales.has(locales[0]) ? english : formatsFor(locales))
  cache.set(locales, formats)
  return formats
}

const fractions: Record<string, string> = { '0.25': '¼', '0.5': '½', '0.75': '¾' }

export function givenText(given: string): string {
  const [value = '', scale = ''] = given.split('/')
  const whole = Math.floor(Number(value))
  const fraction = fractions[String(Number(value) - whole)]
  const shown = fraction === undefined ? value : whole === 0 ? fraction : `${whole}${fraction}`
  return t`${shown} of ${scale}`
}

/** “a, b”. `Intl.ListFormat` writes “and” in some languages, and would delay hydration. Missing parts are left out. */
export function commaList(parts: readonly (string | number | false | null | undefined)[]): string {
  return parts
    .filter(Boolean)
    .reduce<string>((list, part) => (list === '' ? String(part) : t`${list}, ${part as string}`), '')
}
