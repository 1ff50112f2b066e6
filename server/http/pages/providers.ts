import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TRPCError } from '@trpc/server'
import { type ProviderFailure, providerFailures } from '#shared/domain/provider-failures.ts'
import { insertUsedChallenge } from '#server/accounts/challenge-store.ts'
import { issuerOf } from '#server/accounts/identity.ts'
import { stepEnd } from '#server/accounts/log-in.ts'
import {
  authorizationUrl,
  logoutTokenSeconds,
  ProviderError,
  readLogoutToken,
  redeem,
} from '#server/accounts/oidc.ts'
import {
  addStep,
  browserOf,
  findEntry,
  findProviderStep,
  pathOf,
  resultEnd,
} from '#server/accounts/provider-login.ts'
import { linkIdentity } from '#server/accounts/providers.ts'
import { newToken } from '#server/accounts/rules.ts'
import { removeProviderSessions } from '#server/accounts/sessions-store.ts'
import { findCredential } from '#server/accounts/credentials-store.ts'
import { lockAccount } from '#server/accounts/store.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import type { Context } from '#server/calls/context.ts'
import type { Issuer } from '#server/text/issuers.ts'
import type { Calls } from '#server/http/doors/calls.ts'

type Route = { Params: { name: string }; Querystring: Record<string, unknown> }
type Request = FastifyRequest<Route>

const formBytesMax = 32 * 1024

/** The pages that lead a browser to a provider and back, and the address at which a provider ends sessions. */
export function registerProviders(app: FastifyInstance, calls: Calls): void {
  const route = (url: string, act: (ctx: Context, issuer: Issuer, request: Request) => Promise<string>) =>
    app.route<Route>({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const ctx = await calls.open(request)
        const issuer = issuerOf(ctx.config, request.params.name)
        const to = issuer
          ? await act(ctx, issuer, request).catch((error: unknown) => failed(ctx, '/login', error))
          : failed(ctx, '/login', new ProviderError('LOGIN_EXPIRED', 'there is no such provider'))
        return reply.header('cache-control', 'no-store').redirect(to)
      },
    })
  route('/auth/oidc/:name', start)
  route('/auth/oidc/:name/callback', finish)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    scope.route<Route & { Body?: URLSearchParams }>({
      method: 'POST',
      url: '/auth/oidc/:name/logout',
      handler: async (request, reply) => {
        const ctx = await calls.admit(calls.visit(request), 'mutation', { limit: 'write' })
        return endSessions(ctx, request.params.name, request.body?.get('logout_token') ?? '', reply)
      },
    })
  })
}

async function start(ctx: Context, issuer: Issuer, { query }: Request): Promise<string> {
  await ctx.limit('login')
  const { step: key, redirect } = query
  const asked = typeof key === 'string' ? await findProviderStep(ctx, 'oidc-begin', key) : undefined
  const isOfMember = key !== undefined
  if (isOfMember && asked?.details.provider !== issuer.name)
    throw new ProviderError('LOGIN_EXPIRED', 'no such step')
  const [nonce, verifier] = [newToken(), newToken()]
  const details = {
    ...(asked?.details ?? {
      provider: issuer.name,
      browser: browserOf(ctx),
      purpose: 'login' as const,
      redirect: typeof redirect === 'string' ? pathOf(redirect) : '/login',
    }),
    nonce,
    verifier,
  }
  const back = details.purpose === 'login' ? loginPage(details.redirect) : details.redirect
  try {
    await asked?.take(ctx.db)
    const state = await addStep(ctx.db, 'oidc-state', details, {
      userId: asked?.userId ?? null,
      expiresAt: stepEnd(ctx.now),
    })
    const isFresh = details.purpose === 'confirm'
    return await authorizationUrl(ctx.config, issuer, { state, nonce, verifier, isFresh })
  } catch (error) {
    return failed(ctx, back, error)
  }
}

