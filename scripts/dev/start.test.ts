import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { lockDataDir } from '#server/process/lock.ts'
import { aDataFolder, outsideEnvironment, type Program, startProgram } from '#scripts/testing/program.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const { folder, remove } = aDataFolder()
/** Process ids of all servers that have started. */
const pids: number[] = []
afterAll(() => {
  for (const pid of pids) kill(pid, 'SIGKILL')
  remove()
})

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}

/** Starts the server in the data folder by a shell’s command, and waits until it listens. */
async function start(command: string[], env: Record<string, string> = {}) {
  const program = await startProgram(
    { DATA_DIR: folder, LOG_LEVEL: 'info', ...env },
    { command, cwd: root, baseEnv: outsideEnvironment() },
  )
  const pid = await expect
    .poll(() => pidOf(program))
    .toBeGreaterThan(0)
    .then(() => pidOf(program))
  pids.push(pid)
  return { ...program, pid }
}

const pidOf = ({ output }: Program) => Number(/"pid":(\d+),.*"listening"/.exec(output())?.[1])
const shutdowns = ({ output }: Program) => [...output().matchAll(/"shutting down"/g)].length

describe('a data folder with SQLite', () => {
  const medley = (...args: string[]) =>
    run(process.execPath, ['bin/medley.js', ...args], {
      cwd: root,
      env: { ...outsideEnvironment(), DATA_DIR: folder, PORT: '0', DEMO: 'off' },
    })

  test('is used by one process at a time: another exits with one line that names the folder and the process', async () => {
    const server = await start([process.execPath, 'server/main.ts'])
    for (const command of ['start', 'migrate', 'seed', 'move --to postgres://127.0.0.1:1/none'])
      await expect(medley(...command.split(' ')), command).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`(^|\\n)DATA_DIR: ${folder} is already in use by process ${server.pid} on .*\\n$`),
        ),
      })
    // These run beside a server.
    expect((await medley('verify')).stdout).toContain('Every counter equals its recount')
    expect((await medley('backup', join(folder, 'backup'))).stdout).toContain('Backed up')
    expect(existsSync(join(folder, 'backup/medley.lock'))).toBe(false)
    await expect(medley('restore', join(folder, 'backup'))).rejects.toMatchObject({
      stderr: expect.stringContaining('is already in use by process'),
    })

    await server.end('SIGKILL')
    expect((await medley('migrate')).stdout).toContain('up to date')
  })

  test('is not locked, nor created, if the database is Postgres', () => {
    const dataDir = join(folder, 'unused')
    lockDataDir({ databaseUrl: 'postgres://127.0.0.1:1/none', dataDir })
    expect(existsSync(dataDir)).toBe(false)
  })
})

// `end` waits until no process has the standard output any more.
test.each([
  ['npm start', 'SIGTERM', ['npm', 'start']],
  ['npm start', 'SIGKILL', ['npm', 'start']],
  // The system’s Node, if it is older than the bundled one, runs the launcher only.
  ['medley', 'SIGKILL', ['node', 'bin/medley.js']],
  // A terminal that is closed.
  ['medley', 'SIGHUP', ['node', 'bin/medley.js']],
] as const)('the server shuts down gracefully with %s, if that gets %s', async (_name, signal, command) => {
  const server = await start([...command])
  const isLauncher = server.pid !== server.child.pid
  await server.end(signal)
  expect(shutdowns(server)).toBe(signal === 'SIGKILL' && !isLauncher ? 0 : 1)
  await expect(fetch(server.url)).rejects.toThrow('fetch failed')
})

test('what a start prints and mails leads to where it listens, or to PUBLIC_URL, which it names', async () => {
  const empty = { DATA_DIR: join(folder, 'empty'), PORT: '0' }
  const server = await start([process.execPath, 'server/main.ts'], empty)
  expect(server.url).not.toMatch(/:(0|3000)$/)
  expect(server.output().match(/https?:\/\/[^\s/]+/g)).toEqual([server.url, server.url])
  const { contact } = (
    (await (await fetch(`${server.url}/openapi.json`)).json()) as { info: { contact: object } }
  ).info
  expect(contact).toMatchObject({ url: server.url })
  await server.end()
  const PUBLIC_URL = 'https://medley.example'
  const named = await start([process.execPath, 'server/main.ts'], { ...empty, PUBLIC_URL })
  expect(named.output()).toContain(`start with ${PUBLIC_URL} (PUBLIC_URL)`)
  expect(named.output().match(/https?:\/\/[^\s/]+/g)).toEqual([named.url, PUBLIC_URL])
  await named.end()
  const { port } = new URL(named.url)
  const localhost = `http://localhost:${port}`
  const local = await start([process.execPath, 'server/main.ts'], {
    ...empty,
    PORT: port,
    PUBLIC_URL: localhost,
  })
  expect(local.output().match(/https?:\/\/[^\s/]+/g)).toEqual([localhost])
  await local.end()
})

test('a server in the background survives the shell that started it', async () => {
  const script = 'node bin/medley.js &'
  const server = await start(['sh', '-c', script], {
    npm_lifecycle_event: 'start',
    npm_lifecycle_script: script,
  })
  expect(server.child.exitCode).toBe(0)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(shutdowns(server)).toBe(0)
  kill(server.pid, 'SIGTERM')
  await server.end()
})

test('SIGUSR2 does not end a server without workers', async () => {
  const server = await start(['node', 'bin/medley.js'])
  server.child.kill('SIGUSR2')
  await expect.poll(server.output).toContain('SIGUSR2 replaces workers, and there are none')
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await server.end()).toBe(0)
})

test('a server whose log nobody reads any more shuts down on SIGTERM', async () => {
  const server = await start([process.execPath, 'server/main.ts'])
  server.child.stdout!.destroy()
  server.child.stderr!.destroy()
  expect(await server.end()).toBe(0)
})
