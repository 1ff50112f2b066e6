import type { TitleNames } from './languages.ts'

/**
 * `local`: as it is published in the language. `original`: as it was first published, in the language of the title. `romanised`: the
 * original name in Latin letters. `other`: found by the search and never shown, such as a working title.
 */
export type TitleNameKind = TitleNames | 'other'

/** The language is `de`, or `es-MX` if the name is not from the main region of the language. It is blank if nobody says which. */
export type TitleName = { kind: TitleNameKind; language: string; name: string }

/** With what a source says about the title in the language. The name is blank if there are only these texts. */
export type DescribedName = TitleName & { overview?: string | null; tagline?: string | null }

/** Of each title and source. */
export const titleNamesMax = 60
/** Of all names of a title from one source. */
export const titleNamesLengthMax = 4_000

/** Overviews and taglines are kept in these. Sources have them in up to fifty languages. */
export const describedLanguages: readonly string[] = ['de', 'fr', 'es', 'ja', 'ar']

/** Codes of TMDB that are none of BCP 47: Cantonese, and no language. */
const ownCodes = new Map([
  ['cn', 'yue'],
  ['xx', ''],
])

/** Returns `es` for Spain and `es-MX` for Mexico; blank if the code is none. */
export function languageCodeOf(code: string | undefined, region?: string): string {
  const language = ownCodes.get(code ?? '') ?? code ?? ''
  if (!/^[a-z]{2,3}$/.test(language)) return ''
  if (!region || !/^[A-Z]{2}$/.test(region)) return language
  return new Intl.Locale(language).maximize().region === region ? language : `${language}-${region}`
}

const isLatin = (name: string) => !/\p{L}/u.test(name.replace(/\p{Script=Latin}/gu, ''))

/**
 * Returns the name that a reader sees instead of the title’s own; undefined if there is none. The first of equal names counts. A local name
 * of the reader’s region comes before one of the main region, and this before one of another region.
 */
export function shownNameOf<Name extends TitleName>(
  given: readonly Name[],
  shown: TitleNames,
  language: string,
): Name | undefined {
  const names = given.filter(({ name }) => name !== '')
  const original = names.find(({ kind }) => kind === 'original')
  if (shown === 'original') return original
  if (shown === 'romanised')
    return (
      names.find(({ kind }) => kind === 'romanised') ??
      (original && isLatin(original.name) ? original : undefined)
    )
  return inLanguage(
    [...names.filter(({ kind }) => kind === 'local'), ...(original ? [original] : [])],
    language,
  )
}

/** Returns the first in exactly this language, or else in its main region, or else in any region. */
export function inLanguage<Text extends { language: string }>(
  texts: readonly Text[],
  language: string,
): Text | undefined {
  const base = language.split('-', 1)[0]!
  return (
    texts.find((text) => text.language === language) ??
    texts.find((text) => text.language === base) ??
    texts.find((text) => text.language.startsWith(`${base}-`))
  )
}
