import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parsePo, stringifyPo } from 'pofile-ts'
import { languages, sourceLanguage } from '#shared/domain/languages.ts'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { localesFolder, pseudoCatalogue, updatedCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { problemsOf } from '#scripts/dev/messages/check.ts'
import { compile } from '#scripts/dev/messages/compile.ts'

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, check: { type: 'boolean' }, add: { type: 'string' } },
})
if (values.help) {
  console.log(`npm run messages [-- --check | --add <code>]

Writes the texts of the app into the catalogues of all languages, shared/locales/<code>.po: new ones without a translation, and without
those that are no longer used.

  --add    creates a catalogue, such as de
  --check  changes nothing, and exits with 1 if a text of a screen is no message, or if a translation is missing, stale or not valid,
           lacks a value or an element of the English text, or lacks a plural form of its language`)
  process.exit()
}

const { messages, unmarked } = await findMessages(join(import.meta.dirname, '../..'))
if (values.check) fail(unmarked)
for (const { source, names } of messages) {
  compile(source, names)
  compile(pseudoCatalogue.textOf({ source })!, names)
}
const files = (await readdir(localesFolder)).filter((file) => file.endsWith('.po')).sort()
if (values.add !== undefined) {
  const file = `${Intl.getCanonicalLocales(values.add)[0]}.po`
  if (!files.includes(file)) files.push(file)
}

const listed = languages.filter(({ code }) => code !== sourceLanguage)
for (const { code } of listed)
  if (!files.includes(`${code}.po`))
    fail([`shared/domain/languages.ts lists ${code}, which has no catalogue`])

for (const file of files) {
  const code = file.replace('.po', '')
  const path = join(localesFolder, file)
  const catalogue = parsePo(await readFile(path, 'utf8').catch(() => ''))
  if (!values.check) {
    await writeFile(path, stringifyPo(updatedCatalogue(catalogue, code, messages)))
    continue
  }
  const language = listed.find((one) => one.code === code)
  // A catalogue that is not listed is being written. Its translations may be missing or stale.
  const problems = problemsOf(code, catalogue.items, messages).filter(
    (problem) => language !== undefined || !/^(missing|stale): /.test(problem),
  )
  if (language !== undefined && language.isReviewed !== (catalogue.headers['X-Reviewed'] === 'yes'))
    problems.push('isReviewed in shared/domain/languages.ts differs from the header X-Reviewed')
  fail(problems.map((problem) => `shared/locales/${file}: ${problem}`))
}
console.log(`${messages.length} messages, ${files.length} catalogues`)

function fail(problems: readonly string[]): void {
  if (problems.length === 0) return
  console.error(problems.slice(0, 50).join('\n'))
  process.exitCode = 1
}
