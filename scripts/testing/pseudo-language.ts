import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { languageCodes, languages, type Language } from '#shared/domain/languages.ts'
import { findServerMessages } from '#scripts/dev/messages/all.ts'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { writeLanguage, writeServerTexts } from '#scripts/dev/messages/write.ts'

/** `node --import` this: the server also offers the pseudo language, whose texts are in brackets, with accents, and 40 % longer. */
const { code } = pseudoCatalogue
// Threads start with it too.
if (isMainThread) {
  const root = join(import.meta.dirname, '../..')
  await writeLanguage(root, pseudoCatalogue)
  await writeServerTexts(await findServerMessages(root), pseudoCatalogue)
}
;(languages as Language[]).push({ code, name: 'Pseudo', direction: 'ltr', isReviewed: false })
;(languageCodes as string[]).push(code)
