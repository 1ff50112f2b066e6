import { TRPCError } from '@trpc/server'
import * as accounts from '#shared/contracts/accounts.ts'
import { challengeMinutes, loginKeyMinutes, sessionDays } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { caseless } from '#server/db/fold.ts'
import { readSettings, type SiteSettings } from '#server/members/settings.ts'
import type { Db } from '#server/db/open.ts'
import type { Context, MemberContext } from '#server/calls/context.ts'
import { badRequest, invalidField, ReasonedError } from '#server/calls/errors.ts'
import {
  callsIn,
  checkSession,
  found,
  memberProcedure,
  publicProcedure,
  requireScope,
  router,
} from '#server/calls/procedures.ts'
import { holdUpload } from '#server/uploads/store.ts'
import { checkProof, newChallenge, takeChallenge } from './challenge.ts'
import * as credentials from './credentials-store.ts'
import { issuerOf } from './identity.ts'
import { invitersBy, takeInvite } from './invites-store.ts'
import { applyVerification, deadLink, queueEmailChange, queueLink, requestLink } from './links.ts'
import { checkMayLogIn, renewPages, startSession } from './log-in.ts'
import * as mails from './mail-store.ts'
import { endSessionUrl } from './oidc.ts'
import { hashPassword } from './passwords.ts'
import { guessPassword, loginAccount, reauthenticate } from './reauthenticate.ts'
import {
  hashToken,
  isReservedName,
  isBlockedAddress,
  loginKeyStart,
  mailboxOf,
  mailKeysOf,
  presentMe,
  presentProfile,
  presentSession,
} from './rules.ts'
import * as sessions from './sessions-store.ts'
import * as store from './store.ts'

const { forAll, forMembers } = callsIn('Accounts')

