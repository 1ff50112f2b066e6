import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { languageCodes, languages, type Language } from '#shared/domain/languages.ts'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { writeLanguage } from '#scripts/dev/messages/write.ts'

/** `node --import` this: the server also offers the pseudo language, whose texts are in brackets, with accents, and 40 % longer. */
const { code } = pseudoCatalogue
// Threads start with it too.
if (isMainThread) await writeLanguage(join(import.meta.dirname, '../..'), pseudoCatalogue)
;(languages as Language[]).push({ code, name: 'Pseudo', direction: 'ltr', isReviewed: false })
;(languageCodes as string[]).push(code)
