import { features } from '#server/router.ts'
import { expect, onTestFinished, test } from 'vitest'
import { accessTokensMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Role } from '#shared/domain/roles.ts'
import { type Scope, scopeNames, scopeRoles } from '#shared/domain/scopes.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aMember, aServer, mailsTo } from '#server/testing.ts'
import { setPassword } from './credentials-store.ts'
import { hashPassword } from './passwords.ts'
import { hashToken, newAccessToken, newToken, sessionEnd } from './rules.ts'
import { openSessions } from './sessions.ts'
import { insertMailToken } from './mail-store.ts'
import { findMemberByAccessToken, insertSession } from './sessions-store.ts'
import { removeStale } from './sweep.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const now = new Date('2026-05-01T12:00:00.000Z')
const minute = 60_000
const day = 24 * 60 * minute
const later = (ms: number) => new Date(now.getTime() + ms)
const password = 'correct horse'
const passwordHash = await hashPassword(password)

/** A member with a session. `as` calls procedures with it. */
async function aReader(at = now) {
  const { id, username } = await aMember(db)
  await setPassword(db, id, passwordHash, at)
  const session = newToken()
  const tokenHash = hashToken(session)
  const started = { tokenHash, userId: id, userAgent: null, expiresAt: sessionEnd(at) }
  await insertSession(db, started, at)
  const as = (time = at, role: Role = 'member') =>
    server.as({ id, username, sessionHash: tokenHash, scopes: null, role }, { now: time }).accounts
  return { id, username, session, as }
}
const given = (more: object = {}) => ({ name: 'Backup', scopes: ['read'] as Scope[], ...more })
const isLive = async (secret: string, at = now) =>
  (await findMemberByAccessToken(db, hashToken(secret), at)) !== undefined

test('a token is created with its secret, which the database stores as a hash only', async () => {
  const reader = await aReader()
  const { token, secret } = await reader.as().createAccessToken({
    name: '  Backup\nscript ',
    scopes: ['diary:write', 'read', 'read'],
    expiresAt: '2026-06-01T02:00:00+02:00',
  })
  expect(secret).toMatch(/^mdl_[\w-]{43}$/)
  expect(token).toEqual({
    id: expect.any(Number),
    name: 'Backup script',
    scopes: ['read', 'diary:write'],
    createdAt: now.toISOString(),
    expiresAt: '2026-06-01T00:00:00.000Z',
    lastUsedAt: null,
  })
  expect(await reader.as().listAccessTokens()).toEqual({ tokens: [token] })
  const row = await db.selectFrom('api_tokens').selectAll().where('id', '=', token.id).executeTakeFirst()
  expect(row?.token_hash).toBe(hashToken(secret))
  expect(JSON.stringify(row)).not.toContain(secret.slice(4))
})

test('a token identifies its member and scopes until it expires, and shows when it was last used', async () => {
  const reader = await aReader()
  const expiresAt = later(day).toISOString()
  const { token, secret } = await reader.as().createAccessToken(given({ expiresAt }))
  const find = openSessions(db)
  const expected = { id: reader.id, username: reader.username, scopes: ['read'] }
  expect(await find(secret, later(minute))).toMatchObject(expected)
  const lastUsed = async () => (await reader.as().listAccessTokens()).tokens[0]?.lastUsedAt
  expect(await lastUsed()).toBe(later(minute).toISOString())
  // Accurate to five minutes, so that reads with a token are rarely writes.
  expect(await find(secret, later(5 * minute))).toMatchObject(expected)
  expect(await lastUsed()).toBe(later(minute).toISOString())
  expect(await find(secret, later(6 * minute + 1))).toMatchObject(expected)
  expect(await lastUsed()).toBe(later(6 * minute + 1).toISOString())
  // The first call records the use of the token; the second keeps the token in memory.
  for (let call = 0; call < 2; call++) expect(await find(secret, later(day - 1))).toMatchObject(expected)
  for (const ms of [day, 2 * day]) expect(await find(secret, later(ms))).toBeNull()
  expect((await reader.as(later(day)).listAccessTokens()).tokens).toMatchObject([{ id: token.id }])
  await removeStale(db, features, later(30 * day))
  expect((await reader.as().listAccessTokens()).tokens).toHaveLength(1)
  await removeStale(db, features, later(31 * day))
  expect(await reader.as().listAccessTokens()).toEqual({ tokens: [] })
})

