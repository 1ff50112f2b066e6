import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRPCError } from '@trpc/server'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { hashToken } from '#server/accounts/rules.ts'
import { openMailer } from '#server/accounts/mailer.ts'
import { insertMail } from '#server/accounts/mail-store.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { openDestination, openLog } from './log.ts'
import { aSignedInMember, aMember, aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { logError } from '#server/calls/errors.ts'

const server = await aServer({ LOG_CLIENTS: 'off' })
const written: string[] = []
const log = openLog('trace', { write: (line) => void written.push(line) })
const app = await buildApp(server.services, { web: noWeb, logger: log })
afterAll(() => app.close())
beforeEach(() => void written.splice(0))

const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>)
const address = '203.0.113.99'

test('each request is logged as one line with id, path and status', async () => {
  const response = await app.inject({ url: '/movies/0?limit=3', remoteAddress: address })
  expect(lines()).toMatchObject([
    {
      reqId: response.headers['x-request-id'],
      method: 'GET',
      path: '/movies/0',
      status: 400,
      ms: expect.any(Number),
      msg: 'request',
    },
  ])
})

test('with LOG_CLIENTS, the line of a request has the client’s address and the member’s id, and no other line has', async () => {
  const { id, token } = await aSignedInMember(server.db, 'named')
  const config = { ...server.config, logsClients: true }
  const named = await buildApp({ ...server.services, config }, { web: noWeb, logger: log })
  const headers = { authorization: `Bearer ${token}` }
  written.splice(0)
  for (const url of ['/users/me', '/trpc/accounts.me'])
    await named.inject({ url, headers, remoteAddress: address })
  await named.inject({ url: '/nowhere', remoteAddress: address })
  await named.close()
  await server.db.deleteFrom('sessions').execute()
  expect(lines().filter(({ address }) => address)).toMatchObject([
    { member: id, address, path: '/users/me' },
    { member: id, address, path: '/trpc/accounts.me' },
    { address, path: '/nowhere' },
  ])
  expect(written.join('')).not.toMatch(/named|"member":null/)
})

test('a probe is logged at the level debug', async () => {
  for (const url of ['/healthz', '/readyz?x', '/movies/0']) await app.inject({ url, remoteAddress: address })
  expect(lines().map(({ level, path }) => [level, path])).toEqual([
    [20, '/healthz'],
    [20, '/readyz'],
    [30, '/movies/0'],
  ])
})

test.each(['SQLITE_FULL', 'ENOSPC', '53100', 'EROFS'])(
  'a disk that cannot be written (%s) is logged as an error',
  (code) => {
    const cause = Object.assign(new Error('The disk is full.'), { code })
    logError(log, new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'busy', cause }))
    expect(lines()).toMatchObject([
      { level: 50, msg: expect.stringContaining('the disk is full'), err: { code } },
    ])
  },
)

test('no line contains user input or personal data, even at trace level', async () => {
  const { token } = await aSignedInMember(server.db, 'quiet')
  const headers = {
    authorization: `Bearer ${token}`,
    'user-agent': 'a-browser-of-a-member',
    'x-forwarded-for': '203.0.113.98',
    referer: 'http://localhost/search?q=secret-referer',
    cookie: 'secret=cookie',
  }
  const email = 'Member.Private@example.org'
  const post = (url: string, payload: object | string) =>
    ({ method: 'POST', url, payload, headers: { ...headers, 'content-type': 'application/json' } }) as const
  const input = encodeURIComponent(JSON.stringify({ q: 'secret-query' }))
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()
  const form = `--x\r\ncontent-disposition: form-data; name="image"; filename="secret-name.png"\r\n\r\n`
  for (const request of [
    { url: '/users/search?q=secret-query', headers },
    { url: '/tmdb/search?q=secret-query', headers },
    { url: `/trpc/social.searchUsers?input=${input}`, headers },
    { url: `/trpc/nothing.here?input=${input}`, headers },
    { url: '/auth/verify-email?token=secret-link', headers },
    { url: '/nowhere?q=secret-query', headers },
    { url: '/%zz?q=secret-query', headers },
    { url: '/users/me', headers },
    post('/auth/login', { email, password: 'secret-password' }),
    post('/users/register', { username: 'secret_name', email, password: 'secret-password' }),
    post('/users/register', { username: 'secret_name', email, password: 'secret-password' }),
    post('/auth/forgot-password', { email }),
    post('/reviews', '{"text":"secret-text",'),
    post('/reviews', { movieId: 'secret-text', text: 'secret-text' }),
    {
      method: 'POST' as const,
      url: '/upload',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
      payload: Buffer.concat([Buffer.from(form), picture, Buffer.from('\r\n--x--\r\n')]),
    },
  ])
    await app.inject({ ...request, remoteAddress: address })

  expect(lines().length).toBeGreaterThan(14)
  const output = written.join('')
  const hidden = ['secret', email, token, hashToken(token), 'a-browser', '203.0.113', 'referer', '127.0.0.1']
  for (const text of hidden) expect(output.toLowerCase()).not.toContain(text.toLowerCase())
})

