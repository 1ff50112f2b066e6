import { statfsSync } from 'node:fs'
import { type Config, ConfigError } from '#server/config.ts'
import { classifyDatabaseError } from '#server/db/dialect.ts'
import { SchemaError } from '#server/db/migrate.ts'
import { describeService } from '#server/text/service-url.ts'

/** With less free space, SQLite cannot open a database. */
const fullBytes = 100_000

const meanings: [codes: RegExp, meaning: string][] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|53100)$/, 'The disk is full'],
  [/^(SQLITE_READONLY\w*|EROFS|EACCES|EPERM|25006|42501)$/, 'The data cannot be written'],
  [/^(SQLITE_NOTADB|SQLITE_CORRUPT\w*)$/, 'The database is damaged: restore a backup'],
  [/^(SQLITE_BUSY\w*|55P03|57014)$/, 'Another program has locked the database for too long: try again later'],
  [/^(SQLITE_\w+|[0-9A-Z]{5}|E[A-Z]+)$/, 'The database cannot be opened or migrated'],
]

/** What failed, and the variable to check. `config` is undefined if it could not be read. */
export function describeFailure(
  error: unknown,
  config: Pick<Config, 'databaseUrl' | 'dataDir'> | undefined,
): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  // Of several addresses of a host, the driver's error has no message.
  const reason = String(message || code)
  if (!config || error instanceof ConfigError || error instanceof SchemaError) return reason
  // SQLite reports a full disk in several ways.
  const isFull = /^SQLITE_(IOERR|CANTOPEN)/.test(String(code)) && isDiskFull(config.dataDir)
  const found = isFull ? meanings[0] : meanings.find(([codes]) => codes.test(String(code)))
  // Some errors of Postgres’s driver have no code.
  const meaning = (found ?? (classifyDatabaseError(error) && meanings.at(-1)))?.[1]
  if (!meaning) return `Failed: ${oneLine(reason)}`
  const variable = config.databaseUrl
    ? `DATABASE_URL (${describeService(config.databaseUrl)})`
    : `DATA_DIR (${config.dataDir})`
  return `${meaning}. Check ${variable}: ${oneLine(reason)}`
}

function isDiskFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < fullBytes
  } catch {
    return false
  }
}

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ')
