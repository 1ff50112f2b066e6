import { languageCodes, languages, type Language } from '#shared/domain/languages.ts'

/** `node --import` this: the server also offers the pseudo language, whose files `writePseudoLanguage` writes. */
const code = 'en-XA'
;(languages as Language[]).push({ code, name: 'Pseudo', direction: 'ltr', isReviewed: false })
;(languageCodes as string[]).push(code)
