import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { confirmationMinutes, loginLinkMinutes, signInStepMinutes } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { aMember, aServer, mailsTo } from '#server/testing.ts'
import type { StepRequired } from '#server/calls/errors.ts'
import { setPassword } from './credentials-store.ts'
import { newLoginLink } from './log-in.ts'
import { hashPassword } from './passwords.ts'
import { hashToken } from './rules.ts'
import { removeStale } from './sweep.ts'

/** The second factor, and the confirmation of who a member is. */
const server = await aServer()
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
/** A few steps of a code ago, because calls over HTTP are at the time of the clock. */
const now = new Date(Date.now() - 120_000)
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
const password = 'six-or-more'
const passwordHash = await hashPassword(password)
const visitor = (at = now) => server.as(null, { now: at }).accounts
const codeOf = (secret: string, at = now) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { reason?: string; code: string }) => error.reason ?? error.code,
  )
type Refused = { reason: string; ticket: string }

/** A member with a password who has just logged in. `as` calls procedures with that session. */
async function aReader(others: Record<string, unknown> = {}) {
  const { id, username } = await aMember(db, undefined, others)
  await setPassword(db, id, passwordHash, now)
  const email = `${username}@example.org`
  const { token } = await visitor().login({ email, password })
  const asSession = (session: string, at = now) =>
    server.as({ id, username, sessionHash: hashToken(session) }, { now: at }).accounts
  const as = (at = now) => asSession(token, at)
  const ticket = async (at = now) => {
    const error = await visitor(at)
      .login({ email, password })
      .catch((refused: unknown) => refused)
    expect(error).toMatchObject({ code: 'UNAUTHORIZED', reason: 'SECOND_FACTOR_REQUIRED' })
    return (error as StepRequired).next.ticket
  }
  return { id, username, email, token, as, asSession, ticket }
}

/** A member whose second factor is on since `now`, whose code was used. */
async function withFactor() {
  const reader = await aReader()
  const { secret, url } = await reader.as().startTotp()
  const { recoveryCodes } = await reader.as().confirmTotp({ code: codeOf(secret) })
  return { ...reader, secret, url, recoveryCodes }
}

test('a login with a second factor needs a code after the password, and starts one session', async () => {
  const reader = await withFactor()
  expect(reader.url).toMatch(/^otpauth:\/\/totp\/Medley:.*secret=[A-Z2-7]{32}/)
  expect(await reader.as().signIn()).toMatchObject({
    hasPassword: true,
    totp: { isOn: true, recoveryCodesLeft: 10 },
  })
  const sessions = db.selectFrom('sessions').select('token_hash').where('user_id', '=', reader.id)
  const ticket = await reader.ticket(later(30))
  expect(await sessions.execute()).toHaveLength(1)
  const code = codeOf(reader.secret, later(30))
  const { token, user } = await visitor(later(30)).secondFactor({
    ticket,
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  })
  expect(user.id).toBe(reader.id)
  expect(await sessions.execute()).toHaveLength(2)
  expect(await reader.asSession(token, later(31)).me()).toMatchObject({ user: { id: reader.id } })
})

