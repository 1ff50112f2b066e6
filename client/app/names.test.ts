import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What screens called things before each had one name (docs/glossary.md), and the words of operators that members cannot act on. */
const oldNames = [
  /\bRatings and reviews\b(?! of)/,
  /Create something/,
  /\d\} in numbers|2026 in numbers/,
  /title="One review"/,
  /(Lines n|')ot kept'/,
  /Your import is done/,
  /An open case/,
  /Tap to rate/,
  /Of all members/,
  />\s*Add entry\s*</,
  /[Yy]our library\b/,
  /Nothing found here\./,
  /something of yours/,
  /You have seen/,
  /You no longer see/,
  /have decided about/,
  /: done[`'"<]/,
  /Emails are sent by/,
]
const operatorWords = [/no key for/, /asks for a pause/, /[Tt]his server\b/]

const shown = globSync(['client/**/*.{ts,tsx}', 'shared/texts/*.ts', 'server/**/mails.ts'], { cwd: root })
  .filter((file) => !/\.test\.tsx?$|^client\/e2e\//.test(file))
  .map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8')
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/(?<=^|\s)\/\/.*$/gm, ''),
  }))
const uses = (patterns: readonly RegExp[], files = shown) =>
  files.flatMap(({ file, text }) =>
    patterns.flatMap((one) => one.exec(text)?.[0] ?? []).map((found) => `${file}: ${found}`),
  )

test('each thing has one name on all screens', () => {
  expect(uses(oldNames)).toEqual([])
})

test('what members read names neither keys nor mail servers of the host', () => {
  const ofMembers = shown.filter(({ file }) => !file.startsWith('client/admin/'))
  expect(uses([...operatorWords, /\bSMTP\b/, /\b(TMDB|IGDB)_\w+/], ofMembers)).toEqual([])
})
