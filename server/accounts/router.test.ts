import type * as argon2 from '@node-rs/argon2'
import { verify } from '@node-rs/argon2'
import { beforeEach, expect, test, vi } from 'vitest'
import { messages } from '#shared/messages.ts'
import { aMember, anUpload, aServer } from '#server/testing.ts'
import { dummyHash, hashPassword, isPassword } from './passwords.ts'
import { accountsRouter } from './router.ts'
import { hashToken } from './rules.ts'
import { findMemberBySession, type Mail } from './store.ts'

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof argon2>()
  return { ...real, verify: vi.fn<typeof verify>(real.verify) }
})

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

async function mailsTo(address: string): Promise<Mail[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['recipient', 'message'])
    .where('recipient', '=', address)
    .orderBy('id')
    .execute()
  return rows.map(({ recipient, message }) => ({
    to: recipient,
    ...(JSON.parse(message) as Omit<Mail, 'to'>),
  }))
}

async function lastTokenTo(address: string): Promise<string> {
  return /token=([\w-]{43})\n/.exec((await mailsTo(address)).at(-1)?.text ?? '')?.[1] ?? 'none'
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

test('an account can be created, verified and logged in to', async () => {
  const person = fresh()
  const profilePicture = await anUpload(db)
  const answer = await visitor.register({ ...person, profilePicture })
  expect(answer).toEqual({
    message: 'Account created.',
    user: { id: expect.any(Number), username: person.username, profilePicture },
  })
  const [mail] = await mailsTo(person.email)
  expect(mail?.text).toContain(`\n${server.config.publicUrl}/verify-email?token=`)
  expect(await visitor.verifyEmail({ token: await lastTokenTo(person.email) })).toEqual({
    message: messages.verified,
  })
  const { token, user } = await visitor.login({ email: person.email, password })
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(user).toEqual({
    id: answer.user.id,
    username: person.username,
    profilePicture,
    reviewCount: 0,
    followersCount: 0,
    followingCount: 0,
    email: person.email,
    pendingEmail: null,
  })
})

test('an account cannot be logged in to before its email is verified, and only the right password learns that', async () => {
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

test('an unknown email and a wrong password get the same answer, each after the same work', async () => {
  const reader = await aReader()
  const same = { code: 'UNAUTHORIZED', message: messages.invalidCredentials }
  await expect(visitor.login({ email: reader.email, password: 'wrong' })).rejects.toMatchObject(same)
  expect(verify).toHaveBeenCalledTimes(1)
  await expect(visitor.login({ email: 'nobody@example.org', password: 'wrong' })).rejects.toMatchObject(same)
  expect(verify).toHaveBeenCalledTimes(2)
  const cost = (passwordHash: string) => passwordHash.split('$').slice(0, 4)
  expect(cost(dummyHash)).toEqual(cost(await hashPassword(password)))
})

test('an account without a usable password cannot be logged in to', async () => {
  const member = await aMember(db)
  for (const secret of ['', 'none', '!']) {
    await expect(
      visitor.login({ email: `${member.username}@example.org`, password: secret }),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  }
})

test('a login whose password is changed while it is compared starts no session', async () => {
  const reader = await aReader()
  vi.mocked(verify).mockImplementationOnce(async () => {
    await db.updateTable('users').set({ password_hash: 'another' }).where('id', '=', reader.id).execute()
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

test('an email logs in whatever its case', async () => {
  const reader = await aReader()
  expect(await logIn({ email: ` ${reader.email.toUpperCase()} ` })).toBeTruthy()
})

test('logins are counted by address, and by email without regard to case, here and everywhere', async () => {
  const counted: unknown[] = []
  const limit = async (...call: unknown[]) => void counted.push(call)
  const caller = accountsRouter.createCaller({
    ...server.services,
    now,
    member: null,
    limit,
    trust() {},
    address: '127.0.0.1',
    response: {},
    userAgent: null,
    requestId: '',
    log: null as never,
  })
  await expect(caller.login({ email: 'Nobody@Example.org', password })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  await caller.forgotPassword({ email: 'Nobody@Example.org' })
  expect(counted).toEqual([
    ['login'],
    ['guess', 'email nobody@example.org'],
    ['guesses', 'email nobody@example.org'],
    ['mail'],
    ['mailbox', 'email nobody@example.org'],
  ])
})

test('more logins at once than the machine can bear are refused, and those who wait are served', async () => {
  const results = await Promise.allSettled(Array.from({ length: 104 }, () => isPassword('wrong', undefined)))
  // A hundred wait, behind as many as run at once on this machine.
  expect([101, 102]).toContain(results.filter(({ status }) => status === 'fulfilled').length)
  expect(results.at(-1)).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', message: messages.busy } })
  expect(await isPassword('wrong', undefined)).toBe(false)
})

test('the database holds hashes of tokens and passwords, never themselves', async () => {
  const reader = await aReader()
  const { token } = await logIn(reader)
  await visitor.forgotPassword(reader)
  const secrets = [token, await lastTokenTo(reader.email), password]
  const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', reader.id).execute()
  const links = await db.selectFrom('mail_tokens').selectAll().where('user_id', '=', reader.id).execute()
  const user = await db.selectFrom('users').selectAll().where('id', '=', reader.id).executeTakeFirstOrThrow()
  for (const secret of secrets) expect(JSON.stringify([sessions, links, user])).not.toContain(secret)
  expect(sessions[0]?.token_hash).toBe(hashToken(token))
  expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a verification link works once', async () => {
  const person = fresh()
  await visitor.register(person)
  const token = await lastTokenTo(person.email)
  await visitor.verifyEmail({ token })
  await expect(visitor.verifyEmail({ token })).rejects.toMatchObject(refused(messages.verificationFailed))
})

test('of two that open a verification link at once, one is told that it worked', async () => {
  const person = fresh()
  await visitor.register(person)
  const token = await lastTokenTo(person.email)
  const results = await Promise.allSettled([visitor.verifyEmail({ token }), visitor.verifyEmail({ token })])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a verification link works for 24 hours', async () => {
  const [early, late] = [fresh(), fresh()]
  for (const person of [early, late]) await server.as(null, { now }).accounts.register(person)
  const open = async (person: { email: string }, at: Date) =>
    server.as(null, { now: at }).accounts.verifyEmail({ token: await lastTokenTo(person.email) })
  await expect(open(late, later(24 * hour))).rejects.toMatchObject(refused(messages.verificationFailed))
  await expect(open(early, later(24 * hour - 1))).resolves.toEqual({ message: messages.verified })
})

test('a verification without a token, or with an unknown one, is refused', async () => {
  await expect(visitor.verifyEmail({})).rejects.toMatchObject(refused(messages.missingToken))
  await expect(visitor.verifyEmail({ token: '' })).rejects.toMatchObject(refused(messages.missingToken))
  await expect(visitor.verifyEmail({ token: 'x'.repeat(43) })).rejects.toMatchObject(
    refused(messages.verificationFailed),
  )
})

test('a link for one purpose does not serve another', async () => {
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

test('asking for the verification mail again says the same for everybody and writes to those alone who need it', async () => {
  const person = fresh()
  await visitor.register(person)
  const reader = await aReader()
  const answers = []
  for (const email of [person.email, reader.email, 'nobody@example.org'])
    answers.push(await visitor.resendVerification({ email }))
  expect(new Set(answers.map(({ message }) => message))).toEqual(new Set([messages.verificationResent]))
  expect(await mailsTo(person.email)).toHaveLength(2)
  expect(await mailsTo(reader.email)).toHaveLength(1)
  expect(await mailsTo('nobody@example.org')).toEqual([])
  expect(await visitor.verifyEmail({ token: await lastTokenTo(person.email) })).toEqual({
    message: messages.verified,
  })
})

test('of two registrations of one username at once, one wins and the other is told', async () => {
  const [one, other] = [fresh(), fresh()]
  const results = await Promise.allSettled([
    visitor.register(one),
    visitor.register({ ...other, username: one.username.toUpperCase() }),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: taken(messages.usernameTaken),
  })
  expect([...(await mailsTo(one.email)), ...(await mailsTo(other.email))]).toHaveLength(1)
})

test('of two registrations of one email at once, one wins and the other is told', async () => {
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

test('a registration sets nothing but what it asks for', async () => {
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

test('a change of the profile sets nothing but what it asks for, and of the caller alone', async () => {
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

test('an email is shown to its owner alone', async () => {
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

test('an unknown profile is not found', async () => {
  await expect(visitor.profile({ id: 999_999_999 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: messages.userNotFound,
  })
})

test('a profile can change its username, in case alone too, but not to one that is taken', async () => {
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

test('a profile keeps its picture until another, or null, is sent', async () => {
  const { as } = await logIn(await aReader())
  const profilePicture = await anUpload(db)
  await as.updateProfile({ profilePicture })
  expect((await as.updateProfile({})).user.profilePicture).toBe(profilePicture)
  expect((await as.updateProfile({ profilePicture: null })).user.profilePicture).toBeNull()
})

test('a picture is one that was uploaded, or the one that is there already', async () => {
  const { as, id } = await aReader().then(async (reader) => ({ ...(await logIn(reader)), id: reader.id }))
  const nobodys = '/uploads/nobody-uploaded-this-640.webp'
  await expect(as.updateProfile({ profilePicture: nobodys })).rejects.toMatchObject(
    refused(messages.uploadFirst),
  )
  await expect(visitor.register({ ...fresh(), profilePicture: nobodys })).rejects.toMatchObject(
    refused(messages.uploadFirst),
  )
  // As a member of the demo has one.
  await db.updateTable('users').set({ picture: nobodys }).where('id', '=', id).execute()
  expect((await as.updateProfile({ profilePicture: nobodys })).user.profilePicture).toBe(nobodys)
})

test('a change of email needs the current password', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const email = 'new@example.org'
  await expect(as.updateProfile({ email })).rejects.toMatchObject(refused(messages.currentPasswordMissing))
  await expect(as.updateProfile({ email, password: 'wrong' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: messages.currentPasswordWrong,
  })
  expect(await mailsTo(email)).toEqual([])
  expect((await as.me()).user).toMatchObject({ email: reader.email, pendingEmail: null })
})

test('a new email replaces the old one when its link is opened, and the old address is told before', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const email = `new.${reader.email}`
  expect(await as.updateProfile({ email, password })).toMatchObject({
    message: messages.emailChangeSent(email),
    user: { email: reader.email, pendingEmail: email },
  })
  const notice = (await mailsTo(reader.email)).at(-1)
  expect(notice?.subject).toContain('about to change')
  expect(notice?.text).not.toContain('token=')
  await expect(visitor.login({ email, password })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })

  expect(await visitor.verifyEmail({ token: await lastTokenTo(email) })).toEqual({
    message: messages.verified,
  })
  expect((await as.me()).user).toMatchObject({ email, pendingEmail: null })
  await logIn({ email })
  await expect(visitor.login(reader)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a link for an earlier new email dies when another is asked for, and all of them when the change is dropped', async () => {
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

test('an email that is taken cannot be asked for, nor be confirmed when it was taken meanwhile', async () => {
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

test('a link to set a password that lies in the old mailbox dies with a change of email', async () => {
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

test('a new password ends the other sessions and keeps this one', async () => {
  const reader = await aReader()
  const [here, there] = [await logIn(reader), await logIn(reader)]
  const answer = await here.as.updatePassword({ currentPassword: password, newPassword: ' new horse ' })
  expect(answer).toEqual({ message: messages.passwordUpdated })
  expect([await isAlive(here.token), await isAlive(there.token)]).toEqual([true, false])
  await expect(visitor.login(reader)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await logIn(reader, now, 'new horse')
})

test('a new password needs the right current one and must differ from it', async () => {
  const { as } = await logIn(await aReader())
  const wrong = as.updatePassword({ currentPassword: 'wrong', newPassword: 'new horse' })
  await expect(wrong).rejects.toMatchObject({ code: 'FORBIDDEN', message: messages.currentPasswordWrong })
  const same = as.updatePassword({ currentPassword: password, newPassword: ` ${password}` })
  await expect(same).rejects.toMatchObject(refused(messages.passwordUnchanged))
  const short = as.updatePassword({ currentPassword: password, newPassword: 'short' })
  await expect(short).rejects.toThrow(messages.newPasswordTooShort)
})

test('of two new passwords at once, one is set', async () => {
  const reader = await aReader()
  const { as } = await logIn(reader)
  const wanted = ['first horse', 'second horse']
  const results = await Promise.allSettled(
    wanted.map((newPassword) => as.updatePassword({ currentPassword: password, newPassword })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await logIn(reader, now, wanted[results.findIndex(({ status }) => status === 'fulfilled')])
})

test('a new password drops a change of email that somebody with the old one may have asked for', async () => {
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

test('a forgotten password can be set anew, once, and every session ends', async () => {
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
  for (const dead of [token, unused, 'x'.repeat(43)]) {
    const again = visitor.resetPassword({ token: dead, newPassword: 'newer horse' })
    await expect(again).rejects.toMatchObject(refused(messages.resetFailed))
  }
})

test('a link to set a password works for an hour', async () => {
  const reader = await aReader()
  await server.as(null, { now }).accounts.forgotPassword(reader)
  const token = await lastTokenTo(reader.email)
  const tooLate = server
    .as(null, { now: later(hour) })
    .accounts.resetPassword({ token, newPassword: 'new horse' })
  await expect(tooLate).rejects.toMatchObject(refused(messages.resetFailed))
  await server.as(null, { now: later(hour - 1) }).accounts.resetPassword({ token, newPassword: 'new horse' })
})

test('a forgotten password says the same for an unknown email and writes to nobody', async () => {
  expect(await visitor.forgotPassword({ email: 'nobody@example.org' })).toEqual({
    message: messages.resetSent,
  })
  expect(await mailsTo('nobody@example.org')).toEqual([])
})

test('setting a forgotten password does not verify the email', async () => {
  const person = fresh()
  await visitor.register(person)
  await visitor.forgotPassword(person)
  await visitor.resetPassword({ token: await lastTokenTo(person.email), newPassword: 'new horse' })
  await expect(visitor.login({ ...person, password: 'new horse' })).rejects.toMatchObject({
    message: messages.verifyFirst,
  })
})

test('a session ends with its logout, and the others stay', async () => {
  const reader = await aReader()
  const [here, there] = [await logIn(reader), await logIn(reader)]
  expect(await here.as.logout()).toEqual({ message: messages.loggedOut })
  expect([await isAlive(here.token), await isAlive(there.token)]).toEqual([false, true])
})

test('a session ends after 60 days, and what is dead is swept out at the next login', async () => {
  const reader = await aReader()
  const { token } = await logIn(reader)
  const day = 24 * hour
  expect(await isAlive(token, later(60 * day - 1))).toBe(true)
  expect(await isAlive(token, later(60 * day))).toBe(false)
  await logIn(reader, later(60 * day))
  const rows = await db.selectFrom('sessions').select('token_hash').where('user_id', '=', reader.id).execute()
  expect(rows).toHaveLength(1)
})

test('the last use of a session is noted once an hour at most', async () => {
  const { token } = await logIn(await aReader())
  const lastUse = async (at: Date) => {
    await isAlive(token, at)
    const query = db.selectFrom('sessions').select('last_used_at').where('token_hash', '=', hashToken(token))
    return (await query.executeTakeFirstOrThrow()).last_used_at
  }
  expect(await lastUse(later(hour))).toBe(now.toISOString())
  expect(await lastUse(later(hour + 1))).toBe(later(hour + 1).toISOString())
})

test('a member sees their own sessions and can end them, and nobody else’s', async () => {
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

test('what belongs to a member needs one', async () => {
  const calls = [
    visitor.me(),
    visitor.logout(),
    visitor.updateProfile({}),
    visitor.updatePassword({ currentPassword: password, newPassword: 'new horse' }),
    visitor.listSessions(),
    visitor.endSession({ id: 'x' }),
  ]
  for (const call of calls)
    await expect(call).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
})
