import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { serverFolders } from '../../oxlint.config.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Tests the import rules of oxlint.config.ts: a rule that silently checks nothing looks like one that passes. Lints one file of each
 * layer with the project's configuration, in a temporary folder. The file has imports that must be refused (among them an unknown
 * package and another feature) and imports that must be allowed, each a list of names.
 */
const layers: Record<string, [refused: string, allowed: string]> = {
  'shared/contracts/a.ts': [
    'lodash zone.js react zod-openapi node:fs #server/db/open.ts ../server/config.ts',
    'zod ./scalars.ts #shared/domain/kinds.ts #shared/texts/messages.ts',
  ],
  'shared/texts/a.ts': ['zod #shared/contracts/scalars.ts', './texts.ts #shared/domain/kinds.ts'],
  'shared/domain/a.ts': ['zod #shared/texts/messages.ts #shared/contracts/scalars.ts', './media.ts'],
  'server/http/a.ts': [
    '#client/app/session.ts #client/server.tsx',
    'fastify lodash @fastify/static node:fs ./cors.ts #server/uploads/store.ts #shared/domain/kinds.ts',
  ],
  'server/diary/a.ts': [
    '#server/lists/a.ts #server/http/a.ts #server/router.ts #server/app.ts',
    '#server/reviews/a.ts #server/config.ts #server/feature.ts #server/diary/b.ts',
  ],
  'server/diary/router.ts': ['#server/lists/store.ts', '#server/reviews/store.ts #server/diary/rules.ts'],
  'server/router.ts': ['#server/app.ts', '#server/http/a.ts #server/diary/router.ts'],
  'server/http/pages/web.ts': ['#client/app/session.ts', 'fastify node:fs/promises'],
  'server/calls/a.ts': [
    'fastify kysely lodash #server/accounts/store.ts #server/http/cors.ts #client/app/trpc.ts',
    '@trpc/server zod ./errors.ts #server/db/replica.ts #shared/domain/limits.ts',
  ],
  'server/db/a.ts': [
    'fastify lodash @trpc/server #server/http/cors.ts #server/reviews/rules.ts #client/app/trpc.ts',
    'kysely kysely/migration pg node:path ./open.ts #shared/domain/kinds.ts',
  ],
  'server/future/store.ts': [
    'lodash fastify pg @trpc/server #server/titles/store.ts ./rules.ts ../titles/store.ts',
    'kysely #server/db/open.ts #shared/domain/limits.ts',
  ],
  'server/future/other-store.ts': ['fastify ./store.ts #server/titles/store.ts', 'kysely #server/db/open.ts'],
  'server/future/tables.ts': [
    'zod #server/db/open.ts ./rules.ts #server/titles/store.ts',
    'kysely #server/db/tables.ts #shared/domain/kinds.ts',
  ],
  'server/future/rules.ts': [
    'lodash kysely fastify #server/titles/rules.ts ./store.ts ../titles/rules.ts',
    '#shared/domain/kinds.ts #server/db/fold.ts',
  ],
  'server/future/router.ts': [
    'lodash kysely fastify @fastify/static #server/http/cors.ts #client/ui/button.tsx',
    '@trpc/server ./store.ts #server/titles/store.ts #server/accounts/mail-store.ts #server/calls/procedures.ts #shared/contracts/reviews.ts',
  ],
  'migrations/a.ts': [
    'lodash pg #shared/domain/kinds.ts #server/accounts/rules.ts ./0001-first.ts',
    'kysely #server/db/dialect.ts',
  ],
  'scripts/a.ts': ['#client/app/trpc.ts', 'vite #server/db/open.ts ./bench/bench.ts'],
  'client/ui/a.tsx': [
    'lodash zod @tanstack/react-router #client/app/trpc.ts #shared/domain/kinds.ts ../app/session.ts',
    'react @base-ui/react/dialog clsx ./button.tsx',
  ],
  'client/app/a.ts': [
    'lodash #client/titles/title-card.tsx #client/members/a.ts #client/social/hooks.ts #client/router.tsx',
    'react ./session.ts #client/ui/toasts.ts #shared/domain/limits.ts',
  ],
  'client/titles/a.ts': [
    '#client/members/a.ts #client/social/hooks.ts',
    './title-card.tsx #client/app/trpc.ts',
  ],
  'client/members/a.ts': [
    '#client/social/hooks.ts',
    './b.ts #client/titles/title-card.tsx #client/app/trpc.ts',
  ],
  'client/future/a.tsx': [
    'lodash #client/social/follow-button.tsx ../social/follow-button.tsx #server/router.ts node:fs',
    'react @tanstack/react-router ./hooks.ts #client/ui/button.tsx #client/app/trpc.ts #client/members/a.ts #shared/domain/kinds.ts',
  ],
  'client/future/part/a.tsx': [
    'lodash #client/social/follow-button.tsx ../../social/follow-button.tsx',
    '../hooks.ts ../other/b.tsx #client/ui/button.tsx #client/titles/title-card.tsx',
  ],
  'client/a.ts': [
    'lodash #server/config.ts #server/router.ts node:fs',
    'react ./router.tsx #client/app/session.ts #client/social/hooks.ts #shared/domain/limits.ts',
  ],
  'client/routes/a.tsx': [
    'lodash #server/router.ts',
    '#client/social/profile-screen.tsx #client/reviews/hooks.ts ../router.tsx',
  ],
}
/** Imports of types only. */
const types: Record<string, [refused: string, allowed: string]> = {
  'client/b.ts': ['#server/db/open.ts #server/config.ts', '#server/router.ts'],
  'server/http/pages/pages.ts': ['#client/app/session.ts', '#client/server.tsx'],
  'server/calls/b.ts': [
    '#client/server.tsx #server/http/limits/rate-limit.ts',
    '#server/accounts/mailer.ts fastify',
  ],
  'server/diary/b.ts': ['#client/server.tsx', '#server/lists/a.ts #server/router.ts #server/app.ts'],
  'server/db/b.ts': ['#server/reviews/rules.ts', '#server/config.ts'],
  'server/other/rules.ts': ['#server/titles/store.ts', '#server/titles/tables.ts zod'],
}

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'medley-law-'))
let findings: string[]

