import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test, vi } from 'vitest'
import { openSmtp } from './mailer.ts'
import { explainSmtpError } from './smtp-errors.ts'

const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

/** A server that greets, and answers each command that begins with a key. */
async function aServerThat(answers: Record<string, string>, greeting = '220 ready'): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write(`${greeting}\r\n`)
    socket.on('data', (data) => {
      const command = Object.keys(answers).find((key) => data.toString().startsWith(key))
      const answer = command === undefined ? '250 ok' : answers[command]!
      if (answer === '') socket.destroy()
      else socket.write(`${answer}\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server with a certificate of its own making. */
async function anEncryptedServer(secure: boolean): Promise<number> {
  // It warns that the key of its certificate is known.
  vi.mocked(console.error).mockImplementationOnce(() => {})
  const server = new SMTPServer({ secure, authOptional: true })
  vi.mocked(console.error).mockClear()
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closers.push(() => server.close(() => {}))
  return (server.server.address() as AddressInfo).port
}

/** Logs in and sends an email to a member. Returns the explanation of the failure, or undefined. */
async function explain(url: string): Promise<string | undefined> {
  const transport = await openSmtp(url)
  try {
    await transport.sendMail({ from: 'medley@example.org', to: 'ada@example.org', text: 'Hello' })
    return undefined
  } catch (error) {
    return explainSmtpError(error)
  } finally {
    transport.close()
  }
}

const ehlo = (...lines: string[]) =>
  ['250-medley', ...lines.map((line) => `250-${line}`), '250 HELP'].join('\r\n')
const offersTls = { EHLO: ehlo('STARTTLS') }
const offersLogin = { EHLO: ehlo('AUTH PLAIN') }

test.each([
  [
    'refuses STARTTLS for now',
    { ...offersTls, STARTTLS: '454 TLS not available' },
    '',
    /STARTTLS.*refuses it \(454\).*ignoreTLS=true/,
  ],
  ['refuses STARTTLS', { ...offersTls, STARTTLS: '502 no' }, '', /STARTTLS.*refuses it \(502\)/],
  [
    'refuses the password',
    { ...offersLogin, AUTH: '535 wrong' },
    'user:pass@',
    /refuses the login \(535\).*percent-encoded/,
  ],
  [
    'cannot check the password',
    { ...offersLogin, AUTH: '454 later' },
    'user:pass@',
    /cannot check the login at the moment \(454\)/,
  ],
  [
    'wants encryption first',
    { ...offersLogin, AUTH: '538 encrypt' },
    'user:pass@',
    /encrypted connection only \(538\)/,
  ],
  ['wants a login', { 'MAIL FROM': '530 log in' }, '', /requires a login .*\(530\)/],
  ['refuses the sender', { 'MAIL FROM': '553 no' }, '', /refuses the sender \(553\)\. Check MAIL_FROM/],
  [
    'refuses the recipient',
    { 'RCPT TO': '550 no ada@example.org' },
    '',
    /^It refuses the recipient \(550\)$/,
  ],
  ['refuses the email', { DATA: '554 spam' }, '', /refuses the email \(554\)/],
  ['hangs up', { EHLO: '' }, '', /closed the connection/],
])('a mail server that %s is explained', async (_name, answers, login, explanation) => {
  const text = await explain(`smtp://${login}127.0.0.1:${await aServerThat(answers as never)}`)
  expect(text).toMatch(explanation)
  expect(text).not.toMatch(/ada@|pass@|wrong/)
})

test('what is wrong with the connection is explained', async () => {
  expect(await explain('smtp://127.0.0.1:1')).toMatch(/refused: nothing listens/)
  expect(await explain('smtp://mail.invalid')).toMatch(/host was not found|did not respond in time/)
  expect(await explain(`smtp://127.0.0.1:${await aServerThat({}, '554 go away')}`)).toMatch(
    /refuses the connection \(554\)/,
  )
  expect(await explain(`smtps://127.0.0.1:${await aServerThat({})}`)).toMatch(
    /encrypted connection failed.*smtp:\/\//,
  )
  expect(
    explainSmtpError({ code: 'ETIMEDOUT', message: 'Greeting never received', command: 'CONN' }),
  ).toMatch(/says nothing.*smtps:/)
  expect(explainSmtpError({ code: 'ETIMEDOUT', message: 'Connection timeout', command: 'CONN' })).toMatch(
    /in time.*port 25/,
  )
})

test('a certificate that is not valid is named, and an option of the URL goes without encryption', async () => {
  const port = await anEncryptedServer(false)
  expect(await explain(`smtp://127.0.0.1:${port}`)).toMatch(/certificate is not valid for this host/)
  expect(await explain(`smtps://127.0.0.1:${await anEncryptedServer(true)}`)).toMatch(
    /certificate is not valid/,
  )
  const refuses = await aServerThat({ ...offersTls, STARTTLS: '454 no', 'RCPT TO': '550 no' })
  expect(await explain(`smtp://127.0.0.1:${refuses}?ignoreTLS=true`)).toBe('It refuses the recipient (550)')
})
