import { afterAll, describe, expect, test } from 'vitest'
import { openIssuers } from '#scripts/testing/provider.ts'
import { confirmationMinutes, providerCodeSeconds } from '#shared/domain/limits.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { aMember, aServer, aSignedInMember, browserKey, mailsTo } from '#server/testing.ts'
import { insertCredential, setPassword } from './credentials-store.ts'
import { newLoginLink } from './log-in.ts'
import { hashPassword } from './passwords.ts'
import { hashToken } from './rules.ts'

/** Logins with providers whose responses the test chooses. */
const issuers = await openIssuers()
const company = issuers.issuer('company')
const partner = issuers.issuer('partner')
const closed = issuers.issuer('closed')
const misled = issuers.issuer('misled')
misled.on('/.well-known/openid-configuration', issuers.json({ issuer: company.url }))
type Issuer = typeof company
const server = await aServer({
  RATE_LIMITS: 'off',
  ...company.env({ SIGN_UP: 'on', LABEL: 'The Company', GROUPS: 'staff:moderator, owners:admin' }),
  ...partner.env({ SIGN_UP: 'on', LINK: 'verified' }),
  ...closed.env(),
  OIDC_NOWHERE_ISSUER: 'http://127.0.0.1:1',
  OIDC_NOWHERE_CLIENT_ID: 'medley',
  OIDC_NOWHERE_CLIENT_SECRET: 'client-secret',
  // Its metadata are of another issuer.
  ...misled.env(),
})
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
const password = 'six-or-more'
const passwordHash = await hashPassword(password)
const now = new Date()

type Body = {
  token: string
  user: { id: number; username: string; role?: string; standing?: string }
  reason: string
  ticket: string
  url: string
  logoutUrl: string
}

let people = 0
/** What a provider says about a person whom the site does not know. */
function aPerson(more: Record<string, unknown> = {}) {
  const name = `person${++people}`
  return {
    sub: `sub-${name}`,
    email: `${name}@example.com`,
    email_verified: true,
    preferred_username: name,
    ...more,
  }
}

async function anAccount(email: string, others: Record<string, unknown> = {}) {
  const member = await aMember(db)
  const values = { email, email_folded: email.toLowerCase(), ...others }
  await db.updateTable('users').set(values).where('id', '=', member.id).execute()
  await setPassword(db, member.id, passwordHash, now)
  return member
}

/** Keeps the cookies of this site. */
function aBrowser(key?: string) {
  const jar = new Map(key === undefined ? [] : [['medley-login', key]])
  const headers = (more: Record<string, string> = {}) => ({
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    ...more,
  })
  const keep = (response: { headers: Record<string, unknown> }) => {
    for (const line of [response.headers['set-cookie'] ?? []].flat() as string[]) {
      const [name, value] = line.split(';', 1)[0]!.split('=') as [string, string]
      jar.set(name, value)
    }
  }
  const get = async (url: string) => {
    const response = await app.inject({ url, headers: headers({ accept: 'text/html' }) })
    keep(response)
    expect([url, response.statusCode, response.headers['cache-control']]).toEqual([url, 302, 'no-store'])
    return String(response.headers.location)
  }
  const call = async (method: 'POST' | 'DELETE' | 'GET', url: string, body?: object, token?: string) => {
    const response = await app.inject({
      method,
      url,
      headers: headers(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body && { payload: body }),
    })
    keep(response)
    return { status: response.statusCode, body: response.json<Body>() }
  }
  const post = (url: string, body?: object, token?: string) => call('POST', url, body, token)
  const start = async (issuer: Issuer, url = `/auth/oidc/${issuer.name}`) => {
    const { searchParams } = new URL(await get(url))
    return Object.fromEntries(searchParams) as Record<string, string>
  }
  const back = (issuer: Issuer, state: string, more = '') =>
    get(`/auth/oidc/${issuer.name}/callback?code=code&state=${state}${more}`)
  /** Goes to the provider and back. Returns the address at which it ends. */
  const visit = async (
    issuer: Issuer,
    claims: object,
    url?: string,
    header: { isForeign?: boolean } = {},
  ) => {
    const { state, nonce } = await start(issuer, url)
    await issuer.answer({ nonce, ...claims }, header)
    return back(issuer, state!)
  }
  /** Logs in as far as possible. */
  const logIn = async (issuer: Issuer, claims: object) => {
    const end = await visit(issuer, claims)
    const code = /^\/login#oidc=([\w-]{43})$/.exec(end)?.[1]
    return code ? post('/auth/oidc/login', { code }) : { status: 0, body: { reason: end } as Body }
  }
  return { jar, get, call, post, start, back, visit, logIn }
}

