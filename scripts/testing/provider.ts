import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT } from 'jose'
import type { Configuration } from 'oidc-provider'
import { afterAll } from 'vitest'

/** Skips the page of a certified provider that asks for consent. */
export function consentTo(scope: string): NonNullable<Configuration['loadExistingGrant']> {
  return async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client!.clientId,
      accountId: oidc.session!.accountId!,
    })
    grant.addOIDCScope(scope)
    await grant.save()
    return grant
  }
}

type Claims = Record<string, unknown>
type Handler = (request: IncomingMessage, response: ServerResponse) => void

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const alg = 'ES256'

/**
 * Issuers at paths of one address, whose responses a test chooses, for what a real provider would never send. Closed after the tests of the
 * file.
 */
export async function openIssuers() {
  const [own, foreign] = [newKey(), newKey()]
  const handlers: Record<string, Handler> = {}
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://here')
    const handler = handlers[pathname]
    if (handler) return handler(request, response)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close().closeAllConnections())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const json =
    (value: unknown, status = 200): Handler =>
    (_request, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

  async function sign(claims: Claims, { isForeign = false, typ = 'JWT' } = {}) {
    const { privateKey } = isForeign ? foreign : own
    return new SignJWT(claims).setProtectedHeader({ alg, kid: 'key', typ }).sign(privateKey)
  }

  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'key', alg, use: 'sig' }
  /** `on` replaces the response of a path. */
  function issuer(name: string) {
    const url = `${origin}/${name}`
    const on = (path: string, handler: Handler) => void (handlers[`/${name}${path}`] = handler)
    const reset = () => {
      on(
        '/.well-known/openid-configuration',
        json({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          end_session_endpoint: `${url}/end`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: [alg],
          scopes_supported: ['openid', 'groups'],
        }),
      )
      on('/jwks', json({ keys: [jwk] }))
    }
    reset()
    const seconds = () => Math.floor(Date.now() / 1_000)
    /** The next code is exchanged for an ID token with these claims. */
    async function answer(claims: Claims, header: { isForeign?: boolean } = {}) {
      const times = { iat: seconds(), exp: seconds() + 300, auth_time: seconds() }
      const idToken = await sign({ iss: url, aud: 'medley', ...times, ...claims }, header)
      on('/token', json({ access_token: 'access', token_type: 'bearer', id_token: idToken }))
    }
    async function logoutToken(claims: Claims, header: { isForeign?: boolean; typ?: string } = {}) {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const times = { iat: seconds(), exp: seconds() + 120 }
      const fixed = { iss: url, aud: 'medley', jti: randomUUID(), events }
      return sign({ ...fixed, ...times, ...claims }, { typ: 'logout+jwt', ...header })
    }
    const env = (more: Record<string, string> = {}) =>
      Object.fromEntries(
        Object.entries({ ISSUER: url, CLIENT_ID: 'medley', CLIENT_SECRET: 'client-secret', ...more }).map(
          ([suffix, value]) => [`OIDC_${name.toUpperCase()}_${suffix}`, value],
        ),
      )
    return { name, url, on, reset, answer, logoutToken, env }
  }
  return { origin, issuer, json }
}
