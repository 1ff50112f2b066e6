import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markMessages, type Message } from './find.ts'
import { unmarkedTexts } from './unmarked.ts'

const sources = { client: 'client/**/*.{ts,tsx}', shared: 'shared/**/*.ts', server: 'server/**/*.ts' }
/** Dates in English, which do without `Intl`. */
const english = 'client/ui/dates.ts'

/** Returns every message of the sources, once, in the order of the files, and the texts of screens that are no messages. */
export async function findMessages(
  root: string,
  patterns = Object.values(sources),
): Promise<{ messages: Message[]; unmarked: string[] }> {
  const files = (await Array.fromAsync(glob(patterns, { cwd: root })))
    .filter((file) => !/\.test\.tsx?$|^client\/(e2e\/|vite\.|route-tree)/.test(file))
    .sort()
  const found = new Map<string, Message>()
  const unmarked: string[] = []
  for (const file of files) {
    const code = await readFile(join(root, file), 'utf8')
    for (const message of markMessages(code, file)?.messages ?? [])
      if (!found.has(message.id)) found.set(message.id, message)
    if (file.startsWith('client/') && file !== english)
      for (const { text, line } of unmarkedTexts(code, file))
        unmarked.push(`${file}:${line}: no message contains ${JSON.stringify(text)}`)
  }
  return { messages: [...found.values()], unmarked }
}

/** The messages that the server renders. */
export async function findServerMessages(root: string): Promise<Message[]> {
  return (await findMessages(root, [sources.server, sources.shared])).messages
}
