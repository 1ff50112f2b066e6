import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { freePort } from '#scripts/testing/postgres.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { answerWhileMigrating } from './migrating.ts'
import { aServer } from '#server/testing.ts'

const { config } = await aServer()
const statusOf = (url: string) =>
  fetch(url).then(
    async (response) => [response.status, response.headers.get('retry-after'), await response.json()],
    () => undefined,
  )

test('while the database is migrated, the port responds and the log names each migration with its time', async () => {
  const { folder, remove } = aDataFolder()
  // Another program holds the lock of the database, so that the first migration waits.
  const blocker = new Sqlite(`${folder}/medley.sqlite`)
  blocker.pragma('journal_mode = wal')
  blocker.exec('begin immediate')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const starting = startProgram({ DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'info' })
  await expect.poll(() => statusOf(`${url}/readyz`)).toEqual([503, '5', { status: 'migrating' }])
  expect(await statusOf(`${url}/healthz`)).toEqual([200, null, { status: 'ok' }])
  expect(await statusOf(`${url}/movies/popular`)).toMatchObject([503, '5', { code: 'SERVICE_UNAVAILABLE' }])
  blocker.exec('rollback')
  blocker.close()
  const server = await starting
  expect(await statusOf(`${url}/readyz`)).toEqual([200, null, { status: 'ok' }])
  expect(server.output()).toMatch(/"migration":"0001-first","number":1,"of":\d+,"msg":"migration begins"/)
  expect(server.output()).toMatch(
    /"migration":"0001-first","number":1,"of":\d+,"ms":\d+,"msg":"migration done"/,
  )
  await server.end()
  remove()
})

test('it responds while this thread is blocked', async () => {
  const port = await freePort()
  const answering = answerWhileMigrating({ ...config, port, host: '127.0.0.1' })
  await expect.poll(() => statusOf(`http://127.0.0.1:${port}/healthz`)).toBeDefined()
  const program = `const response = await fetch('http://127.0.0.1:${port}/readyz'); console.log(response.status, Date.now())`
  const other = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const until = performance.now() + 2_000
  while (performance.now() < until);
  const blockedUntil = Date.now()
  const [status, at] = (await other).stdout.split(' ').map(Number)
  expect(status).toBe(503)
  expect(at).toBeLessThanOrEqual(blockedUntil)
  await answering.close()
})
