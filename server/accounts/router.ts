import { TRPCError } from '@trpc/server'
import * as accounts from '#shared/accounts.ts'
import { messages } from '#shared/messages.ts'
import type { Context, Member } from '#server/trpc/context.ts'
import { found, memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts'
import { holdUpload } from '#server/uploads/store.ts'
import { hashPassword, isPassword } from './passwords.ts'
import {
  emailChangeNotice,
  hashToken,
  linkEnd,
  linkMails,
  mailKey,
  mailKeysOf,
  mailPauseMs,
  mailsMax,
  mailWindowMs,
  newToken,
  presentMe,
  presentProfile,
  presentSession,
  sessionEnd,
} from './rules.ts'
import * as store from './store.ts'

const tags = ['Accounts']

export const accountsRouter = router({
  register: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/register',
        operationId: 'register',
        tags,
        summary: 'Create an account',
        description:
          'Sends a mail with a link that verifies the email, which is needed before logging in. Usernames are 2 to 30 letters, digits, `_`, `-` or `.`; usernames and emails are unique without regard to case (409). `profilePicture` is the `imageUrl` of an upload.',
        protect: false,
        errorResponses: [409, 503],
      },
      status: 201,
      limit: 'register',
    })
    .input(accounts.register.input)
    .output(accounts.register.output)
    .mutation(async ({ ctx, input: { username, email, password, profilePicture } }) => {
      const passwordHash = await hashPassword(password)
      const user = await naming(ctx, username, async (trx) => {
        await checkPicture(trx, profilePicture)
        const user = await store.insertUser(
          trx,
          { username, email, passwordHash, picture: profilePicture ?? null },
          ctx.now,
        )
        // Counted while the email was not known here, for mails that nobody was sent.
        await store.removeMailCounts(trx, mailKeysOf(email))
        await mailLink(trx, ctx, 'verify', user)
        return user
      })
      ctx.mailer.flush()
      return { message: messages.registered, user: { id: user.id, username, profilePicture: user.picture } }
    }),

  login: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/login',
        operationId: 'login',
        tags,
        summary: 'Log in',
        description:
          'The token is for `Authorization: Bearer …` and ends after 60 days, or with a logout. An unknown email and a wrong password get the same 401; an email that is not verified yet gets 403, to the right password only.',
        protect: false,
        errorResponses: [401, 403, 503],
      },
      limit: 'login',
    })
    .input(accounts.login.input)
    .output(accounts.login.output)
    .mutation(async ({ ctx, input }) => {
      const account = `email ${store.caseless(input.email)}`
      await countGuess(ctx, account)
      const user = await store.findByEmail(ctx.db, input.email)
      const isRight = await isPassword(input.password, user?.password_hash)
      if (!user || !isRight)
        throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.invalidCredentials })
      if (!user.verified_at) throw new TRPCError({ code: 'FORBIDDEN', message: messages.verifyFirst })
      const token = await startSession(ctx, user)
      ctx.trust(account)
      return { token, user: presentMe(user) }
    }),

  logout: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/logout',
        operationId: 'logout',
        tags,
        summary: 'Log out',
        description: 'The token is dead afterwards; the other sessions stay.',
        protect: true,
      },
    })
    .output(accounts.logout.output)
    .mutation(async ({ ctx }) => {
      await store.removeSession(ctx.db, ctx.member.sessionHash)
      return { message: messages.loggedOut }
    }),

  verifyEmail: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/auth/verify-email',
        operationId: 'verifyEmail',
        tags,
        summary: 'Verify an email',
        description:
          'With the token of the link in a mail, of a registration or of a change of email. It works once, for 24 hours. 409 where a new email has become somebody else’s meanwhile.',
        protect: false,
        errorResponses: [409],
      },
      limit: 'write',
    })
    .input(accounts.verifyEmail.input)
    .output(accounts.verifyEmail.output)
    // A mutation though it is a GET: the address is the documented one, and no client may cache or repeat it.
    .mutation(async ({ ctx, input: { token } }) => {
      if (!token) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.missingToken })
      await naming(ctx, undefined, async (trx) => {
        const tokenHash = hashToken(token)
        await store.lockByMailToken(trx, tokenHash)
        const taken = await store.takeMailToken(trx, tokenHash, ['verify', 'change-email'], ctx.now)
        if (!taken || !(await verify(trx, ctx.now, taken))) throw badRequest(messages.verificationFailed)
      })
      return { message: messages.verified }
    }),

  resendVerification: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/resend-verification',
        operationId: 'resendVerification',
        tags,
        summary: 'Send the verification mail again',
        description:
          'The answer is the same whether or not the email is known or verified. Earlier links go on to work. One mail a minute at most, and five an hour; further requests get the same answer.',
        protect: false,
      },
      limit: 'mail',
    })
    .input(accounts.resendVerification.input)
    .output(accounts.resendVerification.output)
    .mutation(async ({ ctx, input: { email } }) => {
      await requestLink(ctx, 'verify', email)
      return { message: messages.verificationResent }
    }),

  forgotPassword: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/forgot-password',
        operationId: 'forgotPassword',
        tags,
        summary: 'Ask for a link to set a new password',
        description:
          'The answer is the same whether or not the email is known. The link works once, for an hour; earlier ones go on to work. One mail a minute at most, and five an hour; further requests get the same answer.',
        protect: false,
      },
      limit: 'mail',
    })
    .input(accounts.forgotPassword.input)
    .output(accounts.forgotPassword.output)
    .mutation(async ({ ctx, input: { email } }) => {
      await requestLink(ctx, 'reset', email)
      return { message: messages.resetSent }
    }),

  resetPassword: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/reset-password',
        operationId: 'resetPassword',
        tags,
        summary: 'Set a new password',
        description:
          'With the token of the link in the mail. Ends every session of the member, the other links to set a password, and a change of email that is not verified yet. It does not verify the email.',
        protect: false,
        errorResponses: [503],
      },
      limit: 'login',
    })
    .input(accounts.resetPassword.input)
    .output(accounts.resetPassword.output)
    .mutation(async ({ ctx, input: { token, newPassword } }) => {
      const tokenHash = hashToken(token)
      if (!(await store.isMailTokenLive(ctx.db, tokenHash, 'reset', ctx.now)))
        throw badRequest(messages.resetFailed)
      const passwordHash = await hashPassword(newPassword)
      await ctx.db.transaction().execute(async (trx) => {
        await store.lockByMailToken(trx, tokenHash)
        const taken = await store.takeMailToken(trx, tokenHash, ['reset'], ctx.now)
        if (!taken || !(await replacePassword(trx, taken.user_id, passwordHash)))
          throw badRequest(messages.resetFailed)
      })
      return { message: messages.resetDone }
    }),

  me: memberProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/users/me',
        operationId: 'getMe',
        tags,
        summary: 'Who is logged in',
        description: 'One’s own profile, with what only oneself sees. Tells whether a token is alive.',
        protect: true,
      },
    })
    .output(accounts.currentUser.output)
    .query(async ({ ctx }) => ({ user: presentMe(found(await store.findMe(ctx.db, ctx.member.id))) })),

  updateProfile: memberProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/users/profile',
        operationId: 'updateProfile',
        tags,
        summary: 'Change one’s profile',
        description:
          'What is left out stays as it is; `profilePicture: null` removes the picture. A new email needs the current password (400 without, 403 with a wrong one) and replaces the old one when the link mailed to it is opened, which the `message` says; the old address is told. Sending the email that is in force drops a change that is not verified yet.',
        protect: true,
        errorResponses: [403, 409, 503],
      },
      limit: 'write',
    })
    .input(accounts.updateProfile.input)
    .output(accounts.updateProfile.output)
    .mutation(async ({ ctx, input: { username, email, password, profilePicture } }) => {
      const user = found(await store.findAccount(ctx.db, ctx.member.id))
      const newEmail =
        email !== undefined && store.caseless(email) !== store.caseless(user.email) ? email : null
      if (newEmail) await allowEmailChange(ctx, user, newEmail, password)
      await naming(ctx, username, async (trx) => {
        const account = await store.lockAccount(trx, user.id, ctx.member.sessionHash)
        await checkPicture(trx, profilePicture, user.id)
        const changes = {
          username,
          picture: profilePicture,
          pending_email: email === undefined ? undefined : newEmail,
        }
        // The password was compared before the transaction: it must still be the same.
        const isUpdated = await store.updateUser(
          trx,
          user.id,
          changes,
          newEmail ? user.password_hash : undefined,
        )
        if (!isUpdated) throw wrongPassword()
        checkSession(account)
        if (email !== undefined && newEmail !== account.pendingEmail)
          await store.removeMailTokens(trx, user.id, ['change-email'])
        if (newEmail) await mailEmailChange(trx, ctx, user, newEmail)
      })
      ctx.mailer.flush()
      const message = newEmail ? messages.emailChangeSent(newEmail) : messages.profileUpdated
      return { message, user: presentMe(found(await store.findMe(ctx.db, user.id))) }
    }),

  updatePassword: memberProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/users/password',
        operationId: 'updatePassword',
        tags,
        summary: 'Change one’s password',
        description:
          'Ends the member’s other sessions, open links to set a password, and a change of email that is not verified yet. 403 where the current password is wrong.',
        protect: true,
        errorResponses: [403, 503],
      },
      limit: 'write',
    })
    .input(accounts.updatePassword.input)
    .output(accounts.updatePassword.output)
    .mutation(async ({ ctx, input: { currentPassword, newPassword } }) => {
      const user = found(await store.findAccount(ctx.db, ctx.member.id))
      await checkPassword(ctx, user, currentPassword)
      if (newPassword === currentPassword) throw badRequest(messages.passwordUnchanged)
      const passwordHash = await hashPassword(newPassword)
      const { sessionHash } = ctx.member
      await ctx.db.transaction().execute(async (trx) => {
        const account = await store.lockAccount(trx, user.id, sessionHash)
        const ends = { from: user.password_hash, keep: sessionHash }
        if (!(await replacePassword(trx, user.id, passwordHash, ends))) throw wrongPassword()
        checkSession(account)
      })
      return { message: messages.passwordUpdated }
    }),

  profile: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/users/{id}/profile',
        operationId: 'getProfile',
        tags,
        summary: 'Read a profile',
        description: 'The email is there for oneself alone.',
        protect: false,
        errorResponses: [404],
      },
      readsToken: true,
    })
    .input(accounts.userProfile.input)
    .output(accounts.userProfile.output)
    .query(async ({ ctx, input: { id } }) => {
      const row = found(await store.findProfile(ctx.db, id), messages.userNotFound)
      return { user: presentProfile(row, ctx.member?.id === id) }
    }),

  listSessions: memberProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/users/me/sessions',
        operationId: 'listSessions',
        tags,
        summary: 'List one’s sessions',
        description: 'Every place that is logged in, last used first. `lastUsedAt` is exact to the hour.',
        protect: true,
      },
    })
    .output(accounts.listSessions.output)
    .query(async ({ ctx }) => {
      const rows = await store.listSessions(ctx.db, ctx.member.id, ctx.now)
      return { sessions: rows.map((row) => presentSession(row, ctx.member.sessionHash)) }
    }),

  endSession: memberProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/users/me/sessions/{id}',
        operationId: 'endSession',
        tags,
        summary: 'End one of one’s sessions',
        description: 'Its token is dead afterwards.',
        protect: true,
        errorResponses: [404],
      },
    })
    .input(accounts.endSession.input)
    .output(accounts.endSession.output)
    .mutation(async ({ ctx, input }) => {
      const rows = await store.listSessions(ctx.db, ctx.member.id, ctx.now)
      const session = found(rows.find((row) => presentSession(row, '').id === input.id))
      await store.removeSession(ctx.db, session.token_hash)
      return { message: messages.sessionEnded }
    }),
})

