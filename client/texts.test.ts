import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { specifiedTexts } from '#shared/specified-texts.ts'

const root = join(import.meta.dirname, '..')
const asides = new Set(['specified-texts.ts', 'route-tree.gen.ts'])

/** The program without its comments and tests, with each run of white space made one space. */
function sourcesOf(...folders: string[]): string {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((file) => !/\.test\.tsx?$|^client\/e2e\//.test(file) && !asides.has(basename(file)))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .map((source) =>
      source
        // Not that of `image/*`.
        .replace(/(?<!\w)\/\*.*?\*\//gs, '')
        // Not that of an address.
        .replace(/(?<=^|\s)\/\/.*$/gm, '')
        .replace(/\s+/g, ' '),
    )
    .join('\n')
}

/** The whole of a string or of an element's text (an element or an expression may follow); `{name}` is any expression. */
function inSource(text: string): RegExp {
  const words = text
    .split(/\{[^}]*\}/)
    .map((part) => RegExp.escape(part))
    .join(String.raw`\$?\{[^{}]*\}`)
  const begin = text.startsWith('{') ? '' : String.raw`['"\`>}] ?`
  return new RegExp(String.raw`${begin}${words} ?['"\`<{]`)
}

const shown = sourcesOf('client', 'shared')
const program = sourcesOf('client', 'server', 'shared')

test.each(Object.entries(specifiedTexts))(
  'what the specification has %s say stands word for word',
  (_, texts) => {
    expect(texts.filter((text) => !inSource(text).test(shown))).toEqual([])
  },
)

test('what is nearly so does not count', () => {
  for (const text of [
    'No picks',
    'picks yet',
    "Couldn't load your feed",
    'Movies http {status}',
    'Comments [{n}]',
  ])
    expect(shown, text).not.toMatch(inSource(text))
})

test('no message and no word of a kind waits for a use', () => {
  const unused = [
    ...Object.keys(messages).map((key) => `messages.${key}`),
    ...Object.keys(kinds.movie.words).map((key) => `words.${key}`),
  ].filter((name) => !new RegExp(String.raw`\b${RegExp.escape(name)}\b`).test(program))
  expect(unused).toEqual([])
})
