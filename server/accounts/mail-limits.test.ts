import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import { aMember, aServer } from '#server/testing.ts'
import { openMailer } from './mailer.ts'
import { hashPassword } from './passwords.ts'
import { hashToken, mailKey } from './rules.ts'
import { countMail } from './store.ts'
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
  const change = { password_hash: passwordHash, ...(isVerified ? {} : { verified_at: null }) }
  await db.updateTable('users').set(change).where('id', '=', id).execute()
  const email = `${username}@example.org`
  const logIn = async (minutes: number) => {
    const { token, user } = await at(minutes).login({ email, password })
    const member = { ...user, sessionHash: hashToken(token) }
    return (later: number) => server.as(member, { now: new Date(start + later * minute) }).accounts
  }
  return { id, email, logIn }
}

async function tokensTo(email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('message')
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
  return rows.map(({ message }) => /token=([\w-]{43})/.exec(message)?.[1] ?? 'none')
}

const kinds = [
  ['forgotPassword', true, messages.resetSent],
  ['resendVerification', false, messages.verificationResent],
] as const

describe.each(kinds)('%s', (path, isVerified, message) => {
  test('sends one mail a minute and joins the others to it, with the same answer', async () => {
    const { email } = await aReader({ isVerified })
    for (const minutes of [0, 0, 0.5, 0.99, 1, 1.5])
      expect(await at(minutes)[path]({ email })).toEqual({ message })
    expect(await tokensTo(email)).toHaveLength(2)
  })

  test('sends one mail for many requests at once', async () => {
    const { email } = await aReader({ isVerified })
    await Promise.all(Array.from({ length: 10 }, () => at(0)[path]({ email })))
    expect(await tokensTo(email)).toHaveLength(1)
  })

  test('sends five mails an hour, and the next when the hour is over', async () => {
    const { email } = await aReader({ isVerified })
    for (let minutes = 0; minutes < 60; minutes++)
      expect(await at(minutes)[path]({ email })).toEqual({ message })
    expect(await tokensTo(email)).toHaveLength(5)
    await at(60)[path]({ email })
    expect(await tokensTo(email)).toHaveLength(6)
  })

  test('counts a mailbox whatever the case of its address', async () => {
    const { email } = await aReader({ isVerified })
    for (const written of [email, email.toUpperCase(), ` ${email}`]) await at(0)[path]({ email: written })
    expect(await tokensTo(email)).toHaveLength(1)
  })
})

test('an internationalized domain and its ASCII form are one mailbox', () => {
  expect(mailKey('reset', 'Ada@Bücher.example')).toBe(mailKey('reset', 'ada@xn--bcher-kva.example'))
  expect(mailKey('reset', 'ada@bücher.example')).not.toBe(mailKey('verify', 'ada@bücher.example'))
})

test('whenever a link to set a password is not sent, the last five that were sent all work', async () => {
  // Whoever asks, as often and whenever they like: the owner can always get in with what is in the mailbox.
  for (const askedAt of [
    [0, 1, 2, 3, 4, 5, 59, 59.9],
    [0, 56, 57, 58, 59, 59.5, 59.99],
    [0, 10, 20, 30, 40, 50, 55, 59.99],
  ]) {
    const { email } = await aReader()
    for (const minutes of askedAt) {
      const before = await tokensTo(email)
      await at(minutes).forgotPassword({ email })
      if ((await tokensTo(email)).length > before.length) continue
      expect(before).toHaveLength(5)
    }
    const [first] = await tokensTo(email)
    await at(askedAt.at(-1)!).resetPassword({ token: first!, newPassword: 'new horse' })
  }
})

test('mails that nobody was sent do not keep a later account from its links', async () => {
  const email = 'comes-later@example.org'
  for (let minutes = 0; minutes < 10; minutes++) {
    await at(minutes).forgotPassword({ email })
    await at(minutes).resendVerification({ email })
  }
  await at(10).register({ username: 'comes-later', email, password })
  await at(10).resendVerification({ email })
  await at(10).forgotPassword({ email })
  expect(await tokensTo(email)).toHaveLength(3)
})

test('a new password, which ends the other links, begins the count anew', async () => {
  const { email } = await aReader()
  for (let minutes = 0; minutes < 6; minutes++) await at(minutes).forgotPassword({ email })
  const [first] = await tokensTo(email)
  await at(6).resetPassword({ token: first!, newPassword: 'new horse' })
  await at(6).forgotPassword({ email })
  expect(await tokensTo(email)).toHaveLength(6)
})