test('a revoked token is invalid for the next request, over HTTP too', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  onTestFinished(() => app.close())
  const reader = await aReader(new Date())
  const { token, secret } = await reader.as().createAccessToken(given())
  const headers = { authorization: `Bearer ${secret}` }
  const me = () => app.inject({ url: '/users/me', headers })
  expect((await me()).json().user.id).toBe(reader.id)
  expect((await me()).statusCode).toBe(200)
  const revoked = await app.inject({
    method: 'DELETE',
    url: `/users/me/tokens/${token.id}`,
    headers: { authorization: `Bearer ${reader.session}` },
  })
  expect(revoked.json()).toEqual({ message: messages.tokenRevoked })
  const response = await me()
  expect(response.statusCode).toBe(401)
  expect(response.headers['www-authenticate']).toBe('Bearer realm="Medley", error="invalid_token"')
  expect((await app.inject('/users/me')).headers['www-authenticate']).toBe('Bearer realm="Medley"')
  await expect(reader.as().revokeAccessToken({ id: token.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a failed login does not report the token of its request as invalid', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  onTestFinished(() => app.close())
  const reader = await aReader(new Date())
  const response = await app.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { authorization: `Bearer ${reader.session}` },
    payload: { email: `${reader.username}@example.org`, password: 'not it at all' },
  })
  expect(response.statusCode).toBe(401)
  expect(response.headers['www-authenticate']).toBe('Bearer realm="Medley"')
})

test('a token is only found by its complete secret', async () => {
  const reader = await aReader()
  const { secret } = await reader.as().createAccessToken(given())
  const find = openSessions(db)
  for (const wrong of [
    secret.slice(4),
    secret.slice(0, -1),
    `${secret}x`,
    secret.toUpperCase(),
    secret.replace('mdl_', 'mdl-'),
    hashToken(secret),
    newAccessToken(),
    'mdl_',
  ])
    expect(await find(wrong, now), wrong).toBeNull()
  expect(await find(reader.session, now)).toMatchObject({ id: reader.id, scopes: null })
})

test('a session whose token starts like an access token is a session', async () => {
  const { id } = await aMember(db)
  const session = `mdl_${newToken().slice(4)}`
  await insertSession(
    db,
    {
      tokenHash: hashToken(session),
      userId: id,
      userAgent: null,
      expiresAt: sessionEnd(now),
    },
    now,
  )
  expect(await openSessions(db)(session, now)).toMatchObject({ id, scopes: null })
})

test('a new password revokes all tokens, whether it is changed or reset', async () => {
  const reader = await aReader()
  const other = await aReader()
  const ofOther = (await other.as().createAccessToken(given())).secret
  const { secret } = await reader.as().createAccessToken(given())
  await reader.as().updatePassword({ currentPassword: password, newPassword: 'another horse' })
  expect(await isLive(secret)).toBe(false)
  const next = (await reader.as().createAccessToken(given())).secret
  const token = newToken()
  await insertMailToken(db, {
    tokenHash: hashToken(token),
    userId: reader.id,
    purpose: 'reset',
    expiresAt: later(minute),
  })
  await server.as(null, { now }).accounts.resetPassword({ token, newPassword: 'a third horse' })
  expect(await isLive(next)).toBe(false)
  expect(await isLive(ofOther)).toBe(true)
  // The session ended with the reset: a call that began before creates no token.
  await expect(reader.as().createAccessToken(given())).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a profile update is refused if its token was revoked in the meantime', async () => {
  const reader = await aReader()
  const { token, secret } = await reader.as().createAccessToken(given({ scopes: ['account'] }))
  const member = { id: reader.id, username: reader.username, sessionHash: hashToken(secret) }
  const byToken = server.as({ ...member, scopes: ['account'] }, { now }).accounts
  expect((await byToken.updateProfile({ username: `${reader.username}.b` })).user.id).toBe(reader.id)
  await reader.as().revokeAccessToken({ id: token.id })
  await expect(byToken.updateProfile({ username: 'too.late' })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
})

test('the owner is notified of new tokens by emails without their names, at most five an hour', async () => {
  const reader = await aReader()
  const bait = 'Call 555 now'
  for (let index = 0; index < 7; index++)
    await reader.as(later(index * minute)).createAccessToken(given({ name: bait }))
  const mails = await mailsTo(db, `${reader.username}@example.org`)
  // The sixth joins those that wait until the hour has passed.
  expect(mails).toHaveLength(6)
  expect(mails[0]!.text).toContain(`${server.config.publicUrl}/settings?tab=account`)
  expect(JSON.stringify(mails)).not.toContain(bait)
})

test('a member has at most 50 tokens, even if they are created concurrently', async () => {
  const reader = await aReader()
  for (let index = 2; index < accessTokensMax; index++) await reader.as().createAccessToken(given())
  const attempts = Array.from({ length: 4 }, () => reader.as().createAccessToken(given()))
  const results = await Promise.allSettled(attempts)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const refused = results.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { code: 'CONFLICT', message: messages.tooManyTokens } })
  const { tokens } = await reader.as().listAccessTokens()
  expect(tokens).toHaveLength(accessTokensMax)
  await reader.as().revokeAccessToken({ id: tokens[0]!.id })
  await reader.as().createAccessToken(given())
})

