import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { kindWords } from '#client/titles/kind-words.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { tabs } from '#shared/domain/tabs.ts'
import { messages } from '#shared/texts/messages.ts'
import { specifiedTexts } from '#shared/texts/specified-texts.ts'

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

/**
 * Matches `text` as a whole string or the whole text of an element (an element or expression may follow). `{name}` matches any expression.
 * A text that starts with a count may be a form of a plural: `# pages`.
 */
function inSource(text: string): RegExp {
  const counted = text.replace(/^\{\w+\} /, '# ').replace(/\{(\w+)\(s\)\}/, '$1s')
  return new RegExp([text, ...(counted.startsWith('#') ? [counted] : [])].map(patternOf).join('|'))
}

function patternOf(text: string): string {
  const words = text
    .split(/\{[^}]*\}/)
    .map((part) => RegExp.escape(part))
    .join(String.raw`\$?\{[^{}]*\}`)
  const begin = text.startsWith('{') ? '' : String.raw`['"\`>}] ?`
  return String.raw`${begin}${words} ?['"\`<{]`
}

const screens = sourcesOf('client')
const program = sourcesOf('client', 'server', 'shared')

const textOf = (value: unknown) =>
  typeof value === 'function' ? String(value).replace(/\s+/g, ' ') : JSON.stringify(value)
/** The texts that screens use by name: messages, and the texts of each kind and tab. */
const named: [name: string, text: string][] = [
  ...Object.entries(messages).map(([key, value]): [string, string] => [`messages.${key}`, textOf(value)]),
  ...Object.values(tabs).flatMap((tab) =>
    Object.entries(tab).map(([key, value]): [string, string] => [`.${key}`, textOf(value)]),
  ),
  ...Object.values(kindWords).flatMap(({ favorites, ...words }) =>
    Object.entries({ ...favorites, ...words }).map(([key, value]): [string, string] => [
      `.${key}`,
      textOf(value),
    ]),
  ),
  ...Object.values(kinds).flatMap(({ words, ...kind }) => [
    ...Object.entries(kind).map(([key, value]): [string, string] => [`.${key}`, textOf(value)]),
    ...Object.entries(words).map(([key, value]): [string, string] => [`words.${key}`, textOf(value)]),
  ]),
]
const isUsed = (name: string, sources: string) =>
  new RegExp(String.raw`${name.startsWith('.') ? '' : String.raw`\b`}${RegExp.escape(name)}\b`).test(sources)

/** Returns whether a screen contains the text, or a name whose text it is. */
const isShown = (text: string) =>
  inSource(text).test(screens) ||
  named.some(([name, defined]) => inSource(text).test(defined) && isUsed(name, screens))

test.each(Object.entries(specifiedTexts))(
  'every text that the specification fixes for %s is used by a screen, word for word',
  (_, texts) => {
    expect(texts.filter((text) => !isShown(text))).toEqual([])
  },
)

test('a text that is defined and not used does not count', () => {
  expect(named.map(([name]) => name)).toContain('messages.busy')
  const [text] = named
    .filter(([name]) => name === 'messages.busy')
    .map(([, text]) => JSON.parse(text) as string)
  expect([inSource(text!).test(program), isShown(text!)]).toEqual([true, false])
})

test('a partial match does not count', () => {
  for (const text of [
    'No picks',
    'picks yet',
    "Couldn't load your feed",
    'Movies http {status}',
    'Comments [{n}]',
  ])
    expect(program, text).not.toMatch(inSource(text))
})

test('every message and every word of a kind is used', () => {
  const unused = [
    ...Object.keys(messages).map((key) => `messages.${key}`),
    ...Object.keys(kinds.movie.words).map((key) => `words.${key}`),
    ...Object.keys({ ...kindWords.movie, ...kindWords.movie.favorites }).map((key) => `.${key}`),
  ].filter((name) => !isUsed(name, program))
  expect(unused).toEqual([])
})
