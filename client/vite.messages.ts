import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { markMessages, type Message } from '../scripts/dev/messages/find.ts'
import { markedFolder, messagesFile, textWriter } from '../scripts/dev/messages/write.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes English into the files of the build, and keeps them with a mark for each message, of which other languages are written. */
export function messages(): Plugin {
  const found = new Map<string, Message>()
  const marked = new Map<string, string>()
  return {
    name: 'messages',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/(client|shared)\/[\w/.$-]+\.tsx?(\?.*)?$/ },
      handler(code, id) {
        const file = relative(root, id.replace(/\?.*$/, ''))
        const result = /^(client|shared)\//.test(file) ? markMessages(code, file) : undefined
        for (const message of result?.messages ?? []) found.set(message.id, message)
        return result && { code: result.code, map: null }
      },
    },
    generateBundle: {
      // After Vite, which writes into the chunks what each import loads.
      order: 'post',
      handler(_options, bundle) {
        const write = textWriter(found)
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          if (/__VITE_\w+__/.test(chunk.code)) throw new Error(`${chunk.fileName} is not complete yet.`)
          marked.set(chunk.fileName, chunk.code)
          chunk.code = write(chunk.code, chunk.fileName)
        }
      },
    },
    // Not as files of the bundle: the build of the renderer emits no assets.
    async writeBundle({ dir }) {
      const fields = [...found.values()].map(({ id, source, names }) => ({ id, source, names }))
      const files = [...marked].map(([file, code]) => [`${markedFolder}/${file}`, code] as const)
      for (const [file, content] of [...files, [messagesFile, JSON.stringify(fields)] as const]) {
        const path = join(dir!, file)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, content)
      }
    },
  }
}
