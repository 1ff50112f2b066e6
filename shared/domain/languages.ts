export type Language = {
  /** As in `Accept-Language` and in the attribute `lang`. */
  code: string
  /** In the language itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** Whether a speaker has read its catalogue. The header `X-Reviewed` of the catalogue says the same. */
  isReviewed: boolean
}

/** The language of the texts in the sources. */
export const sourceLanguage = 'en'

/** Those whose catalogues are complete (`npm run messages -- --check`). A language more is a catalogue in `shared/locales` and a line here. */
export const languages: readonly Language[] = [
  { code: sourceLanguage, name: 'English', direction: 'ltr', isReviewed: true },
  { code: 'de', name: 'Deutsch', direction: 'ltr', isReviewed: false },
  { code: 'fr', name: 'Français', direction: 'ltr', isReviewed: false },
  { code: 'es', name: 'Español', direction: 'ltr', isReviewed: false },
  { code: 'ja', name: '日本語', direction: 'ltr', isReviewed: false },
  { code: 'ar', name: 'العربية', direction: 'rtl', isReviewed: false },
]

/** Of a REST call of the web app: the language of its page. Its errors are in this language; other clients get English (docs/api.md). */
export const languageHeader = 'medley-language'

export const languageCodes: readonly string[] = languages.map(({ code }) => code)

export const languageOffers = ['all', 'reviewed'] as const
export type LanguageOffer = (typeof languageOffers)[number]

/** The source language is always offered. */
export function offeredLanguages(offer: LanguageOffer): readonly Language[] {
  return languages.filter(({ isReviewed }) => offer === 'all' || isReviewed)
}

/** Of a language that is not listed too, such as the pseudo language. */
export function directionOf(code: string): Language['direction'] {
  return languages.find((language) => language.code === code)?.direction ?? 'ltr'
}

/** Which names of titles a member reads: in the member’s language, in the language of the title, or in Latin letters. */
export const titleNames = ['local', 'original', 'romanised'] as const
export type TitleNames = (typeof titleNames)[number]
