import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import * as limits from '#shared/domain/limits.ts'
import { scopeNames } from '#shared/domain/scopes.ts'
import { specifiedTexts } from '#shared/texts/specified-texts.ts'

const root = join(import.meta.dirname, '../..')
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

/** What documents say with the value of a constant, so that a change of the constant fails until its document is changed. */
const statements = {
  'README.md': [`Ratings from ${limits.ratingMin} to ${limits.ratingMax}`],
  'docs/api.md': [
    `A member can have ${limits.accessTokensMax}. `,
    `are stored, for ${limits.idempotencyHours} hours`,
    `Changes are kept for ${limits.changeDays} days, and at most ${inEnglish(limits.changesMax)} per area.`,
    `at least every ${limits.changeDays} days`,
    `At most ${inEnglish(limits.deliveriesMax)} deliveries of a webhook are queued`,
    `the last ${limits.deliveriesShown} deliveries with the status or the error; they are kept for ${limits.deliveryDays} days`,
  ],
  'docs/product.md': [
    `rates titles from ${limits.ratingMin} to ${limits.ratingMax}`,
    `suggests movies ${limits.suggestionDelayMs} ms after`,
    `times out after ${limits.requestTimeoutMs / 1000} seconds. It is repeated once, after ${limits.retryDelayMs} ms`,
    `Texts are cut at ${limits.snippetMax} characters`,
    `the bio, at most ${limits.bioMax} characters`,
    `at most ${limits.reportsPerDay} reports a day`,
    `appeal a decision once, within ${limits.appealDays} days`,
    `Notifications are kept for ${limits.notificationDays} days`,
    `with ${limits.friendThresholds.filter(Boolean).join(' and ')})`,
    `Up to ${limits.feedLimit} titles per kind`,
    `${limits.feedPageSize} cards are shown at first`,
  ],
}

function inEnglish(number: number): string {
  return number.toLocaleString('en')
}

test.each(Object.entries(statements))('%s states the values of constants', (document, expected) => {
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/\s+/g, ' ')
  expect(expected.filter((statement) => !text.includes(statement))).toEqual([])
})

test('docs/api.md lists the scopes', () => {
  const text = readFileSync(join(root, 'docs/api.md'), 'utf8')
  expect(scopeNames.filter((scope) => !text.includes(`| \`${scope}\` |`))).toEqual([])
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
    expect(status).toMatch(/^\d{4}-\d\d-\d\d · (accepted|superseded( in part)? by \d{4})$/)
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