type Db = Context['db']
type MemberContext = Context & { member: Member }
type Account = NonNullable<Awaited<ReturnType<typeof store.findAccount>>>

const badRequest = (message: string) => new TRPCError({ code: 'BAD_REQUEST', message })
const wrongPassword = () => new TRPCError({ code: 'FORBIDDEN', message: messages.currentPasswordWrong })

/** A transaction in which a username or an e-mail becomes somebody's; throws CONFLICT where it is somebody else's. */
async function naming<T>(
  ctx: Context,
  username: string | undefined,
  act: (trx: Db) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.db.transaction().execute(act)
  } catch (error) {
    const taken = await store.findTaken(ctx.db, error, username)
    if (!taken) throw error
    throw new TRPCError({
      code: 'CONFLICT',
      message: taken === 'username' ? messages.usernameTaken : messages.emailTaken,
    })
  }
}

/** A picture that somebody uploaded and nobody removed meanwhile, or the one that the member has already. */
async function checkPicture(trx: Db, path: string | null | undefined, id?: number): Promise<void> {
  if (!path || (await holdUpload(trx, path))) return
  const user = id === undefined ? undefined : await store.findMe(trx, id)
  if (user?.picture !== path) throw badRequest(messages.uploadFirst)
}

/** Throws UNAUTHORIZED if the session was ended since the call began, by a new password say. */
function checkSession({ hasSession }: { hasSession: boolean }): void {
  if (!hasSession) throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
}

