import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/open.ts'
import type { QueueName } from './queue-names.ts'
import {
  claimTask,
  extendClaim,
  type Line,
  listLines,
  releaseTask,
  removeTask,
  type Task,
} from '#server/db/tasks.ts'
import { openTurns, type Owned } from './turns.ts'

export type Queue = {
  /** Not only at the next poll. Never throws. */
  wake: () => void
  /** Resolves when nothing is due and nothing runs. */
  runDue: () => Promise<void>
  /** Aborts the signal of running tasks, and resolves when they have ended. */
  close: () => Promise<void>
}

/** The task was moved, removed or claimed by another process. It stays as it is. */
export class ClaimLost extends Error {}

export type QueueOptions = {
  db: Db
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now?: () => Date
  /** 0: only `wake` and `runDue` look for due tasks. */
  pollMs?: number
}

type Options<Waiting> = QueueOptions & {
  name: QueueName
  /**
   * At least once: again if the process ends meanwhile. Returns when the task is due again, if it is; with `isRetry`, that counts as a
   * failure. If it throws, it is retried later.
   */
  run: (
    task: Task,
    waiting: Waiting,
    signal: AbortSignal,
  ) => Promise<{ dueAt: Date; isRetry?: boolean } | void>
  concurrencyMax?: number
  isOnly?: boolean
  /** The lines that may be worked on, with owners from the widest group to the narrowest. */
  describe?: (lines: (Line & { due_at: string })[]) => Promise<Waiting[]>
  mayStart?: (waiting: Waiting) => boolean
  leaseMs?: number
  giveUpAfterMs?: number
}

const pollIntervalMs = 2_000
/** After its process has died. A running process extends its claims. */
export const claimMs = 15_000
const pageMax = 100
/** If that is longer than `listShare` times what the list took. */
const listForMs = 200
const listShare = 20

export function retryDelayMs(failures: number): number {
  return Math.min(60 * 60_000, 30_000 * 2 ** Math.min(failures - 1, 20))
}

/**
 * Several processes can do so on the same database. Lower priority numbers come first; among those, owners have their turns (see
 * `openTurns`), and an owner’s tasks come in the order in which they are due.
 */
export function openQueue<Waiting extends Line & Owned = Line & Owned>({
  db,
  log,
  name,
  run,
  concurrencyMax = 1,
  isOnly = false,
  describe = async (lines) => lines.map((line) => ({ ...line, owners: [line.owner] }) as never),
  mayStart = () => true,
  pollMs = pollIntervalMs,
  leaseMs = claimMs,
  giveUpAfterMs = Infinity,
  now = () => new Date(),
}: Options<Waiting>): Queue {
  const turns = openTurns()
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let waiting = new Set<Waiting>()
  let listedUntil = 0
  let hasEnded = false
  let isDue = false
  let filling: Promise<void> | undefined

  const fromNow = (ms: number) => new Date(now().getTime() + ms)

  async function list(): Promise<void> {
    const startedAt = performance.now()
    hasEnded = false
    const listed: Waiting[] = []
    let page: Awaited<ReturnType<typeof listLines>> = []
    do {
      const { priority, owner } = page.at(-1) ?? { priority: 0, owner: '' }
      page = await listLines(db, name, priority, owner, pageMax)
      const time = now().toISOString()
      listed.push(...(await describe(page.filter(({ due_at }) => due_at <= time))))
    } while (page.length === pageMax && !closing.signal.aborted)
    waiting = new Set(listed)
    const listedAt = performance.now()
    listedUntil = listedAt + Math.max(listForMs, (listedAt - startedAt) * listShare)
  }

  async function claimNext(): Promise<{ task: Task; from: Waiting } | undefined> {
    while (!closing.signal.aborted) {
      if (performance.now() >= listedUntil) await list()
      const startable = [...waiting].filter(mayStart)
      const priority = Math.min(...startable.map((line) => line.priority))
      const from = turns.next(startable.filter((line) => line.priority === priority))
      if (!from) {
        // Ended tasks may be due again, or were in the way of others.
        if (running.size > 0 || !hasEnded) return undefined
        listedUntil = 0
        continue
      }
      const task = await claimTask(db, { ...from, queue: name, isOnly }, now(), fromNow(leaseMs))
      if (task) return { task, from }
      waiting.delete(from)
    }
    return undefined
  }

  async function attempt(task: Task, from: Waiting): Promise<void> {
    const heartbeat = setInterval(() => {
      extendClaim(db, task, fromNow(leaseMs)).catch(() => {})
    }, leaseMs / 3).unref()
    try {
      const again = await run(task, from, closing.signal)
      if (again) await releaseTask(db, task, again.dueAt, again.isRetry ?? false)
      else await removeTask(db, task)
    } catch (error) {
      // What the end of the process has interrupted is no failure.
      if (closing.signal.aborted) await releaseTask(db, task, now(), true)
      else if (!(error instanceof ClaimLost)) await retryLater(task, error)
    } finally {
      clearInterval(heartbeat)
    }
  }

  async function retryLater(task: Task, error: unknown): Promise<void> {
    const isGivenUp = now().getTime() - Date.parse(task.first_due_at) > giveUpAfterMs
    const dueAt = isGivenUp ? null : fromNow(retryDelayMs(task.attempts))
    const fields = { err: error, queue: name, task: task.id, key: task.key, attempts: task.attempts, dueAt }
    // What may be given up is expected to fail at times.
    if (isGivenUp) log.error(fields, 'task given up')
    else log[giveUpAfterMs < Infinity ? 'warn' : 'error'](fields, 'task failed')
    await releaseTask(db, task, dueAt, true)
  }

  async function startDue(): Promise<void> {
    while (isDue) {
      isDue = false
      while (running.size < concurrencyMax) {
        const claimed = await claimNext()
        if (!claimed) break
        const end = turns.begin(claimed.from)
        const one = attempt(claimed.task, claimed.from)
          // The database is down: the task is due again when its lease ends.
          .catch((error: unknown) =>
            log.error({ err: error, queue: name, task: claimed.task.id }, 'task failed'),
          )
          .finally(() => {
            end()
            running.delete(one)
            hasEnded = true
            fill()
          })
        running.add(one)
      }
    }
  }

  function fill(): void {
    isDue = true
    filling ??= startDue()
      .catch((error: unknown) => {
        isDue = false
        log.error({ err: error, queue: name }, 'queue failed')
      })
      .finally(() => {
        filling = undefined
        if (isDue) fill()
      })
  }

  function wake(): void {
    listedUntil = 0
    fill()
  }

  async function untilIdle(): Promise<void> {
    const unfinished = () => (filling ? [...running, filling] : [...running])
    for (let all = unfinished(); all.length > 0; all = unfinished()) await Promise.race(all)
  }

  const timer = pollMs > 0 ? setInterval(fill, pollMs).unref() : undefined
  if (timer) fill()
  return {
    wake,
    async runDue() {
      wake()
      await untilIdle()
    },
    async close() {
      clearInterval(timer)
      closing.abort()
      await untilIdle()
    },
  }
}
