import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
const releases = changelog
  .split(/^(?=## )/m)
  .slice(1)
  .map((text) => ({ heading: text.split('\n', 1)[0]!, text }))
const sections = [
  'Breaking',
  'Upgrade',
  'Added',
  'Changed',
  'Deprecated',
  'Removed',
  'Security',
  'Fixed',
  'API',
]

test('the changelog starts with the version of package.json, and only that one may be unreleased', () => {
  const [first, ...others] = releases.map(({ heading }) => heading)
  expect(first).toMatch(
    new RegExp(
      `^## \\[${packageJson.version.replaceAll('.', '\\.')}\\] - (unreleased|\\d{4}-\\d\\d-\\d\\d)$`,
    ),
  )
  for (const heading of others) expect(heading).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/)
})

describe.each(releases)('$heading', ({ text }) => {
  const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, name]) => name!)

  test('says first what is breaking and how to upgrade, and then has known sections, each once', () => {
    expect(headings.slice(0, 2)).toEqual(['Breaking', 'Upgrade'])
    expect(headings.filter((name) => !sections.includes(name))).toEqual([])
    expect(new Set(headings).size).toBe(headings.length)
  })

  test('has no empty section', () => {
    for (const section of text.split(/^### /m).slice(1)) expect(section).toMatch(/^.*\n\n- /)
  })
})

test('the lockfile and the API document have the same version', () => {
  for (const file of ['package-lock.json', 'docs/openapi.json']) {
    const { version, info } = JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')) as {
      version?: string
      info?: { version: string }
    }
    expect(version ?? info?.version, file).toBe(packageJson.version)
  }
})