test('X-Forwarded-For from an address that TRUST_PROXY does not name is a warning, once', async () => {
  const warnings = () => lines().filter(({ level }) => level === 40)
  const call = async (trustProxy: Config['trustProxy'], headers: Record<string, string>) => {
    const config = { ...server.config, trustProxy }
    const proxied = await buildApp({ ...server.services, config }, { web: noWeb, logger: log })
    written.splice(0)
    for (let calls = 0; calls < 3; calls++)
      await proxied.inject({ url: '/healthz', headers, remoteAddress: address })
    await proxied.close()
    return warnings()
  }
  const forwarded = { 'x-forwarded-for': '198.51.100.7' }
  for (const trustProxy of [false, '10.0.0.0/8'] as const)
    expect(await call(trustProxy, forwarded)).toMatchObject([
      { msg: expect.stringMatching(/^X-Forwarded-For was ignored.* set TRUST_PROXY/) },
    ])
  expect(await call(address, forwarded)).toEqual([])
  expect(await call(false, {})).toEqual([])
})

test('a path cannot forge a log line', async () => {
  const forged = '{"level":60,"msg":"all is lost"}'
  const paths = [
    `/x%0a${encodeURIComponent(forged)}`,
    `/x%0d%0a${forged}`,
    `/x","level":60,"msg":"forged`,
    '/x%1b[2J%1b[31m',
    '/x\u2028\u0085y',
  ]
  for (const url of paths) await app.inject({ url, remoteAddress: address })
  expect(written).toHaveLength(paths.length)
  for (const line of written) expect(line).toMatch(/^[\u0020-\u{10ffff}]+\n$/u)
  for (const line of lines()) expect(line).toMatchObject({ level: 30, msg: 'request', method: 'GET' })
})

test('unknown errors are logged with their stack, without values of rows', async () => {
  const error = await aMember(server.db, 'quiet').then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  // Postgres's error has the values of the row in its `detail`.
  expect(JSON.stringify(error).includes('quiet')).toBe(!isSqlite(server.db))
  log.error({ err: new Error('outer', { cause: error }) }, 'request failed')
  const [line] = lines() as [{ err: { message: string; stack: string; cause: Record<string, unknown> } }]
  expect(line.err).toMatchObject({ message: 'outer', stack: expect.stringContaining('log.test.ts') })
  expect(line.err.cause).toMatchObject({ code: expect.stringMatching(/23505|SQLITE_CONSTRAINT_UNIQUE/) })
  expect(written.join('')).not.toContain('quiet')
})

test('a 500 is logged as an error with the request id of the response', async () => {
  const broken = await buildApp(
    { ...server.services, db: undefined as never, replica: undefined },
    { web: noWeb, logger: log },
  )
  for (const url of ['/movies/popular?q=secret-query', '/trpc/movies.popular?input={}']) {
    written.splice(0)
    const response = await broken.inject(url)
    const errors = lines().filter(({ level }) => level === 50)
    expect(errors).toMatchObject([
      { reqId: response.headers['x-request-id'], msg: 'request failed', err: { stack: expect.any(String) } },
    ])
    expect(written.join('')).not.toContain('secret')
  }
  await broken.close()
})

test('in production without SMTP, the log names the file of an email, not its content', async () => {
  await server.db.deleteFrom('tasks').execute()
  const mail = { to: 'private@example.org', subject: 'Hello', text: 'https://example.org/x?token=secret' }
  const mailer = openMailer({ config: { ...server.config, isProduction: true }, db: server.db, log })
  await insertMail(server.db, mail, new Date())
  mailer.flush()
  await vi.waitFor(() => expect(lines()).toMatchObject([{ file: expect.stringMatching(/\.eml$/) }]))
  await mailer.close()
  expect(written.join('')).not.toMatch(/private@|secret|Hello/)
})

test('lines that wait for a batch are written soon', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'medley-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  openLog('info', openDestination(file)).info('waiting')
  await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/^{.*"msg":"waiting"}\n$/)
})

test('no line is lost when the process exits', () => {
  const program = `import { openLog } from '#server/process/log.ts'
    const log = openLog('info')
    for (let line = 0; line < 100; line++) log.info({ line }, 'before the exit')
    process.exit()`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(output.match(/before the exit/g)).toHaveLength(100)
})
