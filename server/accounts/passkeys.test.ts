import { expect, test } from 'vitest'
import { anAuthenticator } from '#scripts/testing/authenticator.ts'
import { passkeysMax, signInStepMinutes } from '#shared/domain/limits.ts'
import { aMember, aServer, mailsTo } from '#server/testing.ts'
import { removeCredentials, setPassword } from './credentials-store.ts'
import { hashPassword } from './passwords.ts'
import { hashToken } from './rules.ts'

const server = await aServer({ PUBLIC_URL: 'https://medley.example.org' })
const { db } = server
const now = new Date()
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const site = { origin: 'https://medley.example.org', rpId: 'medley.example.org' }
const password = 'six-or-more'
const passwordHash = await hashPassword(password)
const visitor = (at = now) => server.as(null, { now: at }).accounts
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { reason?: string; code: string }) => error.reason ?? error.code,
  )

/** A member who has just logged in. `as` calls procedures with that session. */
async function aReader(others: Record<string, unknown> = {}) {
  const { id, username } = await aMember(db, undefined, others)
  await setPassword(db, id, passwordHash, now)
  const email = `${username}@example.org`
  const login = async () => (await visitor().login({ email, password })).token
  const asSession = (token: string, at = now) =>
    server.as({ id, username, sessionHash: hashToken(token) }, { now: at }).accounts
  const token = await login()
  return { id, username, email, login, asSession, as: (at = now) => asSession(token, at) }
}
type Reader = Awaited<ReturnType<typeof aReader>>

async function newPasskey(reader: Reader) {
  const { options } = await reader.as().newPasskeyOptions()
  const authenticator = anAuthenticator(options.user.id)
  const add = (more: object = {}) =>
    reader
      .as()
      .addPasskey({ name: 'My phone', response: authenticator.create({ ...options, ...site, ...more }) })
  return { options, authenticator, add }
}

async function withPasskey(others: Record<string, unknown> = {}) {
  const reader = await aReader(others)
  const { authenticator, add } = await newPasskey(reader)
  const { passkey } = await add()
  const challenge = async (at = now) => (await visitor(at).passkeyOptions()).options
  const logIn = async (more: object = {}, at = now) =>
    visitor(at).passkeyLogin(authenticator.get({ ...(await challenge(at)), ...site, ...more }))
  return { ...reader, authenticator, passkey, challenge, logIn }
}

test('a member adds a passkey, logs in with it alone, renames and removes it, and is told by email', async () => {
  const reader = await withPasskey()
  expect(reader.passkey).toMatchObject({ name: 'My phone', lastUsedAt: null })
  const { options } = await visitor().passkeyOptions()
  expect(options).toMatchObject({ rpId: site.rpId, userVerification: 'required' })
  // Nothing tells who has a passkey.
  expect(options).not.toHaveProperty('allowCredentials')
  const { token, user } = await reader.logIn()
  expect(user.id).toBe(reader.id)
  expect(await reader.asSession(token).signIn()).toMatchObject({
    hasPassword: true,
    passkeys: [{ ...reader.passkey, lastUsedAt: now.toISOString() }],
  })
  const { id } = reader.passkey
  expect((await reader.as().renamePasskey({ id, name: 'Old phone' })).passkey.name).toBe('Old phone')
  expect((await reader.as().removePasskey({ id })).credentialId).toBe(reader.authenticator.device.id)
  expect(await reasonOf(reader.logIn())).toBe('PASSKEY_UNKNOWN')
  expect(await reasonOf(reader.as().removePasskey({ id }))).toBe('NOT_FOUND')
  const texts = (await mailsTo(db, reader.email)).map(({ text }) => text).join()
  expect(texts).toContain('a new passkey')
  expect(texts).toContain('was removed')
})

test('a passkey replaces the second factor, and counts as one', async () => {
  const reader = await withPasskey()
  const { has_factor } = await db
    .selectFrom('users')
    .select('has_factor')
    .where('id', '=', reader.id)
    .executeTakeFirstOrThrow()
  expect(has_factor).toBe(1)
  await db
    .insertInto('credentials')
    .values({ user_id: reader.id, kind: 'totp', secret: 'A', created_at: now.toISOString() })
    .execute()
  expect(await reasonOf(visitor().login({ email: reader.email, password }))).toBe('SECOND_FACTOR_REQUIRED')
  expect(await reasonOf(reader.logIn())).toBe('done')
})

