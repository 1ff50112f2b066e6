import type { z } from 'zod'
import * as signIn from '#shared/contracts/sign-in.ts'
import {
  confirmationMinutes,
  passkeysMax,
  recoveryCodesCount,
  signInStepMinutes,
} from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { readSettings } from '#server/members/settings.ts'
import type { Db } from '#server/db/open.ts'
import type { Context, MemberContext } from '#server/calls/context.ts'
import { badRequest, conflict, forbidden, ReasonedError } from '#server/calls/errors.ts'
import { callsIn, checkSession, found, router } from '#server/calls/procedures.ts'
import * as credentials from './credentials-store.ts'
import { checkMayLogIn, expired, findPendingStep, secondFactorStep, startSession, stepEnd } from './log-in.ts'
import { checkNewPasskey, checkPasskey, handleOf, newChallenge, siteOf } from './passkeys.ts'
import { confirmByLogin } from './provider-login.ts'
import { listLinks, presentProvider, requireWayIn } from './providers.ts'
import { type Confirm, proofNote, reauthenticate, requireProof } from './reauthenticate.ts'
import { hashToken } from './rules.ts'
import { factorAccount, guessCode, newTotp, renewRecoveryCodes, stepOf, tellOwner } from './second-factor.ts'
import * as sessions from './sessions-store.ts'
import * as store from './store.ts'
import type { SignInChange, StepKind } from '#server/members/tables.ts'

const { forAll, forMembers } = callsIn('Accounts')