test('the ticket of a login is in the documented body, and with its code gives the cookie of the pages', async () => {
  const { secret, ...reader } = await withFactor()
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  const refused = await post('/auth/login', { email: reader.email, password })
  expect(refused.statusCode).toBe(401)
  expect(refused.json()).toEqual({
    message: messages.factorRequired,
    code: 'UNAUTHORIZED',
    reason: 'SECOND_FACTOR_REQUIRED',
    ticket: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(refused.headers['set-cookie']).toBeUndefined()
  const { ticket } = refused.json<Refused>()
  const done = await post('/auth/second-factor', { ticket, code: codeOf(secret, new Date()) })
  expect(done.statusCode).toBe(200)
  expect(String(done.headers['set-cookie'])).toMatch(/^medley-pages=[\w-]{43}; Path=\/; HttpOnly/)
})

test('a code works once per step, in whatever call, also in two calls at the same time', async () => {
  const reader = await withFactor()
  const at = later(60)
  const code = codeOf(reader.secret, at)
  const tickets = [await reader.ticket(at), await reader.ticket(at)]
  const outcomes = await Promise.all(
    tickets.map((ticket) => reasonOf(visitor(at).secondFactor({ ticket, code }))),
  )
  expect(outcomes.sort()).toEqual(['CODE_WRONG', 'done'])
  expect(await reasonOf(reader.as(at).confirmSelf({ code }))).toBe('CODE_WRONG')
  // The code before it, whose step is over, and a code of a step that no clock has reached.
  for (const seconds of [0, 30, 120, 3_600]) {
    const other = codeOf(reader.secret, later(seconds))
    expect(await reasonOf(reader.as(at).confirmSelf({ code: other })), String(seconds)).toBe('CODE_WRONG')
  }
  // The clock of the phone is half a minute fast.
  expect(await reasonOf(reader.as(at).confirmSelf({ code: codeOf(reader.secret, later(90)) }))).toBe('done')
})

test('the code that turned the factor on is used up', async () => {
  const reader = await withFactor()
  const ticket = await reader.ticket()
  const used = { ticket, code: codeOf(reader.secret) }
  expect(await reasonOf(visitor().secondFactor(used))).toBe('CODE_WRONG')
})

test('a recovery code works once, in any notation, and only for its member', async () => {
  const [reader, other] = [await withFactor(), await withFactor()]
  const [first, second] = reader.recoveryCodes as [string, string]
  expect(new Set(reader.recoveryCodes).size).toBe(10)
  expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const rows = await db.selectFrom('credentials').selectAll().where('user_id', '=', reader.id).execute()
  expect(JSON.stringify(rows)).not.toContain(first)
  expect(await reasonOf(visitor().secondFactor({ ticket: await other.ticket(), code: first }))).toBe(
    'CODE_WRONG',
  )
  const tickets = [await reader.ticket(), await reader.ticket()]
  const typed = ` ${first.toUpperCase().replaceAll('-', ' ')}`
  const outcomes = await Promise.all(
    tickets.map((ticket) => reasonOf(visitor().secondFactor({ ticket, code: typed }))),
  )
  expect(outcomes.sort()).toEqual(['CODE_WRONG', 'done'])
  expect((await reader.as().signIn()).totp.recoveryCodesLeft).toBe(9)
  expect((await mailsTo(db, reader.email)).map(({ text }) => text).join()).toContain('recovery code')
  const { recoveryCodes } = await reader.as().renewRecoveryCodes()
  expect(await reasonOf(reader.as().confirmSelf({ code: second }))).toBe('CODE_WRONG')
  expect(await reasonOf(reader.as().confirmSelf({ code: recoveryCodes[0]! }))).toBe('done')
})

test('a ticket is of one login: not of another member, not twice, not late, not after a new password', async () => {
  const [reader, other] = [await withFactor(), await withFactor()]
  const at = later(60)
  const send = (ticket: string, secret = reader.secret, time = at) =>
    reasonOf(visitor(time).secondFactor({ ticket, code: codeOf(secret, time) }))
  expect(await send(await reader.ticket(at), other.secret)).toBe('CODE_WRONG')
  expect(await send('x'.repeat(43))).toBe('TICKET_EXPIRED')
  expect(await send(reader.token)).toBe('TICKET_EXPIRED')
  const used = await reader.ticket(at)
  expect(await send(used)).toBe('done')
  expect(await send(used, reader.secret, later(120))).toBe('TICKET_EXPIRED')
  const late = later(60 + signInStepMinutes * 60)
  expect(await send(await reader.ticket(at), reader.secret, late)).toBe('TICKET_EXPIRED')
  const before = await reader.ticket(at)
  await reader.as(at).updatePassword({ currentPassword: password, newPassword: 'another-one' })
  expect(await send(before, reader.secret, later(180))).toBe('TICKET_EXPIRED')
  await removeStale(db, server.services.features, later(24 * 3_600))
  const left = await db.selectFrom('sign_in_steps').select('key_hash').execute()
  expect(left).toEqual([])
})

test('an account that is being deleted gets no session for an earlier ticket', async () => {
  const reader = await withFactor()
  const ticket = await reader.ticket(later(60))
  await db.updateTable('users').set({ closed_at: now.toISOString() }).where('id', '=', reader.id).execute()
  const code = codeOf(reader.secret, later(60))
  expect(await reasonOf(visitor(later(60)).secondFactor({ ticket, code }))).toBe('TICKET_EXPIRED')
})

test.each([
  ['EMAIL_UNVERIFIED', { verified_at: null }],
  ['APPROVAL_PENDING', { verified_at: null, pending_since: now.toISOString() }],
])('%s is refused after the code as after the password', async (reason, columns) => {
  const reader = await withFactor()
  const ticket = await reader.ticket(later(60))
  await db.updateTable('users').set(columns).where('id', '=', reader.id).execute()
  const code = codeOf(reader.secret, later(60))
  expect(await reasonOf(visitor(later(60)).secondFactor({ ticket, code }))).toBe(reason)
  expect(await reasonOf(visitor().login({ email: reader.email, password }))).toBe(reason)
})

test('a suspended or frozen member logs in with a code as with a password', async () => {
  for (const standing of ['suspended', 'frozen'] as const) {
    const reader = await withFactor()
    const ticket = await reader.ticket(later(60))
    await db.updateTable('users').set({ standing }).where('id', '=', reader.id).execute()
    const code = codeOf(reader.secret, later(60))
    const { user } = await visitor(later(60)).secondFactor({ ticket, code })
    expect(user).toMatchObject({ standing })
  }
})

test('wrong codes are limited as wrong passwords are, for a login and a confirmation together', async () => {
  const { token, secret, ...reader } = await withFactor()
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } })
  const { ticket } = (await post('/auth/login', { email: reader.email, password })).json<Refused>()
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess++) {
    const [url, body] =
      guess % 2 === 0
        ? ['/auth/second-factor', { ticket, code: '000000' }]
        : ['/users/me/confirmation', { code: '000000' }]
    statuses.push((await post(url as string, body as object)).statusCode)
  }
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => [401, 403]).flat(), 429, 429])
  // The right code does not help either.
  const right = { ticket, code: codeOf(secret, new Date()) }
  expect((await post('/auth/second-factor', right)).statusCode).toBe(429)
})