const rowsOf = (id: number) =>
  db.selectFrom('credentials').select(['kind', 'name']).where('user_id', '=', id).orderBy('id').execute()
const linksOf = async (id: number) => (await rowsOf(id)).filter(({ kind }) => kind === 'provider').length
const roleOf = async (id: number) =>
  (await db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirstOrThrow()).role
const failure = (reason: string) => `/login#oidc-error=${reason}`

test('a login goes to the provider with PKCE, state and nonce, and comes back as a one-time code, never as a token', async () => {
  const browser = aBrowser()
  const sent = await browser.start(company, '/auth/oidc/company?redirect=/lists%3Fsort%3Dnew')
  expect(sent).toMatchObject({
    response_type: 'code',
    client_id: 'medley',
    code_challenge_method: 'S256',
    scope: 'openid email profile groups',
    redirect_uri: `${server.config.publicUrl}/auth/oidc/company/callback`,
  })
  await company.answer({ ...aPerson({ preferred_username: 'Ada Example' }), nonce: sent.nonce })
  const end = await browser.back(company, sent.state!)
  expect(end).toMatch(/^\/login\?redirect=%2Flists%3Fsort%3Dnew#oidc=[\w-]{43}$/)
  const { status, body } = await browser.post('/auth/oidc/login', { code: end.replace(/.*=/, '') })
  expect([status, body.user.username]).toEqual([200, 'Ada_Example'])
  expect([...browser.jar.keys()].sort()).toEqual(['medley-login', 'medley-pages'])
  const again = await browser.logIn(company, aPerson({ sub: `sub-person${people}`, email: undefined }))
  expect(again.body.user.id).toBe(body.user.id)
  const signIn = await browser.call('GET', '/users/me/sign-in', undefined, body.token)
  expect(signIn.body).toMatchObject({
    hasPassword: false,
    providers: [{ name: 'company', label: 'The Company' }],
  })
})

test('the page after a login is one of this site', async () => {
  for (const target of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/%0a',
  ])
    expect(
      await aBrowser().visit(company, aPerson(), `/auth/oidc/company?redirect=${encodeURIComponent(target)}`),
    ).not.toContain('evil')
})

