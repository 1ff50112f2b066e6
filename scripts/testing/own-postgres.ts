import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { aPostgres, postmasterOf } from './postgres.ts'

/** Starts a separate Postgres that a test can stop, kill and restart. Commits are durable: a kill loses none. */
export async function ownPostgres() {
  const { postgres, folder, url } = await aPostgres({ isDurable: true })
  await postgres.initialise()
  await postgres.start()
  const main = () => postmasterOf(folder)
  return {
    url,
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    /** Kills all its processes. */
    async kill() {
      const pids = [main(), ...childrenOf(main())]
      for (const pid of pids) signal(pid, 'SIGKILL')
      while (pids.some(isAlive)) await wait(5)
    },
    /** Suspends all its processes until `resume`. */
    freeze: () => [main(), ...childrenOf(main())].forEach((pid) => signal(pid, 'SIGSTOP')),
    resume: () => [main(), ...childrenOf(main())].forEach((pid) => signal(pid, 'SIGCONT')),
    async remove() {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has already exited.
  }
}

function statusOf(pid: string | number): string[] | undefined {
  try {
    // The fields after the command, which may contain any character: state, parent pid.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  } catch {
    return undefined
  }
}

const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(name)?.[1] === String(parent))
    .map(Number)
const isAlive = (pid: number) => !['Z', 'X', undefined].includes(statusOf(pid)?.[0])
