import { translatorsOf } from '#server/text/translator.ts'
import { openInboxWatch } from '#server/notifications/watch.ts'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { starterSources } from '#server/starter/source.ts'
import { type Config, readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { databaseDisk } from '#server/process/disk.ts'
import { openLog } from '#server/process/log.ts'
import { openLive } from '#server/reviews/live.ts'
import { features } from '#server/router.ts'
import { openStorage } from '#server/uploads/storage.ts'
import { anonymousBytesOf } from '#server/process/memory.ts'

/** As in `npm start`: garbage is collected often, each time briefly. */
export const nodeArguments = ['--max-semi-space-size=2']

/** Exits after the run, unless this process has `nodeArguments`. */
export function runAsServer(): void {
  if (nodeArguments.every((one) => process.execArgv.includes(one))) return
  const [, ...program] = process.argv
  const { status } = spawnSync(process.execPath, [...nodeArguments, ...program], { stdio: 'inherit' })
  process.exit(status ?? 1)
}

/** No mail is sent, and the starter catalogue is the only source. Without a `dataDir`, a temporary one is used until `close`. */
export async function openBench(overrides: Partial<Config> = {}) {
  const log = openLog('silent')
  const temporary = overrides.dataDir ? undefined : mkdtempSync(join(tmpdir(), 'medley-bench-'))
  const config = {
    ...readConfig({ DATA_DIR: temporary ?? overrides.dataDir!, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }),
    ...overrides,
  }
  const db = openDatabase(config)
  await migrate(db)
  const live = await openLive({ config, db, log, inboxes: openInboxWatch(db, log) })
  return {
    services: {
      config,
      db,
      live,
      mailer: { flush() {}, close: async () => {} },
      imports: { wake() {}, close: async () => {} },
      sources: starterSources,
      storage: openStorage(config, log),
      disk: databaseDisk(config),
      features,
      translators: translatorsOf([]),
    },
    async close() {
      await live.close()
      await db.destroy()
      if (temporary) rmSync(temporary, { recursive: true, force: true })
    },
  }
}

/** Returns the command that runs another program on the remaining cores; empty with a single core or without `taskset`. */
export function pinToOneCore(): string[] {
  const taskset = 'taskset'
  try {
    const allowed = execFileSync(taskset, ['-cp', `${process.pid}`], { encoding: 'utf8' })
      .split(': ')[1]!
      .trim()
      .split(',')
      .flatMap((range) => {
        const [first, last = first] = range.split('-').map(Number) as [number, number?]
        return Array.from({ length: last - first + 1 }, (_, at) => first + at)
      })
    if (allowed.length < 2) return []
    execFileSync(taskset, ['-acp', `${allowed[0]}`, `${process.pid}`])
    return [taskset, '-c', allowed.slice(1).join(',')]
  } catch {
    return []
  }
}

/** With a yardstick: how often one core parses and serializes the same 25 KB of JSON per second. */
export function describeMachine(): string {
  const text = JSON.stringify(
    Array.from({ length: 500 }, (_, id) => ({ id, name: `name ${id}`, rating: id / 7 })),
  )
  const turn = () => JSON.stringify(JSON.parse(text)).length
  for (let count = 0; count < 2_000; count++) turn()
  const rates = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (let count = 0; count < 1_000; count++) turn()
    const { user, system } = process.cpuUsage(before)
    return 1e9 / (user + system)
  })
  const [processor] = cpus()
  const speed = Math.round(Math.max(...rates)).toLocaleString('en')
  return `${processor?.model.trim() ?? 'Unknown processor'}, ${cpus().length} cores, Node ${process.version}; ${speed} JSON round trips per second`
}

export const memoryOf = (pid: number | undefined): number => anonymousBytesOf(pid!) / 1024 ** 2

export function writeResults(path: string, results: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ node: process.version, ...results }, null, 2)}\n`)
  console.log(`Written to ${path}`)
}
