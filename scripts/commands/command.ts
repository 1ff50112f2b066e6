import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type Config, ConfigError, unknownVariables, readConfig } from '#server/config.ts'
import { requireSchema } from '#server/db/migrate.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { describeFailure } from '#server/process/failure.ts'
import { keepFilesPrivate } from '#server/process/private-files.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Given<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>> & {
  config: Config
}

/**
 * A failure is one line on standard error and exit code 1; `LOG_LEVEL=debug` or `trace` adds the stack. `positionals` limits the arguments
 * that are not options.
 */
export async function runCommand<T extends Options>(
  { usage, options, positionals = 0 }: { usage: string; options?: T; positionals?: number },
  work: (given: Given<T>) => Promise<void>,
): Promise<void> {
  let config: Config | undefined
  try {
    const given = parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean' } } as T & { help: { type: 'boolean' } },
    })
    if ((given.values as { help?: boolean }).help) return console.log(usage)
    if (given.positionals.length > positionals)
      throw new ConfigError(
        `Too many arguments: ${given.positionals.join(' ')}. --help describes the command.`,
      )
    config = readConfig()
    keepFilesPrivate()
    for (const text of unknownVariables()) console.error(text)
    await work({ ...(given as Given<T>), config })
  } catch (error) {
    console.error(describeFailure(error, config))
    if (config && ['debug', 'trace'].includes(config.logLevel)) console.error(error)
    process.exitCode = 1
  }
}

/** Throws ConfigError without a database. */
export function requireSqliteFile(dataDir: string): string {
  const file = join(dataDir, 'medley.sqlite')
  if (!existsSync(file)) throw new ConfigError(`${file} does not exist. Check DATA_DIR.`)
  return file
}

/** The database must exist and have the current schema. */
export async function withDatabase(config: Config, work: (db: Db) => Promise<void>): Promise<void> {
  if (!config.databaseUrl) requireSqliteFile(config.dataDir)
  const db = openDatabase(config)
  try {
    await requireSchema(db)
    await work(db)
  } finally {
    await db.destroy()
  }
}
