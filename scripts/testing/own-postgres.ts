import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { aPostgres } from './postgres.ts'

/** A Postgres of one's own, to be stopped, killed and started again: killed, it may lose nothing. */
export async function ownPostgres() {
  const { postgres, folder, url } = await aPostgres({ sure: true })
  await postgres.initialise()
  await postgres.start()
  const main = () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  return {
    url,
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    /** Every process of it, at once. */
    async kill() {
      const pids = [main(), ...childrenOf(main())]
      for (const pid of pids) signal(pid, 'SIGKILL')
      while (pids.some(isAlive)) await wait(5)
    },
    /** It answers nothing until it goes on. */
    freeze: () => [main(), ...childrenOf(main())].forEach((pid) => signal(pid, 'SIGSTOP')),
    goOn: () => [main(), ...childrenOf(main())].forEach((pid) => signal(pid, 'SIGCONT')),
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
    // It ended by itself.
  }
}

function statusOf(pid: string | number): string[] | undefined {
  try {
    // After the name, which may hold anything: the state, and whose child it is.
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
