import { useSyncExternalStore } from 'react'

/** Numbers as a reader writes them; the words around them are English. */
export type Formats = {
  /** 12,345 */
  count: (value: number) => string
  /** With so many decimals, an exact half up: 4.5 for 4.45 and one decimal. */
  decimal: (value: number, digits: number) => string
}

export type Locales = readonly string[]

export function formatsFor(locales: Locales): Formats {
  // Built once: a formatter costs more than a thousand uses of it.
  const number = [0, 1, 2].map(
    (digits) =>
      new Intl.NumberFormat(locales as string[], {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  )
  return {
    count: (value) => number[0]!.format(value),
    // Averages come with four decimals; as whole numbers of those, a half is exactly a half.
    decimal: (value, digits) =>
      number[digits]!.format(Math.round(Math.round(value * 10_000) / 10 ** (4 - digits)) / 10 ** digits),
  }
}

/** What the server writes, who does not know its reader, and what a page shows until it is alive. */
export const neutral: Locales = ['en']
/** The languages of this reader. */
const own = readersLocales()

function readersLocales(): Locales {
  try {
    return Intl.getCanonicalLocales([...navigator.languages])
  } catch {
    // A server, or a browser that names what is no language (`en-US@posix`): then it is the browser's own.
    return []
  }
}

/** In which languages to write for this reader: always the same list. */
export function useLocales(): Locales {
  return useSyncExternalStore(
    never,
    () => own,
    () => neutral,
  )
}

const never = () => () => {}
const known = new Map<Locales, Formats>()

/** Numbers for this reader. */
export function useFormats(): Formats {
  const locales = useLocales()
  const formats = known.get(locales) ?? formatsFor(locales)
  known.set(locales, formats)
  return formats
}
