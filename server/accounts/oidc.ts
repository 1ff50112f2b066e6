import type * as Jose from 'jose'
import type * as OpenIdClient from 'openid-client'
import type { FastifyBaseLogger } from 'fastify'
import type { ProviderFailure } from '#shared/domain/provider-failures.ts'
import type { Config } from '#server/config.ts'
import { openOutgoing } from '#server/process/outgoing.ts'
import type { Issuer } from '#server/text/issuers.ts'
import { type Identity, identityKey, identityOf } from './identity.ts'

/** The protocol, without accounts: openid-client and jose check what providers send. */

const timeoutMs = 5_000
/** Of metadata, keys, tokens and claims. */
const responseBytesMax = 256 * 1024
const metadataMs = 60 * 60_000
/** So that a provider that is down is not asked for every login. */
const failureMs = 5_000
const clockToleranceSeconds = 5 * 60
const tokenMax = 20_000

export class ProviderError extends Error {
  readonly failure: ProviderFailure
  constructor(failure: ProviderFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** What the browser brings back is compared with it. */
type Flow = { state: string; nonce: string; verifier: string; isFresh: boolean }

type Discovered = { lib: typeof OpenIdClient; client: OpenIdClient.Configuration }
type Fetch = (url: string, options: object) => Promise<Response>
type Keys = ReturnType<typeof Jose.createRemoteJWKSet>
type Known = { discovered: Promise<Discovered>; until: number; keys?: Keys }

const known = new WeakMap<Issuer, Known>()

/** The metadata of the issuer. The first call and one each hour ask the provider. Throws PROVIDER_DOWN. */
async function discover(config: Pick<Config, 'proxy'>, issuer: Issuer): Promise<Known> {
  const kept = known.get(issuer)
  if (kept && kept.until > performance.now()) return kept
  const fresh: Known = { discovered: load(config, issuer), until: performance.now() + metadataMs }
  known.set(issuer, fresh)
  fresh.discovered.catch(() => {
    fresh.until = performance.now() + failureMs
  })
  return fresh
}

async function load(
  config: Pick<Config, 'proxy'>,
  { url, clientId, clientSecret }: Issuer,
): Promise<Discovered> {
  const lib = await import('openid-client')
  const authenticate: OpenIdClient.ClientAuth = (server, ...others) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isPosted = methods?.includes('client_secret_basic') === false
    return (isPosted ? lib.ClientSecretPost : lib.ClientSecretBasic)(clientSecret)(server, ...others)
  }
  try {
    const client = await lib.discovery(
      new URL(url),
      clientId,
      { [lib.clockTolerance]: clockToleranceSeconds },
      authenticate,
      {
        [lib.customFetch]: boundedFetch(config) as OpenIdClient.CustomFetch,
        timeout: timeoutMs / 1_000,
        // The signature of the ID token is checked although it comes from the provider directly.
        execute: [
          lib.enableNonRepudiationChecks,
          ...(url.startsWith('http:') ? [lib.allowInsecureRequests] : []),
        ],
      },
    )
    return { lib, client }
  } catch (error) {
    throw new ProviderError('PROVIDER_DOWN', describe(error))
  }
}

/** Limits the size and the time of responses. Does not follow redirects. */
function boundedFetch({ proxy }: Pick<Config, 'proxy'>): Fetch {
  const dispatcher = openOutgoing(proxy)
  return async (url, options) => {
    const { fetch } = await import('undici')
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = { ...options, redirect: 'manual', signal, dispatcher: await dispatcher } as const
    try {
      const { status, headers, body } = await fetch(url, sent)
      const chunks: Uint8Array[] = []
      let bytes = 0
      for await (const chunk of body ?? []) {
        bytes += (chunk as Uint8Array).length
        if (bytes > responseBytesMax) throw new Error('the response is too large')
        chunks.push(chunk as Uint8Array)
      }
      if (status >= 500 || status === 429) throw new Error(`the provider responds with the status ${status}`)
      const isEmpty = status === 204 || status === 304
      return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: [...headers] })
    } catch (error) {
      throw new ProviderError('PROVIDER_DOWN', describe(error))
    }
  }
}

/** Returns the address at the provider. `isFresh` asks for a new login there. Throws PROVIDER_DOWN. */
export async function authorizationUrl(
  config: Pick<Config, 'proxy' | 'publicUrl'>,
  issuer: Issuer,
  { state, nonce, verifier, isFresh }: Flow,
): Promise<string> {
  const { lib, client } = await (await discover(config, issuer)).discovered
  const hasGroups = issuer.groups.length > 0 && client.serverMetadata().scopes_supported?.includes('groups')
  const url = lib.buildAuthorizationUrl(client, {
    redirect_uri: callbackUrl(config, issuer),
    scope: `openid email profile${hasGroups ? ' groups' : ''}`,
    state,
    nonce,
    code_challenge: await lib.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { prompt: 'login', max_age: '0' }),
  })
  return url.href
}

export function callbackUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { name }: Pick<Issuer, 'name'>,
): string {
  return `${publicUrl}/auth/oidc/${name}/callback`
}