describe('a response of the provider is refused', () => {
  const minute = 60
  const at = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds
  test.each<[what: string, claims: () => object]>([
    ['of another issuer', () => ({ iss: partner.url })],
    ['with another nonce', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['for another client', () => ({ aud: 'another' })],
    ['for several clients without a party', () => ({ aud: ['medley', 'another'] })],
    ['that expired six minutes ago', () => ({ iat: at(-11 * minute), exp: at(-6 * minute) })],
    ['that is valid in six minutes', () => ({ nbf: at(6 * minute) })],
    ['without a subject', () => ({ sub: undefined })],
    ['with a list as its subject', () => ({ sub: ['sub'] })],
    ['with control characters in its subject', () => ({ sub: 'a\u0000b' })],
    ['with a subject of a thousand characters', () => ({ sub: 'a'.repeat(1_000) })],
  ])('%s', async (_what, claims) => {
    expect(await aBrowser().visit(company, { ...aPerson(), ...claims() })).toBe(failure('LOGIN_FAILED'))
  })

  test('that another key has signed', async () => {
    const end = await aBrowser().visit(company, aPerson(), undefined, { isForeign: true })
    expect(end).toBe(failure('LOGIN_FAILED'))
  })

  test('whose `iss` names another issuer, or that arrives at the address of another provider (issuer mix-up)', async () => {
    const browser = aBrowser()
    const { state, nonce } = await browser.start(company)
    await company.answer({ ...aPerson(), nonce })
    await partner.answer({ ...aPerson(), nonce })
    expect(await browser.back(partner, state!)).toBe(failure('LOGIN_EXPIRED'))
    const wrong = `&iss=${encodeURIComponent(partner.url)}`
    expect(await browser.back(company, state!, wrong)).toBe(failure('LOGIN_FAILED'))
  })

  test('with an unknown state, a state of another browser (login CSRF), or one that was used (replayed code)', async () => {
    const attacker = aBrowser()
    const { state, nonce } = await attacker.start(company)
    await company.answer({ ...aPerson(), nonce })
    const victim = aBrowser()
    expect(await victim.back(company, state!)).toBe(failure('LOGIN_EXPIRED'))
    await victim.start(company)
    expect(await victim.back(company, state!)).toBe(failure('LOGIN_EXPIRED'))
    expect(await attacker.back(company, 'unknown')).toBe(failure('LOGIN_EXPIRED'))
    expect(await attacker.back(company, state!)).toContain('#oidc=')
    expect(await attacker.back(company, state!)).toBe(failure('LOGIN_EXPIRED'))
  })

  test('that refuses the login', async () => {
    const browser = aBrowser()
    const { state } = await browser.start(company)
    const end = await browser.get(`/auth/oidc/company/callback?error=access_denied&state=${state}`)
    expect(end).toBe(failure('LOGIN_DENIED'))
  })

  test('that is too large, or is none, because the provider is down', async () => {
    for (const response of [issuers.json({ access_token: 'a'.repeat(300_000) }), issuers.json({}, 503)]) {
      const browser = aBrowser()
      const { state } = await browser.start(company)
      company.on('/token', response)
      expect(await browser.back(company, state!)).toBe(failure('PROVIDER_DOWN'))
    }
  })
})

test('clocks may differ by up to five minutes', async () => {
  const seconds = Math.floor(Date.now() / 1_000)
  const late = { iat: seconds - 590, exp: seconds - 290 }
  expect(await aBrowser().visit(company, { ...aPerson(), ...late })).toContain('#oidc=')
  const early = { iat: seconds + 290, nbf: seconds + 290, exp: seconds + 590 }
  expect(await aBrowser().visit(company, { ...aPerson(), ...early })).toContain('#oidc=')
})

test('two tabs of a browser can log in at the same time', async () => {
  const browser = aBrowser()
  const [first, second] = [await browser.start(company), await browser.start(partner)]
  await company.answer({ ...aPerson(), nonce: first.nonce })
  await partner.answer({ ...aPerson(), nonce: second.nonce })
  expect(await browser.back(company, first.state!)).toContain('#oidc=')
  expect(await browser.back(partner, second.state!)).toContain('#oidc=')
})

test('a code works once, for a minute, in its own browser only (fixation), and a code of one step is no ticket of another', async () => {
  const browser = aBrowser(browserKey)
  const end = await browser.visit(company, aPerson())
  const code = end.replace(/.*=/, '')
  const refused = { status: 401, body: { reason: 'TICKET_EXPIRED' } }
  expect(await aBrowser().post('/auth/oidc/login', { code })).toMatchObject(refused)
  const other = aBrowser()
  await other.start(company)
  expect(await other.post('/auth/oidc/login', { code })).toMatchObject(refused)
  expect(await browser.post('/auth/oidc/link', { ticket: code, password })).toMatchObject(refused)
  expect(await browser.post('/auth/second-factor', { ticket: code, code: '123456' })).toMatchObject(refused)
  const late = new Date(Date.now() + (providerCodeSeconds + 2) * 1_000)
  await expect(server.as(null, { now: late }).accounts.providerLogin({ code })).rejects.toMatchObject({
    reason: 'TICKET_EXPIRED',
  })
  expect((await browser.post('/auth/oidc/login', { code })).status).toBe(200)
  expect(await browser.post('/auth/oidc/login', { code })).toMatchObject(refused)
})

describe('an account with the address', () => {
  test('is linked once its password was entered, in the browser of the login, and told by mail', async () => {
    const person = aPerson()
    const { id } = await anAccount(person.email)
    const browser = aBrowser()
    const { status, body } = await browser.logIn(company, person)
    expect([status, body]).toMatchObject([
      401,
      { reason: 'LINK_REQUIRED', email: person.email, provider: 'The Company' },
    ])
    const { ticket } = body
    expect((await aBrowser().post('/auth/oidc/link', { ticket, password })).body.reason).toBe(
      'TICKET_EXPIRED',
    )
    const wrong = await browser.post('/auth/oidc/link', { ticket, password: 'wrong-one' })
    expect([wrong.status, wrong.body.reason]).toEqual([401, 'CREDENTIALS_WRONG'])
    expect(await linksOf(id)).toBe(0)
    const linked = await browser.post('/auth/oidc/link', { ticket, password })
    expect([linked.status, linked.body.user.id]).toEqual([200, id])
    expect((await mailsTo(db, person.email)).at(-1)!.text).toContain('was linked to your account')
    expect((await browser.post('/auth/oidc/link', { ticket, password })).body.reason).toBe('TICKET_EXPIRED')
    expect((await browser.logIn(company, person)).body.user.id).toBe(id)
  })

  test('with a second factor asks for it too, even if the host links verified addresses', async () => {
    const person = aPerson()
    const { id } = await anAccount(person.email)
    const totp = { user_id: id, kind: 'totp' as const, secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }
    await insertCredential(db, { ...totp, details: '{"step":0}' }, now)
    const browser = aBrowser()
    const { ticket } = (await browser.logIn(partner, person)).body
    const asked = await browser.post('/auth/oidc/link', { ticket, password })
    expect([asked.status, asked.body.reason, await linksOf(id)]).toEqual([401, 'SECOND_FACTOR_REQUIRED', 0])
    const { TOTP, Secret } = await import('otpauth')
    const code = new TOTP({ secret: Secret.fromBase32('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP') }).generate()
    const done = await browser.post('/auth/second-factor', { ticket: asked.body.ticket, code })
    expect([done.status, done.body.user.id, await linksOf(id)]).toEqual([200, id, 1])
    // The provider has its own.
    expect((await browser.logIn(partner, person)).status).toBe(200)
  })

  test('is linked at once if the host says so and both sides have verified it', async () => {
    const person = aPerson()
    const { id } = await anAccount(person.email)
    expect((await aBrowser().logIn(partner, person)).body.user.id).toBe(id)
    expect((await mailsTo(db, person.email)).at(-1)!.text).toContain('was linked to your account')
  })

  test.each([
    ['false', { email_verified: false }],
    ['missing', { email_verified: undefined }],
    ['a list', { email_verified: [true] }],
    ['of an address that is none', { email: 'no address', email_verified: true }],
    ['of a list of addresses', { email: ['a@example.com'], email_verified: true }],
  ])('is neither linked nor made if the verification is %s', async (_what, claims) => {
    const person = aPerson()
    const { id } = await anAccount(person.email)
    for (const issuer of [company, partner])
      expect(await aBrowser().visit(issuer, { ...person, ...claims })).toBe(failure('EMAIL_UNVERIFIED'))
    expect(await linksOf(id)).toBe(0)
  })

  test('is not taken over by a second provider, nor by another person of the same one', async () => {
    const person = aPerson()
    const { body } = await aBrowser().logIn(company, person)
    expect(await aBrowser().visit(partner, { ...person, sub: 'somebody' })).toBe(failure('EMAIL_TAKEN'))
    expect(await aBrowser().visit(company, { ...person, sub: 'recycled' })).toBe(failure('EMAIL_TAKEN'))
    expect(await linksOf(body.user.id)).toBe(1)
  })

  test('that nobody has verified goes with its password: a stranger may have made it (pre-hijacking)', async () => {
    const person = aPerson()
    const { id } = await anAccount(person.email, { verified_at: null })
    expect(await aBrowser().visit(closed, person)).toBe(failure('EMAIL_UNVERIFIED'))
    const { body } = await aBrowser().logIn(partner, person)
    expect(body.user.id).not.toBe(id)
    expect(await rowsOf(body.user.id)).toEqual([{ kind: 'provider', name: 'partner' }])
    const login = await aBrowser().post('/auth/login', { email: person.email, password })
    expect(login.body.reason).toBe('CREDENTIALS_WRONG')
  })

  test('that waits for approval is refused as with a password', async () => {
    const person = aPerson()
    await anAccount(person.email, { verified_at: null, pending_since: now.toISOString() })
    expect(await aBrowser().visit(company, person)).toBe(failure('APPROVAL_PENDING'))
  })
})

test.each(['suspended', 'frozen'] as const)(
  'a member who is %s may do as little as after a login with a password',
  async (standing) => {
    const person = aPerson()
    const { body } = await aBrowser().logIn(company, person)
    await db.updateTable('users').set({ standing }).where('id', '=', body.user.id).execute()
    const again = await aBrowser().logIn(company, person)
    expect(again.body.user.standing).toBe(standing)
    const written = await aBrowser().post('/lists', { title: 'Mine' }, again.body.token)
    expect(written.body.reason).toBe(`ACCOUNT_${standing.toUpperCase()}`)
  },
)

test('a deleted member is a stranger to the provider', async () => {
  const person = aPerson()
  const { body } = await aBrowser().logIn(company, person)
  await db.deleteFrom('credentials').where('user_id', '=', body.user.id).execute()
  await db
    .updateTable('users')
    .set({ closed_at: now.toISOString(), email: 'gone', email_folded: 'gone', verified_at: null })
    .where('id', '=', body.user.id)
    .execute()
  const next = await aBrowser().logIn(company, { ...person, preferred_username: 'someone.new' })
  expect(next.body.user.id).not.toBe(body.user.id)
})

describe('a new account', () => {
  test('needs a provider that may create accounts, whatever the sign-up mode of the site', async () => {
    expect(await aBrowser().visit(closed, aPerson())).toBe(failure('SIGN_UP_CLOSED'))
  })

  test('accepts the rules of the site', async () => {
    const value = JSON.stringify([{ id: 'kind', text: 'Be kind.' }])
    const row = { key: 'rules', value, version: 900, updated_at: now.toISOString() }
    await db.insertInto('settings').values(row).execute()
    forgetSettings(db)
    const browser = aBrowser()
    const { status, body } = await browser.logIn(company, aPerson())
    expect([status, body.reason]).toEqual([401, 'RULES_NOT_ACCEPTED'])
    const done = await browser.post('/auth/oidc/login', { code: body.ticket, acceptsRules: true })
    expect(done.status).toBe(200)
    await db.deleteFrom('settings').execute()
    forgetSettings(db)
  })

  test.each([
    ['admin', /^(?!admin)/],
    ['x', /./],
    ['\u202e\u0000<script>', /^script$|^person/],
    ['a'.repeat(5_000), /^a{22}$/],
    [['a', 'list'] as unknown, /^person/],
    [{ toString: 1 } as unknown, /^person/],
  ])(
    'gets a username of its own, from whatever the provider says: %j',
    async (preferred_username, expected) => {
      const { status, body } = await aBrowser().logIn(company, aPerson({ preferred_username }))
      expect([status, body.user?.username]).toEqual([200, expect.stringMatching(expected)])
    },
  )

  test('gets another username if its own, or one that looks like it, is taken', async () => {
    await aMember(db, 'taken_name')
    const { body } = await aBrowser().logIn(company, aPerson({ preferred_username: 'taken_name' }))
    expect(body.user.username).toMatch(/^taken_name\d|^person/)
  })
})

describe('groups', () => {
  test('give the highest of their roles, at each login, and take it away with the group; a role given by hand stays', async () => {
    const person = aPerson()
    const logIn = async (groups: unknown) =>
      (await aBrowser().logIn(company, { ...person, groups })).body.user
    const { id } = await logIn(['staff', 'others'])
    expect(await roleOf(id)).toBe('moderator')
    expect((await logIn(['staff', 'owners'])).role).toBe('admin')
    const admin = await aSignedInMember(db)
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
    await logIn([])
    expect(await roleOf(id)).toBe('member')
    for (const groups of ['admin', ['admin'], ['Staff'], { staff: true }, [['staff']]]) await logIn(groups)
    expect(await roleOf(id)).toBe('member')
    await server.as({ ...admin, role: 'admin' }).admin.setRole({ id, role: 'moderator' })
    await logIn(['owners'])
    await logIn([])
    expect(await roleOf(id)).toBe('moderator')
    const { entries } = await server
      .as({ ...admin, role: 'admin' })
      .admin.audit({ targetId: id, target: 'user' })
    expect(entries.map(({ after }) => (after as { role: string }).role)).toEqual(
      ['moderator', 'admin', 'member', 'moderator', 'admin', 'moderator'].reverse(),
    )
    await db.updateTable('users').set({ role: 'member' }).where('id', '=', admin.id).execute()
  })

  test('never take the role of the last admin', async () => {
    await db.updateTable('users').set({ role: 'member' }).where('role', '=', 'admin').execute()
    const person = aPerson({ groups: ['owners'] })
    const { id } = (await aBrowser().logIn(company, person)).body.user
    await aBrowser().logIn(company, { ...person, groups: [] })
    expect(await roleOf(id)).toBe('admin')
  })

  test('of a provider without GROUPS give nothing, and unlinking takes away what groups gave', async () => {
    const staff = aPerson({ groups: ['owners', 'staff'] })
    expect((await aBrowser().logIn(partner, staff)).body.user.role).toBeUndefined()
    const person = aPerson({ groups: ['staff'] })
    const browser = aBrowser()
    const { token, user } = (await browser.logIn(company, person)).body
    await setPassword(db, user.id, passwordHash, now)
    const { status } = await browser.call('DELETE', '/users/me/providers/company', undefined, token)
    expect([status, await roleOf(user.id)]).toEqual([200, 'member'])
  })
})

describe('in the settings', () => {
  /** A member who logged in a moment ago. */
  async function aReader() {
    const email = `reader${++people}@example.org`
    const { id } = await anAccount(email)
    const browser = aBrowser()
    const { token } = (await browser.post('/auth/login', { email, password })).body
    return { id, email, token: token as string, browser }
  }

  test('a member links and unlinks a provider, and is told each time', async () => {
    const { id, email, token, browser } = await aReader()
    const { url } = (await browser.post('/users/me/providers/company', {}, token)).body
    expect(url).toMatch(/^\/auth\/oidc\/company\?step=[\w-]{43}$/)
    // The address at the provider does not matter.
    const person = aPerson({ email_verified: false })
    expect(await browser.visit(company, person, url)).toBe('/settings?tab=account#linked=company')
    expect(await linksOf(id)).toBe(1)
    expect(await browser.get(url)).toBe(failure('LOGIN_EXPIRED'))
    const done = await browser.call('DELETE', '/users/me/providers/company', undefined, token)
    expect([done.status, await linksOf(id)]).toEqual([200, 0])
    expect((await browser.call('DELETE', '/users/me/providers/company', undefined, token)).status).toBe(404)
    expect((await mailsTo(db, email)).map(({ text }) => /was linked|was removed/.exec(text)?.[0])).toEqual([
      'was linked',
      'was removed',
    ])
  })

  test('the last way in stays', async () => {
    const browser = aBrowser()
    const { token } = (await browser.logIn(company, aPerson())).body
    const { status, body } = await browser.call('DELETE', '/users/me/providers/company', undefined, token)
    expect([status, body.reason]).toEqual([409, 'LAST_WAY_IN'])
  })

  test('a link begun by somebody else, or of a session that has ended, links nothing', async () => {
    const attacker = await aReader()
    const { url } = (await attacker.browser.post('/users/me/providers/company', {}, attacker.token)).body
    const victim = aBrowser()
    expect(await victim.get(url)).toBe(failure('LOGIN_EXPIRED'))
    const { state, nonce } = await attacker.browser.start(company, url)
    await company.answer({ ...aPerson(), nonce })
    expect(await victim.back(company, state!)).toBe(failure('LOGIN_EXPIRED'))
    await attacker.browser.post('/auth/logout', {}, attacker.token)
    expect(await attacker.browser.back(company, state!)).toBe(
      '/settings?tab=account#oidc-error=LOGIN_EXPIRED',
    )
    expect(await linksOf(attacker.id)).toBe(0)
  })

  test('a login that belongs to another member, or a second one of the same provider, is not linked', async () => {
    const person = aPerson()
    await aBrowser().logIn(company, person)
    const { id, token, browser } = await aReader()
    const link = async (claims: object) => {
      const { url } = (await browser.post('/users/me/providers/company', {}, token)).body
      return browser.visit(company, claims, url)
    }
    expect(await link(person)).toBe('/settings?tab=account#oidc-error=LINKED_TO_ANOTHER')
    await link(aPerson())
    expect(await link(aPerson())).toBe('/settings?tab=account#oidc-error=LINKED_ALREADY')
    expect(await linksOf(id)).toBe(1)
  })

  test('a new login at a linked provider confirms the session that asked for it, and only a new one of the same person', async () => {
    const person = aPerson()
    const browser = aBrowser()
    const { token, user } = (await browser.logIn(company, person)).body
    const long = new Date(Date.now() - (confirmationMinutes + 1) * 60_000).toISOString()
    await db.updateTable('sessions').set({ created_at: long }).where('user_id', '=', user.id).execute()
    const begin = async () =>
      (await browser.post('/users/me/confirmation/providers/company', { redirect: '/settings' }, token)).body
        .url
    expect((await browser.post('/users/me/providers/partner', {}, token)).body.reason).toBe(
      'CONFIRMATION_REQUIRED',
    )
    expect((await browser.post('/users/me/confirmation/providers/partner', {}, token)).status).toBe(404)
    expect(await browser.visit(company, aPerson(), await begin())).toBe('/settings#oidc-error=WRONG_ACCOUNT')
    const old = { auth_time: Math.floor(Date.now() / 1_000) - 600 }
    expect(await browser.visit(company, { ...person, ...old }, await begin())).toBe(
      '/settings#oidc-error=LOGIN_FAILED',
    )
    const none = { auth_time: undefined }
    expect(await browser.visit(company, { ...person, ...none }, await begin())).toBe(
      '/settings#oidc-error=LOGIN_FAILED',
    )

    const login = (await browser.visit(company, person)).replace(/.*=/, '')
    expect((await browser.post('/users/me/confirmation', { provider: login }, token)).body.reason).toBe(
      'PROVIDER_REFUSED',
    )
    const code = (await browser.visit(company, person, await begin())).replace(
      /^\/settings#oidc-confirm=/,
      '',
    )
    expect((await browser.post('/auth/oidc/login', { code })).body.reason).toBe('TICKET_EXPIRED')
    const other = (await aBrowser().logIn(company, person)).body.token
    expect((await browser.post('/users/me/confirmation', { provider: code }, other)).body.reason).toBe(
      'PROVIDER_REFUSED',
    )
    expect((await browser.post('/users/me/confirmation', { provider: code }, token)).status).toBe(200)
    expect((await browser.post('/users/me/confirmation', { provider: code }, token)).status).toBe(403)
    expect((await browser.post('/users/me/providers/partner', {}, token)).status).toBe(200)
  })
})

describe('with OIDC_ONLY', () => {
  const only = { services: { config: { ...server.config, oidcOnly: true } } }
  test.each<[name: string, call: (accounts: ReturnType<typeof server.as>['accounts']) => Promise<unknown>]>([
    ['a login', (calls) => calls.login({ email: 'a@example.com', password })],
    ['a registration', (calls) => calls.register({ username: 'somebody', email: 'a@example.com', password })],
    ['a forgotten password', (calls) => calls.forgotPassword({ email: 'a@example.com' })],
    ['a reset password', (calls) => calls.resetPassword({ token: 'a', newPassword: password })],
    [
      'a new password',
      (calls) => calls.updatePassword({ currentPassword: password, newPassword: 'another-one' }),
    ],
  ])('%s is refused', async (_name, call) => {
    const member = await aSignedInMember(db)
    await expect(call(server.as(member, only).accounts)).rejects.toMatchObject({ reason: 'PASSWORDS_OFF' })
  })

  test('a password is hidden, and is no way in, but links an account once and confirms who a member is; a login link of the host still works', async () => {
    expect((await server.as(null, only).accounts.providers()).passwordLogin).toBe(false)
    const person = aPerson()
    const { id } = await anAccount(person.email)
    const browser = aBrowser(browserKey)
    const { ticket } = (await browser.logIn(company, person)).body
    const { token } = await server.as(null, only).accounts.providerLink({ ticket, password })
    const session = { id, username: '', sessionHash: hashToken(token) }
    const { message } = await server.as(session, only).accounts.confirmSelf({ password })
    expect(message).not.toBe('')
    await expect(server.as(session, only).accounts.unlinkProvider({ name: 'company' })).rejects.toMatchObject(
      {
        reason: 'LAST_WAY_IN',
      },
    )
    const link = await newLoginLink(db, server.config, id, new Date())
    const calls = server.as(null, only).accounts
    expect((await calls.loginByLink({ token: link.replace(/.*=/, '') })).user.id).toBe(id)
  })
})

test('a provider that is down is no obstacle to a start and to other logins, and its own logins say so', async () => {
  const { email } = aPerson()
  await anAccount(email)
  const browser = aBrowser()
  expect(await browser.get('/auth/oidc/nowhere')).toBe(failure('PROVIDER_DOWN'))
  expect(await browser.get('/auth/oidc/misled')).toBe(failure('PROVIDER_DOWN'))
  expect(await browser.get('/auth/oidc/unknown')).toBe(failure('LOGIN_EXPIRED'))
  expect((await browser.post('/auth/login', { email, password })).status).toBe(200)
  expect(await browser.visit(company, aPerson())).toContain('#oidc=')
})

describe('a logout', () => {
  const logOutAt = async (issuer: Issuer, token: string, name = issuer.name) => {
    const payload = new URLSearchParams({ logout_token: token }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await app.inject({ method: 'POST', url: `/auth/oidc/${name}/logout`, headers, payload }))
      .statusCode
  }
  const isLoggedIn = async (token: string) =>
    (await aBrowser().call('GET', '/users/me', undefined, token)).status === 200

  test('here leads to the one of the provider, if the session began there', async () => {
    const browser = aBrowser()
    const { token } = (await browser.logIn(company, aPerson())).body
    const { body } = await browser.post('/auth/logout', {}, token)
    const { origin, pathname, searchParams } = new URL(body.logoutUrl)
    expect(origin + pathname).toBe(`${company.url}/end`)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'medley',
      post_logout_redirect_uri: `${server.config.publicUrl}/login`,
    })
    const member = await aSignedInMember(db)
    expect((await browser.post('/auth/logout', {}, member.token)).body).not.toHaveProperty('logoutUrl')
  })

  test('of the provider ends the sessions of its login or of all logins of the person, with their pages, and no others', async () => {
    const person = aPerson()
    const logIn = async (sid: string) =>
      (await aBrowser().logIn(company, { ...person, sid })).body.token as string
    const [first, second] = [await logIn('first'), await logIn('second')]
    const another = (await aBrowser().logIn(company, aPerson({ sid: 'third' }))).body.token
    expect(await logOutAt(company, await company.logoutToken({ sid: 'first' }))).toBe(200)
    expect([await isLoggedIn(first), await isLoggedIn(second)]).toEqual([false, true])
    expect(await logOutAt(company, await company.logoutToken({ sub: person.sub }))).toBe(200)
    expect([await isLoggedIn(second), await isLoggedIn(another)]).toEqual([false, true])
    expect(await logOutAt(company, await company.logoutToken({ sub: 'somebody else' }))).toBe(200)
    expect(await isLoggedIn(another)).toBe(true)
  })

  const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1_000) - minutes * 60
  test.each<[what: string, claims: object, header?: { isForeign?: boolean; typ?: string }]>([
    ['forged with another key', {}, { isForeign: true }],
    ['of a foreign issuer', { iss: partner.url }],
    ['for a foreign client', { aud: 'another' }],
    ['of another type', {}, { typ: 'at+jwt' }],
    ['without its event', { events: {} }],
    [
      'with an event that is no object',
      { events: { 'http://schemas.openid.net/event/backchannel-logout': true } },
    ],
    ['with a nonce, as an ID token has', { nonce: 'nonce' }],
    ['without an id', { jti: undefined }],
    ['that is eleven minutes old', { iat: minutesAgo(11), exp: minutesAgo(-5) }],
    ['that expired', { exp: minutesAgo(6) }],
    ['without subject and session', { sub: undefined }],
    ['with a list as its subject', { sub: ['a'] }],
  ])('is refused with a token %s', async (_what, claims, header) => {
    const person = aPerson()
    const { token } = (await aBrowser().logIn(company, person)).body
    const given = await company.logoutToken({ sub: person.sub, ...claims }, header)
    expect([await logOutAt(company, given), await isLoggedIn(token)]).toEqual([400, true])
  })

  test('is refused with a replayed token, at another provider, without a token, and with garbage', async () => {
    const person = aPerson()
    const given = await company.logoutToken({ sub: person.sub })
    expect(await logOutAt(company, given, 'partner')).toBe(400)
    expect(await logOutAt(company, given, 'nobody')).toBe(400)
    expect(await logOutAt(company, given)).toBe(200)
    const { token } = (await aBrowser().logIn(company, person)).body
    expect([await logOutAt(company, given), await isLoggedIn(token)]).toEqual([400, true])
    for (const garbage of ['', 'a.b.c', 'a'.repeat(25_000)])
      expect(await logOutAt(company, garbage)).toBe(400)
  })
})