/** Passkeys, two-factor authentication, login links, and the confirmation of the caller’s identity. */
export const signInRouter = router({
  secondFactor: forAll('POST /auth/second-factor', 'secondFactor', signIn.secondFactor, {
    summary: 'Complete a login with a code',
    description: `Takes the ticket that \`POST /auth/login\` returned, which is valid for ${signInStepMinutes} minutes, and a code from the authenticator app or a recovery code. Each code can be used once. A wrong code returns 401 with the reason \`CODE_WRONG\`, and the ticket remains valid. An expired or used ticket returns 401 with the reason \`TICKET_EXPIRED\`.`,
    errors: [401, 403],
    limit: 'login',
  }).mutation(async ({ ctx, input: { ticket, code } }) => {
    const { userId, details, lockUser } = await findByStep(
      ctx,
      ticket,
      'second-factor',
      messages.ticketExpired,
    )
    const { link } = secondFactorStep.parse(JSON.parse(details))
    const confirm = await guessCode(ctx, userId, code, 'UNAUTHORIZED')
    const identify = async (trx: Context['db']) => {
      const user = await lockUser(trx)
      await confirm(trx)
      return user
    }
    const session = await startSession(ctx, identify, { replacesFactor: true, ...(link && { link }) })
    ctx.mailer.flush()
    ctx.recordLogin(factorAccount(userId))
    return session
  }),

  loginByLink: forAll('POST /auth/login-link', 'loginByLink', signIn.loginByLink, {
    summary: 'Log in with a login link',
    description:
      'Takes the token of a link created with `medley login-link`, for a member who is locked out. The token can be used once within 15 minutes, and replaces the password and the second factor. An expired or used token returns 401 with the reason `TICKET_EXPIRED`.',
    errors: [401, 403],
    limit: 'login',
  }).mutation(async ({ ctx, input: { token } }) => {
    const { lockUser } = await findByStep(ctx, token, 'login-link', messages.loginLinkDead)
    const identify = async (trx: Context['db']) => {
      const user = await lockUser(trx)
      await tellOwner(trx, user.email, 'link-used', ctx.now)
      return user
    }
    const session = await startSession(ctx, identify, { replacesFactor: true })
    ctx.mailer.flush()
    return session
  }),

  passkeyOptions: forAll('POST /auth/passkeys/options', 'passkeyOptions', signIn.passkeyOptions, {
    summary: 'Get a challenge for a passkey',
    description: `For \`navigator.credentials.get()\`. The challenge can be used once within ${signInStepMinutes} minutes. The options do not depend on the account: the device selects it.`,
    isAlwaysOpen: true,
    hasSecret: true,
  }).mutation(async ({ ctx }) => ({
    options: {
      challenge: await newChallenge(ctx.db, 'assert', ctx.now),
      timeout: signInStepMinutes * 60_000,
      rpId: siteOf(ctx.config).id,
      userVerification: 'required' as const,
    },
  })),

  passkeyLogin: forAll('POST /auth/passkeys/login', 'passkeyLogin', signIn.passkeyLogin, {
    summary: 'Log in with a passkey',
    description:
      'Takes what `navigator.credentials.get()` returns. A passkey replaces the password and the second factor. Returns 403 with the reason `PASSKEY_UNKNOWN` if no account has the passkey, and with `PASSKEY_REFUSED` if verification fails.',
    errors: [403],
    limit: 'login',
  }).mutation(async ({ ctx, input }) => {
    const { userId, confirm } = await checkPasskey(ctx, input)
    const identify = async (trx: Context['db']) => {
      const user = await credentials.lockOwner(trx, userId)
      if (!user) throw new ReasonedError('FORBIDDEN', 'PASSKEY_UNKNOWN', messages.passkeyUnknown)
      checkMayLogIn(user)
      await confirm(trx)
      return user
    }
    return startSession(ctx, identify, { replacesFactor: true })
  }),

  newPasskeyOptions: forMembers(
    'POST /users/me/passkeys/options',
    'newPasskeyOptions',
    signIn.newPasskeyOptions,
    {
      summary: 'Get the options of a new passkey',
      description: `For \`navigator.credentials.create()\`. ${proofNote}`,
      errors: [403],
      scope: 'session',
      limit: 'write',
      hasSecret: true,
    },
  ).mutation(async ({ ctx }) => {
    await requireProof(ctx)
    const { id, sessionHash } = ctx.member
    const site = siteOf(ctx.config)
    const { username, email } = await notDemo(ctx)
    const existing = await credentials.listCredentials(ctx.db, id, 'passkey')
    return {
      options: {
        challenge: await newChallenge(ctx.db, `add ${sessionHash}`, ctx.now),
        timeout: signInStepMinutes * 60_000,
        rp: { id: site.id, name: (await readSettings(ctx.db)).name },
        user: { id: handleOf(id), name: email, displayName: username },
        // Ed25519, ES256, RS256: what all authenticators have.
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key' as const, alg })),
        excludeCredentials: existing.map(({ identifier }) => ({
          type: 'public-key' as const,
          id: identifier!,
        })),
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true as const,
          userVerification: 'required' as const,
        },
        attestation: 'none' as const,
        extensions: { credProps: true as const },
      },
    }
  }),

  addPasskey: forMembers('POST /users/me/passkeys', 'addPasskey', signIn.addPasskey, {
    summary: 'Add a passkey',
    description: `Takes what \`navigator.credentials.create()\` returns. The passkey must be discoverable, and the device must verify its user. The caller is notified by email. A member can have ${passkeysMax} (409). ${proofNote}`,
    errors: [403, 409],
    status: 201,
    location: '/users/me/passkeys/{passkey.id}',
    scope: 'session',
    limit: 'write',
  }).mutation(async ({ ctx, input: { name, response } }) => {
    await requireProof(ctx)
    await notDemo(ctx)
    const add = await checkNewPasskey(ctx, name, response)
    const passkey = await changeSignIn(ctx, 'passkey-added', async (trx) => {
      if ((await credentials.listCredentials(trx, ctx.member.id, 'passkey')).length >= passkeysMax)
        throw conflict(messages.tooManyPasskeys)
      const row = await add(trx)
      if (!row) throw conflict(messages.passkeyTaken)
      return row
    })
    return { passkey: presentPasskey(passkey) }
  }),

  renamePasskey: forMembers('PATCH /users/me/passkeys/{id}', 'renamePasskey', signIn.renamePasskey, {
    summary: 'Rename a passkey',
    errors: [404],
    scope: 'session',
    limit: 'write',
  }).mutation(async ({ ctx, input: { id, name } }) => {
    const row = await credentials.renamePasskey(ctx.db, ctx.member.id, id, name)
    return { passkey: presentPasskey(found(row, messages.passkeyNotFound)) }
  }),

  removePasskey: forMembers('DELETE /users/me/passkeys/{id}', 'removePasskey', signIn.removePasskey, {
    summary: 'Remove a passkey',
    description: `The caller is notified by email. Returns 409 with the reason \`LAST_WAY_IN\` if the member could not log in without it. ${proofNote}`,
    errors: [403, 404, 409],
    scope: 'session',
    limit: 'write',
  }).mutation(async ({ ctx, input: { id } }) => {
    await requireProof(ctx)
    const credentialId = await changeSignIn(ctx, 'passkey-removed', async (trx) => {
      const passkey = { user_id: ctx.member.id, kind: 'passkey' as const, id }
      const { identifier } = found(await credentials.removeCredential(trx, passkey), messages.passkeyNotFound)
      await requireWayIn(ctx, trx, ctx.member.id)
      return identifier!
    })
    return { message: messages.passkeyRemoved, credentialId }
  }),

  confirmSelf: forMembers('POST /users/me/confirmation', 'confirmSelf', signIn.confirmSelf, {
    summary: 'Confirm who the caller is',
    description: `Takes the password, a code from the authenticator app, a passkey (see \`POST /auth/passkeys/options\`), or the code of a new login with a linked provider (see \`POST /users/me/confirmation/providers/{name}\`). For the next ${confirmationMinutes} minutes, this session may change sign-in methods, and calls that require the current password accept requests without it. Returns 400 if none is given, and 403 if it is wrong.`,
    errors: [403, 503],
    scope: 'session',
    isForSuspended: true,
    limit: 'write',
  }).mutation(async ({ ctx, input }) => {
    const { sessionHash } = ctx.member
    const confirm = await confirmBy(ctx, input)
    await ctx.db.transaction().execute(async (trx) => {
      checkSession(await store.lockAccount(trx, ctx.member))
      await confirm(trx)
      await sessions.confirmSession(trx, sessionHash, ctx.now)
    })
    ctx.mailer.flush()
    return { message: messages.confirmed }
  }),

  signIn: forMembers('GET /users/me/sign-in', 'getSignIn', signIn.getSignIn, {
    summary: 'List the caller’s own sign-in methods',
    scope: 'session',
    isForSuspended: true,
    returnsData: 'own',
  }).query(async ({ ctx: { config, db, member } }) => {
    const isOn = (await credentials.findTotp(db, member.id)) !== undefined
    return {
      hasPassword: await credentials.hasPassword(db, member.id),
      passkeys: (await credentials.listCredentials(db, member.id, 'passkey')).map(presentPasskey),
      passkeysAt: siteOf(config).origin,
      providers: (await listLinks(db, member.id)).map((row) => presentProvider(config, row)),
      totp: { isOn, recoveryCodesLeft: await credentials.countRecoveryCodes(db, member.id) },
    }
  }),

  startTotp: forMembers('POST /users/me/totp', 'startTotp', signIn.startTotp, {
    summary: 'Begin to turn codes on',
    description: `Returns a secret for an authenticator app. Logins ask for codes once \`POST /users/me/totp/confirm\` has received one, from the same session, within ${signInStepMinutes} minutes. Returns 409 if they are on. ${proofNote}`,
    errors: [403, 409],
    scope: 'session',
    limit: 'write',
    hasSecret: true,
  }).mutation(async ({ ctx }) => {
    await requireProof(ctx)
    const { id, username, sessionHash } = ctx.member
    await notDemo(ctx)
    if (await credentials.findTotp(ctx.db, id)) throw alreadyOn()
    const totp = newTotp((await readSettings(ctx.db)).name, username)
    await credentials.insertStep(ctx.db, {
      keyHash: totpKey(sessionHash),
      kind: 'totp',
      userId: id,
      details: JSON.stringify({ secret: totp.secret }),
      expiresAt: stepEnd(ctx.now),
    })
    return totp
  }),

  confirmTotp: forMembers('POST /users/me/totp/confirm', 'confirmTotp', signIn.confirmTotp, {
    summary: 'Turn codes on',
    description: `Takes a code that the authenticator app shows. Returns ${recoveryCodesCount} recovery codes. The caller is notified by email. Returns 400 if \`POST /users/me/totp\` was not called before, and 403 if the code is wrong.`,
    errors: [403, 409],
    scope: 'session',
    limit: 'write',
    hasSecret: true,
  }).mutation(async ({ ctx, input: { code } }) => {
    const { id, sessionHash } = ctx.member
    await ctx.limit('guessFromAddress', factorAccount(id))
    const recoveryCodes = await changeSignIn(ctx, 'factor-on', async (trx) => {
      const step = await credentials.findStep(trx, totpKey(sessionHash), 'totp', ctx.now)
      if (!step) throw badRequest(messages.factorNotStarted)
      const { secret } = JSON.parse(step.details) as { secret: string }
      const used = stepOf(secret, code, ctx.now)
      if (used === undefined) throw new ReasonedError('FORBIDDEN', 'CODE_WRONG', messages.codeWrong)
      const totp = { user_id: id, kind: 'totp' as const, secret, details: JSON.stringify({ step: used }) }
      if (!(await credentials.insertCredential(trx, totp, ctx.now))) throw alreadyOn()
      await credentials.removeSteps(trx, id)
      return renewRecoveryCodes(trx, id, ctx.now)
    })
    return { message: messages.factorIsNowOn, recoveryCodes }
  }),

  renewRecoveryCodes: forMembers(
    'POST /users/me/totp/recovery-codes',
    'renewRecoveryCodes',
    signIn.renewRecoveryCodes,
    {
      summary: 'Replace the recovery codes',
      description: `Previously issued codes stop working. The caller is notified by email. Returns 409 if codes are off. ${proofNote}`,
      errors: [403, 409],
      scope: 'session',
      limit: 'write',
      hasSecret: true,
    },
  ).mutation(async ({ ctx }) => {
    await requireProof(ctx)
    const recoveryCodes = await changeSignIn(ctx, 'codes-renewed', async (trx) => {
      if (!(await credentials.findTotp(trx, ctx.member.id))) throw conflict(messages.factorIsOff)
      return renewRecoveryCodes(trx, ctx.member.id, ctx.now)
    })
    return { recoveryCodes }
  }),

  removeTotp: forMembers('DELETE /users/me/totp', 'removeTotp', signIn.removeTotp, {
    summary: 'Turn codes off',
    description: `Removes the recovery codes too. The caller is notified by email. Returns 404 if codes are off. ${proofNote}`,
    errors: [403, 404],
    scope: 'session',
    limit: 'write',
  }).mutation(async ({ ctx }) => {
    await requireProof(ctx)
    await changeSignIn(ctx, 'factor-off', async (trx) => {
      found(await credentials.removeTotp(trx, ctx.member.id), messages.factorIsOff)
    })
    return { message: messages.factorTurnedOff }
  }),
})