/** Returns the page of this site at which the login ends. */
async function finish(ctx: Context, issuer: Issuer, request: Request): Promise<string> {
  const { state } = request.query
  const step = typeof state === 'string' ? await findProviderStep(ctx, 'oidc-state', state) : undefined
  if (!step || step.details.provider !== issuer.name)
    throw new ProviderError('LOGIN_EXPIRED', 'no such state')
  const { provider, browser, session, purpose, redirect, nonce, verifier } = step.details
  const back = purpose === 'login' ? loginPage(redirect) : redirect
  try {
    await step.take(ctx.db)
    const query = request.url.slice(request.url.indexOf('?') + 1)
    const flow = { state: state as string, nonce, verifier, isFresh: purpose === 'confirm' }
    const identity = await redeem(ctx.config, issuer, query, flow)
    const result = { provider, browser, session, purpose, identity }
    // The exchange takes time.
    const expiresAt = resultEnd(new Date())
    if (purpose === 'login') {
      await findEntry(ctx, identity)
      return `${back}#oidc=${await addStep(ctx.db, 'oidc-result', result, { expiresAt })}`
    }
    const userId = step.userId!
    const isOwn = (await findCredential(ctx.db, 'provider', identity.key))?.user_id === userId
    if (purpose === 'confirm') {
      if (!isOwn) throw new ProviderError('WRONG_ACCOUNT', 'the login is of another account')
      return `${back}#oidc-confirm=${await addStep(ctx.db, 'oidc-result', result, { userId, expiresAt })}`
    }
    if (!isOwn)
      await ctx.db.transaction().execute(async (trx) => {
        const account = await lockAccount(trx, { id: userId, sessionHash: session ?? '', scopes: null })
        if (!account.hasSession) throw new ProviderError('LOGIN_EXPIRED', 'the session has ended')
        await linkIdentity(ctx, trx, userId, identity)
      })
    ctx.mailer.flush()
    return `${back}#linked=${issuer.name}`
  } catch (error) {
    return failed(ctx, back, error)
  }
}

function loginPage(redirect: string): string {
  return redirect === '/login' ? '/login' : `/login?redirect=${encodeURIComponent(redirect)}`
}

/** Returns the page with the reason. Throws errors that are not the provider’s, nor of the member. */
function failed(ctx: Context, page: string, error: unknown): string {
  const failure = failureOf(error)
  if (!failure) throw error
  if (error instanceof ProviderError)
    ctx.log.info({ reason: error.message, failure }, 'a login with a provider failed')
  return `${page}#oidc-error=${failure}`
}

function failureOf(error: unknown): ProviderFailure | undefined {
  if (error instanceof ProviderError) return error.failure
  if (error instanceof ReasonedError && error.reason === 'TICKET_EXPIRED') return 'LOGIN_EXPIRED'
  if (error instanceof ReasonedError) return providerFailures.find((failure) => failure === error.reason)
  return error instanceof TRPCError && error.code === 'TOO_MANY_REQUESTS' ? 'TOO_MANY_REQUESTS' : undefined
}

/** OpenID Connect Back-Channel Logout, 2.8. */
async function endSessions(
  ctx: Context,
  name: string,
  token: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const refused = () => reply.status(400).send({ error: 'invalid_request' })
  const issuer = issuerOf(ctx.config, name)
  if (!issuer || token === '') return refused()
  try {
    const logout = await readLogoutToken(ctx.config, issuer, token, ctx.log)
    if (!logout) return refused()
    const end = new Date(ctx.now.getTime() + logoutTokenSeconds * 1_000)
    const isNew = await ctx.db.transaction().execute(async (trx) => {
      if (!(await insertUsedChallenge(trx, logout.id, end))) return false
      await removeProviderSessions(trx, logout)
      return true
    })
    return isNew ? reply.status(200).send() : refused()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ provider: name, reason: error.message }, 'a logout could not be checked')
    return reply.status(503).send({ error: 'temporarily_unavailable' })
  }
}
