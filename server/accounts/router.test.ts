import { features } from '#server/router.ts'
import type * as argon2 from '@node-rs/argon2'
import { hash, verify } from '@node-rs/argon2'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sessionDays, usedLinkDays } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { aMember, anUpload, aServer, mailsTo } from '#server/testing.ts'
import { findPassword, setPassword } from './credentials-store.ts'
import { dummyHash, hashPassword, isPassword } from './passwords.ts'
import { removeStale } from './sweep.ts'
import { accountsRouter } from './router.ts'
import { hashToken } from './rules.ts'
import { findMemberBySession } from './sessions-store.ts'

const server = await aServer()
const { db } = server
const password = 'correct horse'
const now = new Date('2026-05-01T12:00:00.000Z')
const visitor = server.as(null, { now }).accounts
const hour = 60 * 60_000
const later = (ms: number) => new Date(now.getTime() + ms)

let count = 0
beforeEach(() => void vi.mocked(verify).mockClear())

const fresh = () => ({ username: `reader_${++count}`, email: `Reader.${count}@Example.org`, password })
const taken = (message: string) => ({ code: 'CONFLICT', message })
const refused = (message: string) => ({ code: 'BAD_REQUEST', message })
const used = (message: string) => ({ ...refused(message), reason: 'LINK_USED' })

async function lastTokenTo(address: string): Promise<string> {
  return /token=([\w-]{43})\n/.exec((await mailsTo(db, address)).at(-1)?.text ?? '')?.[1] ?? 'none'
}

async function aReader(at = now) {
  const person = fresh()
  const { user } = await server.as(null, { now: at }).accounts.register(person)
  await server.as(null, { now: at }).accounts.verifyEmail({ token: await lastTokenTo(person.email) })
  return { ...person, id: user.id }
}

async function logIn({ email }: { email: string }, at = now, secret = password) {
  const { token, user } = await server.as(null, { now: at }).accounts.login({ email, password: secret })
  return { token, as: server.as({ ...user, sessionHash: hashToken(token) } as never, { now: at }).accounts }
}

const isAlive = async (token: string, at = now) =>
  (await findMemberBySession(db, hashToken(token), at)) !== undefined

test('a member can register, verify the email and log in', async () => {
  const person = fresh()
  const profilePicture = await anUpload(db)
  const response = await visitor.register({ ...person, profilePicture })
  expect(response).toEqual({
    message: 'Account created.',
    user: { id: expect.any(Number), username: person.username, profilePicture },
  })
  const [mail] = await mailsTo(db, person.email)
  expect(mail?.text).toContain(`\n${server.config.publicUrl}/verify-email?token=`)
  expect(await visitor.verifyEmail({ token: await lastTokenTo(person.email) })).toEqual({
    message: messages.verified,
    isPending: false,
  })
  const { token, user } = await visitor.login({ email: person.email, password })
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(user).toEqual({
    id: response.user.id,
    username: person.username,
    profilePicture,
    reviewCount: 0,
    followersCount: 0,
    followingCount: 0,
    bio: '',
    email: person.email,
    pendingEmail: null,
    deletionAt: null,
    halfStars: false,
  })
})

test('login is refused until the email is verified, and only the correct password reveals the reason', async () => {
  const person = fresh()
  await visitor.register(person)
  await expect(visitor.login(person)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: messages.verifyFirst,
  })
  await expect(visitor.login({ ...person, password: 'wrong' })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
})

test('an unknown email and a wrong password get the same error after the same work', async () => {
  const reader = await aReader()
  const same = { code: 'UNAUTHORIZED', message: messages.invalidCredentials }
  await expect(visitor.login({ email: reader.email, password: 'wrong' })).rejects.toMatchObject(same)
  expect(verify).toHaveBeenCalledTimes(1)
  await expect(visitor.login({ email: 'unknown@example.org', password: 'wrong' })).rejects.toMatchObject(same)
  expect(verify).toHaveBeenCalledTimes(2)
  const real = await vi.importActual<typeof argon2>('@node-rs/argon2')
  vi.mocked(hash).mockImplementationOnce(real.hash)
  const cost = (passwordHash: string) => passwordHash.split('$').slice(0, 4)
  expect(cost(dummyHash)).toEqual(cost(await hashPassword(password)))
})

