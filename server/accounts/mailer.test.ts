import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { languageCodes } from '#shared/domain/languages.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { translationsOf } from '#scripts/dev/messages/write.ts'
import { aMember, aServer } from '#server/testing.ts'
import {
  english as inEnglish,
  translatorOf,
  type Translators,
  translatorsOf,
} from '#server/text/translator.ts'
import { type Mailer, openMailer } from './mailer.ts'
import { mailTexts } from './mails.ts'
import { insertMail, insertMailToken } from './mail-store.ts'
import { hashToken } from './rules.ts'

const { db, config } = await aServer()
const dataDir = mkdtempSync(join(tmpdir(), 'medley-mails-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const start = new Date('2026-05-01T12:00:00.000Z')
const later = (ms: number) => new Date(start.getTime() + ms)
const minute = 60_000
const day = 24 * 60 * minute
let clock = start
let smtpServer: FakeSmtp
let mailers: Mailer[] = []
const logged: { level: string; fields: unknown; text: string }[] = []

beforeEach(async () => {
  clock = start
  logged.length = 0
  smtpServer = await aFakeSmtp()
  await db.deleteFrom('tasks').execute()
})
afterEach(async () => {
  await Promise.all(mailers.splice(0).map((mailer) => mailer.close()))
  await smtpServer.close()
})

type FakeSmtp = { port: number; mails: string[]; rejectsAll: boolean; close: () => Promise<void> }

/** A minimal SMTP server. */
async function aFakeSmtp(): Promise<FakeSmtp> {
  const fake: FakeSmtp = { port: 0, mails: [], rejectsAll: false, close: async () => {} }
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const reply = (line: string) => socket.write(`${line}\r\n`)
    let text = ''
    let isData = false
    reply('220 ready')
    socket.on('data', (chunk) => {
      text += String(chunk)
      for (;;) {
        const end = isData ? '\r\n.\r\n' : '\r\n'
        const at = text.indexOf(end)
        if (at < 0) return
        const part = text.slice(0, at)
        text = text.slice(at + end.length)
        if (isData) {
          fake.mails.push(part)
          isData = false
          reply('250 accepted')
        } else if (/^data/i.test(part)) {
          isData = true
          reply('354 continue')
        } else if (/^rcpt/i.test(part) && fake.rejectsAll) reply(`550 no such mailbox: ${part}`)
        else if (/^quit/i.test(part)) socket.end('221 bye\r\n')
        else reply('250 ok')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.port = (server.address() as AddressInfo).port
  fake.close = () =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  return fake
}

function aMailer(options: { smtp?: boolean; translators?: Translators } = {}): Mailer {
  const note = (level: string) => (fields: unknown, text: string) => void logged.push({ level, fields, text })
  const mailer = openMailer({
    config: {
      ...config,
      dataDir,
      smtpUrl: options.smtp === false ? undefined : `smtp://127.0.0.1:${smtpServer.port}`,
    },
    translators: options.translators,
    db,
    log: { info: note('info'), warn: note('warn'), error: note('error') } as never,
    now: () => clock,
  })
  mailers.push(mailer)
  return mailer
}

const aMail = (subject = 'Hello') => ({
  to: 'ada@example.org',
  subject,
  text: 'Dear Ada,\n\nhttp://localhost/x?token=secret\n',
})
const rows = () => db.selectFrom('tasks').selectAll().orderBy('id').execute()
const headersOf = (mail: string) => mail.slice(0, mail.search(/\r?\n\r?\n/))

test('an email is sent and then removed from the database', async () => {
  await insertMail(db, aMail(), clock)
  aMailer().flush()
  await vi.waitFor(async () => expect(await rows()).toEqual([]))
  expect(smtpServer.mails).toHaveLength(1)
  expect(headersOf(smtpServer.mails[0]!)).toMatch(/^To: ada@example\.org\r$/m)
  expect(headersOf(smtpServer.mails[0]!)).toMatch(/^Subject: Hello\r$/m)
  expect(logged).toEqual([])
})

test('an email is queued as values, and gets its text with the name of the site when it is sent', async () => {
  await insertMail(
    db,
    { to: 'ada@example.org', mail: 'decision', decisionId: 7, action: 'warn', rules: [], until: null },
    clock,
  )
  expect((await rows())[0]!.payload).not.toMatch(/Hello|moderators/)
  const name = { key: 'name', value: '"Maple"', version: 1, updated_at: start.toISOString() }
  await db.insertInto('settings').values(name).execute()
  forgetSettings(db)
  aMailer().flush()
  await vi.waitFor(async () => expect(await rows()).toEqual([]))
  expect(headersOf(smtpServer.mails[0]!)).toMatch(/^Subject: A decision about your account at Maple\r$/m)
  expect(smtpServer.mails[0]).toContain('/decisions/7')
  await db.deleteFrom('settings').execute()
  forgetSettings(db)
})

test('an email is in the language that its reader has when it is sent', async () => {
  const byDefault = languageCodes.at(-1)!
  const { messages } = await findMessages(process.cwd(), ['server/accounts/mails.ts'])
  const inLanguage = (code: string) =>
    translatorOf(code, translationsOf(messages, { textOf: ({ source }) => `${code}: ${source}` }))
  const translators = translatorsOf(['fr', 'ja', byDefault].map(inLanguage))
  const value = JSON.stringify({ default: byDefault, offer: 'all' })
  await db
    .insertInto('settings')
    .values({ key: 'languages', value, version: 2, updated_at: start.toISOString() })
    .execute()
  forgetSettings(db)
  const members = await Promise.all([
    aMember(db, 'setting', { language: 'ja', login_language: 'fr' }),
    aMember(db, 'login', { login_language: 'fr' }),
    aMember(db, 'gone', { language: 'xx', login_language: 'xx' }),
    aMember(db, 'nothing'),
    aMember(db, 'english', { language: 'en' }),
    aMember(db, 'changes', { language: 'fr' }),
  ])
  const line = { type: 'follow', count: 2, actors: 1_234 } as const
  for (const { username } of members)
    await insertMail(db, { to: `${username}@example.org`, mail: 'digest', token: 'a', lines: [line] }, clock)
  const link = { token: 'new-address', purpose: 'change-email', expiresAt: later(day) } as const
  await insertMailToken(db, { ...link, tokenHash: hashToken(link.token), userId: members[0].id })
  for (const to of ['pending@example.net', 'nobody@example.net']) {
    const token = to.startsWith('pending') ? link.token : 'unknown'
    await insertMail(db, { to, mail: 'change-email', token, expiresAt: later(day).toISOString() }, clock)
  }
  await db.updateTable('users').set({ language: 'ja' }).where('username', '=', 'changes').execute()

  aMailer({ translators }).flush()
  await vi.waitFor(async () => expect(await rows()).toEqual([]))
  const valueOf = (name: string, mail: string) => new RegExp(`^${name}: ([^\r]*)`, 'm').exec(mail)![1]!
  const sent = smtpServer.mails.map((mail) => [
    valueOf('To', mail).split('@')[0],
    valueOf('Content-Language', mail),
    valueOf('Subject', mail).split(': ')[0],
  ])
  expect(Object.fromEntries(sent.map(([to, language]) => [to, language]))).toEqual({
    setting: 'ja',
    login: 'fr',
    gone: byDefault,
    nothing: byDefault,
    english: 'en',
    changes: 'ja',
    pending: 'ja',
    nobody: byDefault,
  })
  const translated = sent.filter(([, language]) => language !== 'en')
  expect(translated.map(([, , subject]) => subject)).toEqual(translated.map(([, language]) => language))
  const english = smtpServer.mails.find((mail) => mail.includes('To: english@'))!
  expect(english).toContain('- You have 1,234 new followers.')
  await db.deleteFrom('settings').where('key', '=', 'languages').execute()
  forgetSettings(db)
})

test('an email that the server rejects for three days is given up, and the log does not contain the recipient', async () => {
  smtpServer.rejectsAll = true
  await insertMail(db, aMail(), clock)
  clock = later(3 * day + 1)
  aMailer().flush()
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ due_at: null }]))
  expect(logged).toMatchObject([
    { level: 'error', text: 'task given up', fields: { err: { code: 'EENVELOPE', responseCode: 550 } } },
  ])
  expect(inspect(logged, { depth: 9 })).not.toContain('ada')
})

test('close sends the emails that are due', async () => {
  await insertMail(db, aMail(), clock)
  await aMailer().close()
  expect(smtpServer.mails).toHaveLength(1)
  expect(await rows()).toEqual([])
})

test.each([
  ['a line break', 'x\r\nBcc: victim@example.org\r\n\r\nbody'],
  ['a bare line feed', 'x\nBcc: victim@example.org\n\nbody'],
  ['a bare carriage return', 'x\rBcc: victim@example.org\r\rbody'],
  ['a Unicode line separator', 'x\u2028Bcc: victim@example.org\u2029body'],
  ['a next-line character', 'x\u0085Bcc: victim@example.org'],
  ['a header folded into the next line', 'x\r\n\tBcc: victim@example.org'],
  ['text that is reordered', 'moc.elpmaxe\u202e\u2066@victim\u200b'],
])('%s in a subject or an address neither starts a header nor reorders one', async (_name, hostile) => {
  // The API allows neither: addresses are validated, and subjects are constants.
  await insertMail(db, { ...aMail(), subject: `Hello ${hostile}` }, clock)
  await aMailer().close()
  await insertMail(db, { ...aMail(), subject: hostile, to: `ada@example.org${hostile}` }, clock)
  await aMailer({ smtp: false }).close()
  const folder = join(dataDir, 'outbox')
  const [file] = readdirSync(folder)
  const saved = readFileSync(join(folder, file!), 'utf8')
  rmSync(folder, { recursive: true })
  expect(smtpServer.mails).toHaveLength(1)
  for (const text of [smtpServer.mails[0]!, saved]) {
    const headers = headersOf(text)
    expect(headers).not.toMatch(/^\s*bcc/im)
    expect(headers.split('\n').filter((line) => /\p{Cf}|[\u0085\u2028\u2029]/u.test(line))).toEqual([])
    expect(headers).toMatch(/^Content-Transfer-Encoding:/m)
  }
  const [subject] = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(headersOf(smtpServer.mails[0]!))!.slice(1)
  // The characters could also be inside encoded words.
  expect(decodeURIComponent(subject!.replaceAll('_', ' ').replaceAll('=', '%'))).not.toMatch(/\p{Cf}/u)
})

test('an email that can be ended says so to mail programs, over SMTP and in a file', async () => {
  const unsubscribeUrl = `https://medley.example/unsubscribe?token=${'x'.repeat(43)}`
  await insertMail(db, { ...aMail(), unsubscribeUrl }, clock)
  await aMailer().close()
  await insertMail(db, { ...aMail(), unsubscribeUrl }, clock)
  await aMailer({ smtp: false }).close()
  const folder = join(dataDir, 'outbox')
  const saved = readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')
  rmSync(folder, { recursive: true })
  for (const text of [smtpServer.mails[0]!, saved]) {
    const headers = headersOf(text).replaceAll(/\r?\n[ \t]/g, ' ')
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    expect(/^List-Unsubscribe: +<(.*)>/m.exec(headers)?.[1]).toBe(unsubscribeUrl)
  }
  await insertMail(db, aMail(), clock)
  await aMailer().close()
  expect(headersOf(smtpServer.mails[1]!)).not.toContain('List-Unsubscribe')
})

test('the file of an email is never there with a part of its text', async () => {
  await insertMail(db, aMail(), clock)
  const [row] = await rows()
  const folder = join(dataDir, 'outbox')
  const file = join(folder, `${clock.toISOString().replaceAll(/\D/g, '')}-${row!.id}.eml`)
  mkdirSync(folder, { recursive: true })
  // A file that is open during the delivery keeps its content only if it is replaced, not written into.
  writeFileSync(file, 'from an earlier attempt')
  const reader = openSync(file, 'r')
  await aMailer({ smtp: false }).close()
  expect(readFileSync(reader, 'utf8')).toBe('from an earlier attempt')
  closeSync(reader)
  expect(readFileSync(file, 'utf8')).toContain(aMail().text)
  expect(readdirSync(folder)).toHaveLength(1)
  rmSync(folder, { recursive: true })
})

test('no email contains text that a user chose', () => {
  const publicUrl = 'https://medley.example'
  const mails = [
    'verify',
    'change-email',
    'reset',
    'keep-account',
    'email-change',
    'access-token',
    'webhook',
    'verified',
    'pending',
    'approval',
    'rejection',
  ].map((name) =>
    mailTexts[name as 'verify']({
      to: 'ada@example.org',
      site: 'Medley',
      publicUrl,
      token: 'token',
      expiresAt: new Date().toISOString(),
      username: 'win-prize.evil.com',
      in: inEnglish,
    } as never),
  )
  for (const { subject, text } of mails) {
    expect(subject + text).not.toMatch(/evil|ada/)
    for (const [link] of text.matchAll(/\S+:\/\/\S+/g))
      expect(link).toMatch(/^https:\/\/medley\.example\/[a-z-]+(\?(token=token|tab=account))?$/)
  }
})

test('without an SMTP server, an email is logged and written to a file with its link unbroken', async () => {
  await insertMail(db, aMail('Seen'), clock)
  await aMailer({ smtp: false }).close()
  const [entry] = logged
  expect(entry).toMatchObject({
    level: 'info',
    fields: {
      to: 'ada@example.org',
      subject: 'Seen',
      text: ['Dear Ada,', 'http://localhost/x?token=secret'],
    },
  })
  const text = readFileSync((entry!.fields as { file: string }).file, 'utf8')
  expect(headersOf(text)).toContain('To: ada@example.org\nSubject: Seen\n')
  expect(text).toContain('\nhttp://localhost/x?token=secret\n')
  expect(await rows()).toEqual([])
})
