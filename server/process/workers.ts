import cluster, { type Address, type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/** Immediately if the worker ran for a while, otherwise with exponential backoff. */
const restartDelayMaxMs = 30_000
const shortLifeMs = 60_000

/** Other messages have no `isReplaced`. */
type ReplacedMessage = { isReplaced?: boolean }

export function onReplaced(end: () => void): void {
  process.on('message', ({ isReplaced }: ReplacedMessage) => {
    if (isReplaced) end()
  })
}

function portOf(worker: Worker): Promise<number | undefined> {
  return Promise.race([
    once(worker, 'listening').then(([address]: Address[]) => address!.port),
    once(worker, 'exit').then(() => undefined),
  ])
}

/**
 * They share one port, and are restarted if they die. Resolves when the first listens; to undefined if it exits instead, after it has
 * printed the reason.
 */
export async function startWorkers(
  count: number,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  env: Record<string, string> = {},
) {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let isServing = false
  let shortLives = 0
  /** `replaceAll` ends or starts them: no other replaces them. */
  const expected = new Set<Worker>()
  let isReplacing = false

  function start(): Worker {
    const worker = cluster.fork(env)
    const startedAt = performance.now()
    const exited = once(worker, 'exit')
    running.add(exited)
    void exited
      .then(async ([code, signal]) => {
        running.delete(exited)
        if (!isServing || closing.signal.aborted || expected.delete(worker)) return
        shortLives = performance.now() - startedAt < shortLifeMs ? shortLives + 1 : 0
        log.error({ worker: worker.process.pid, code, signal }, 'a worker died')
        const delayMs =
          shortLives === 0 ? 0 : Math.min(restartDelayMaxMs, 250 * 2 ** Math.min(shortLives, 10))
        await wait(delayMs, undefined, { signal: closing.signal })
        start()
      })
      .catch(() => {})
    return worker
  }
  const forEachWorker = (action: (worker: Worker) => void) => {
    for (const worker of Object.values(cluster.workers ?? {})) if (worker) action(worker)
  }
  // No worker survives this process, however it ends.
  process.on('exit', () => forEachWorker((worker) => worker.process.kill('SIGKILL')))
  const first = start()
  const port = await portOf(first)
  if (port === undefined) return undefined
  isServing = true
  for (let more = 1; more < count; more++) start()
  return {
    port,
    /**
     * One by one: each ends once another listens, and its clients had time to close their connections. If a new worker does not start, the
     * others stay. Ignored while a replacement is in progress.
     */
    async replaceAll() {
      if (isReplacing) return
      isReplacing = true
      let isComplete = true
      for (const old of Object.values(cluster.workers ?? {})) {
        if (!old || old.isDead() || closing.signal.aborted) continue
        const fresh = start()
        expected.add(fresh)
        if ((await portOf(fresh)) === undefined) {
          log.error('a new worker did not start: the workers that are not replaced yet stay')
          isComplete = false
          break
        }
        expected.delete(fresh)
        expected.add(old)
        const exited = once(old, 'exit')
        old.send({ isReplaced: true } satisfies ReplacedMessage, () => {})
        if (!old.isDead()) await exited
      }
      if (isComplete && !closing.signal.aborted) log.info('all workers are replaced')
      isReplacing = false
    },
    async close() {
      closing.abort()
      forEachWorker((worker) => worker.process.kill('SIGTERM'))
      await Promise.all(running)
    },
  }
}