const alreadyOn = () => conflict(messages.factorIsOn)

/** Binds a pending TOTP secret to the session that requested it. */
const totpKey = (sessionHash: string) => hashToken(`totp ${sessionHash}`)

/**
 * Finds the member whose login waits for a step. `lockUser` locks the account and consumes the step. Both throw TICKET_EXPIRED with `message`
 * if the step does not exist, has expired, or was consumed by another call. `lockUser` also throws FORBIDDEN if the member may not log in.
 */
async function findByStep(ctx: Context, key: string, kind: StepKind, message: string) {
  const step = await findPendingStep(ctx, key, kind, message)
  const userId = step?.userId
  if (!step || !userId) throw expired(message)
  const lockUser = async (trx: Db) => {
    const user = await credentials.lockOwner(trx, userId)
    if (!user) throw expired(message)
    await step.take(trx)
    checkMayLogIn(user)
    return user
  }
  return { userId, details: step.details, lockUser }
}

/** Changes how the caller signs in, with the account locked, and notifies them by email. */
async function changeSignIn<T>(
  ctx: MemberContext,
  change: SignInChange,
  action: (trx: Db) => Promise<T>,
): Promise<T> {
  const { email } = found(await store.findAccount(ctx.db, ctx.member.id))
  const result = await ctx.db.transaction().execute(async (trx) => {
    checkSession(await store.lockAccount(trx, ctx.member))
    const done = await action(trx)
    await tellOwner(trx, email, change, ctx.now)
    return done
  })
  ctx.mailer.flush()
  return result
}