test('only the session that has begun turns the factor on, with its own secret, once', async () => {
  const reader = await aReader()
  const { token: elsewhere } = await visitor().login({ email: reader.email, password })
  const { secret } = await reader.as().startTotp()
  const code = codeOf(secret)
  expect(await reasonOf(reader.asSession(elsewhere).confirmTotp({ code }))).toBe('BAD_REQUEST')
  expect(await reasonOf(reader.as().confirmTotp({ code: '12345' }))).toBe('CODE_WRONG')
  expect(await reasonOf(reader.as(later(signInStepMinutes * 60)).confirmTotp({ code }))).toBe('BAD_REQUEST')
  expect((await reader.as().signIn()).totp.isOn).toBe(false)
  expect(await reasonOf(reader.as().confirmTotp({ code }))).toBe('done')
  expect(await reasonOf(reader.as().confirmTotp({ code }))).toBe('BAD_REQUEST')
  expect(await reasonOf(reader.as().startTotp())).toBe('CONFLICT')
  await reader.as().removeTotp()
  expect(await reasonOf(reader.as().removeTotp())).toBe('NOT_FOUND')
  expect(await reasonOf(reader.as().renewRecoveryCodes())).toBe('CONFLICT')
  expect(await reasonOf(visitor().login({ email: reader.email, password }))).toBe('done')
  const texts = (await mailsTo(db, reader.email)).map(({ text }) => text).join()
  expect(texts).toContain('now ask for a code')
  expect(texts).toContain('no longer ask for a code')
})

test('a session that is not fresh changes no way to sign in until the member confirms who they are', async () => {
  const reader = await aReader()
  const stale = later(confirmationMinutes * 60)
  const changes = ['startTotp', 'renewRecoveryCodes', 'removeTotp'] as const
  for (const change of changes)
    expect(await reasonOf(reader.as(stale)[change]()), change).toBe('CONFIRMATION_REQUIRED')
  expect(await reasonOf(reader.as(stale).confirmSelf({}))).toBe('BAD_REQUEST')
  expect(await reasonOf(reader.as(stale).confirmSelf({ password: 'wrong' }))).toBe('PASSWORD_WRONG')
  expect(await reasonOf(reader.as(stale).confirmSelf({ code: '123456' }))).toBe('CODE_WRONG')
  expect(await reasonOf(reader.as(stale).startTotp())).toBe('CONFIRMATION_REQUIRED')
  // Another session’s confirmation does not count.
  const { token: elsewhere } = await visitor().login({ email: reader.email, password })
  await reader.asSession(elsewhere, stale).confirmSelf({ password })
  expect(await reasonOf(reader.as(stale).startTotp())).toBe('CONFIRMATION_REQUIRED')
  await reader.as(stale).confirmSelf({ password })
  expect(await reasonOf(reader.as(stale).startTotp())).toBe('done')
  const over = new Date(stale.getTime() + confirmationMinutes * 60_000)
  expect(await reasonOf(reader.as(over).startTotp())).toBe('CONFIRMATION_REQUIRED')
})