/** Exchanges the code of the callback with this query. Throws ProviderError. */
export async function redeem(
  config: Pick<Config, 'proxy' | 'publicUrl'>,
  issuer: Issuer,
  query: string,
  { state, nonce, verifier, isFresh }: Flow,
): Promise<Identity> {
  const { lib, client } = await (await discover(config, issuer)).discovered
  try {
    const url = new URL(`${callbackUrl(config, issuer)}?${query}`)
    const tokens = await lib.authorizationCodeGrant(client, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(isFresh && { maxAge: 0 }),
    })
    const claims: Record<string, unknown> = { ...tokens.claims() }
    const isPartial =
      claims['email'] === undefined || (issuer.groups.length > 0 && claims['groups'] === undefined)
    const more =
      isPartial && client.serverMetadata().userinfo_endpoint
        ? await lib.fetchUserInfo(client, tokens.access_token, String(claims['sub']))
        : {}
    const identity = identityOf(issuer, { ...more, ...claims })
    if (!identity) throw new ProviderError('LOGIN_FAILED', 'the subject is not valid')
    return identity
  } catch (error) {
    throw toProviderError(error)
  }
}

function toProviderError(error: unknown): ProviderError {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderError) return cause
  const { code, error: named } = error as { code?: string; error?: string }
  const text = describe(error)
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    const isDown = named === 'server_error' || named === 'temporarily_unavailable'
    return new ProviderError(isDown ? 'PROVIDER_DOWN' : 'LOGIN_DENIED', text)
  }
  return new ProviderError(named === 'invalid_grant' ? 'LOGIN_EXPIRED' : 'LOGIN_FAILED', text)
}

/** Leaves out the claims and tokens that errors of the libraries have in their cause. */
function describe(error: unknown): string {
  const { code, error: named, message } = error as { code?: string; error?: string; message?: string }
  return [message, code, typeof named === 'string' ? named.slice(0, 100) : undefined]
    .filter(Boolean)
    .join(' ')
}

/** Undefined if the provider has no such page, or does not respond. */
export async function endSessionUrl(
  config: Pick<Config, 'proxy' | 'publicUrl'>,
  issuer: Issuer,
): Promise<string | undefined> {
  try {
    const { lib, client } = await (await discover(config, issuer)).discovered
    if (!client.serverMetadata().end_session_endpoint) return undefined
    return lib.buildEndSessionUrl(client, { post_logout_redirect_uri: `${config.publicUrl}/login` }).href
  } catch {
    return undefined
  }
}

/** The answer of a provider to `medley doctor`. `clockMs` is how far its clock is ahead; undefined if it does not say. */
export async function askProvider(
  config: Pick<Config, 'proxy' | 'publicUrl'>,
  issuer: Issuer,
): Promise<{ fault: string | undefined; hasLogout: boolean; clockMs: number | undefined }> {
  const response = await boundedFetch(config)(issuer.url, { method: 'GET' }).catch(() => undefined)
  const date = Date.parse(response?.headers.get('date') ?? '')
  const clockMs = Number.isNaN(date) ? undefined : date - Date.now()
  try {
    const { client } = await (await discover(config, issuer)).discovered
    const { authorization_endpoint, token_endpoint, jwks_uri, ...metadata } = client.serverMetadata()
    const isComplete = authorization_endpoint && token_endpoint && jwks_uri
    const fault = isComplete ? undefined : 'its metadata lacks an address of logins, tokens or keys'
    return { fault, hasLogout: metadata.end_session_endpoint !== undefined, clockMs }
  } catch (error) {
    return { fault: describe(error), hasLogout: false, clockMs }
  }
}

export const clockToleranceMs = clockToleranceSeconds * 1_000

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** Tokens are kept from being used twice for as long. */
export const logoutTokenSeconds = 3 * clockToleranceSeconds

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout, 2.6), except whether it was used before. Returns undefined if it is not valid.
 * Throws PROVIDER_DOWN if the keys cannot be read.
 */
export async function readLogoutToken(
  config: Pick<Config, 'proxy'>,
  issuer: Issuer,
  token: string,
  log: Pick<FastifyBaseLogger, 'info'>,
): Promise<{ id: string; subject: string | null; sid: string | null } | undefined> {
  if (token.length > tokenMax) return undefined
  const found = await discover(config, issuer)
  const { client } = await found.discovered
  const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
  const { issuer: iss, jwks_uri: jwksUrl } = client.serverMetadata()
  if (!jwksUrl) return undefined
  found.keys ??= createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: timeoutMs,
    [customFetch]: boundedFetch(config) as never,
  })
  try {
    const { payload, protectedHeader } = await jwtVerify(token, found.keys, {
      issuer: iss,
      audience: issuer.clientId,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: clockToleranceSeconds,
      requiredClaims: ['iat', 'jti', 'events'],
      algorithms: [
        'RS256',
        'RS384',
        'RS512',
        'PS256',
        'PS384',
        'PS512',
        'ES256',
        'ES384',
        'ES512',
        'EdDSA',
        'Ed25519',
      ],
    })
    // Providers of before the type was named send none, or JWT.
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt'
    const { events, nonce, jti, sub, sid } = payload
    const event = (events as Record<string, unknown> | null)?.[logoutEvent]
    const isLogout = typeof event === 'object' && event !== null && nonce === undefined
    const isText = (value: unknown) => value === undefined || (typeof value === 'string' && value !== '')
    if (!['logout+jwt', 'jwt'].includes(type) || !isLogout || typeof jti !== 'string') return undefined
    if (!isText(sub) || !isText(sid) || (sub === undefined && sid === undefined)) return undefined
    return {
      id: `logout ${identityKey(issuer, 'sid', `jti ${jti}`)}`,
      subject: sub === undefined ? null : identityKey(issuer, 'sub', sub),
      sid: sid === undefined ? null : identityKey(issuer, 'sid', sid as string),
    }
  } catch (error) {
    const failed = toProviderError(error)
    if (failed.failure === 'PROVIDER_DOWN') throw failed
    log.info({ provider: issuer.name, reason: failed.message }, 'a logout token was refused')
    return undefined
  }
}