test.each([
  ['no name', { name: '' }],
  ['an invisible name', { name: '\u200b \u2060' }],
  ['a name that is too long', { name: 'x'.repeat(101) }],
  ['a name that is slow to normalize', { name: `a${'\u0301'.repeat(50_000)}` }],
  ['no scope', { scopes: [] }],
  ['an unknown scope', { scopes: ['owner'] }],
  ['the scope of sessions', { scopes: ['session'] }],
  ['two scopes in one', { scopes: ['read account'] }],
  ['more scopes than there are', { scopes: Array.from({ length: scopeNames.length + 1 }, () => 'read') }],
  ['a time in the past', { expiresAt: now.toISOString() }],
  ['a time in six years', { expiresAt: '2032-05-01T12:00:00.000Z' }],
  ['a moment beyond five years', { expiresAt: '2031-05-01T12:00:00.001Z' }],
  ['a date', { expiresAt: '2026-06-01' }],
  ['a time without a zone', { expiresAt: '2026-06-01T12:00:00' }],
  ['an impossible day', { expiresAt: '2027-02-30T12:00:00.000Z' }],
  ['a time that is too precise', { expiresAt: `2026-06-01T12:00:00.${'0'.repeat(50)}Z` }],
])('%s is refused', async (_, wrong) => {
  const reader = await aReader()
  await expect(reader.as().createAccessToken(given(wrong) as never)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  expect(await reader.as().listAccessTokens()).toEqual({ tokens: [] })
})

test.each([
  '<img src=x onerror=alert(1)>',
  '"; drop table api_tokens; --',
  'mdl_',
  '🧾'.repeat(50),
  'İß\u0301',
])('the name %s is stored as it is', async (name) => {
  const reader = await aReader()
  const { token } = await reader.as().createAccessToken(given({ name }))
  expect(token.name).toBe(name.normalize('NFC'))
})

test('all scopes and five years are allowed', async () => {
  const reader = await aReader()
  const expiresAt = '2031-05-01T12:00:00.000Z'
  const scopes = scopeNames.filter((scope) => !(scope in scopeRoles))
  const { token } = await reader.as().createAccessToken(given({ scopes, expiresAt }))
  expect(token).toMatchObject({ scopes, expiresAt })
})

test('a token has the scope of a role only while its owner has the role', async () => {
  const reader = await aReader()
  const setRole = (role: Role) => db.updateTable('users').set({ role }).where('id', '=', reader.id).execute()
  const create = (role: Role, scopes: Scope[]) => reader.as(now, role).createAccessToken(given({ scopes }))
  await expect(create('member', ['moderate'])).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(create('moderator', ['admin'])).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await setRole('admin')
  const { secret } = await create('admin', ['read', 'moderate', 'admin'])
  const scopesNow = async () => (await findMemberByAccessToken(db, hashToken(secret), now))?.member.scopes
  expect(await scopesNow()).toEqual(['read', 'moderate', 'admin'])
  await setRole('moderator')
  expect(await scopesNow()).toEqual(['read', 'moderate'])
  await setRole('member')
  expect(await scopesNow()).toEqual(['read'])
})