beforeAll(() => {
  const write = (file: string, lines: string[]) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`)
  }
  cpSync(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  write('package.json', ['{ "type": "module" }'])
  for (const [keyword, cases] of [
    ['import', layers],
    ['import type', types],
  ] as const)
    for (const [file, names] of Object.entries(cases))
      write(
        file,
        names
          .join(' ')
          .split(' ')
          .map((name, at) => `${keyword} { a as a${at} } from '${name}'`),
      )
  write('server/a.ts', ['export const port = process.env.PORT'])
  write('server/config.ts', ['export const port = process.env.PORT'])
  write('shared/d.ts', ["import { e } from './e.ts'; export const d = () => e"])
  write('shared/e.ts', ["import { d } from './d.ts'; export const e = () => d"])
  write('shared/f.ts', ["import type { g } from './g.ts'; export type f = g | 1"])
  write('shared/g.ts', ["import type { f } from './f.ts'; export type g = f | 2"])
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/oxlint/bin/oxlint'),
      '--format',
      'unix',
      'client',
      'migrations',
      'scripts',
      'server',
      'shared',
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  findings = stdout.split('\n').filter((line) => /no-restricted-imports|no-process-env|no-cycle/.test(line))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An import that two rules refuse is found twice. */
const namesOf = (file: string) => [...new Set(namesIn(file))]
const namesIn = (file: string) =>
  findings.flatMap((line) =>
    line.startsWith(`${file}:`) ? (/'([^']+)' import is restricted/.exec(line)?.[1] ?? []) : [],
  )

test.each(Object.entries({ ...layers, ...types }))(
  '%s may import only what its layer lists',
  (file, [refused]) => {
    expect(namesOf(file).toSorted()).toEqual(refused.split(' ').toSorted())
  },
)

test('only the configuration reads the environment', () => {
  const isReported = (file: string) =>
    findings.some((line) => line.startsWith(`${file}:`) && line.includes('no-process-env'))
  expect([isReported('server/a.ts'), isReported('server/config.ts')]).toEqual([true, false])
})

test.each(['shared/d.ts', 'shared/f.ts'])('import cycles are reported, of types too: %s', (file) => {
  expect(findings.some((line) => line.startsWith(`${file}:`) && line.includes('no-cycle'))).toBe(true)
})

test('no file of the project imports itself, not even through imports that are loaded later', () => {
  const list = spawnSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  const files = list.stdout
    .split('\n')
    .filter((file) => /^(client|migrations|scripts|server|shared)\//.test(file))
  const importsOf = new Map(
    files.map((file) => {
      const specifiers = readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\()'([#.][^']+)'/g)
      return [
        file,
        [...specifiers].map(([, name]) =>
          name!.startsWith('#') ? name!.slice(1) : join(dirname(file), name!),
        ),
      ]
    }),
  )
  const circles: string[] = []
  const left = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || left.has(file)) return
    for (const imported of importsOf.get(file) ?? []) visit(imported, [...path, file])
    left.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('oxlint.config.ts lists every folder and root file of server/, in the order of the drawing in docs/architecture.md', () => {
  const found = readdirSync(join(root, 'server'), { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() || (entry.name.endsWith('.ts') && !/(\.test|^testing)\.ts$/.test(entry.name)),
    )
    .map(({ name }) => name)
  expect(serverFolders.map(([name]) => name).toSorted()).toEqual(found.toSorted())
  const drawing = serverFolders.map(([name, purpose]) => `  ${name.padEnd(15)}${purpose}\n`).join('')
  expect(readFileSync(join(root, 'docs/architecture.md'), 'utf8')).toContain(drawing)
})