export const accountsRouter = router({
  register: forAll('POST /users/register', 'register', accounts.register, {
    summary: 'Create an account',
    description:
      'Sends an email with a link that verifies the address. An account must be verified before its first login. The settings of the site (`GET /site`) may require an invite, a reason, or the acceptance of the rules (403, 400). Usernames are 2 to 30 letters, digits, `_`, `-` or `.`. Usernames and emails are unique, ignoring case (409). `profilePicture` is the `imageUrl` of an upload.',
    errors: [403, 409, 503],
    status: 201,
    limit: 'register',
  }).mutation(async ({ ctx, input }) => {
    refusePasswords(ctx.config)
    const { username, email, password, profilePicture, loginKey } = input
    const rules = await readSettings(ctx.db)
    checkRegistration(rules, input)
    if (isReservedName(username, rules.name)) throw usernameTaken()
    checkAddress(rules, email)
    const solved = await checkProof(ctx, rules, input.proof)
    // Addresses of one mailbox count as one.
    await ctx.limit('mailbox', `register ${mailboxOf(email)}`)
    const passwordHash = await hashPassword(password, ctx.address)
    const user = await claimUnique(ctx, username, async (trx) => {
      await takeChallenge(trx, solved)
      const invitedBy = await inviterOf(trx, ctx, input.inviteCode)
      await checkPicture(trx, profilePicture)
      const user = await store.insertUser(
        trx,
        {
          username,
          email,
          picture: profilePicture ?? null,
          loginKeyHash: loginKey === undefined ? null : hashToken(loginKey),
          reason: input.reason || null,
          invitedBy,
          language: ctx.browserLanguage?.(),
        },
        ctx.now,
      )
      await credentials.setPassword(trx, user.id, passwordHash, ctx.now)
      // Earlier requests for this email were counted, although they sent no email.
      if (mailboxOf(email) === caseless(email)) await mails.removeMailCounts(trx, mailKeysOf(email))
      await queueLink(trx, ctx, 'verify', user)
      return user
    })
    ctx.mailer.flush()
    return { message: messages.registered, user: { id: user.id, username, profilePicture: user.picture } }
  }),

  challenge: forAll('GET /auth/challenge', 'getChallenge', accounts.getChallenge, {
    summary: 'Get a proof of work for a registration',
    description: `Required if \`registration.challenge\` of the site is \`on\`. In the format of ALTCHA 2: its libraries solve it in about a second. Send base64 of the JSON \`{challenge, solution}\` as \`proof\` of \`POST /users/register\`, once, within ${challengeMinutes} minutes.`,
    limit: 'signUp',
    isAlwaysOpen: true,
    hasSecret: true,
    returnsData: 'site',
  }).query(async ({ ctx: { db, primary = db, now } }) => ({ challenge: await newChallenge(primary, now) })),

  login: forAll('POST /auth/login', 'login', accounts.login, {
    summary: 'Log in',
    description: `Send the token as \`Authorization: Bearer …\`. It expires after ${sessionDays} days, or with a logout. An unknown email and a wrong password return the same 401. The correct password of an unverified account returns 403. If the account has a second factor, the correct password returns a 401 with the reason \`SECOND_FACTOR_REQUIRED\` and a \`ticket\` for \`POST /auth/second-factor\`.`,
    errors: [401, 403, 503],
    limit: 'login',
  }).mutation(async ({ ctx, input }) => {
    refusePasswords(ctx.config)
    const user = await credentials.findByEmail(ctx.db, input.email)
    const credential = user?.password
    const isCorrect = await guessPassword(ctx, loginAccount(input.email), {
      password: input.password,
      credential,
    })
    if (!credential || !isCorrect) throw wrongCredentials()
    return startSession(ctx, async (trx) => {
      const locked = await store.lockByEmail(trx, input.email)
      // The password was checked before the transaction: it must not have changed since.
      if (locked?.id !== user.id || !(await credentials.recordUse(trx, credential, ctx.now)))
        throw wrongCredentials()
      checkMayLogIn(locked)
      return locked
    })
  }),

  logout: forMembers('POST /auth/logout', 'logout', accounts.logout, {
    summary: 'Log out',
    description:
      'Invalidates the token. Other sessions are not affected. If the session began with a provider that offers it, `logoutUrl` is the page that logs out there.',
    scope: 'session',
    isForSuspended: true,
  }).mutation(async ({ ctx }) => {
    const provider = await sessions.findSessionProvider(ctx.db, ctx.member.sessionHash)
    await sessions.removeSession(ctx.db, ctx.member.sessionHash)
    ctx.response.pageKey = null
    const issuer = provider === null ? undefined : issuerOf(ctx.config, provider)
    const logoutUrl = issuer && (await endSessionUrl(ctx.config, issuer))
    return { message: messages.loggedOut, ...(logoutUrl !== undefined && { logoutUrl }) }
  }),

  openPages: memberProcedure
    .meta({ scope: 'session', isForSuspended: true })
    .mutation(({ ctx }) => renewPages(ctx, ctx.db)),

  closePages: publicProcedure.meta({ scope: 'session', limit: 'write' }).mutation(({ ctx }) => {
    ctx.response.pageKey = null
  }),

  // REST documents it as a GET, but clients must not cache or repeat it.
  verifyEmail: forAll('GET /auth/verify-email', 'verifyEmail', accounts.verifyEmail, {
    summary: 'Verify an email',
    description:
      'Takes the token of the link in the email that a registration or a change of email sends. It works once, for 24 hours; later calls return 400, with the reason `LINK_USED` if the email is verified, or `APPROVAL_PENDING` if a moderator has yet to approve the account. Returns 409 if another account has taken the new email in the meantime.',
    errors: [409],
    limit: 'write',
  }).mutation(async ({ ctx, input: { token } }) => {
    const outcome = await claimUnique(ctx, undefined, async (trx) => {
      const tokenHash = hashToken(token)
      await store.lockByMailToken(trx, tokenHash)
      const purposes = ['verify', 'change-email'] as const
      const link = await mails.takeMailToken(trx, tokenHash, purposes, ctx.now)
      if (!link) throw await deadLink(trx, ctx.now, token, purposes, messages.verificationFailed)
      const applied = await applyVerification(trx, ctx.now, link)
      if (applied === 'canceled') throw badRequest(messages.verificationFailed)
      return applied
    })
    const isPending = outcome === 'pending'
    return { message: isPending ? messages.approvalPending : messages.verified, isPending }
  }),

  firstLogin: forAll('POST /auth/first-login', 'firstLogin', accounts.firstLogin, {
    summary: 'Log in after verifying the email',
    description: `Logs in without the password on the client that registered: with the token of the link that verified the email, and the \`loginKey\` of the registration. Works once, within ${loginKeyMinutes} minutes of the verification, unless the password has changed; otherwise returns 401.`,
    errors: [401],
    limit: 'login',
  }).mutation(async ({ ctx, input: { token, loginKey } }) => {
    const since = loginKeyStart(ctx.now)
    return startSession(ctx, async (trx) => {
      const user = await store.takeLoginKey(trx, hashToken(token), hashToken(loginKey), since)
      if (!user) throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.firstLoginFailed })
      return user
    })
  }),

  resendVerification: forAll(
    'POST /auth/resend-verification',
    'resendVerification',
    accounts.resendVerification,
    {
      summary: 'Resend the verification email',
      description:
        'The response is the same whether or not the email is registered or verified; the email to a verified address says so. Earlier links stay valid. Sends at most one email a minute and five an hour; further requests get the same response.',
      limit: 'mail',
    },
  ).mutation(async ({ ctx, input: { email } }) => {
    await requestLink(ctx, 'verify', email)
    return { message: messages.verificationResent }
  }),

  forgotPassword: forAll('POST /auth/forgot-password', 'forgotPassword', accounts.forgotPassword, {
    summary: 'Request a link to set a new password',
    description:
      'The response is the same whether or not the email is registered. The link works once, for an hour; earlier links stay valid. Sends at most one email a minute and five an hour; further requests get the same response.',
    errors: [403],
    limit: 'mail',
  }).mutation(async ({ ctx, input: { email } }) => {
    refusePasswords(ctx.config)
    await requestLink(ctx, 'reset', email)
    return { message: messages.resetSent }
  }),

  resetPassword: forAll('POST /auth/reset-password', 'resetPassword', accounts.resetPassword, {
    summary: 'Set a new password',
    description:
      'Takes the token of the link in the email. Ends all sessions of the member, revokes all access tokens, invalidates other links to set a password, and cancels a change of email that is not verified yet. Does not verify the email. A link that was used is refused with the reason `LINK_USED`.',
    errors: [403, 503],
    limit: 'login',
  }).mutation(async ({ ctx, input: { token, newPassword } }) => {
    refusePasswords(ctx.config)
    const tokenHash = hashToken(token)
    if ((await mails.findTokenUser(ctx.db, tokenHash, 'reset', ctx.now)) === undefined)
      throw await deadLink(ctx.db, ctx.now, token, ['reset'], messages.resetFailed)
    const passwordHash = await hashPassword(newPassword, ctx.address)
    await ctx.db.transaction().execute(async (trx) => {
      await store.lockByMailToken(trx, tokenHash)
      const link = await mails.takeMailToken(trx, tokenHash, ['reset'], ctx.now)
      if (!link) throw await deadLink(trx, ctx.now, token, ['reset'], messages.resetFailed)
      if (!(await replacePassword(ctx, trx, link.user_id, passwordHash)))
        throw badRequest(messages.resetFailed)
    })
    return { message: messages.resetDone }
  }),

  me: forMembers('GET /users/me', 'getMe', accounts.currentUser, {
    summary: 'Get the caller’s own account',
    description:
      'Returns the caller’s profile, including the fields that only they can see. Returns 401 if the token is not valid.',
    isForSuspended: true,
    returnsData: 'own',
  }).query(async ({ ctx }) => ({ user: presentMe(found(await store.findMe(ctx.db, ctx.member.id))) })),

  updateProfile: forMembers('PUT /users/profile', 'updateProfile', accounts.updateProfile, {
    summary: 'Update the caller’s own profile',
    description:
      'Omitted fields do not change. `profilePicture: null` removes the picture. A new email requires the current password (400 if missing, 403 if wrong). It replaces the current one when the link sent to it is opened, which the `message` says; the current address is notified. Sending the current email cancels a change that is not verified yet. An access token can only change the other fields: `email` requires a login (403).',
    errors: [403, 409, 503],
    scope: 'account',
    limit: 'write',
  }).mutation(async ({ ctx, input: { username, email, password, profilePicture, bio } }) => {
    if (email !== undefined) requireScope(ctx, 'session')
    const user = found(await store.findAccount(ctx.db, ctx.member.id))
    // Members keep their names, and the host may take a reserved one.
    const isNew = username !== undefined && caseless(username) !== caseless(user.username)
    if (isNew && ctx.member.role !== 'admin' && isReservedName(username, (await readSettings(ctx.db)).name))
      throw usernameTaken()
    const newEmail = email !== undefined && caseless(email) !== caseless(user.email) ? email : null
    if (newEmail) checkAddress(await readSettings(ctx.db), newEmail)
    const confirm = newEmail ? await reauthenticate(ctx, { password }) : undefined
    if (newEmail) await checkEmailChange(ctx, newEmail)
    await claimUnique(ctx, username, async (trx) => {
      const account = await store.lockAccount(trx, ctx.member)
      await checkPicture(trx, profilePicture, user.id)
      const changes = {
        username,
        picture: profilePicture,
        bio,
        pending_email: email === undefined ? undefined : newEmail,
      }
      await confirm?.(trx)
      await store.updateUser(trx, user.id, changes)
      checkSession(account)
      if (email !== undefined && newEmail !== account.pendingEmail)
        await mails.removeMailTokens(trx, user.id, ['change-email'])
      if (newEmail) await queueEmailChange(trx, ctx, user, newEmail)
    })
    ctx.mailer.flush()
    const message = newEmail ? messages.emailChangeSent(newEmail) : messages.profileUpdated
    return { message, user: presentMe(found(await store.findMe(ctx.db, user.id))) }
  }),

  updatePassword: forMembers('PUT /users/password', 'updatePassword', accounts.updatePassword, {
    summary: 'Update the caller’s own password',
    description:
      'Ends the caller’s other sessions, revokes all access tokens, invalidates links to set a password, and cancels a change of email that is not verified yet. Returns 403 if the current password is wrong.',
    errors: [403, 503],
    scope: 'session',
    limit: 'write',
  }).mutation(async ({ ctx, input: { currentPassword, newPassword } }) => {
    refusePasswords(ctx.config)
    const confirm = await reauthenticate(ctx, { password: currentPassword })
    if (newPassword === currentPassword) throw badRequest(messages.passwordUnchanged)
    const passwordHash = await hashPassword(newPassword, ctx.address)
    const { id, sessionHash } = ctx.member
    await ctx.db.transaction().execute(async (trx) => {
      const account = await store.lockAccount(trx, ctx.member)
      await confirm(trx)
      checkSession(account)
      await replacePassword(ctx, trx, id, passwordHash, sessionHash)
      await renewPages(ctx, trx)
    })
    return { message: messages.passwordUpdated }
  }),

  profile: forAll('GET /users/{id}/profile', 'getProfile', accounts.userProfile, {
    summary: 'Get the profile of a member',
    description:
      'Includes the email only in the caller’s own profile. A profile that is closed to the caller has no bio.',
    errors: [404],
    readsToken: true,
    returnsData: ['profile', 'bio'],
  }).query(async ({ ctx, input: { id } }) => {
    const row = found(await store.findProfile(ctx.db, id, ctx.member?.id ?? 0), messages.userNotFound)
    return { user: presentProfile(row, ctx.member?.id === id) }
  }),

  listSessions: forMembers('GET /users/me/sessions', 'listSessions', accounts.listSessions, {
    summary: 'List the caller’s own sessions',
    description:
      'Returns all active sessions, most recently used first. `lastUsedAt` is accurate to the hour.',
    scope: 'session',
    returnsData: 'own',
  }).query(async ({ ctx }) => {
    const rows = await sessions.listSessions(ctx.db, ctx.member.id, ctx.now)
    return { sessions: rows.map((row) => presentSession(row, ctx.member.sessionHash)) }
  }),

  endSession: forMembers('DELETE /users/me/sessions/{id}', 'endSession', accounts.endSession, {
    summary: 'End one of the caller’s own sessions',
    description: 'Invalidates the token of the session.',
    errors: [404],
    scope: 'session',
  }).mutation(async ({ ctx, input }) => {
    const rows = await sessions.listSessions(ctx.db, ctx.member.id, ctx.now)
    const session = found(rows.find((row) => presentSession(row, '').id === input.id))
    await sessions.removeSession(ctx.db, session.token_hash)
    return { message: messages.sessionEnded }
  }),
})

