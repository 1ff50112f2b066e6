import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { specifiedTexts } from '#shared/specified-texts.ts'

const root = join(import.meta.dirname, '..')
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))
const documents = tracked.filter((file) => file.endsWith('.md'))
/** Every file and folder of the repository. */
const paths = new Set(tracked.flatMap((file) => [file, ...foldersOf(file)]))

function foldersOf(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/** Paths in backticks that start with a folder of the repository, without `…`, `<` and other placeholders. */
const namedPath = /`((?:\.github|bin|client|docs|migrations|scripts|server|shared)\/[\w./*{},-]*)`/g

test.each(documents)('%s links to files that exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map(
    ([, target]) => target!,
  )
  expect(targets.filter((target) => !existsSync(join(root, dirname(document), target)))).toEqual([])
})

test.each(documents)('%s names paths that exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const named = [...text.matchAll(namedPath)].map(([, path]) => path!.replace(/\/$/, ''))
  // Made by a build or at run time, or for illustration.
  const missing = named.filter((path) => !/[*{]/.test(path) && !paths.has(path))
  expect(missing).toEqual([])
})

/** The text of all sources, in which a symbol occurs as a word. */
const sources = tracked
  .filter((file) => /\.(ts|tsx|js|json|css|ya?ml)$|(^|\/)(Dockerfile|\.env\.example)$/.test(file))
  .filter((file) => file !== 'package-lock.json')
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')
const symbols = new Set(sources.match(/[A-Za-z_]\w*/g))
/** Words of OpenAPI. */
const foreignSymbols = ['deprecated']
/** Records and the changelog may name what existed at their time, or symbols of libraries. */
const currentDocuments = documents.filter(
  (document) => document !== 'CHANGELOG.md' && !document.startsWith('docs/decisions/'),
)

test.each(currentDocuments)('%s names symbols that exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/```[^]*?```/g, '')
  const named = [...text.matchAll(/`([A-Za-z_]\w*)(?:\(\))?`/g)].map(([, symbol]) => symbol!)
  expect(named.filter((symbol) => !symbols.has(symbol) && !foreignSymbols.includes(symbol))).toEqual([])
})

test.each(currentDocuments)('%s gives constants their values: 60 (`sessionDays`)', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const wrong = [...text.matchAll(/(\d[\d,]*)[^`|().]{0,40}\(`(\w+)`\)/g)].filter(([, number, name]) => {
    const [, value] = new RegExp(`\\bconst ${name} = ([\\d_]+)\\n`).exec(sources) ?? []
    return value === undefined || Number(value.replaceAll('_', '')) !== Number(number!.replaceAll(',', ''))
  })
  expect(wrong.map(([whole]) => whole)).toEqual([])
})

test('the tests that docs/security.md names exist', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const cells = [...text.matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, cell]) => cell!)
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!))
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !paths.has(name) && !paths.has(`server/${name}.test.ts`))).toEqual([])
})

test.each(documents.filter((document) => document.startsWith('docs/decisions/')))(
  '%s has a date and a status',
  (document) => {
    const [title, , status] = readFileSync(join(root, document), 'utf8').split('\n')
    expect(title).toMatch(/^# \d{4}\. /)
    expect(status).toMatch(/^\d{4}-\d\d-\d\d · (accepted|superseded by \d{4})$/)
  },
)

test('docs/product.md contains every specified text', () => {
  const text = readFileSync(join(root, 'docs/product.md'), 'utf8').replaceAll(/\s+/g, ' ')
  const missing = Object.values(specifiedTexts)
    .flat()
    .filter((specified) => !text.includes(`\`${specified}\``))
  expect(missing).toEqual([])
})

test('npm scripts that documents name exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name!),
  )
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
})
