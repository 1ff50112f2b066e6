import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { aMember, aServer, mailsTo } from '#server/testing.ts'
import { setPassword } from './credentials-store.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { hashToken } from './rules.ts'

// These tests are about the order of events. The hash is fast, salted like the real one but without a queue.
let salts = 0
const quick = (password: string, salt: string) => `$${salt}$${hash('sha256', salt + password)}`
vi.mocked(hashPassword).mockImplementation(async (password) => quick(password, String(++salts)))
vi.mocked(isPassword).mockImplementation(
  async (password, passwordHash = '') => quick(password, passwordHash.split('$')[1]!) === passwordHash,
)
afterAll(() => {
  vi.mocked(hashPassword).mockReset()
  vi.mocked(isPassword).mockReset()
})

const server = await aServer()
const { db } = server
const now = new Date('2026-05-01T12:00:00.000Z')
const visitor = server.as(null, { now }).accounts

const wrongPassword = { code: 'FORBIDDEN', message: messages.currentPasswordWrong }
let count = 0

/** A member whose session and password were stolen, and who has a link to set a new password. */
async function aVictim() {
  const { id, username } = await aMember(db, `victim-${++count}`)
  const email = `${username}@example.org`
  await visitor.forgotPassword({ email })
  await visitor.resetPassword({ token: await tokenTo(email), newPassword: 'old password' })
  const { token: session } = await visitor.login({ email, password: 'old password' })
  await visitor.forgotPassword({ email })
  const { accounts: stolen, webhooks } = server.as(
    { id, username, sessionHash: hashToken(session), scopes: null },
    { now },
  )
  const thiefEmail = `thief-${count}@example.org`
  return { id, email, session, stolen, webhooks, thiefEmail, link: await tokenTo(email) }
}
type Victim = Awaited<ReturnType<typeof aVictim>>

async function tokenTo(email: string): Promise<string> {
  return /token=([\w-]{43})/.exec((await mailsTo(db, email)).at(-1)?.text ?? '')?.[1] ?? 'none'
}

const reset = ({ link }: Victim) => visitor.resetPassword({ token: link, newPassword: 'new password' })
const changeEmail = ({ stolen, thiefEmail }: Victim) =>
  stolen.updateProfile({ email: thiefEmail, password: 'old password' })

/** Runs `change` right after the next password check, before anything else happens. */
function afterPasswordCheck<T>(change: () => Promise<T>): void {
  const compare = vi.mocked(isPassword).getMockImplementation()!
  vi.mocked(isPassword).mockImplementationOnce(async (...args) => {
    const isCorrect = await compare(...args)
    await change()
    return isCorrect
  })
}

async function expectRecovered({ id, email, thiefEmail }: Victim) {
  const user = await db
    .selectFrom('users')
    .select(['email', 'pending_email'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(user).toEqual({ email, pending_email: null })
  const links = await db.selectFrom('mail_tokens').select('purpose').where('user_id', '=', id)
  expect(await links.where('used_at', 'is', null).execute()).toEqual([])
  for (const table of ['sessions', 'api_tokens'] as const)
    expect(await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).toEqual([])
  await expect(visitor.verifyEmail({ token: await tokenTo(thiefEmail) })).rejects.toMatchObject({
    message: messages.verificationFailed,
  })
  await visitor.login({ email, password: 'new password' })
}

test('a change of email whose password was checked before a reset is refused after it', async () => {
  const victim = await aVictim()
  afterPasswordCheck(() => reset(victim))
  await expect(changeEmail(victim)).rejects.toMatchObject(wrongPassword)
  await expectRecovered(victim)
})

test('a change of email is refused if the password alone has changed since the check', async () => {
  const { id, stolen, thiefEmail } = await aVictim()
  afterPasswordCheck(() => setPassword(db, id, 'another', now))
  await expect(stolen.updateProfile({ email: thiefEmail, password: 'old password' })).rejects.toMatchObject(
    wrongPassword,
  )
})

test('a password change that was checked against the old password is refused after a reset', async () => {
  const victim = await aVictim()
  afterPasswordCheck(() => reset(victim))
  const change = victim.stolen.updatePassword({ currentPassword: 'old password', newPassword: 'stolen!' })
  await expect(change).rejects.toMatchObject(wrongPassword)
  await expectRecovered(victim)
})

test('a login during which the account is suspended says that it is', async () => {
  const { id, email } = await aVictim()
  afterPasswordCheck(() =>
    db.updateTable('users').set({ standing: 'suspended' }).where('id', '=', id).execute(),
  )
  const { user } = await visitor.login({ email, password: 'old password' })
  expect(user).toMatchObject({ standing: 'suspended' })
})

test('a login is refused if the email of the account changes after the password check', async () => {
  const { id, email } = await aVictim()
  const moved = { email: 'elsewhere@example.org', email_folded: 'elsewhere@example.org' }
  afterPasswordCheck(() => db.updateTable('users').set(moved).where('id', '=', id).execute())
  await expect(visitor.login({ email, password: 'old password' })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    message: messages.invalidCredentials,
  })
})

test('a call is refused if its session ends while it runs', async () => {
  const victim = await aVictim()
  // A call looks up the session at its start; here the session ends after that.
  await reset(victim)
  const { stolen } = victim
  const changes = [{ username: 'taken-over' }, { profilePicture: null }, { email: victim.email }]
  for (const change of changes)
    await expect(stolen.updateProfile(change)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: messages.pleaseLogIn,
    })
  await expectRecovered(victim)
})

