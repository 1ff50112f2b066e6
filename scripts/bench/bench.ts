import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { starterSources } from '#server/catalogue/sources/starter.ts'
import { type Config, readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openLog } from '#server/process/log.ts'
import { openLive } from '#server/reviews/live.ts'
import { openStorage } from '#server/uploads/storage.ts'

/**
 * Creates the services of the app in this process, on a migrated database. No mail is sent, and the starter catalogue is the
 * only source. `overrides` replaces configuration values; without a `dataDir` a temporary one is used until `close`.
 */
export async function openBench(overrides: Partial<Config> = {}) {
  const log = openLog('silent')
  const temporary = overrides.dataDir ? undefined : mkdtempSync(join(tmpdir(), 'medley-bench-'))
  const config = {
    ...readConfig({ DATA_DIR: temporary ?? overrides.dataDir!, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }),
    ...overrides,
  }
  const db = openDatabase(config)
  await migrate(db)
  const live = await openLive({ config, db, log })
  return {
    services: {
      config,
      db,
      live,
      mailer: { flush() {}, close: async () => {} },
      sources: starterSources,
      storage: openStorage(config, log),
    },
    async close() {
      await live.close()
      await db.destroy()
      if (temporary) rmSync(temporary, { recursive: true, force: true })
    },
  }
}

/** Returns a process's anonymous memory in MB: excludes mapped files, such as database pages, which the system can reclaim. */
export function memoryOf(pid: number | undefined): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** Writes results as JSON, with the version of Node. */
export function writeResults(path: string, results: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ node: process.version, ...results }, null, 2)}\n`)
  console.log(`Written to ${path}`)
}
