import { promises as fs } from 'node:fs'
import path from 'node:path'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import type { Db } from './open.ts'

/** Applies pending migrations and returns their names. If a migration throws, rolls it back and rethrows its error. */
export async function migrate(db: Db): Promise<string[]> {
  const migrationFolder = path.join(import.meta.dirname, '../../migrations')
  const migrator = new Migrator({
    db,
    provider: new FileMigrationProvider({ fs, path, migrationFolder, import: (file) => import(file) }),
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}
