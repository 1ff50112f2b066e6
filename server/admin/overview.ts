import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { outsideNames } from '#shared/domain/source-variables.ts'
import { countMembers } from '#server/accounts/store.ts'
import { readSettings } from '#server/members/settings.ts'
import { measureQueues } from '#server/db/tasks.ts'
import type { Context } from '#server/calls/context.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { listSourceCalls } from '#server/titles/sources/calls.ts'
import { countCases, countDay, countPending, type DayCounts, measureStorage } from './overview-store.ts'
import { overdueDays, overviewDays } from '#shared/domain/limits.ts'
import { dayMs } from '#shared/domain/days.ts'

const keptForMs = 60 * 60_000
type Kept = DayCounts & { at: number }
const days = new WeakMap<Context['db'], Map<string, Kept>>()

export async function readOverview({ db, config, sources, now }: Context) {
  const dates = Array.from({ length: overviewDays }, (_, index) =>
    new Date(now.getTime() - (overviewDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
  const counts: DayCounts[] = []
  for (const date of dates) counts.push(await readDay(db, date, date === dates.at(-1)))
  const seriesOf = (name: keyof DayCounts) => counts.map((one) => one[name])
  const settings = await readSettings(db)
  const calls = await listSourceCalls(db)
  const configured = new Set<string>([...sources.all, ...sources.episodes].map(({ name }) => name))
  return {
    version: packageJson.version,
    members: (await countMembers(db)).verified,
    pending: await countPending(db),
    firstDay: dates[0]!,
    days: {
      signUps: seriesOf('signUps'),
      active: seriesOf('active'),
      ratings: seriesOf('ratings'),
      reviews: seriesOf('reviews'),
    },
    cases: await countCases(db, new Date(now.getTime() - overdueDays * dayMs)),
    queues: (await measureQueues(db)).map(({ queue, waiting, givenUp, oldestAt }) => ({
      name: queue,
      waiting: Number(waiting),
      givenUp: Number(givenUp),
      oldest: oldestAt,
    })),
    storage: await measureStorage(db),
    lastBackupAt: await lastBackup(config.dataDir),
    sendsMail: config.smtpUrl !== undefined,
    sources: outsideNames.map((name) => {
      const call = calls.find(({ source }) => source === name)
      return {
        name,
        isConfigured: configured.has(name),
        succeededAt: call?.succeeded_at ?? null,
        failedAt: call?.failed_at ?? null,
        error: call?.error ?? null,
      }
    }),
    isNamed: settings.changedAt.name !== undefined,
    hasRules: settings.rules.length > 0,
    choseRegistration: settings.changedAt.registration !== undefined,
  }
}

async function readDay(db: Context['db'], day: string, isToday: boolean): Promise<DayCounts> {
  const kept = days.get(db) ?? new Map<string, Kept>()
  days.set(db, kept)
  const known = kept.get(day)
  if (known && !isToday && performance.now() - known.at < keptForMs) return known
  await nextTurn()
  const counts = await countDay(db, day)
  if (!isToday) kept.set(day, { ...counts, at: performance.now() })
  for (const old of kept.keys()) {
    if (kept.size <= 2 * overviewDays) break
    kept.delete(old)
  }
  return counts
}

/** Below the data folder; backups elsewhere are not known. */
async function lastBackup(dataDir: string): Promise<string | null> {
  const folder = join(dataDir, 'backups')
  try {
    const last = (await readdir(folder))
      .filter((name) => !name.endsWith('.unfinished'))
      .sort()
      .at(-1)
    if (last === undefined) return null
    const marker: unknown = JSON.parse(await readFile(join(folder, last, 'medley-backup.json'), 'utf8'))
    const { createdAt } = marker as { createdAt?: unknown }
    return typeof createdAt === 'string' ? createdAt : null
  } catch {
    return null
  }
}
