import { isEnglish, language } from '#shared/domain/message.ts'

/** The language of the texts, and so of the numbers, days and lists inside of them that are the same for every reader. */
export const textLocale = isEnglish ? 'en-GB' : language

/** Creating a formatter costs more than a thousand uses. Lazy, because the first one of `Intl` would delay hydration. */
function perLocale<Formatter>(create: (locale: string) => Formatter): (locale: string) => Formatter {
  const formatters = new Map<string, Formatter>()
  return (locale) => {
    const formatter = formatters.get(locale) ?? create(locale)
    formatters.set(locale, formatter)
    return formatter
  }
}

const numbers = perLocale((locale) => new Intl.NumberFormat(locale))
const conjunctions = perLocale((locale) => new Intl.ListFormat(locale))
const disjunctions = perLocale((locale) => new Intl.ListFormat(locale, { type: 'disjunction' }))
const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))

export function numberText(value: number, locale = textLocale): string {
  return numbers(locale).format(value)
}

/** “a, b and c”. */
export function allOf(items: readonly string[], locale = textLocale): string {
  return conjunctions(locale).format(items)
}

/** “a, b or c”. */
export function anyOf(items: readonly string[], locale = textLocale): string {
  return disjunctions(locale).format(items)
}

/** “26 November 2026”, in UTC. */
export function dayText(time: string, locale = textLocale): string {
  return days(locale).format(new Date(time))
}