/** Stands for the account that an email does not have. */
const noUserId = 0

/**
 * Sends a link to an account's email, if there is one that has a use for it. The same statements run if there is none, and
 * their times say nothing.
 */
async function requestLink(ctx: Context, purpose: 'verify' | 'reset', email: string): Promise<void> {
  await ctx.limit('mailbox', `email ${store.caseless(email)}`)
  await ctx.db.transaction().execute(async (trx) => {
    const user = await store.lockByEmail(trx, email)
    if (!(await countMail(trx, ctx, mailKey(purpose, email)))) return
    const isUseful = user && (purpose === 'reset' || !user.verified_at)
    await mailLink(trx, ctx, purpose, isUseful ? user : { id: noUserId, email })
  })
  ctx.mailer.flush()
}

/** False if the mailbox has enough mails of this kind; their links still work. See `mailWindowMs`. */
async function countMail(trx: Db, { now }: Context, key: string): Promise<boolean> {
  const later = (ms: number) => new Date(now.getTime() + ms)
  const limit = { max: mailsMax, nextAt: later(mailPauseMs), endsAt: later(mailWindowMs) }
  return store.countMail(trx, key, now, limit)
}

/** A new token and the mail with its link. Writes nothing if there is no such user. */
async function mailLink(
  trx: Db,
  { config, now }: Context,
  purpose: store.LinkPurpose,
  { id, email }: { id: number; email: string },
): Promise<void> {
  const token = newToken()
  await store.removeExpiredMailTokens(trx, id, now)
  await store.insertMailToken(trx, {
    tokenHash: hashToken(token),
    userId: id,
    purpose,
    expiresAt: linkEnd(purpose, now),
  })
  const mail = linkMails[purpose]({ to: email, publicUrl: config.publicUrl, token })
  await store.insertMailFor(trx, id, mail, now)
}

