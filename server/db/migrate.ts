import { promises as fs } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { FileMigrationProvider, type Migration, Migrator } from 'kysely/migration'
import type { Db } from './open.ts'

const migrationFolder = path.join(import.meta.dirname, '../../migrations')

/** The message says what to do. */
export class SchemaError extends Error {}

/** Pending ones in order; unknown ones are of a later version. */
export async function compareSchema(db: Db): Promise<Record<'applied' | 'pending' | 'unknown', string[]>> {
  const files = await fs.readdir(migrationFolder)
  const known = files.map((file) => path.parse(file).name).sort()
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db).then(
    ({ rows }) => rows.map(({ name }) => name),
    (error: { code?: unknown; message?: unknown }): string[] => {
      if (error.code === '42P01' || String(error.message).startsWith('no such table')) return []
      throw error
    },
  )
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

export async function requireSchema(db: Db): Promise<void> {
  const { pending, unknown } = await compareSchema(db)
  if (unknown.length > 0) throw newerDatabase(unknown)
  if (pending.length > 0)
    throw new SchemaError(
      `The database is older than this version of Medley: ${pending.length} migrations are pending. Run medley migrate, or start the server.`,
    )
}

export const newerDatabase = (unknown: string[]) =>
  new SchemaError(
    `The database is newer than this version of Medley, which does not know ${unknown.at(-1)}. Install the newer version again, or restore a backup that is older than the upgrade.`,
  )

/** Begins, or has taken `ms`. */
export type MigrationStep = { migration: string; number: number; of: number; ms?: number }

/** All in one transaction, which an error rolls back. Throws SchemaError if the database is newer. */
export async function migrate(db: Db, onStep: (step: MigrationStep) => void = () => {}): Promise<string[]> {
  const { pending, unknown } = await compareSchema(db)
  if (unknown.length > 0) throw newerDatabase(unknown)
  const files = new FileMigrationProvider({ fs, path, migrationFolder, import: (file) => import(file) })
  const measured = ([name, { up }]: [string, Migration]): [string, Migration] => [
    name,
    {
      async up(trx) {
        const step = { migration: name, number: pending.indexOf(name) + 1, of: pending.length }
        const startedAt = performance.now()
        onStep(step)
        await up(trx)
        onStep({ ...step, ms: Math.round(performance.now() - startedAt) })
      },
    },
  ]
  const provider = {
    getMigrations: async () => Object.fromEntries(Object.entries(await files.getMigrations()).map(measured)),
  }
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}
