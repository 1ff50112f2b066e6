import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeAreas } from '#shared/contracts/features.ts'
import { exportFile } from '#shared/contracts/export.ts'
import document from '../docs/openapi.json' with { type: 'json' }
import { loadPrivateColumns } from '#scripts/testing/secrets.ts'
import { openExports } from './export/files.ts'
import { features, sections } from './router.ts'
import { aMember, aServer, memberColumns } from './testing.ts'

const { db } = await aServer()

/** Tables with rows of members. */
const tables = [...new Set((await memberColumns(db)).map(([table]) => table as string))]
/** The database removes these with the account or the import, because a member has few of them or they belong to an import. */
const removedByDatabase = [
  'api_tokens',
  'import_changes',
  'import_lists',
  'import_usage',
  'invites',
  'mail_tokens',
  'name_parts',
  'sessions',
  'webhooks',
]
/** Derived data, secrets, files and settings. Titles are exported with the rows that refer to them. */
const notExported = [
  ...removedByDatabase,
  'credentials',
  'sign_in_steps',
  'batches',
  'removed_rows',
  'removed_lists',
  'removed_pictures',
  'cases',
  'media',
  'changes',
  'idempotency_keys',
  'import_keys',
  'past_writes',
  'inboxes',
  'notifications',
  'uploads',
]

test('the deletion of an account removes every table’s rows of the member in batches: `deletion` of server/<feature>/feature.ts', () => {
  const registered = features.flatMap(({ deletion = [] }) => deletion.map(({ table }) => table))
  expect(
    tables.filter((table) => !removedByDatabase.includes(table) && !registered.includes(table as never)),
  ).toEqual([])
})

test('each table says which of its columns are private: `privateColumns` of server/<feature>/tables.ts', async () => {
  // Migrations, the search index and the counts of the rate limiter.
  const ofProgram = /^(kysely_|media_search|limit_counts)/
  const existing = (await db.introspection.getTables()).map(({ name }) => name)
  expect(Object.keys(await loadPrivateColumns()).toSorted()).toEqual(
    existing.filter((name) => !ofProgram.test(name)).toSorted(),
  )
})

test('server/db names no table of a feature', async () => {
  const { privateColumns: own } = await import('./db/tables.ts')
  const ofFeatures = Object.keys(await loadPrivateColumns()).filter((name) => !(name in own))
  expect(ofFeatures.length).toBeGreaterThan(50)
  const names = ofFeatures.join('|')
  // In SQL, as a whole string, and as the table of a column.
  const named = new RegExp(
    `\\b(?:from|join|into|update|table|on|references)\\s+"?(${names})\\b|(['"\`])(${names})\\2|['"\`\\s(](${names})\\.[a-z]+_?[a-z]*\\b(?!\\()`,
    'g',
  )
  const found = globSync('*.ts', { cwd: join(import.meta.dirname, 'db'), exclude: ['*.test.ts'] }).flatMap(
    (file) => {
      const code = readFileSync(join(import.meta.dirname, 'db', file), 'utf8').replaceAll(
        /\/\*[^]*?\*\/|^\s*\/\/.*$/gm,
        '',
      )
      return [...code.matchAll(named)].map(([text]) => `${file}: ${text}`)
    },
  )
  expect(found).toEqual([])
})

test('an export reads every table with what members keep: `export` of server/<feature>/feature.ts', async () => {
  const read = new Set<string>()
  const recorded = db.withPlugin({
    transformQuery({ node, queryId }) {
      const { sql } = db.getExecutor().compileQuery(node, queryId)
      for (const [, name] of sql.matchAll(/(?:from|join) "(\w+)"/g)) read.add(name!)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { begin, files } = openExports(features)
  const about = await begin(recorded, (await aMember(db)).id, 'https://medley.example', new Date())
  for (const file of Object.values(files)) for await (const _ of file(about!));
  expect(tables.filter((table) => !notExported.includes(table) && !read.has(table))).toEqual([])
})

test('each part of medley.json and each area of the change log comes from one feature: server/<feature>/feature.ts', () => {
  const names = (part: 'export' | 'changes') =>
    features.flatMap((feature) => Object.keys(feature[part] ?? {}))
  const lists = Object.entries(exportFile.shape).filter(([, schema]) => schema.type === 'array')
  expect(['titles', ...names('export')].sort()).toEqual(lists.map(([name]) => name).sort())
  expect(names('changes').sort()).toEqual([...changeAreas].sort())
})

test('each section of the API document has a description: `sections` of server/router.ts', () => {
  const named = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ tags }) => tags),
  )
  expect([...new Set(named)].sort()).toEqual(Object.keys(sections).sort())
})
