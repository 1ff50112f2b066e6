import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
 * only source. `config` goes over the defaults; without a data folder in it there is one until `close`.
 */
export async function openBench(overrides: Partial<Config> = {}, log = openLog('silent')) {
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

/** Keeps what was measured as JSON, with the Node that it was measured on. */
export function writeResults(path: string, results: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ node: process.version, ...results }, null, 2)}\n`)
  console.log(`Written to ${path}`)
}
