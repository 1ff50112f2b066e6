import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { aPostgres, postmasterOf } from './postgres.ts'
import { childrenOf, isAlive } from './processes.ts'

/** A test can stop, kill and restart it. Commits are durable: a kill loses none. */
export async function ownPostgres() {
  const { postgres, folder, url } = await aPostgres({ isDurable: true })
  await postgres.initialise()
  await postgres.start()
  const signal = (name: NodeJS.Signals) => {
    const main = postmasterOf(folder)
    const pids = [main, ...childrenOf(main)]
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch {
        // It has already exited.
      }
    return pids
  }
  return {
    url,
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    async kill() {
      const pids = signal('SIGKILL')
      while (pids.some(isAlive)) await wait(5)
    },
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async remove() {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
