import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markMessages, type Message } from './find.ts'

/** Every message of the sources, once, in the order of the files. */
export async function findMessages(root: string): Promise<Message[]> {
  const files = (await Array.fromAsync(glob(['client/**/*.{ts,tsx}', 'shared/**/*.ts'], { cwd: root })))
    .filter((file) => !/\.test\.tsx?$|^client\/(e2e\/|vite\.|route-tree)/.test(file))
    .sort()
  const found = new Map<string, Message>()
  for (const file of files)
    for (const message of markMessages(await readFile(join(root, file), 'utf8'), file)?.messages ?? [])
      if (!found.has(message.id)) found.set(message.id, message)
  return [...found.values()]
}
