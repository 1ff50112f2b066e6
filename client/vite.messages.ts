import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { markMessages, type Message } from '../scripts/messages/find.ts'
import { markedFolder, messagesFile, textWriter } from '../scripts/messages/write.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes English into the files of the build, and keeps them with a mark for each message, of which other languages are written. */
export function messages(): Plugin {
  const found = new Map<string, Message>()
  return {
    name: 'messages',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/client\/[\w/.$-]+\.tsx?(\?.*)?$/ },
      handler(code, id) {
        const file = relative(root, id.replace(/\?.*$/, ''))
        const marked = file.startsWith('client/') ? markMessages(code, file) : undefined
        for (const message of marked?.messages ?? []) found.set(message.id, message)
        return marked && { code: marked.code, map: null }
      },
    },
    generateBundle(_options, bundle) {
      const write = textWriter(found)
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const { fileName, code } = chunk
        this.emitFile({ type: 'asset', fileName: `${markedFolder}/${fileName}`, source: code })
        chunk.code = write(code, fileName)
      }
      const fields = [...found.values()].map(({ id, source, names }) => ({ id, source, names }))
      this.emitFile({ type: 'asset', fileName: messagesFile, source: JSON.stringify(fields) })
    },
  }
}
