import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const script = join(import.meta.dirname, 'licences.ts')
const folder = mkdtempSync(join(tmpdir(), 'medley-licences-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the script's exit code for the packages of a lockfile. */
function check(packages: Record<string, object>): number | null {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }))
  return spawnSync('node', [script], { cwd: folder }).status
}

test('an incompatible or missing licence fails the check', () => {
  for (const license of [
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'SSPL-1.0',
    'UNLICENSED',
    'MIT AND GPL-2.0-only',
    '(MIT OR X) AND GPL-2.0-only',
  ])
    expect(check({ 'node_modules/a': { license } }), license).toBe(1)
  expect(check({ 'node_modules/a': {} })).toBe(1)
  expect(check({ 'node_modules/a/node_modules/b': { license: 'GPL-3.0-only' } })).toBe(1)
})

test('allowed licences, allowed alternatives, documented exceptions and dev dependencies pass', () => {
  for (const license of ['MIT', 'MIT AND ISC', '(GPL-2.0-only OR MIT)'])
    expect(check({ 'node_modules/a': { license } }), license).toBe(0)
  expect(check({ 'node_modules/@img/sharp-libvips-x': { license: 'LGPL-3.0-or-later' } })).toBe(0)
  expect(check({ 'node_modules/another': { license: 'LGPL-3.0-or-later' } })).toBe(1)
  expect(check({ 'node_modules/a': { license: 'GPL-3.0-only', dev: true } })).toBe(0)
})

test('packages bundled into the web app are checked with their dependencies, although they are dev dependencies', () => {
  const source = join(folder, 'client/a.tsx')
  mkdirSync(join(folder, 'client'))
  const react = { license: 'MIT', dev: true, dependencies: { scheduler: '1' } }
  const gpl = { license: 'GPL-3.0-only', dev: true }
  writeFileSync(source, "import { x } from '#client/b.ts'\nimport { useState } from 'react'\n")
  expect(check({ 'node_modules/react': react, 'node_modules/vite': gpl })).toBe(0)
  expect(check({ 'node_modules/react': react, 'node_modules/scheduler': gpl })).toBe(1)
  expect(
    check({
      'node_modules/react': react,
      'node_modules/scheduler': { license: 'MIT', dev: true },
      'node_modules/react/node_modules/scheduler': gpl,
    }),
  ).toBe(1)
  writeFileSync(source, "@import 'react/style.css';\n")
  expect(check({ 'node_modules/react': gpl })).toBe(1)
})
