import cluster, { type Address, type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/** A worker that dies is restarted: immediately if it ran for a while, otherwise with exponential backoff. */
const restartDelayMaxMs = 30_000
const shortLifeMs = 60_000

/**
 * Starts `count` worker processes of this program that share one port, and restarts those that die. Resolves when the first
 * listens; to undefined if it exits instead, after it has printed the reason.
 */
export async function startWorkers(count: number, log: Pick<FastifyBaseLogger, 'error'>) {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let isServing = false
  let shortLives = 0

  function start(): Worker {
    const worker = cluster.fork()
    const startedAt = performance.now()
    const exited = once(worker, 'exit')
    running.add(exited)
    void exited
      .then(async ([code, signal]) => {
        running.delete(exited)
        if (!isServing || closing.signal.aborted) return
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
  const port = await Promise.race([
    once(first, 'listening').then(([address]: Address[]) => address!.port),
    once(first, 'exit').then(() => undefined),
  ])
  if (port === undefined) return undefined
  isServing = true
  for (let more = 1; more < count; more++) start()
  return {
    port,
    /** Shuts the workers down gracefully, and waits until they have exited. */
    async close() {
      closing.abort()
      forEachWorker((worker) => worker.process.kill('SIGTERM'))
      await Promise.all(running)
    },
  }
}
