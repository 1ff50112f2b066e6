import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findServerMessages } from '#scripts/dev/messages/all.ts'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { writeLanguage, writeServerTexts } from '#scripts/dev/messages/write.ts'

const root = join(import.meta.dirname, '../..')
const languages = join(root, 'dist/languages')
const folder = join(languages, pseudoCatalogue.code)

/** Writes the pseudo language from the last build, unless it has been written from it. Other runs may be using it. */
export async function writePseudoLanguage(): Promise<void> {
  const stamp = await writtenFrom()
  if (stamp === (await readFile(join(folder, 'written-from'), 'utf8').catch(() => undefined))) return
  const beside = join(languages, `.${process.pid}`)
  await writeLanguage(root, pseudoCatalogue, beside)
  await writeServerTexts(await findServerMessages(root), pseudoCatalogue, beside)
  await writeFile(join(beside, pseudoCatalogue.code, 'written-from'), stamp)
  await rm(folder, { recursive: true, force: true })
  await rename(join(beside, pseudoCatalogue.code), folder)
  await rm(beside, { recursive: true })
}

async function writtenFrom(): Promise<string> {
  const files = [
    'dist/server/sources.sha256',
    'dist/languages/texts.sha256',
    'scripts/dev/messages/pseudo.ts',
  ]
  const contents = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  return contents.join('\n')
}
