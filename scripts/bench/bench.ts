import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { starterSources } from '#server/catalogue/sources/starter.ts'
import { type Config, readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openLog } from '#server/log.ts'
import { openLive } from '#server/reviews/live.ts'
import { openStorage } from '#server/uploads/storage.ts'

/**
 * What the doors are opened with, in process, on a database that is up to date: no mail goes out, and the starter is the
 * only source. `overrides` go over the configuration; without a data folder in them there is one until `close`.
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

/** Anonymous memory of a process in MB: without mapped files, the database's own pages, which the system takes back when it likes. */
export function memoryOf(pid: number | undefined): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** Keeps what was measured as JSON, with the Node that it was measured on. */
export function writeResults(path: string, results: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ node: process.version, ...results }, null, 2)}\n`)
  console.log(`Written to ${path}`)
}