test('login is refused for an account without a usable password', async () => {
  const member = await aMember(db)
  for (const secret of ['', 'none', '!']) {
    await expect(
      visitor.login({ email: `${member.username}@example.org`, password: secret }),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  }
})

test('a login starts no session if the password changes while it is checked', async () => {
  const reader = await aReader()
  vi.mocked(verify).mockImplementationOnce(async () => {
    await setPassword(db, reader.id, 'another', now)
    return true
  })
  await expect(visitor.login(reader)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    message: messages.invalidCredentials,
  })
  expect(
    await db.selectFrom('sessions').select('user_id').where('user_id', '=', reader.id).execute(),
  ).toEqual([])
})

test('login ignores the case of the email', async () => {
  const reader = await aReader()
  expect(await logIn({ email: ` ${reader.email.toUpperCase()} ` })).toBeTruthy()
})

test('logins are counted per IP address, and per email regardless of case, for one address and for all', async () => {
  const counted: unknown[] = []
  const limit = async (...call: unknown[]) => void counted.push(call)
  const caller = accountsRouter.createCaller({
    ...server.services,
    now,
    member: null,
    limit,
    recordLogin() {},
    address: '127.0.0.1',
    response: {},
    userAgent: null,
    requestId: '',
    log: null as never,
  })
  await expect(caller.login({ email: 'Unknown@Example.org', password })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  await caller.forgotPassword({ email: 'Unknown@Example.org' })
  expect(counted).toEqual([
    ['login'],
    ['guessFromAddress', 'email unknown@example.org'],
    ['guessFromAnywhere', 'email unknown@example.org'],
    ['mail'],
    ['mailbox', 'email unknown@example.org'],
  ])
})

test('concurrent logins beyond the queue limit are refused, and queued ones complete', async () => {
  // Fast, so that none exceeds its time in the queue.
  vi.mocked(verify).mockImplementation(async () => false)
  onTestFinished(() => void vi.mocked(verify).mockReset())
  const results = await Promise.allSettled(Array.from({ length: 104 }, () => isPassword('wrong', undefined)))
  // A hundred are queued, behind one or two that run, depending on the number of cores.
  expect([101, 102]).toContain(results.filter(({ status }) => status === 'fulfilled').length)
  expect(results.at(-1)).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', message: messages.busy } })
  expect(await isPassword('wrong', undefined)).toBe(false)
})

test('the database stores only hashes of tokens and passwords', async () => {
  const reader = await aReader()
  const { token } = await logIn(reader)
  await visitor.forgotPassword(reader)
  const secrets = [token, await lastTokenTo(reader.email), password]
  const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', reader.id).execute()
  const links = await db.selectFrom('mail_tokens').selectAll().where('user_id', '=', reader.id).execute()
  const rows = await db.selectFrom('credentials').selectAll().where('user_id', '=', reader.id).execute()
  for (const secret of secrets) expect(JSON.stringify([sessions, links, rows])).not.toContain(secret)
  expect(sessions[0]?.token_hash).toBe(hashToken(token))
  expect((await findPassword(db, reader.id))!.secret).toMatch(/^\$argon2id\$v=19\$m=/)
  expect(hash).toHaveBeenCalledWith(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
})

describe('after the verification', () => {
  const key = (letter: string) => letter.repeat(43)
  const minutes = 60_000
  const refusal = { code: 'UNAUTHORIZED', message: messages.firstLoginFailed }

  /** Registers with a login key. Returns the token of the link, without opening it. */
  async function signUp(loginKey = key('k')) {
    const person = fresh()
    const { user } = await visitor.register({ ...person, loginKey })
    return { ...person, id: user.id, loginKey, token: await lastTokenTo(person.email) }
  }
  const firstLogin = ({ token, loginKey }: { token: string; loginKey: string }, at = now) =>
    server.as(null, { now: at }).accounts.firstLogin({ token, loginKey })

  test('the browser of the sign-up logs in once without the password', async () => {
    const reader = await signUp()
    await visitor.verifyEmail(reader)
    const { token, user } = await firstLogin(reader)
    expect(user).toMatchObject({ id: reader.id, email: reader.email })
    expect(await isAlive(token)).toBe(true)
    await expect(firstLogin(reader)).rejects.toMatchObject(refusal)
  })

  test('of two concurrent logins of that browser, one succeeds', async () => {
    const reader = await signUp()
    await visitor.verifyEmail(reader)
    const results = await Promise.allSettled([firstLogin(reader), firstLogin(reader)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('another browser, which has only the link, does not log in', async () => {
    const [reader, other] = [await signUp(), await signUp(key('o'))]
    for (const { token } of [reader, other]) await visitor.verifyEmail({ token })
    await expect(firstLogin({ ...reader, loginKey: key('g') })).rejects.toMatchObject(refusal)
    await expect(firstLogin({ ...reader, loginKey: other.loginKey })).rejects.toMatchObject(refusal)
    const withoutKey = fresh()
    await visitor.register(withoutKey)
    const token = await lastTokenTo(withoutKey.email)
    await visitor.verifyEmail({ token })
    await expect(firstLogin({ token, loginKey: reader.loginKey })).rejects.toMatchObject(refusal)
    expect(await firstLogin(reader)).toBeTruthy()
  })

  test('the browser of the sign-up, which has not opened the link, does not log in', async () => {
    const reader = await signUp()
    await expect(firstLogin(reader)).rejects.toMatchObject(refusal)
    // The link was opened elsewhere, and this browser does not have its token.
    await visitor.verifyEmail(reader)
    await expect(firstLogin({ ...reader, token: key('t') })).rejects.toMatchObject(refusal)
    // A link for another purpose does not count.
    await visitor.forgotPassword(reader)
    const reset = await lastTokenTo(reader.email)
    await expect(firstLogin({ ...reader, token: reset })).rejects.toMatchObject(refusal)
  })

  test('the login works for 15 minutes, and not after the password has changed', async () => {
    const [early, late, changed] = [await signUp(), await signUp(), await signUp()]
    for (const { token } of [early, late, changed]) await visitor.verifyEmail({ token })
    expect(await firstLogin(early, later(15 * minutes))).toBeTruthy()
    await expect(firstLogin(late, later(15 * minutes + 1))).rejects.toMatchObject(refusal)
    await visitor.forgotPassword(changed)
    await visitor.resetPassword({ token: await lastTokenTo(changed.email), newPassword: 'another-one' })
    await expect(firstLogin(changed)).rejects.toMatchObject(refusal)
  })

  test('the database stores only the hash of the key, and a registration refuses a short one', async () => {
    const { id, loginKey } = await signUp()
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(user.login_key_hash).toBe(hashToken(loginKey))
    await expect(visitor.register({ ...fresh(), loginKey: 'short' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })
})

test('a verification link works once, and says for 30 days that the email is verified', async () => {
  const person = fresh()
  await visitor.register(person)
  const token = await lastTokenTo(person.email)
  await visitor.verifyEmail({ token })
  const open = (at: Date) => server.as(null, { now: at }).accounts.verifyEmail({ token })
  for (const at of [now, later(25 * hour), later(usedLinkDays * 24 * hour - 1)]) {
    await removeStale(db, features, at)
    await expect(open(at)).rejects.toMatchObject(used(messages.verificationFailed))
  }
  const end = later(usedLinkDays * 24 * hour)
  await expect(open(end)).rejects.not.toHaveProperty('reason')
  await removeStale(db, features, end)
  await expect(open(end)).rejects.toMatchObject(refused(messages.verificationFailed))
})

test('a used link of an account that waits for its approval says so', async () => {
  const person = fresh()
  const { user } = await visitor.register(person)
  const token = await lastTokenTo(person.email)
  await visitor.verifyEmail({ token })
  const waits = { verified_at: null, pending_since: now.toISOString() }
  await db.updateTable('users').set(waits).where('id', '=', user.id).execute()
  await expect(visitor.verifyEmail({ token })).rejects.toMatchObject({
    ...refused(messages.verificationFailed),
    reason: 'APPROVAL_PENDING',
  })
  await visitor.resendVerification({ email: person.email })
  await server.as(null, { now: later(60_000) }).accounts.resendVerification({ email: person.email })
  expect((await mailsTo(db, person.email)).at(-1)?.text).toContain('A moderator reviews new accounts')
})

test('of two concurrent uses of a verification link, one succeeds', async () => {
  const person = fresh()
  await visitor.register(person)
  const token = await lastTokenTo(person.email)
  const results = await Promise.allSettled([visitor.verifyEmail({ token }), visitor.verifyEmail({ token })])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a verification link is valid for 24 hours', async () => {
  const [early, late] = [fresh(), fresh()]
  for (const person of [early, late]) await server.as(null, { now }).accounts.register(person)
  const open = async (person: { email: string }, at: Date) =>
    server.as(null, { now: at }).accounts.verifyEmail({ token: await lastTokenTo(person.email) })
  await expect(open(late, later(24 * hour))).rejects.toMatchObject(refused(messages.verificationFailed))
  await expect(open(early, later(24 * hour - 1))).resolves.toEqual({
    message: messages.verified,
    isPending: false,
  })
})

test('a verification with a missing or unknown token is refused', async () => {
  for (const input of [{}, { token: '' }])
    await expect(visitor.verifyEmail(input as { token: string })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { issues: [{ message: messages.missingToken }] },
    })
  await expect(visitor.verifyEmail({ token: 'x'.repeat(43) })).rejects.toMatchObject(
    refused(messages.verificationFailed),
  )
})

test('a link for one purpose cannot be used for another', async () => {
  const person = fresh()
  await visitor.register(person)
  const verification = await lastTokenTo(person.email)
  await expect(visitor.resetPassword({ token: verification, newPassword: 'stolen!' })).rejects.toMatchObject(
    refused(messages.resetFailed),
  )
  await visitor.forgotPassword(person)
  await expect(visitor.verifyEmail({ token: await lastTokenTo(person.email) })).rejects.toMatchObject(
    refused(messages.verificationFailed),
  )
})

test('resending the verification email returns the same for every email, and sends a link, or that the email is verified', async () => {
  const person = fresh()
  await visitor.register(person)
  const reader = await aReader()
  const responses = []
  for (const email of [person.email, reader.email, 'unknown@example.org'])
    responses.push(await visitor.resendVerification({ email }))
  expect(new Set(responses.map(({ message }) => message))).toEqual(new Set([messages.verificationResent]))
  expect(await mailsTo(db, person.email)).toHaveLength(2)
  const [, notice] = await mailsTo(db, reader.email)
  expect(notice?.subject).toBe('Your email for Medley is verified')
  expect(notice?.text).not.toContain('token=')
  expect(await mailsTo(db, 'unknown@example.org')).toEqual([])
  expect(await visitor.verifyEmail({ token: await lastTokenTo(person.email) })).toEqual({
    message: messages.verified,
    isPending: false,
  })
})

test('of two concurrent registrations of one username, one succeeds and the other throws CONFLICT', async () => {
  const [one, other] = [fresh(), fresh()]
  const results = await Promise.allSettled([
    visitor.register(one),
    visitor.register({ ...other, username: one.username.toUpperCase() }),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: taken(messages.usernameTaken),
  })
  expect([...(await mailsTo(db, one.email)), ...(await mailsTo(db, other.email))]).toHaveLength(1)
})

test('of two concurrent registrations of one email, one succeeds and the other throws CONFLICT', async () => {
  const [one, other] = [fresh(), fresh()]
  const results = await Promise.allSettled([
    visitor.register(one),
    visitor.register({ ...other, email: one.email.toLowerCase() }),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: taken(messages.emailTaken),
  })
})

test('a registration cannot set other columns', async () => {
  const extra = {
    id: 987_654,
    is_demo: 1,
    isDemo: true,
    verified_at: '2020-01-01',
    verifiedAt: '2020-01-01',
    review_count: 9,
    reviewCount: 9,
  }
  const { user } = await visitor.register({ ...fresh(), ...extra } as never)
  const row = await db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ is_demo: 0, verified_at: null, review_count: 0 })
  expect(row.id).not.toBe(extra.id)
})

test('a profile update cannot set other columns or change other accounts', async () => {
  const [reader, other] = [await aReader(), await aReader()]
  const { as } = await logIn(reader)
  await as.updateProfile({
    username: `${reader.username}.new`,
    id: other.id,
    is_demo: 1,
    follower_count: 9,
    passwordHash: 'x',
  } as never)
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', [reader.id, other.id])
    .orderBy('id')
    .execute()
  expect(rows.map((row) => row.username)).toEqual([`${reader.username}.new`, other.username])
  expect(rows[0]).toMatchObject({ is_demo: 0, follower_count: 0 })
  await logIn(reader)
})

test('only the owner of an account sees its email', async () => {
  const [reader, other] = [await aReader(), await aReader()]
  const { as } = await logIn(reader)
  const seen = [
    await visitor.profile({ id: reader.id }),
    await (await logIn(other)).as.profile({ id: reader.id }),
    await visitor.register(fresh()),
  ]
  expect(JSON.stringify(seen).toLowerCase()).not.toContain('@')
  expect((await as.profile({ id: reader.id })).user.email).toBe(reader.email)
  expect((await as.me()).user.email).toBe(reader.email)
})

test('the profile of an unknown user throws NOT_FOUND', async () => {
  await expect(visitor.profile({ id: 999_999_999 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: messages.userNotFound,
  })
})

test('a username can be changed, including only its case, but not to one that is taken', async () => {
  const [reader, other] = [await aReader(), await aReader()]
  const { as } = await logIn(reader)
  const shouted = reader.username.toUpperCase()
  expect(await as.updateProfile({ username: shouted })).toMatchObject({
    message: messages.profileUpdated,
    user: { username: shouted },
  })
  await expect(as.updateProfile({ username: other.username.toUpperCase() })).rejects.toMatchObject(
    taken(messages.usernameTaken),
  )
  expect((await as.me()).user.username).toBe(shouted)
})

test('a profile keeps its picture until another one or null is sent', async () => {
  const { as } = await logIn(await aReader())
  const profilePicture = await anUpload(db)
  await as.updateProfile({ profilePicture })
  expect((await as.updateProfile({})).user.profilePicture).toBe(profilePicture)
  expect((await as.updateProfile({ profilePicture: null })).user.profilePicture).toBeNull()
})

test('everyone reads what members say about themselves, as plain text of at most 300 characters', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  expect((await visitor.profile({ id: reader.id })).user.bio).toBe('')
  expect((await as.updateProfile({ bio: ' Slow films.\r\n<b>Thick</b> books. ' })).user.bio).toBe(
    'Slow films.\n<b>Thick</b> books.',
  )
  await as.updateProfile({})
  expect((await visitor.profile({ id: reader.id })).user.bio).toBe('Slow films.\n<b>Thick</b> books.')
  await expect(as.updateProfile({ bio: 'x'.repeat(301) })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect((await as.updateProfile({ bio: '' })).user.bio).toBe('')
})

test('a profile picture must be an upload or the current picture', async () => {
  const { as, id } = await aReader().then(async (reader) => ({ ...(await logIn(reader)), id: reader.id }))
  const neverUploaded = '/uploads/never-uploaded-640.webp'
  await expect(as.updateProfile({ profilePicture: neverUploaded })).rejects.toMatchObject(
    refused(messages.uploadFirst),
  )
  await expect(visitor.register({ ...fresh(), profilePicture: neverUploaded })).rejects.toMatchObject(
    refused(messages.uploadFirst),
  )
  // Demo members have such a picture.
  await db.updateTable('users').set({ picture: neverUploaded }).where('id', '=', id).execute()
  expect((await as.updateProfile({ profilePicture: neverUploaded })).user.profilePicture).toBe(neverUploaded)
})

test('a change of email requires the current password', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const email = 'new@example.org'
  await expect(as.updateProfile({ email })).rejects.toMatchObject(refused(messages.currentPasswordMissing))
  await expect(as.updateProfile({ email, password: 'wrong' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: messages.currentPasswordWrong,
  })
  expect(await mailsTo(db, email)).toEqual([])
  expect((await as.me()).user).toMatchObject({ email: reader.email, pendingEmail: null })
})

test('a new email replaces the current one once its link is opened, and the current address is notified before', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const email = `new.${reader.email}`
  expect(await as.updateProfile({ email, password })).toMatchObject({
    message: messages.emailChangeSent(email),
    user: { email: reader.email, pendingEmail: email },
  })
  const notice = (await mailsTo(db, reader.email)).at(-1)
  expect(notice?.subject).toContain('about to change')
  expect(notice?.text).not.toContain('token=')
  await expect(visitor.login({ email, password })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })

  expect(await visitor.verifyEmail({ token: await lastTokenTo(email) })).toEqual({
    message: messages.verified,
    isPending: false,
  })
  expect((await as.me()).user).toMatchObject({ email, pendingEmail: null })
  await logIn({ email })
  await expect(visitor.login(reader)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })

  // The link says that it was used, also after the next change of password, which removes the others.
  const token = await lastTokenTo(email)
  await as.updatePassword({ currentPassword: password, newPassword: 'new horse' })
  await expect(visitor.verifyEmail({ token })).rejects.toMatchObject(used(messages.verificationFailed))
})

test('a link to an earlier new email becomes invalid when another change is requested, and all links when the change is canceled', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const [first, second] = [`first.${reader.email}`, `second.${reader.email}`]
  await as.updateProfile({ email: first, password })
  await as.updateProfile({ email: second, password })
  await expect(visitor.verifyEmail({ token: await lastTokenTo(first) })).rejects.toMatchObject(
    refused(messages.verificationFailed),
  )
  expect((await as.updateProfile({ email: reader.email.toUpperCase() })).user).toMatchObject({
    email: reader.email,
    pendingEmail: null,
  })
  await expect(visitor.verifyEmail({ token: await lastTokenTo(second) })).rejects.toMatchObject(
    refused(messages.verificationFailed),
  )
})

test('a taken email can neither be requested nor be confirmed if it was taken after the request', async () => {
  const [reader, other] = [await aReader(), await aReader()]
  const { as } = await logIn(reader)
  await expect(as.updateProfile({ email: other.email.toUpperCase(), password })).rejects.toMatchObject(
    taken(messages.emailTaken),
  )
  const rival = fresh()
  await as.updateProfile({ email: rival.email, password })
  const token = await lastTokenTo(rival.email)
  await visitor.register(rival)
  await expect(visitor.verifyEmail({ token })).rejects.toMatchObject(taken(messages.emailTaken))
  expect((await as.me()).user.email).toBe(reader.email)
})

test('a change of email invalidates links to set a password in the old mailbox', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  await visitor.forgotPassword(reader)
  const old = await lastTokenTo(reader.email)
  await as.updateProfile({ email: `new.${reader.email}`, password })
  await visitor.verifyEmail({ token: await lastTokenTo(`new.${reader.email}`) })
  await expect(visitor.resetPassword({ token: old, newPassword: 'stolen!' })).rejects.toMatchObject(
    refused(messages.resetFailed),
  )
})

test('a password change ends the other sessions and keeps the current one', async () => {
  const reader = await aReader()
  const [here, there] = [await logIn(reader), await logIn(reader)]
  const response = await here.as.updatePassword({ currentPassword: password, newPassword: ' new horse ' })
  expect(response).toEqual({ message: messages.passwordUpdated })
  expect([await isAlive(here.token), await isAlive(there.token)]).toEqual([true, false])
  await expect(visitor.login(reader)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await logIn(reader, now, 'new horse')
})

test('a password change requires the current password and a different new one', async () => {
  const { as } = await logIn(await aReader())
  const wrong = as.updatePassword({ currentPassword: 'wrong', newPassword: 'new horse' })
  await expect(wrong).rejects.toMatchObject({ code: 'FORBIDDEN', message: messages.currentPasswordWrong })
  const same = as.updatePassword({ currentPassword: password, newPassword: ` ${password}` })
  await expect(same).rejects.toMatchObject(refused(messages.passwordUnchanged))
  const short = as.updatePassword({ currentPassword: password, newPassword: 'short' })
  await expect(short).rejects.toThrow(messages.newPasswordTooShort)
})

test('of two concurrent password changes, one succeeds', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const wanted = ['first horse', 'second horse']
  const results = await Promise.allSettled(
    wanted.map((newPassword) => as.updatePassword({ currentPassword: password, newPassword })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await logIn(reader, now, wanted[results.findIndex(({ status }) => status === 'fulfilled')])
})

test('a password change cancels a pending change of email, which an attacker with the old password may have requested', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const email = `thief.${reader.email}`
  await as.updateProfile({ email, password })
  await as.updatePassword({ currentPassword: password, newPassword: 'new horse' })
  expect((await as.me()).user.pendingEmail).toBeNull()
  await expect(visitor.verifyEmail({ token: await lastTokenTo(email) })).rejects.toMatchObject(
    refused(messages.verificationFailed),
  )
})

test('a forgotten password can be reset once per link, which ends all sessions', async () => {
  const reader = await aReader()
  const { token: session } = await logIn(reader)
  await visitor.forgotPassword(reader)
  const unused = await lastTokenTo(reader.email)
  const aMinuteLater = server.as(null, { now: later(60_000) }).accounts
  expect(await aMinuteLater.forgotPassword({ email: reader.email.toLowerCase() })).toEqual({
    message: messages.resetSent,
  })
  const token = await lastTokenTo(reader.email)
  expect(token).not.toBe(unused)
  expect(await visitor.resetPassword({ token, newPassword: 'new horse' })).toEqual({
    message: messages.resetDone,
  })
  expect(await isAlive(session)).toBe(false)
  await logIn(reader, now, 'new horse')
  await expect(visitor.login(reader)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  for (const dead of [unused, 'x'.repeat(43)]) {
    const again = visitor.resetPassword({ token: dead, newPassword: 'newer horse' })
    const error = await again.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject(refused(messages.resetFailed))
    expect(error).not.toHaveProperty('reason')
  }
  const again = visitor.resetPassword({ token, newPassword: 'newer horse' })
  await expect(again).rejects.toMatchObject(used(messages.resetFailed))
})

test('a link to set a password is valid for an hour', async () => {
  const reader = await aReader()
  await server.as(null, { now }).accounts.forgotPassword(reader)
  const token = await lastTokenTo(reader.email)
  const expired = server
    .as(null, { now: later(hour) })
    .accounts.resetPassword({ token, newPassword: 'new horse' })
  await expect(expired).rejects.toMatchObject(refused(messages.resetFailed))
  await server.as(null, { now: later(hour - 1) }).accounts.resetPassword({ token, newPassword: 'new horse' })
})

test('requesting a password link returns the same for an unknown email and sends nothing', async () => {
  expect(await visitor.forgotPassword({ email: 'unknown@example.org' })).toEqual({
    message: messages.resetSent,
  })
  expect(await mailsTo(db, 'unknown@example.org')).toEqual([])
})

test('resetting a password does not verify the email', async () => {
  const person = fresh()
  await visitor.register(person)
  await visitor.forgotPassword(person)
  await visitor.resetPassword({ token: await lastTokenTo(person.email), newPassword: 'new horse' })
  await expect(visitor.login({ ...person, password: 'new horse' })).rejects.toMatchObject({
    message: messages.verifyFirst,
  })
})

test('logout ends the current session only', async () => {
  const reader = await aReader()
  const [here, there] = [await logIn(reader), await logIn(reader)]
  expect(await here.as.logout()).toEqual({ message: messages.loggedOut })
  expect([await isAlive(here.token), await isAlive(there.token)]).toEqual([false, true])
})

test('a session expires after its days, and the next login removes expired ones', async () => {
  const reader = await aReader()
  const { token } = await logIn(reader)
  const day = 24 * hour
  expect(await isAlive(token, later(sessionDays * day - 1))).toBe(true)
  for (const days of [sessionDays, sessionDays + 1])
    expect(await isAlive(token, later(days * day))).toBe(false)
  const user = { id: reader.id, username: reader.username }
  const sessionsAt = async (at: Date) =>
    (await server.as(user, { now: at }).accounts.listSessions()).sessions.length
  expect([
    await sessionsAt(later(sessionDays * day - 1)),
    await sessionsAt(later(sessionDays * day)),
  ]).toEqual([1, 0])
  await logIn(reader, later(sessionDays * day))
  const rows = await db.selectFrom('sessions').select('token_hash').where('user_id', '=', reader.id).execute()
  expect(rows).toHaveLength(1)
})

test('the last use of a session is updated at most once an hour', async () => {
  const { token } = await logIn(await aReader())
  const lastUse = async (at: Date) => {
    await isAlive(token, at)
    const query = db.selectFrom('sessions').select('last_used_at').where('token_hash', '=', hashToken(token))
    return (await query.executeTakeFirstOrThrow()).last_used_at
  }
  expect(await lastUse(later(hour))).toBe(now.toISOString())
  expect(await lastUse(later(hour + 1))).toBe(later(hour + 1).toISOString())
})

test('a member can list and end only their own sessions', async () => {
  const [reader, other] = [await aReader(), await aReader()]
  const [there, here, foreign] = [await logIn(reader), await logIn(reader, later(1)), await logIn(other)]
  const { sessions } = await here.as.listSessions()
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false])
  expect(JSON.stringify(sessions)).not.toContain(hashToken(there.token))
  const foreignId = (await foreign.as.listSessions()).sessions[0]!.id
  for (const id of [foreignId, '', '%', 'x']) {
    await expect(here.as.endSession({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  expect(await here.as.endSession({ id: sessions[1]!.id })).toEqual({ message: messages.sessionEnded })
  expect([
    await isAlive(here.token, later(1)),
    await isAlive(there.token),
    await isAlive(foreign.token),
  ]).toEqual([true, false, true])
})

test('procedures for members require a login', async () => {
  const calls = [
    () => visitor.me(),
    () => visitor.logout(),
    () => visitor.updateProfile({}),
    () => visitor.updatePassword({ currentPassword: password, newPassword: 'new horse' }),
    () => visitor.listSessions(),
    () => visitor.endSession({ id: 'x' }),
  ]
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
})

test('a member chooses a language and names of titles, each without the other', async () => {
  const call = server.as(await aMember(db))
  expect(await call.accounts.languageSettings()).toEqual({ language: null, titles: 'local' })
  expect(await call.accounts.changeLanguageSettings({ titles: 'original' })).toEqual({
    language: null,
    titles: 'original',
  })
  const chosen = { language: 'en', titles: 'original' }
  expect(await call.accounts.changeLanguageSettings({ language: 'en' })).toEqual(chosen)
  expect(await call.accounts.changeLanguageSettings({})).toEqual(chosen)
  for (const language of ['xx', 'en-XA', 'constructor'])
    await expect(call.accounts.changeLanguageSettings({ language })).rejects.toThrow()
  expect(await server.as(await aMember(db)).accounts.languageSettings()).toEqual({
    language: null,
    titles: 'local',
  })
})
