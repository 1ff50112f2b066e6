import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { specifiedTexts } from '#shared/specified-texts.ts'

const root = join(import.meta.dirname, '..')
const excluded = new Set(['specified-texts.ts', 'route-tree.gen.ts'])

/** Returns the sources without comments and tests, with whitespace collapsed. */
function sourcesOf(...folders: string[]): string {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((file) => !/\.test\.tsx?$|^client\/e2e\//.test(file) && !excluded.has(basename(file)))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .map((source) =>
      source
        // Not the `/*` of `image/*`.
        .replace(/(?<!\w)\/\*.*?\*\//gs, '')
        // Not the `//` of a URL.
        .replace(/(?<=^|\s)\/\/.*$/gm, '')
        .replace(/\s+/g, ' '),
    )
    .join('\n')
}

/** Matches `text` as a whole string or the whole text of an element (an element or expression may follow). `{name}` matches any expression. */
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
  'every text that the specification fixes for %s is in the sources, word for word',
  (_, texts) => {
    expect(texts.filter((text) => !inSource(text).test(shown))).toEqual([])
  },
)

test('a partial match does not count', () => {
  for (const text of [
    'No picks',
    'picks yet',
    "Couldn't load your feed",
    'Movies http {status}',
    'Comments [{n}]',
  ])
    expect(shown, text).not.toMatch(inSource(text))
})

test('every message and every word of a kind is used', () => {
  const unused = [
    ...Object.keys(messages).map((key) => `messages.${key}`),
    ...Object.keys(kinds.movie.words).map((key) => `words.${key}`),
  ].filter((name) => !new RegExp(String.raw`\b${RegExp.escape(name)}\b`).test(program))
  expect(unused).toEqual([])
})
