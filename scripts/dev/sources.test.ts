import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashSources } from './sources.ts'

let root: string
const path = (file: string) => join(root, file)
const write = (file: string, text: string) => writeFileSync(path(file), text)

type Lockfile = { lockfileVersion: number; packages: Record<string, Record<string, unknown>> }
const lockfile: Lockfile = {
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { react: '19.3.1' } },
    'node_modules/react': { version: '19.3.1' },
    'node_modules/tool': { version: '1.0.0', dev: true, optionalDependencies: { 'tool-linux-x64': '1.0.0' } },
    'node_modules/tool-linux-x64': { version: '1.0.0', dev: true, optional: true },
  },
}
const writeLockfile = (change: (packages: Lockfile['packages']) => void) => {
  const changed = structuredClone(lockfile)
  change(changed.packages)
  write('package-lock.json', JSON.stringify(changed))
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'medley-sources-'))
  for (const folder of ['client/ui', 'shared/domain']) mkdirSync(path(folder), { recursive: true })
  write('client/ui/button.tsx', 'export const label = 1')
  write('shared/domain/limits.ts', 'export const max = 2')
  writeLockfile(() => {})
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test.each<[string, () => void]>([
  ['a changed source', () => write('shared/domain/limits.ts', 'export const max = 3')],
  ['a new source', () => write('client/ui/link.tsx', '')],
  ['a renamed source', () => renameSync(path('client/ui/button.tsx'), path('client/ui/link.tsx'))],
  ['a removed source', () => rmSync(path('shared/domain/limits.ts'))],
  [
    'another version of a package',
    () => writeLockfile((all) => (all['node_modules/react']!.version = '19.3.2')),
  ],
  ['a new package', () => writeLockfile((all) => (all['node_modules/clsx'] = { version: '2.1.1' }))],
])('the build becomes stale by %s', async (_name, change) => {
  const before = await hashSources(root)
  change()
  expect(await hashSources(root)).not.toBe(before)
})

test.each<[string, () => void]>([
  [
    'times of files, which git and npm change',
    () => {
      for (const file of ['shared/domain/limits.ts', 'package-lock.json']) {
        const later = new Date(Date.now() + 60_000)
        utimesSync(path(file), later, later)
      }
    },
  ],
  [
    'packages of other platforms and the format of package-lock.json, which npm changes',
    () => {
      writeLockfile((all) => delete all['node_modules/tool-linux-x64'])
      write(
        'package-lock.json',
        `${JSON.stringify(JSON.parse(readFileSync(path('package-lock.json'), 'utf8')), null, 2)}\n`,
      )
    },
  ],
  ['the route tree, which the build writes', () => write('client/route-tree.gen.ts', 'export {}')],
])('the build does not become stale by %s', async (_name, change) => {
  const before = await hashSources(root)
  change()
  expect(await hashSources(root)).toBe(before)
})