function refusePasswords({ oidcOnly }: Context['config']): void {
  if (oidcOnly) throw new ReasonedError('FORBIDDEN', 'PASSWORDS_OFF', messages.passwordsOff)
}

const emailTaken = () => new ReasonedError('CONFLICT', 'EMAIL_TAKEN', messages.emailTaken)
const wrongCredentials = () =>
  new ReasonedError('UNAUTHORIZED', 'CREDENTIALS_WRONG', messages.invalidCredentials)

async function claimUnique<T>(
  ctx: Context,
  username: string | undefined,
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.db.transaction().execute(work)
  } catch (error) {
    const taken = await store.findTaken(ctx.db, error, username)
    if (!taken) throw error
    if (taken === 'username') throw usernameTaken()
    throw emailTaken()
  }
}

function usernameTaken(): ReasonedError {
  return new ReasonedError('CONFLICT', 'USERNAME_TAKEN', messages.usernameTaken)
}

function checkRegistration(
  { registration: { mode, reasonRequired }, rules }: SiteSettings,
  { acceptsRules, reason, inviteCode }: { acceptsRules?: boolean; reason?: string; inviteCode?: string },
): void {
  if (mode === 'closed')
    throw new ReasonedError('FORBIDDEN', 'REGISTRATION_CLOSED', messages.registrationClosed)
  if (mode === 'invite' && !inviteCode) throw inviteRequired()
  if (rules.length > 0 && !acceptsRules) throw invalidField('acceptsRules', messages.rulesNotAccepted)
  if (mode === 'approval' && reasonRequired && !reason)
    throw invalidField('reason', messages.signUpReasonRequired)
}

