import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { freePort } from '#scripts/testing/postgres.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { answerWhileMigrating } from './migrating.ts'
import { aServer } from '#server/testing.ts'
import { variation } from '#scripts/testing/variation.ts'

const { config } = await aServer()
const statusOf = (url: string) =>
  fetch(url).then(
    async (response) => [response.status, response.headers.get('retry-after'), await response.json()],
    () => undefined,
  )

variation(
  'while the database is migrated, the port responds and the log names each migration with its time',
  async () => {
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
    const message = expect.stringMatching(/^Medley is being upgraded\./)
    expect(await statusOf(`${url}/movies/popular`)).toEqual([
      503,
      '5',
      { code: 'SERVICE_UNAVAILABLE', message },
    ])
    const call = { message, data: { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 } }
    expect(await statusOf(`${url}/trpc/a,b?batch=1`)).toMatchObject([503, '5', { error: call }])
    const page = await fetch(`${url}/movies/1`, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await page.text()).toMatch(/<h1>Medley is being upgraded<\/h1>/)
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
  },
)

test('it responds, and logs that the migration continues, while this thread is blocked', async () => {
  const port = await freePort()
  const logFile = join(config.dataDir, 'migrating.log')
  const options = { port, host: '127.0.0.1', logLevel: 'info', progressMs: 200, logFile }
  const answering = answerWhileMigrating(options)
  answering.note({ migration: '0002-second', number: 2, of: 3 })
  await expect.poll(() => statusOf(`http://127.0.0.1:${port}/healthz`)).toBeDefined()
  const program = `const response = await fetch('http://127.0.0.1:${port}/readyz'); console.log(response.status, Date.now())`
  const other = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  await withoutWatch(() => {
    const until = performance.now() + 2_000
    while (performance.now() < until);
  })
  const blockedUntil = Date.now()
  const [status, at] = (await other).stdout.split(' ').map(Number)
  expect(status).toBe(503)
  expect(at).toBeLessThanOrEqual(blockedUntil)
  expect(readFileSync(logFile, 'utf8')).toMatch(
    /"migration":"0002-second","number":2,"of":3,"seconds":\d+,"msg":"migration continues"/,
  )
  await answering.close()
})