test.each([
  ['of another origin', { origin: 'https://medley.example.org.evil.example' }],
  ['of http', { origin: 'http://medley.example.org' }],
  ['of another port', { origin: 'https://medley.example.org:8443' }],
  ['of another site', { rpId: 'evil.example' }],
  ['whose device has not verified its user', { isVerified: false }],
  ['that is a registration', { type: 'webauthn.create' }],
  ['with a made-up challenge', { challenge: Buffer.alloc(56, 7).toString('base64url') }],
  ['with a short challenge', { challenge: 'AAAA' }],
])('a login %s is refused', async (_name, more) => {
  const reader = await withPasskey()
  expect(await reasonOf(reader.logIn(more))).toBe('PASSKEY_REFUSED')
  expect(await reasonOf(reader.logIn())).toBe('done')
})

test.each([
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another site', { rpId: 'evil.example' }],
  ['whose device has not verified its user', { isVerified: false }],
  ['that is a login', { type: 'webauthn.get' }],
  ['with a made-up challenge', { challenge: Buffer.alloc(56, 7).toString('base64url') }],
])('a new passkey %s is refused', async (_name, more) => {
  const reader = await aReader()
  const { add } = await newPasskey(reader)
  expect(await reasonOf(add(more))).toBe('PASSKEY_REFUSED')
  expect((await reader.as().signIn()).passkeys).toEqual([])
})

test('a challenge works once, for its time and its purpose, and a new passkey only in the session that asked', async () => {
  const reader = await withPasskey()
  const options = await reader.challenge()
  const given = reader.authenticator.get({ ...options, ...site })
  const again = reader.authenticator.get({ ...options, ...site })
  expect(await reasonOf(visitor().passkeyLogin(given))).toBe('done')
  expect(await reasonOf(visitor().passkeyLogin(again))).toBe('PASSKEY_REFUSED')
  // A replay of the same response.
  expect(await reasonOf(visitor().passkeyLogin(given))).toBe('PASSKEY_REFUSED')
  const late = reader.authenticator.get({ ...(await reader.challenge()), ...site })
  expect(await reasonOf(visitor(later(signInStepMinutes)).passkeyLogin(late))).toBe('PASSKEY_REFUSED')

  const { options: creation, authenticator } = await newPasskey(reader)
  const asLogin = reader.authenticator.get({ ...site, challenge: creation.challenge })
  expect(await reasonOf(visitor().passkeyLogin(asLogin))).toBe('PASSKEY_REFUSED')
  const input = { name: 'Stolen', response: authenticator.create({ ...creation, ...site }) }
  const elsewhere = reader.asSession(await reader.login())
  expect(await reasonOf(elsewhere.addPasskey(input))).toBe('PASSKEY_REFUSED')
  const stranger = await aReader()
  expect(await reasonOf(stranger.as().addPasskey(input))).toBe('PASSKEY_REFUSED')
  const outcomes = await Promise.all([1, 2].map(() => reasonOf(reader.as().addPasskey(input))))
  expect(outcomes.sort()).toEqual(['PASSKEY_REFUSED', 'done'])
})

test('a copy of a device is refused: its counter has not increased', async () => {
  const reader = await withPasskey()
  const { device } = reader.authenticator
  device.counter = 40
  await reader.logIn()
  for (const counter of [0, 39, 40]) {
    device.counter = counter
    expect(await reasonOf(reader.logIn()), String(counter)).toBe('PASSKEY_REFUSED')
  }
  device.counter = 41
  expect(await reasonOf(reader.logIn())).toBe('done')
})

test('a signature of another key, or for another member, is refused', async () => {
  const [reader, other] = [await withPasskey(), await withPasskey()]
  const options = await reader.challenge()
  const forged = other.authenticator.get({ ...options, ...site })
  const id = reader.authenticator.device.id
  expect(await reasonOf(visitor().passkeyLogin({ ...forged, id, rawId: id }))).toBe('PASSKEY_REFUSED')
  const own = reader.authenticator.get({ ...(await reader.challenge()), ...site })
  own.response.userHandle = forged.response.userHandle
  expect(await reasonOf(visitor().passkeyLogin(own))).toBe('PASSKEY_REFUSED')
})

