import { features } from '#server/router.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { aMember, aServer, mailsTo } from '#server/testing.ts'
import { openMailer } from './mailer.ts'
import { setPassword } from './credentials-store.ts'
import { hashPassword } from './passwords.ts'
import { hashToken, mailKey, mailKinds, mailLimit } from './rules.ts'
import { countMail, insertNotice } from './mail-store.ts'
import { removeStale } from './sweep.ts'

const server = await aServer()
const { db } = server
const minute = 60_000
const start = Date.parse('2026-05-01T12:00:00.000Z')
const at = (minutes: number) => server.as(null, { now: new Date(start + minutes * minute) }).accounts
const password = 'correct horse'
const passwordHash = await hashPassword(password)
let count = 0

async function aReader({ isVerified = true } = {}) {
  const { id, username } = await aMember(db, `mailed-${++count}`)
  await setPassword(db, id, passwordHash, new Date(start))
  if (!isVerified) await db.updateTable('users').set({ verified_at: null }).where('id', '=', id).execute()
  const email = `${username}@example.org`
  const logIn = async (minutes: number) => {
    const { token, user } = await at(minutes).login({ email, password })
    const member = { ...user, sessionHash: hashToken(token) }
    return (later: number) => server.as(member, { now: new Date(start + later * minute) }).accounts
  }
  return { id, email, logIn }
}

const notice = (to: string, text: string) => ({ to, subject: 'A notice', text })
const noticesTo = async (to: string) =>
  db.selectFrom('tasks').select(['payload', 'due_at']).where('owner', '=', to).orderBy('due_at').execute()

async function tokensTo(email: string): Promise<string[]> {
  return (await mailsTo(db, email)).map(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? 'none')
}

const kinds = [
  ['forgotPassword', true, messages.resetSent],
  ['resendVerification', false, messages.verificationResent],
] as const

describe.each(kinds)('%s', (path, isVerified, message) => {
  test('sends at most one email a minute, and every request gets the same response', async () => {
    const { email } = await aReader({ isVerified })
    for (const minutes of [0, 0, 0.5, 0.99, 1, 1.5])
      expect(await at(minutes)[path]({ email })).toEqual({ message })
    expect(await tokensTo(email)).toHaveLength(2)
  })

  test('sends one email for many concurrent requests', async () => {
    const { email } = await aReader({ isVerified })
    await Promise.all(Array.from({ length: 10 }, () => at(0)[path]({ email })))
    expect(await tokensTo(email)).toHaveLength(1)
  })

  test('sends at most five emails an hour, and the next one after the hour', async () => {
    const { email } = await aReader({ isVerified })
    for (let minutes = 0; minutes < 60; minutes++)
      expect(await at(minutes)[path]({ email })).toEqual({ message })
    expect(await tokensTo(email)).toHaveLength(5)
    await at(60)[path]({ email })
    expect(await tokensTo(email)).toHaveLength(6)
  })

  test('counts one mailbox for addresses that differ only in case or white space', async () => {
    const { email } = await aReader({ isVerified })
    for (const written of [email, email.toUpperCase(), ` ${email}`]) await at(0)[path]({ email: written })
    expect(await tokensTo(email)).toHaveLength(1)
  })
})

test('an internationalized domain and its ASCII form are one mailbox', () => {
  expect(mailKey('reset', 'Ada@Bücher.example')).toBe(mailKey('reset', 'ada@xn--bcher-kva.example'))
  expect(mailKey('reset', 'ada@bücher.example')).not.toBe(mailKey('verify', 'ada@bücher.example'))
})

test('while the limit suppresses password emails, the five links already sent all work', async () => {
  // Whenever an attacker sends requests, the owner can still use a link in the mailbox.
  for (const requestedAt of [
    [0, 1, 2, 3, 4, 5, 59, 59.9],
    [0, 56, 57, 58, 59, 59.5, 59.99],
    [0, 10, 20, 30, 40, 50, 55, 59.99],
  ]) {
    const { email } = await aReader()
    for (const minutes of requestedAt) {
      const before = await tokensTo(email)
      await at(minutes).forgotPassword({ email })
      if ((await tokensTo(email)).length > before.length) continue
      expect(before).toHaveLength(5)
    }
    const [first] = await tokensTo(email)
    await at(requestedAt.at(-1)!).resetPassword({ token: first!, newPassword: 'new horse' })
  }
})

