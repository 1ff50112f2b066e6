import cluster, { type Address, type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/** One that dies is started again: at once after a long life, and later and later while they die young. */
const restartDelayMaxMs = 30_000
const youngMs = 60_000

/**
 * Starts `count` processes of this very program (`cluster.isWorker` there) that serve one port, and keeps them running.
 * Answers the port when the first listens; undefined where that one ended instead, having said why.
 */
export async function startWorkers(count: number, log: Pick<FastifyBaseLogger, 'error'>) {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let isServing = false
  let deaths = 0

  function start(): Worker {
    const worker = cluster.fork()
    const startedAt = performance.now()
    const ended = once(worker, 'exit')
    running.add(ended)
    void ended
      .then(async ([code, signal]) => {
        running.delete(ended)
        if (!isServing || closing.signal.aborted) return
        deaths = performance.now() - startedAt < youngMs ? deaths + 1 : 0
        log.error({ worker: worker.process.pid, code, signal }, 'a worker died')
        const delayMs = deaths === 0 ? 0 : Math.min(restartDelayMaxMs, 250 * 2 ** Math.min(deaths, 10))
        await wait(delayMs, undefined, { signal: closing.signal })
        start()
      })
      .catch(() => {})
    return worker
  }
  const each = (work: (worker: Worker) => void) => {
    for (const worker of Object.values(cluster.workers ?? {})) if (worker) work(worker)
  }
  // None is left behind, however this process ends.
  process.on('exit', () => each((worker) => worker.process.kill('SIGKILL')))
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
    /** Tells them to end, and waits for it. */
    async close() {
      closing.abort()
      each((worker) => worker.process.kill('SIGTERM'))
      await Promise.all(running)
    },
  }
}
