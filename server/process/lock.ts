import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Config } from '#server/config.ts'
import { createFolder } from './private-files.ts'

/** Garbage collection would close the handle and release its lock. */
let lock: Sqlite.Database | undefined

/**
 * Until the process ends. If another process has the lock, prints one line that names it, and exits with 1. Programs that a running server
 * tolerates (backup, verify) do not call this. The lock of the operating system is released however the process ends, and seen from other
 * containers. Node has no function for it: an open transaction of SQLite on the empty file `medley.lock` takes it.
 */
export function lockDataDir({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl) return
  createFolder(dataDir)
  const holder = join(dataDir, 'medley.holder')
  lock = new Sqlite(join(dataDir, 'medley.lock'), { timeout: 0 })
  // Otherwise SQLite would write a journal beside the file.
  lock.pragma('journal_mode = memory')
  try {
    lock.exec('begin immediate')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error
    process.stderr.write(
      `DATA_DIR: ${dataDir} is already in use by ${readHolder(holder)}. Stop it, or choose another folder.\n`,
    )
    process.exit(1)
  }
  try {
    writeFileSync(holder, `process ${process.pid} on ${hostname()}`)
  } catch {
    // Only for the message above: a full disk must not keep the server from starting.
  }
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8') || 'another process'
  } catch {
    return 'another process'
  }
}