test('requests for an unregistered email do not use up the limit of an account created with it later', async () => {
  const email = 'registers-later@example.org'
  for (let minutes = 0; minutes < 10; minutes++) {
    await at(minutes).forgotPassword({ email })
    await at(minutes).resendVerification({ email })
  }
  await at(10).register({ username: 'registers-later', email, password })
  await at(10).resendVerification({ email })
  await at(10).forgotPassword({ email })
  expect(await tokensTo(email)).toHaveLength(3)
})

test('setting a password, which invalidates the other links, resets the count', async () => {
  const { email } = await aReader()
  for (let minutes = 0; minutes < 6; minutes++) await at(minutes).forgotPassword({ email })
  const [first] = await tokensTo(email)
  await at(6).resetPassword({ token: first!, newPassword: 'new horse' })
  await at(6).forgotPassword({ email })
  expect(await tokensTo(email)).toHaveLength(6)
})

describe('a change of email', () => {
  test('requested again for the same address sends no second email within a minute, and the first link stays valid', async () => {
    const reader = await aReader()
    const as = await reader.logIn(0)
    const email = `new-${reader.email}`
    for (const minutes of [0, 0.5, 1, 1.5])
      expect(await as(minutes).updateProfile({ email, password })).toMatchObject({
        message: messages.emailChangeSent(email),
      })
    expect(await tokensTo(email)).toHaveLength(2)
    // The current address gets the same number of notices.
    expect(await tokensTo(reader.email)).toEqual(['none', 'none'])
    await at(2).verifyEmail({ token: (await tokensTo(email))[0]! })
    expect((await as(2).me()).user.email).toBe(email)
  })

  test('requested by many members for one mailbox sends five emails an hour and then throws TOO_MANY_REQUESTS', async () => {
    const email = 'flooded@example.org'
    const request = async (minutes: number) => {
      const as = await (await aReader()).logIn(minutes)
      return as(minutes).updateProfile({ email, password })
    }
    for (let minutes = 0; minutes < 5; minutes++) await request(minutes)
    await expect(request(5)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await tokensTo(email)).toHaveLength(5)
  })

  test('that is refused leaves the whole profile unchanged', async () => {
    const email = 'busy@example.org'
    const [one, other] = [await aReader(), await aReader()]
    await (await one.logIn(0))(0).updateProfile({ email, password })
    const as = await other.logIn(0)
    const refused = as(0).updateProfile({ email, password, username: 'half-done' })
    await expect(refused).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await as(0).me()).user).toMatchObject({ email: other.email, pendingEmail: null })
    expect((await as(0).me()).user.username).not.toBe('half-done')
  })

  test('sends at most five notices an hour to the current address', async () => {
    const reader = await aReader()
    const as = await reader.logIn(0)
    for (let index = 0; index < 8; index++)
      await as(index * 2).updateProfile({ email: `new-${index}-${reader.email}`, password })
    // The others are one email, which waits until the hour has passed.
    const due = (await noticesTo(reader.email)).map(({ due_at }) => due_at!)
    expect(due).toHaveLength(6)
    expect(Date.parse(due.at(-1)!) - Date.parse(due[0]!)).toBeGreaterThanOrEqual(60 * minute)
  })
})

test('the counts contain no address and are removed once they expire', async () => {
  await at(0).forgotPassword({ email: 'unknown@example.org' })
  const keys = async () => (await db.selectFrom('mail_counts').select('key').execute()).map(({ key }) => key)
  expect((await keys()).length).toBeGreaterThan(0)
  for (const key of await keys()) expect(key).toMatch(/^[\w-]{43}$/)
  await removeStale(db, features, new Date(start + 24 * 60 * minute))
  expect(await keys()).toEqual([])
})

test.each(mailKinds)('notices of the kind %s to one mailbox are limited, and none is lost', async (kind) => {
  const to = `${kind}-many@example.org`
  const send = (text: string, seconds: number) =>
    db
      .transaction()
      .execute((trx) =>
        insertNotice(trx, notice(to, text), mailKey(kind, to), new Date(start + seconds * 1_000), mailLimit),
      )
  for (let at = 0; at < 40; at++) await send(`Text ${at}.`, at)
  const rows = await noticesTo(to)
  expect(rows.map(({ due_at }) => due_at)).toEqual([
    new Date(start).toISOString(),
    new Date(start + minute).toISOString(),
  ])
  const texts = (await mailsTo(db, to)).map(({ text }) => text).join('\n')
  for (let at = 0; at < 40; at++) expect(texts).toContain(`Text ${at}.`)
  // The same text again changes nothing, and the length is bounded.
  await send('Text 39.', 41)
  expect(await noticesTo(to)).toEqual(rows)
  for (let at = 0; at < 5; at++) await send(`${at}${'x'.repeat(4_000)}`, 42)
  const { text } = (await mailsTo(db, to)).at(-1)!
  expect(text.length).toBeLessThan(10_100)
  expect(text).toContain('4xxx')
})

