import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * The canary of the import law: a rule that silently checks nothing looks like one that holds. Each line is a file that
 * breaks the law, linted with the real configuration in a folder of its own.
 */
const forbidden: [file: string, code: string][] = [
  ['shared/a.ts', "import { hash } from '#server/accounts/rules.ts'"],
  ['shared/b.ts', "import { readFileSync } from 'node:fs'"],
  ['shared/c.ts', "import { useState } from 'react'"],
  ['server/db/a.ts', "import { reviewOf } from '#server/reviews/rules.ts'"],
  ['server/db/b.ts', "import Fastify from 'fastify'"],
  ['server/reviews/store.ts', "import { findTitle } from '#server/catalogue/store.ts'"],
  ['server/social/store.ts', "import { TRPCError } from '@trpc/server'"],
  ['server/feed/rules.ts', "import { sql } from 'kysely'"],
  ['server/feed/router.ts', "import { sql } from 'kysely'"],
  ['server/accounts/router.ts', "import Fastify from 'fastify'"],
  ['server/reviews/router.ts', "import { Button } from '#client/ui/button.tsx'"],
  ['client/ui/a.tsx', "import { trpc } from '#client/trpc.ts'"],
  ['client/ui/b.tsx', "import { kinds } from '#shared/media.ts'"],
  ['client/ui/c.tsx', "import { Link } from '@tanstack/react-router'"],
  ['client/reviews/a.tsx', "import { FollowButton } from '#client/social/follow-button.tsx'"],
  ['client/feed/a.tsx', "import { router } from '#client/router.tsx'"],
  ['client/a.ts', "import { readConfig } from '#server/config.ts'"],
  ['client/b.ts', "import { appRouter } from '#server/router.ts'"],
  ['client/c.ts', "import type { Db } from '#server/db/open.ts'"],
  [
    'server/web.ts',
    "import { renderPage } from '#client/server.tsx'; import { getSession } from '#client/session.ts'",
  ],
  ['migrations/a.ts', "import { kinds } from '#shared/media.ts'"],
  ['server/a.ts', 'export const port = process.env.PORT'],
  ['scripts/starter-art/a.ts', "import { openDatabase } from '../../server/db/open.ts'"],
  ['shared/d.ts', "import { e } from './e.ts'; export const d = () => e"],
]
const allowed: [file: string, code: string][] = [
  ['shared/e.ts', "import { z } from 'zod'; import { d } from './f.ts'; export const e = z.literal(d)"],
  ['client/d.ts', "import type { AppRouter } from '#server/router.ts'; export type R = AppRouter"],
  ['client/social/a.tsx', "import { Button } from '#client/ui/button.tsx'; export const B = Button"],
  ['server/social/rules.ts', "import type { UserRow } from '#server/db/tables.ts'; export type U = UserRow"],
  [
    'scripts/starter-art/b.ts',
    "import { motifs } from '../../server/starter/schema.ts'; export const m = motifs",
  ],
  ['server/config.ts', 'export const port = process.env.PORT'],
]

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'medley-law-'))
let complaints: string[]

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  writeFileSync(
    join(folder, 'package.json'),
    '{"type":"module","imports":{"#shared/*":"./shared/*","#server/*":"./server/*","#client/*":"./client/*"}}',
  )
  // d imports e, e imports f: a cycle only once f imports d.
  const cycle: [string, string][] = [
    ['shared/f.ts', "import { d as cyclic } from './d.ts'; export const d = String(cyclic)"],
  ]
  for (const [file, code] of [...forbidden, ...allowed, ...cycle]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${code}\n`)
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'unix'], {
    cwd: folder,
    encoding: 'utf8',
  })
  complaints = stdout.split('\n').filter((line) => /no-restricted-imports|no-process-env|no-cycle/.test(line))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isNamed = (file: string) => complaints.some((line) => line.startsWith(`${file}:`))

test.each(forbidden)('%s may not say: %s', (file) => expect(isNamed(file), complaints.join('\n')).toBe(true))

test.each(allowed.filter(([file]) => file !== 'shared/e.ts'))('%s may say: %s', (file) =>
  expect(isNamed(file), complaints.join('\n')).toBe(false),
)
