import { TRPCError } from '@trpc/server'
import * as signIn from '#shared/contracts/sign-in.ts'
import { confirmationMinutes, recoveryCodesCount, signInStepMinutes } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { caseless } from '#server/db/fold.ts'
import { readSettings } from '#server/members/settings.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { callsIn, checkSession, found, router } from '#server/calls/procedures.ts'
import * as credentials from './credentials-store.ts'
import { checkMayLogIn, startSession, stepEnd } from './log-in.ts'
import { reauthenticate, requireProof } from './reauthenticate.ts'
import { hashToken } from './rules.ts'
import {
  factorAccount,
  guessCode,
  newRecoveryCodes,
  newTotp,
  recoveryHash,
  stepOf,
  tellOwner,
} from './second-factor.ts'
import * as sessions from './sessions-store.ts'
import * as store from './store.ts'
import type { SignInChange } from '#server/members/tables.ts'

const { forAll, forMembers } = callsIn('Accounts')

const proofNote = `Requires a login, or a confirmation, within the last ${confirmationMinutes} minutes (403, \`CONFIRMATION_REQUIRED\`).`

/** The ways to sign in besides the password, and the confirmation of who one is. */
export const signInRouter = router({
  secondFactor: forAll('POST /auth/second-factor', 'secondFactor', signIn.secondFactor, {
    summary: 'Complete a login with a code',
    description: `Takes the ticket of a login whose password was correct, which is valid for ${signInStepMinutes} minutes, and a code of the authenticator app or a recovery code. A code of the app works once. A wrong code returns 401 with the reason \`CODE_WRONG\`, and leaves the ticket valid; a ticket that is not valid any more returns 401 with the reason \`TICKET_EXPIRED\`.`,
    errors: [401, 403],
    limit: 'login',
  }).mutation(async ({ ctx, input: { ticket, code } }) => {
    const keyHash = hashToken(ticket)
    const expired = () => new ReasonedError('UNAUTHORIZED', 'TICKET_EXPIRED', messages.ticketExpired)
    const userId = (await credentials.findStep(ctx.db, keyHash, 'second-factor', ctx.now))?.user_id
    if (!userId) throw expired()
    const confirm = await guessCode(ctx, userId, code, 'UNAUTHORIZED')
    const identify = async (trx: Context['db']) => {
      const user = await credentials.lockOwner(trx, userId)
      if (!user || !(await credentials.takeStep(trx, keyHash, 'second-factor', ctx.now))) throw expired()
      checkMayLogIn(user)
      await confirm(trx)
      return user
    }
    const session = await startSession(ctx, identify, { replacesFactor: true })
    ctx.mailer.flush()
    ctx.recordLogin(`email ${caseless(session.user.email)}`)
    ctx.recordLogin(factorAccount(userId))
    return session
  }),

  confirmSelf: forMembers('POST /users/me/confirmation', 'confirmSelf', signIn.confirmSelf, {
    summary: 'Confirm who the caller is',
    description: `Takes the password, or a code of the authenticator app. For ${confirmationMinutes} minutes, this session may then change the ways to sign in, and calls that require the current password work without it. Returns 400 without both, and 403 if it is wrong.`,
    errors: [403, 503],
    scope: 'session',
    isForSuspended: true,
    limit: 'write',
  }).mutation(async ({ ctx, input: { password, code } }) => {
    const { id, sessionHash } = ctx.member
    const confirm =
      code === undefined
        ? await reauthenticate(ctx, { password })
        : await guessCode(ctx, id, code, 'FORBIDDEN')
    await ctx.db.transaction().execute(async (trx) => {
      checkSession(await store.lockAccount(trx, ctx.member))
      await confirm(trx)
      await sessions.confirmSession(trx, sessionHash, ctx.now)
    })
    ctx.mailer.flush()
    return { message: messages.confirmed }
  }),

  signIn: forMembers('GET /users/me/sign-in', 'getSignIn', signIn.getSignIn, {
    summary: 'List the caller’s own ways to sign in',
    scope: 'session',
    isForSuspended: true,
    returnsData: 'own',
  }).query(async ({ ctx: { db, member } }) => {
    const isOn = (await credentials.findTotp(db, member.id)) !== undefined
    return {
      hasPassword: await credentials.hasPassword(db, member.id),
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
    if (found(await store.findAccount(ctx.db, id)).is_demo)
      throw new TRPCError({ code: 'FORBIDDEN', message: messages.demoSignInStays })
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
    const recoveryCodes = newRecoveryCodes()
    await changeSignIn(ctx, 'factor-on', async (trx) => {
      const step = await credentials.findStep(trx, totpKey(sessionHash), 'totp', ctx.now)
      if (!step) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.factorNotStarted })
      const { secret } = JSON.parse(step.details) as { secret: string }
      const used = stepOf(secret, code.replaceAll(/[\s-]/g, ''), ctx.now)
      if (used === undefined) throw new ReasonedError('FORBIDDEN', 'CODE_WRONG', messages.codeWrong)
      const totp = { userId: id, secret, details: JSON.stringify({ step: used }) }
      if (!(await credentials.insertTotp(trx, totp, ctx.now))) throw alreadyOn()
      await credentials.removeSteps(trx, id)
      await setRecoveryCodes(trx, id, recoveryCodes, ctx.now)
    })
    return { message: messages.factorIsNowOn, recoveryCodes }
  }),

  renewRecoveryCodes: forMembers(
    'POST /users/me/totp/recovery-codes',
    'renewRecoveryCodes',
    signIn.renewRecoveryCodes,
    {
      summary: 'Replace the recovery codes',
      description: `Earlier ones are not valid any more. The caller is notified by email. Returns 409 if codes are off. ${proofNote}`,
      errors: [403, 409],
      scope: 'session',
      limit: 'write',
      hasSecret: true,
    },
  ).mutation(async ({ ctx }) => {
    await requireProof(ctx)
    const recoveryCodes = newRecoveryCodes()
    await changeSignIn(ctx, 'codes-renewed', async (trx) => {
      if (!(await credentials.findTotp(trx, ctx.member.id)))
        throw new TRPCError({ code: 'CONFLICT', message: messages.factorIsOff })
      await setRecoveryCodes(trx, ctx.member.id, recoveryCodes, ctx.now)
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

type Db = Context['db']

const alreadyOn = () => new TRPCError({ code: 'CONFLICT', message: messages.factorIsOn })

/** The key of the secret that a session has begun with: no other session can confirm it. */
const totpKey = (sessionHash: string) => hashToken(`totp ${sessionHash}`)

/** Changes the ways to sign in of the caller, whose account is locked, and tells them by email. */
async function changeSignIn(
  ctx: Context & { member: Member },
  change: SignInChange,
  act: (trx: Db) => Promise<void>,
): Promise<void> {
  const { email } = found(await store.findAccount(ctx.db, ctx.member.id))
  await ctx.db.transaction().execute(async (trx) => {
    checkSession(await store.lockAccount(trx, ctx.member))
    await act(trx)
    await tellOwner(trx, email, change, ctx.now)
  })
  ctx.mailer.flush()
}

async function setRecoveryCodes(trx: Db, id: number, codes: readonly string[], now: Date): Promise<void> {
  await credentials.setRecoveryCodes(
    trx,
    id,
    codes.map((code) => recoveryHash(id, code)),
    now,
  )
}
