import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { leaveUnwatched } from '#scripts/testing/event-loop.ts'
import { consentTo } from '#scripts/testing/provider.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aServer } from '#server/testing.ts'

/** A login, a confirmation and logouts with a certified provider, which runs in this process. */
beforeEach(leaveUnwatched)
const listener = createServer()
await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
const server = await aServer({
  RATE_LIMITS: 'off',
  OIDC_REAL_ISSUER: issuer,
  OIDC_REAL_CLIENT_ID: 'medley',
  OIDC_REAL_CLIENT_SECRET: 'secret: with / signs',
  OIDC_REAL_SIGN_UP: 'on',
  OIDC_REAL_GROUPS: 'staff:moderator',
})
const { publicUrl } = server.config
const app = await buildApp(server.services, { web: noWeb })
const site = await app.listen({ port: 0, host: '127.0.0.1' })
const provider = openProvider()
listener.on('request', (request, response) => void answer(request, response))
afterAll(async () => {
  close(listener)
  await app.close()
})

function close(one: Server): void {
  one.close()
  one.closeAllConnections()
}

function openProvider() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'key' }
  return new Provider(issuer, {
    jwks: { keys: [key as never] },
    clients: [
      {
        client_id: 'medley',
        client_secret: 'secret: with / signs',
        redirect_uris: [`${publicUrl}/auth/oidc/real/callback`],
        post_logout_redirect_uris: [`${publicUrl}/login`],
        id_token_signed_response_alg: 'ES256',
        backchannel_logout_uri: `${site}/auth/oidc/real/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    cookies: { keys: ['key'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@example.com`,
        email_verified: true,
        preferred_username: accountId,
        groups: ['staff'],
      }),
    }),
    loadExistingGrant: consentTo('openid email profile groups'),
    // Its own refuses addresses of this machine.
    fetch: (url, { method, headers, body, redirect, signal }: RequestInit = {}) =>
      fetch(url, { method, headers, body, redirect, signal } as RequestInit),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  })
}

async function answer(...[request, response]: Parameters<ReturnType<Provider['callback']>>): Promise<void> {
  if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
  await provider.interactionFinished(request, response, { login: { accountId: 'ada' } })
}

function aBrowser() {
  const jar = new Map<string, string>()
  const keep = (lines: readonly string[]) => {
    for (const line of lines) {
      const [name, value] = line.split(';', 1)[0]!.split('=') as [string, string]
      jar.set(name, value)
    }
  }
  const headers = (token?: string) => ({
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    ...(token && { authorization: `Bearer ${token}` }),
  })
  /** Follows redirects between the two until a page of the site. */
  const open = async (url: string): Promise<string> => {
    const isHere = url.startsWith('/') || url.startsWith(publicUrl)
    const path = url.replace(publicUrl, '')
    if (isHere && !path.startsWith('/auth/oidc/')) return path
    const response = await fetch(isHere ? site + path : url, { redirect: 'manual', headers: headers() })
    keep(response.headers.getSetCookie())
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url} responds with ${response.status}`)
    return open(isHere ? location : new URL(location, url).href)
  }
  const post = async <Body>(url: string, payload: object, token?: string) => {
    const response = await app.inject({ method: 'POST', url, payload, headers: headers(token) })
    keep([response.headers['set-cookie'] ?? []].flat())
    return { status: response.statusCode, body: response.json<Body>() }
  }
  const logIn = async () => {
    const end = await open('/auth/oidc/real')
    expect(end).toMatch(/^\/login#oidc=/)
    const { body } = await post<Session>('/auth/oidc/login', { code: end.replace(/.*=/, '') })
    return body
  }
  return { open, post, logIn, headers }
}
type Session = { token: string; user: { id: number; username: string; role?: string } }

test('a certified provider logs a new member in, with the address and the groups of its user info', async () => {
  const { token, user } = await aBrowser().logIn()
  expect(user).toMatchObject({ username: 'ada', email: 'ada@example.com', role: 'moderator' })
  const browser = aBrowser()
  expect((await browser.logIn()).user.id).toBe(user.id)
  const { body } = await browser.post<{ url: string }>('/users/me/confirmation/providers/real', {}, token)
  const end = await browser.open(body.url)
  expect(end).toMatch(/^\/settings\?tab=account#oidc-confirm=/)
  const confirmed = await browser.post('/users/me/confirmation', { provider: end.replace(/.*=/, '') }, token)
  expect(confirmed.status).toBe(200)
})

test('a logout at a certified provider ends the session here, and a logout here leads there', async () => {
  const browser = aBrowser()
  const { token } = await browser.logIn()
  const isLoggedIn = async () =>
    (await app.inject({ url: '/users/me', headers: browser.headers(token) })).statusCode === 200
  const other = aBrowser()
  const elsewhere = await other.logIn()
  const { body } = await other.post<{ logoutUrl: string }>('/auth/logout', {}, elsewhere.token)
  expect(body.logoutUrl).toContain(`${issuer}/session/end?`)

  const page = await fetch(body.logoutUrl, { headers: browser.headers() })
  expect(page.status).toBe(200)
  const xsrf = /name="xsrf" value="(\w+)"/.exec(await page.text())![1]!
  expect(await isLoggedIn()).toBe(true)
  const done = await fetch(`${issuer}/session/end/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...browser.headers(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  expect(done.headers.get('location')).toBe(`${publicUrl}/login`)
  await expect.poll(isLoggedIn).toBe(false)
})