describe('a change of email', () => {
  test('to the same address again joins the mail that was sent, whose link goes on to work', async () => {
    const reader = await aReader()
    const as = await reader.logIn(0)
    const email = `new-${reader.email}`
    for (const minutes of [0, 0.5, 1, 1.5])
      expect(await as(minutes).updateProfile({ email, password })).toMatchObject({
        message: messages.emailChangeSent(email),
      })
    expect(await tokensTo(email)).toHaveLength(2)
    // The owner of the old address was warned, as often.
    expect(await tokensTo(reader.email)).toEqual(['none', 'none'])
    await at(2).verifyEmail({ token: (await tokensTo(email))[0]! })
    expect((await as(2).me()).user.email).toBe(email)
  })

  test('to one mailbox by many members sends five mails an hour, and says when it sends none', async () => {
    const email = 'flooded@example.org'
    const ask = async (minutes: number) => {
      const as = await (await aReader()).logIn(minutes)
      return as(minutes).updateProfile({ email, password })
    }
    for (let minutes = 0; minutes < 5; minutes++) await ask(minutes)
    await expect(ask(5)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await tokensTo(email)).toHaveLength(5)
  })

  test('that is refused leaves the profile as it is', async () => {
    const email = 'busy@example.org'
    const [one, other] = [await aReader(), await aReader()]
    await (await one.logIn(0))(0).updateProfile({ email, password })
    const as = await other.logIn(0)
    const refused = as(0).updateProfile({ email, password, username: 'half-done' })
    await expect(refused).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await as(0).me()).user).toMatchObject({ email: other.email, pendingEmail: null })
    expect((await as(0).me()).user.username).not.toBe('half-done')
  })

  test('does not flood the old address with notices', async () => {
    const reader = await aReader()
    const as = await reader.logIn(0)
    for (let index = 0; index < 8; index++)
      await as(index * 2).updateProfile({ email: `new-${index}-${reader.email}`, password })
    expect(await tokensTo(reader.email)).toHaveLength(5)
  })
})

test('the counts hold no address and are swept out once they are over', async () => {
  await at(0).forgotPassword({ email: 'nobody@example.org' })
  const keys = async () => (await db.selectFrom('mail_counts').select('key').execute()).map(({ key }) => key)
  expect((await keys()).length).toBeGreaterThan(0)
  for (const key of await keys()) expect(key).toMatch(/^[\w-]{43}$/)
  await removeStale(db, new Date(start + 24 * 60 * minute))
  expect(await keys()).toEqual([])
})

test('counting twice at once lets one mail through', async () => {
  const now = new Date(start)
  const limit = { max: 5, nextAt: new Date(start + minute), endsAt: new Date(start + 60 * minute) }
  const counted = await Promise.all(Array.from({ length: 20 }, () => countMail(db, 'one key', now, limit)))
  expect(counted.filter(Boolean)).toHaveLength(1)
})

describe('an email that is known here takes as long as one that is not', () => {
  const pairs = 120
  const log = { info() {}, warn() {}, error() {} }
  const mailer = openMailer({ config: server.config, db, log, now: () => new Date(start) })
  afterAll(() => mailer.close())
  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  /** Mulberry32. */
  const seeded = (seed: number) => () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  test.each(kinds)('%s', async (path, isVerified) => {
    const known: string[] = []
    for (let index = 0; index < pairs; index++) known.push((await aReader({ isVerified })).email)
    const unknown = known.map((email) => `no-${email}`)
    const random = seeded(42)
    // The first requests of each address send, those within the minute join: both say nothing.
    for (const minutes of [0, 0.5]) {
      const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
      const ask = async (group: 'known' | 'unknown', email: string) => {
        const begunAt = performance.now()
        const now = new Date(start + minutes * minute)
        await server.as(null, { now, services: { mailer } }).accounts[path]({ email })
        times[group].push(performance.now() - begunAt)
      }
      for (let index = 0; index < pairs; index++) {
        const both = [['known', known[index]!] as const, ['unknown', unknown[index]!] as const]
        for (const [group, email] of random() < 0.5 ? both : both.reverse()) await ask(group, email)
      }
      const ratio = median(times.known) / median(times.unknown)
      expect(ratio).toBeGreaterThan(1 / 1.4)
      expect(ratio).toBeLessThan(1.4)
    }
  })
})