test('a passkey that only works after a username is refused, and one that a member has already', async () => {
  const reader = await withPasskey()
  const hidden = await newPasskey(reader)
  hidden.authenticator.device.isDiscoverable = false
  expect(await reasonOf(hidden.add())).toBe('PASSKEY_REFUSED')
  const stranger = await aReader()
  const { options } = await stranger.as().newPasskeyOptions()
  const response = reader.authenticator.create({ ...options, ...site })
  expect(await reasonOf(stranger.as().addPasskey({ name: 'Taken', response }))).toBe('CONFLICT')
  expect((await reader.as().newPasskeyOptions()).options.excludeCredentials).toHaveLength(1)
})

test('a passkey confirms who its member is, and nobody else', async () => {
  const [reader, other] = [await withPasskey(), await withPasskey()]
  const at = later(30)
  const passkey = async ({ authenticator, challenge }: typeof reader) =>
    authenticator.get({ ...(await challenge(at)), ...site })
  expect(await reasonOf(reader.as(at).newPasskeyOptions())).toBe('CONFIRMATION_REQUIRED')
  expect(await reasonOf(reader.as(at).confirmSelf({ passkey: await passkey(other) }))).toBe('PASSKEY_REFUSED')
  expect(await reasonOf(reader.as(at).confirmSelf({ passkey: await passkey(reader) }))).toBe('done')
  expect(await reasonOf(reader.as(at).newPasskeyOptions())).toBe('done')
})

test('other members’ passkeys cannot be renamed or removed', async () => {
  const [reader, other] = [await withPasskey(), await aReader()]
  const { id } = reader.passkey
  expect(await reasonOf(other.as().renamePasskey({ id, name: 'Mine' }))).toBe('NOT_FOUND')
  expect(await reasonOf(other.as().removePasskey({ id }))).toBe('NOT_FOUND')
  expect((await reader.as().signIn()).passkeys).toEqual([reader.passkey])
})

test('one way to log in always stays: the last passkey of a member without a password', async () => {
  const reader = await withPasskey()
  await db.deleteFrom('credentials').where('user_id', '=', reader.id).where('kind', '=', 'password').execute()
  const { id } = reader.passkey
  expect(await reasonOf(reader.as().removePasskey({ id }))).toBe('LAST_WAY_IN')
  expect(await reasonOf(reader.logIn())).toBe('done')
  const { add } = await newPasskey(reader)
  await add()
  const outcomes = await Promise.all(
    (await reader.as().signIn()).passkeys.map((one) => reasonOf(reader.as().removePasskey({ id: one.id }))),
  )
  expect(outcomes.sort()).toEqual(['LAST_WAY_IN', 'done'])
})

test('an account that may not log in with its password may not with its passkey, for the same reason', async () => {
  for (const [reason, columns] of [
    ['EMAIL_UNVERIFIED', { verified_at: null }],
    ['APPROVAL_PENDING', { verified_at: null, pending_since: now.toISOString() }],
    ['PASSKEY_UNKNOWN', { closed_at: now.toISOString() }],
  ] as const) {
    const reader = await withPasskey()
    await db.updateTable('users').set(columns).where('id', '=', reader.id).execute()
    expect(await reasonOf(reader.logIn()), reason).toBe(reason)
  }
  const gone = await withPasskey()
  await removeCredentials(db, gone.id)
  expect(await reasonOf(gone.logIn())).toBe('PASSKEY_UNKNOWN')
})

test(`a member has at most ${passkeysMax} passkeys, and the demo accounts none`, async () => {
  const reader = await withPasskey()
  const row = { user_id: reader.id, kind: 'passkey' as const, created_at: now.toISOString() }
  const more = Array.from({ length: passkeysMax - 1 }, (_, at) => ({
    ...row,
    identifier: `${reader.id} ${at}`,
  }))
  await db.insertInto('credentials').values(more).execute()
  const { add } = await newPasskey(reader)
  expect(await reasonOf(add())).toBe('CONFLICT')
  const demo = await aReader({ is_demo: 1 })
  expect(await reasonOf(demo.as().newPasskeyOptions())).toBe('FORBIDDEN')
})
