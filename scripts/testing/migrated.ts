import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'

export const migratedName = 'migrated'

export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'medley-migrated-'))
  await createMigrated({ databaseUrl: undefined, dataDir })
  project.provide('migratedSqlite', join(dataDir, 'medley.sqlite'))
  return () => rmSync(dataDir, { recursive: true, force: true })
}

export async function createMigrated(config: Parameters<typeof openDatabase>[0]): Promise<void> {
  const db = openDatabase(config)
  await migrate(db)
  await db.destroy()
}

export async function createDatabase(url: string, name: string, template = 'template1'): Promise<string> {
  const admin = openDatabase({ databaseUrl: url, dataDir: '' })
  await sql`create database ${sql.ref(name)} template ${sql.ref(template)}`.execute(admin)
  await admin.destroy()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}