function checkAddress({ registration }: SiteSettings, email: string): void {
  if (isBlockedAddress(email, registration.blockedEmailDomains))
    throw invalidField('email', messages.emailInvalid)
}

/** Null without an invite. Throws if the settings require one that can be used. */
async function inviterOf(trx: Db, { now }: Context, code: string | undefined): Promise<number | null> {
  const { mode, invitesBy } = (await readSettings(trx)).registration
  const inviter = code ? await takeInvite(trx, code, now, invitersBy(invitesBy)) : undefined
  if (inviter === undefined && mode === 'invite') throw inviteRequired()
  return inviter ?? null
}

function inviteRequired(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'INVITE_REQUIRED', messages.inviteRequired)
}

/** An upload that still exists, or the current picture of member `id`. */
async function checkPicture(trx: Db, path: string | null | undefined, id?: number): Promise<void> {
  if (!path || (await holdUpload(trx, path))) return
  const user = id === undefined ? undefined : await store.findMe(trx, id)
  if (user?.picture !== path) throw badRequest(messages.uploadFirst)
}

async function checkEmailChange(ctx: MemberContext, email: string): Promise<void> {
  await ctx.limit('mail')
  await ctx.limit('mail', `member ${ctx.member.id}`)
  await ctx.limit('mailbox', `email ${caseless(email)}`)
  if (await store.isEmailTaken(ctx.db, email)) throw emailTaken()
}

/**
 * Also ends the sessions except `exceptSession`, access tokens, links, and what features do in the member’s name. Returns false if there is
 * no such account. The account must be locked.
 */
async function replacePassword(
  { now, features }: Pick<Context, 'now' | 'features'>,
  trx: Db,
  id: number,
  passwordHash: string,
  exceptSession?: string,
): Promise<boolean> {
  const email = await store.dropPending(trx, id)
  if (email === undefined) return false
  await credentials.setPassword(trx, id, passwordHash, now)
  await credentials.removeSteps(trx, id)
  await mails.removeMailTokens(trx, id, ['change-email', 'reset'])
  await mails.removeMailCounts(trx, mailKeysOf(email))
  await sessions.removeSessions(trx, id, exceptSession)
  await sessions.removeAccessTokens(trx, id)
  for (const { endAccess } of features) await endAccess?.(trx, id, now)
  return true
}