/** Returns the caller’s account. Throws FORBIDDEN for a demo account, which everybody shares. */
async function notDemo({ db, member }: MemberContext) {
  const account = found(await store.findAccount(db, member.id))
  if (account.is_demo) throw forbidden(messages.demoSignInStays)
  return account
}

/** Verifies the password, code or passkey that the caller has given. */
async function confirmBy(
  ctx: MemberContext,
  { passkey, code, password, provider }: z.infer<typeof signIn.confirmSelf.input>,
): Promise<Confirm> {
  if (passkey !== undefined) {
    const { userId, confirm } = await checkPasskey(ctx, passkey)
    if (userId !== ctx.member.id)
      throw new ReasonedError('FORBIDDEN', 'PASSKEY_REFUSED', messages.passkeyOfAnother)
    return confirm
  }
  if (provider !== undefined) return confirmByLogin(ctx, provider)
  return code === undefined
    ? reauthenticate(ctx, { password })
    : guessCode(ctx, ctx.member.id, code, 'FORBIDDEN')
}

type Passkey = Awaited<ReturnType<typeof credentials.listCredentials>>[number]

function presentPasskey({ id, name, created_at, last_used_at }: Passkey) {
  return { id, name, createdAt: created_at, lastUsedAt: last_used_at }
}