/** False where a change of e-mail is not wanted any more. */
async function verify(
  trx: Db,
  now: Date,
  { user_id: id, purpose }: { user_id: number; purpose: store.LinkPurpose },
): Promise<boolean> {
  if (purpose === 'change-email') {
    // Links that lie in the old mailbox must not open the account any more.
    await store.removeMailTokens(trx, id, ['reset'])
    const email = await store.confirmPendingEmail(trx, id)
    if (!email) return false
    // Counted while the email was nobody's here, for mails that nobody was sent.
    await store.removeMailCounts(trx, mailKeysOf(email))
    return true
  }
  await store.verifyUser(trx, id, now)
  return true
}

/** Answers the session's token. */
async function startSession(ctx: Context, user: { id: number; password_hash: string }): Promise<string> {
  const token = newToken()
  await store.removeExpiredSessions(ctx.db, ctx.now)
  const isStarted = await store.insertSession(
    ctx.db,
    {
      tokenHash: hashToken(token),
      userId: user.id,
      passwordHash: user.password_hash,
      userAgent: ctx.userAgent,
      expiresAt: sessionEnd(ctx.now),
    },
    ctx.now,
  )
  if (!isStarted) throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.invalidCredentials })
  return token
}

/** First where the guess comes from: what is refused there must not use up what others have. */
async function countGuess(ctx: Context, account: string): Promise<void> {
  await ctx.limit('guess', account)
  await ctx.limit('guesses', account)
}

/** Guesses are counted by member: a stolen session must not find out the password. */
async function checkPassword(ctx: MemberContext, user: Account, password: string): Promise<void> {
  await countGuess(ctx, `member ${user.id}`)
  if (!(await isPassword(password, user.password_hash))) throw wrongPassword()
}

async function allowEmailChange(
  ctx: MemberContext,
  user: Account,
  email: string,
  password: string | undefined,
): Promise<void> {
  if (!password) throw badRequest(messages.currentPasswordMissing)
  await checkPassword(ctx, user, password)
  await ctx.limit('mail')
  await ctx.limit('mail', `member ${user.id}`)
  await ctx.limit('mailbox', `email ${store.caseless(email)}`)
  if (await store.isEmailTaken(ctx.db, email))
    throw new TRPCError({ code: 'CONFLICT', message: messages.emailTaken })
}

/** Links for another address must be removed before: a token does not say which address it verifies. */
async function mailEmailChange(trx: Db, ctx: Context, user: Account, newEmail: string): Promise<void> {
  if (await countMail(trx, ctx, mailKey('change-email', newEmail)))
    await mailLink(trx, ctx, 'change-email', { id: user.id, email: newEmail })
  else if (!(await store.hasMailToken(trx, user.id, 'change-email', ctx.now)))
    // The mails that were counted were for other accounts: there is no link for this one.
    throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message: messages.tooManyRequests })
  if (await countMail(trx, ctx, mailKey('notice', user.email)))
    await store.insertMail(
      trx,
      emailChangeNotice({ to: user.email, publicUrl: ctx.config.publicUrl }),
      ctx.now,
    )
}

/** What the old password may have opened ends with it. False where `from` is not the password's hash any more. */
async function replacePassword(
  trx: Db,
  id: number,
  passwordHash: string,
  { from, keep }: { from?: string; keep?: string } = {},
): Promise<boolean> {
  const user = await store.setPassword(trx, id, passwordHash, from)
  if (!user) return false
  await store.removeMailTokens(trx, id, ['change-email', 'reset'])
  await store.removeMailCounts(trx, mailKeysOf(user.email))
  await store.removeSessions(trx, id, keep)
  return true
}