test('a session that is not fresh creates no access token until the member confirms who they are', async () => {
  const reader = await aReader()
  const stale = later(confirmationMinutes * 60)
  const create = () => reader.as(stale).createAccessToken({ name: 'Backup', scopes: ['read'] })
  expect(await reasonOf(create())).toBe('CONFIRMATION_REQUIRED')
  await reader.as(stale).confirmSelf({ password })
  expect(await reasonOf(create())).toBe('done')
})

test('a confirmed session needs no password for a new email or a deletion; a login alone is not enough', async () => {
  const reader = await withFactor()
  const email = `new.${reader.email}`
  expect(await reasonOf(reader.as().updateProfile({ email }))).toBe('BAD_REQUEST')
  await reader.as(later(60)).confirmSelf({ code: codeOf(reader.secret, later(60)) })
  expect((await reader.as(later(61)).updateProfile({ email })).user.pendingEmail).toBe(email)
  expect(await reasonOf(reader.as(later(61)).updateProfile({ email, password: 'wrong' }))).toBe(
    'PASSWORD_WRONG',
  )
})

test('everybody shares the demo accounts, so nobody changes how they sign in', async () => {
  const reader = await aReader({ is_demo: 1 })
  expect(await reasonOf(reader.as().startTotp())).toBe('FORBIDDEN')
})

test('the settings can require a factor of moderators and admins, whose access tokens are not affected', async () => {
  const { token, ...reader } = await withFactor()
  const tools = async (role: 'moderator' | 'admin', hasFactor?: boolean, scopes: string[] | null = null) => {
    const member = {
      id: reader.id,
      username: reader.username,
      role,
      scopes,
      ...(hasFactor !== undefined && { hasFactor }),
    }
    return reasonOf(server.as(member as never).moderation.list({}))
  }
  expect(await tools('moderator')).toBe('done')
  const value = { value: 'true', version: 9_000, updated_at: now.toISOString() }
  await db
    .insertInto('settings')
    .values({ key: 'staffNeedsFactor', ...value })
    .execute()
  forgetSettings(db)
  for (const role of ['moderator', 'admin'] as const) {
    expect(await tools(role)).toBe('SECOND_FACTOR_REQUIRED')
    expect(await tools(role, true)).toBe('done')
    expect(await tools(role, undefined, ['read', 'moderate'])).toBe('done')
  }
  // With a real session: the request after the factor is turned off is refused, and after it is turned on again works.
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', reader.id).execute()
  const settings = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await app.inject({ url: '/admin/settings', headers })
    return [response.statusCode, response.json<{ reason?: string }>().reason]
  }
  expect(await settings()).toEqual([200, undefined])
  await reader.as().removeTotp()
  expect(await settings()).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
  const again = await reader.as().startTotp()
  await reader.as().confirmTotp({ code: codeOf(again.secret) })
  expect(await settings()).toEqual([200, undefined])
  await db.deleteFrom('settings').where('key', '=', 'staffNeedsFactor').execute()
  forgetSettings(db)
})

test('a link of the host logs in once, for 15 minutes, without password and code, and its member is told', async () => {
  const reader = await withFactor()
  const link = async () => (await newLoginLink(db, server.config, reader.id, now)).replace(/.*#link=/, '')
  const use = (token: string, at = now) => reasonOf(visitor(at).loginByLink({ token }))
  const token = await link()
  const outcomes = await Promise.all([use(token), use(token)])
  expect(outcomes.sort()).toEqual(['TICKET_EXPIRED', 'done'])
  expect(await use(await link(), later(loginLinkMinutes * 60))).toBe('TICKET_EXPIRED')
  // A ticket of a login is no link, and a link no ticket.
  expect(await use(await reader.ticket())).toBe('TICKET_EXPIRED')
  const asTicket = { ticket: await link(), code: codeOf(reader.secret, later(60)) }
  expect(await reasonOf(visitor(later(60)).secondFactor(asTicket))).toBe('TICKET_EXPIRED')
  const before = await link()
  await reader.as().updatePassword({ currentPassword: password, newPassword: 'another-one' })
  expect(await use(before)).toBe('TICKET_EXPIRED')
  const closed = await link()
  await db.updateTable('users').set({ closed_at: now.toISOString() }).where('id', '=', reader.id).execute()
  expect(await use(closed)).toBe('TICKET_EXPIRED')
  expect((await mailsTo(db, reader.email)).map(({ text }) => text).join()).toContain(
    'with a link of the people',
  )
})