test('a notice that joins one that is being sent, or was given up, is sent later', async () => {
  const to = 'joins@example.org'
  const send = (text: string) =>
    db
      .transaction()
      .execute((trx) =>
        insertNotice(trx, notice(to, text), mailKey('decision-notice', to), new Date(start), mailLimit),
      )
  await send('First.')
  await send('Second.')
  for (const state of [{ claim: 'a process' }, { due_at: null }]) {
    await db.updateTable('tasks').set(state).where('owner', '=', to).where('key', 'is not', null).execute()
    await send(`After ${JSON.stringify(state)}.`)
    expect((await noticesTo(to)).at(-1)).toMatchObject({
      due_at: new Date(start + minute).toISOString(),
      payload: expect.stringContaining(`After ${JSON.stringify(JSON.stringify(state)).slice(1, -1)}.`),
    })
  }
})

test('every email is queued by a function that counts it', () => {
  const folder = join(import.meta.dirname, '..')
  const senders = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\binsertMail(For)?\b|queue: 'mail'/.test(readFileSync(join(folder, file), 'utf8')))
  // links.ts counts links; see `countLink`.
  expect(senders.sort()).toEqual(['accounts/links.ts', 'accounts/mail-store.ts'])
})

test('a decision that is made and undone in a loop sends its member two emails, with every link', async () => {
  const [moderator, reporter] = [await aMember(db), await aMember(db)]
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
  const { id, email } = await aReader()
  const staff = (seconds: number) =>
    server.as({ ...moderator, role: 'moderator' }, { now: new Date(start + seconds * 1_000) }).moderation
  await server.as(reporter).moderation.report({ target: { type: 'user', id }, category: 'spam', comment: '' })
  const about = await db
    .selectFrom('cases')
    .select('id')
    .where('target_id', '=', id)
    .executeTakeFirstOrThrow()
  const decided: number[] = []
  for (let round = 0; round < 8; round++) {
    const { decisionId } = await staff(round).decide({ id: about.id, action: 'warn', reason: 'Why.' })
    await staff(round).undo({ id: decisionId })
    decided.push(decisionId)
  }
  const sent = await mailsTo(db, email)
  expect(sent).toHaveLength(2)
  for (const one of decided) expect(sent.map(({ text }) => text).join()).toContain(`/decisions/${one}\n`)
})

test('of concurrent counts, one succeeds', async () => {
  const now = new Date(start)
  const limit = { max: 5, nextAt: new Date(start + minute), endsAt: new Date(start + 60 * minute) }
  const counted = await Promise.all(Array.from({ length: 20 }, () => countMail(db, 'one key', now, limit)))
  expect(counted.filter(Boolean)).toHaveLength(1)
})

describe('a registered email takes as long as an unregistered one', () => {
  const pairs = 120
  const log = { info() {}, warn() {}, error() {} }
  const mailer = openMailer({ config: server.config, db, log, now: () => new Date(start), pollMs: 0 })
  afterAll(() => mailer.close())
  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  /** Mulberry32. */
  const seeded = (seed: number) => () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  // Repeated if it fails: other programs may have interrupted one of the two more often.
  test.each(kinds)('%s', { retry: 3 }, async (path, isVerified) => {
    const registered: string[] = []
    for (let index = 0; index < pairs; index++) registered.push((await aReader({ isVerified })).email)
    const unregistered = registered.map((email) => `no-${email}`)
    const random = seeded(42)
    // The first request of each address sends an email, the second one within the same minute does not.
    for (const minutes of [0, 0.5]) {
      const times: { registered: number[]; unregistered: number[] } = { registered: [], unregistered: [] }
      const request = async (group: 'registered' | 'unregistered', email: string) => {
        const startedAt = performance.now()
        const now = new Date(start + minutes * minute)
        await server.as(null, { now, services: { mailer } }).accounts[path]({ email })
        times[group].push(performance.now() - startedAt)
      }
      for (let index = 0; index < pairs; index++) {
        const both = [
          ['registered', registered[index]!] as const,
          ['unregistered', unregistered[index]!] as const,
        ]
        for (const [group, email] of random() < 0.5 ? both : both.reverse()) await request(group, email)
      }
      const ratio = median(times.registered) / median(times.unregistered)
      expect(ratio).toBeGreaterThan(1 / 1.4)
      expect(ratio).toBeLessThan(1.4)
    }
  })
})