test('no link to set a password is sent to an address that a concurrent change removes from the account', async () => {
  const { id, email } = await aVictim()
  await db.deleteFrom('mail_counts').execute()
  await db.deleteFrom('mail_tokens').execute()
  let request!: Promise<unknown>
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('users')
      .set({ email: 'moved@example.org', email_folded: 'moved@example.org' })
      .where('id', '=', id)
      .execute()
    request = visitor.forgotPassword({ email })
    await waitTurns(100)
  })
  await request
  expect(await db.selectFrom('mail_tokens').select('purpose').execute()).toEqual([])
})

async function waitTurns(turns: number): Promise<void> {
  for (let index = 0; index < turns; index++) await nextTurn()
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('in fifty rounds with seeded orders', () => {
  const rounds = Array.from({ length: 50 }, (_, round) => round)
  /** Runs one after the other in either order, or both concurrently, a few turns of the event loop apart. */
  const inRandomOrder = async (
    random: () => number,
    one: () => Promise<unknown>,
    other: () => Promise<unknown>,
  ) => {
    const order = random()
    if (order < 0.2) return [...(await Promise.allSettled([one()])), ...(await Promise.allSettled([other()]))]
    if (order < 0.4)
      return [...(await Promise.allSettled([other()])), ...(await Promise.allSettled([one()]))].reverse()
    const waits = [waitTurns(Math.floor(random() * 12)), waitTurns(Math.floor(random() * 12))] as const
    return Promise.allSettled([waits[0].then(one), waits[1].then(other)])
  }

  test('a reset always wins against a change of email that a thief requests', async () => {
    const random = seeded(20_260_501)
    const outcomes = new Set<string>()
    for (const round of rounds) {
      const victim = await aVictim()
      if (random() < 0.3) {
        afterPasswordCheck(() => reset(victim))
        await expect(changeEmail(victim), `round ${round}`).rejects.toMatchObject(wrongPassword)
      } else {
        const [change, recovery] = await inRandomOrder(
          random,
          () => changeEmail(victim),
          () => reset(victim),
        )
        expect(recovery, `round ${round}`).toMatchObject({ status: 'fulfilled' })
        if (change!.status === 'rejected') expect(change!.reason).toMatchObject(wrongPassword)
        outcomes.add(change!.status)
      }
      await expectRecovered(victim)
    }
    expect([...outcomes].sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('no access token that a thief creates survives a reset', async () => {
    const random = seeded(36)
    const outcomes = new Set<string>()
    for (const round of rounds) {
      const victim = await aVictim()
      const [creation, recovery] = await inRandomOrder(
        random,
        () => victim.stolen.createAccessToken({ name: 'Mine', scopes: ['read'] }),
        () => reset(victim),
      )
      expect(recovery, `round ${round}`).toMatchObject({ status: 'fulfilled' })
      if (creation!.status === 'rejected') expect(creation!.reason).toMatchObject({ code: 'UNAUTHORIZED' })
      outcomes.add(creation!.status)
      await expectRecovered(victim)
    }
    expect([...outcomes].sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('no webhook that a thief creates or enables survives a reset', async () => {
    const random = seeded(39)
    const outcomes = new Set<string>()
    for (const round of rounds) {
      const victim = await aVictim()
      const { webhooks } = victim
      const hook = { url: 'https://thief.example/', events: ['review' as const] }
      const { webhook } = await webhooks.create(hook)
      const changes = [() => webhooks.create(hook), () => webhooks.edit({ id: webhook.id, isEnabled: true })]
      const [change, recovery] = await inRandomOrder(random, changes[round % 2]!, () => reset(victim))
      expect(recovery, `round ${round}`).toMatchObject({ status: 'fulfilled' })
      if (change!.status === 'rejected') expect(change!.reason).toMatchObject({ code: 'UNAUTHORIZED' })
      outcomes.add(change!.status)
      const left = (await webhooks.list()).webhooks.filter(({ disabledAt }) => disabledAt === null)
      expect(left, `round ${round}`).toEqual([])
    }
    expect([...outcomes].sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('of a reset and the link that verifies a new email, exactly one works', async () => {
    const random = seeded(7)
    for (const round of rounds) {
      const victim = await aVictim()
      await changeEmail(victim)
      const token = await tokenTo(victim.thiefEmail)
      const results = await inRandomOrder(
        random,
        () => visitor.verifyEmail({ token }),
        () => reset(victim),
      )
      expect(results.map(({ status }) => status).sort(), `round ${round}`).toEqual(['fulfilled', 'rejected'])
      const [reason] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      expect(reason).toMatchObject({ code: 'BAD_REQUEST' })
    }
  })
})
