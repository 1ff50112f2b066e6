import * as accounts from '#shared/contracts/accounts.ts'
import { accessTokensMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { includesRole } from '#shared/domain/roles.ts'
import { scopeRoles } from '#shared/domain/scopes.ts'
import { badRequest, conflict } from '#server/calls/errors.ts'
import { callsIn, checkSession, found, roleMissing, router } from '#server/calls/procedures.ts'
import { queueNotice } from './notices.ts'
import { proofNote, requireProof } from './reauthenticate.ts'
import { hashToken, isTokenExpiry, joinScopes, newAccessToken, presentAccessToken } from './rules.ts'
import * as sessions from './sessions-store.ts'
import * as store from './store.ts'

const { forMembers } = callsIn('Accounts')

export const tokensRouter = router({
  createAccessToken: forMembers('POST /users/me/tokens', 'createAccessToken', accounts.createAccessToken, {
    summary: 'Create an access token',
    description: `Returns the token with its secret, which is not returned again. The scopes \`moderate\` and \`admin\` require that role (403). The caller is notified by email. A member can have ${accessTokensMax} tokens (409). A new password revokes all of them. ${proofNote}`,
    errors: [403, 409],
    status: 201,
    location: '/users/me/tokens/{token.id}',
    scope: 'session',
    limit: 'write',
    hasSecret: true,
  }).mutation(async ({ ctx, input: { name, scopes, expiresAt: expiry } }) => {
    await requireProof(ctx)
    const expiresAt = expiry ? new Date(expiry) : null
    if (expiresAt && !isTokenExpiry(expiresAt, ctx.now)) throw badRequest(messages.tokenExpiryInvalid)
    if (scopes.some((scope) => !includesRole(ctx.member.role, scopeRoles[scope] ?? 'member')))
      throw roleMissing()
    const userId = ctx.member.id
    const { email } = found(await store.findAccount(ctx.db, userId))
    const secret = newAccessToken()
    const row = await ctx.db.transaction().execute(async (trx) => {
      checkSession(await store.lockAccount(trx, ctx.member))
      if ((await sessions.countAccessTokens(trx, userId)) >= accessTokensMax)
        throw conflict(messages.tooManyTokens)
      await queueNotice(trx, 'token-notice', { to: email, mail: 'access-token' }, ctx.now)
      const token = { userId, tokenHash: hashToken(secret), name, scopes: joinScopes(scopes), expiresAt }
      return sessions.insertAccessToken(trx, token, ctx.now)
    })
    ctx.mailer.flush()
    return { token: presentAccessToken(row), secret }
  }),

  listAccessTokens: forMembers('GET /users/me/tokens', 'listAccessTokens', accounts.listAccessTokens, {
    summary: 'List the caller’s own access tokens',
    description: 'Without their secrets. Expired tokens stay in the list for 30 days.',
    scope: 'session',
    returnsData: 'own',
  }).query(async ({ ctx }) => {
    const rows = await sessions.listAccessTokens(ctx.db, ctx.member.id)
    return { tokens: rows.map(presentAccessToken) }
  }),

  revokeAccessToken: forMembers(
    'DELETE /users/me/tokens/{id}',
    'revokeAccessToken',
    accounts.revokeAccessToken,
    {
      summary: 'Revoke one of the caller’s own access tokens',
      description: 'The token is invalid from the next request on.',
      errors: [404],
      scope: 'session',
    },
  ).mutation(async ({ ctx, input: { id } }) => {
    found(await sessions.removeAccessToken(ctx.db, ctx.member.id, id), messages.tokenNotFound)
    return { message: messages.tokenRevoked }
  }),
})
