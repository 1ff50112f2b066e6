import * as providers from '#shared/contracts/providers.ts'
import { providerCodeSeconds, signInStepMinutes } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { readSettings } from '#server/members/settings.ts'
import type { Context } from '#server/calls/context.ts'
import { forbidden, ReasonedError, StepRequired } from '#server/calls/errors.ts'
import { callsIn, checkSession, found, router } from '#server/calls/procedures.ts'
import * as credentials from './credentials-store.ts'
import { issuerOf } from './identity.ts'
import { checkMayLogIn, expired, startSession, stepEnd } from './log-in.ts'
import { addStep, begin, enter, findEntry, findProviderStep } from './provider-login.ts'
import { applyGroups, linkIdentity, listLinks, requireWayIn } from './providers.ts'
import { guessPassword, loginAccount, proofNote, requireProof } from './reauthenticate.ts'
import { tellOwner } from './second-factor.ts'
import * as store from './store.ts'

const { forAll, forMembers } = callsIn('Accounts')

const browserNote = 'The response sets a cookie that binds the login to the browser.'

/** Logins with providers, by OpenID Connect. server/http/pages/providers.ts has the pages that lead to a provider and back. */
export const providersRouter = router({
  providers: forAll('GET /auth/providers', 'listProviders', providers.listProviders, {
    summary: 'List the providers that members log in with',
    description:
      'Opened in a browser, `url` leads to the provider. The login ends at `/login#oidc=<code>`, or at `/login#oidc-error=<reason>`.',
    isAlwaysOpen: true,
    returnsData: 'site',
  }).query(({ ctx: { config } }) => ({
    providers: config.issuers.map(({ name, label }) => ({ name, label, url: `/auth/oidc/${name}` })),
    passwordLogin: !config.oidcOnly,
  })),

  providerLogin: forAll('POST /auth/oidc/login', 'providerLogin', providers.providerLogin, {
    summary: 'Complete a login with a provider',
    description: `Takes the code of the fragment, once, within ${providerCodeSeconds} seconds, in the browser that began the login. Returns 401 with the reason \`LINK_REQUIRED\`, a \`ticket\`, the \`email\` and the \`provider\` if the address belongs to an account: see \`POST /auth/oidc/link\`. Returns 401 with the reason \`RULES_NOT_ACCEPTED\` and a \`ticket\` if a new account must accept the rules of the site: send the ticket as \`code\`, with \`acceptsRules\`, within ${signInStepMinutes} minutes. The second factor is left to the provider.`,
    errors: [401, 403, 409],
    limit: 'login',
  }).mutation(async ({ ctx, input: { code, acceptsRules = false } }) => {
    const step = await findProviderStep(ctx, 'oidc-result', code)
    if (step?.details.purpose !== 'login') throw expired()
    const { identity, browser, provider } = step.details
    const entry = await findEntry(ctx, identity)
    const mustAccept =
      entry.step === 'sign-up' && !acceptsRules && (await readSettings(ctx.db)).rules.length > 0
    if (entry.step === 'ask' || mustAccept) {
      const waits = { expiresAt: stepEnd(ctx.now) }
      const ticket = await ctx.db.transaction().execute(async (trx) => {
        await step.take(trx)
        if (entry.step !== 'ask') return addStep(trx, 'oidc-result', step.details, waits)
        const { userId } = entry
        return addStep(trx, 'oidc-link', { provider, browser, identity }, { ...waits, userId })
      })
      if (entry.step !== 'ask')
        throw new StepRequired('RULES_NOT_ACCEPTED', messages.rulesOfProvider, { ticket })
      const { label } = found(issuerOf(ctx.config, provider), messages.providerNotFound)
      const next = { ticket, email: entry.email, provider: label }
      throw new StepRequired('LINK_REQUIRED', messages.linkRequired, next)
    }
    const identify = async (trx: Context['db']) => {
      await step.take(trx)
      const user = await enter(ctx, trx, identity)
      return 'mustLink' in user ? linkIdentity(ctx, trx, user.id, identity) : user
    }
    const session = await startUnique(ctx, () =>
      startSession(ctx, identify, { replacesFactor: true, identity }),
    )
    ctx.mailer.flush()
    return session
  }),

  providerLink: forAll('POST /auth/oidc/link', 'providerLink', providers.providerLink, {
    summary: 'Link a login with a provider to an account, and log in',
    description:
      'Takes the ticket of `POST /auth/oidc/login` and the password of the account, once, in the same browser. A wrong password returns 401, and the ticket remains valid. If the account has a second factor, returns 401 with the reason `SECOND_FACTOR_REQUIRED`, and links once `POST /auth/second-factor` has received a code. The owner is notified by email.',
    errors: [401, 403, 409, 503],
    limit: 'login',
  }).mutation(async ({ ctx, input: { ticket, password } }) => {
    const step = await findProviderStep(ctx, 'oidc-link', ticket)
    const owner = step?.userId ? await store.findAccount(ctx.db, step.userId) : undefined
    if (!step || !owner) throw expired()
    const credential = await credentials.findPassword(ctx.db, owner.id)
    const isCorrect = await guessPassword(ctx, loginAccount(owner.email), { password, credential })
    const wrong = () => new ReasonedError('UNAUTHORIZED', 'CREDENTIALS_WRONG', messages.currentPasswordWrong)
    if (!credential || !isCorrect) throw wrong()
    const identify = async (trx: Context['db']) => {
      const user = found(await credentials.lockOwner(trx, owner.id))
      await step.take(trx)
      if (!(await credentials.recordUse(trx, credential, ctx.now))) throw wrong()
      checkMayLogIn(user)
      return user
    }
    return startSession(ctx, identify, { link: step.details.identity })
  }),

  linkProvider: forMembers('POST /users/me/providers/{name}', 'linkProvider', providers.linkProvider, {
    summary: 'Begin to link a provider',
    description: `Open \`url\` in the same browser. It ends at the settings, with the fragment \`linked=<name>\` or \`oidc-error=<reason>\`. The caller is notified by email. ${browserNote} ${proofNote}`,
    errors: [403, 404],
    scope: 'session',
    limit: 'write',
    hasSecret: true,
  }).mutation(async ({ ctx, input: { name, redirect } }) => {
    const issuer = found(issuerOf(ctx.config, name), messages.providerNotFound)
    await requireProof(ctx)
    const { is_demo: isDemo } = found(await store.findAccount(ctx.db, ctx.member.id))
    if (isDemo) throw forbidden(messages.demoSignInStays)
    return { url: await begin(ctx, issuer, 'link', redirect) }
  }),

  unlinkProvider: forMembers(
    'DELETE /users/me/providers/{name}',
    'unlinkProvider',
    providers.unlinkProvider,
    {
      summary: 'Unlink a provider',
      description: `Takes the roles of its groups away. The caller is notified by email. Returns 409 with the reason \`LAST_WAY_IN\` if the member could not log in without it. ${proofNote}`,
      errors: [403, 404, 409],
      scope: 'session',
      limit: 'write',
    },
  ).mutation(async ({ ctx, input: { name } }) => {
    await requireProof(ctx)
    const { id } = ctx.member
    await ctx.db.transaction().execute(async (trx) => {
      checkSession(await store.lockAccount(trx, ctx.member))
      const link = { user_id: id, kind: 'provider' as const, name }
      found(await credentials.removeCredential(trx, link), messages.providerNotFound)
      await requireWayIn(ctx, trx, id)
      const { email } = await applyGroups(ctx, trx, id)
      await tellOwner(trx, email, 'provider-unlinked', ctx.now)
    })
    ctx.mailer.flush()
    return { message: messages.providerUnlinked }
  }),

  confirmByProvider: forMembers(
    'POST /users/me/confirmation/providers/{name}',
    'confirmByProvider',
    providers.confirmByProvider,
    {
      summary: 'Begin to confirm the caller with a linked provider',
      description: `Open \`url\` in the same browser: the provider asks for a new login. It ends at \`redirect\`, by default the settings, with the fragment \`oidc-confirm=<code>\` or \`oidc-error=<reason>\`. Send the code as \`provider\` to \`POST /users/me/confirmation\`, within ${providerCodeSeconds} seconds. ${browserNote} Returns 404 if the provider is not linked.`,
      errors: [404],
      scope: 'session',
      isForSuspended: true,
      limit: 'write',
      hasSecret: true,
    },
  ).mutation(async ({ ctx, input: { name, redirect } }) => {
    const issuer = found(issuerOf(ctx.config, name), messages.providerNotFound)
    const links = await listLinks(ctx.db, ctx.member.id)
    found(
      links.some((link) => link.name === name),
      messages.providerNotFound,
    )
    return { url: await begin(ctx, issuer, 'confirm', redirect) }
  }),
})

const attempts = 3

/** Tries again if another call has taken the username of the new account. */
async function startUnique<T>(ctx: Context, start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      const taken = await store.findTaken(ctx.db, error)
      if (!taken) throw error
      if (attempt === attempts)
        throw new ReasonedError('CONFLICT', 'EMAIL_TAKEN', messages.providerEmailTaken)
    }
  }
}
