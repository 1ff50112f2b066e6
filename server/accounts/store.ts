import { type ExpressionBuilder, sql } from 'kysely'
import { isSqlite, isUniqueViolation } from '#server/db/dialect.ts'
import { fold } from '#server/db/fold.ts'
import { kept } from '#server/db/kept.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables, UserRow } from '#server/db/tables.ts'

/** A name or an e-mail as it is compared. */
export function caseless(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

const profileColumns = [
  'id',
  'username',
  'picture',
  'review_count',
  'follower_count',
  'following_count',
  'email',
] as const
const meColumns = [...profileColumns, 'pending_email'] as const
export type ProfileRow = Pick<UserRow, (typeof profileColumns)[number]>
export type MeRow = Pick<UserRow, (typeof meColumns)[number]>

/** Throws the database's unique violation where the username or the e-mail belongs to somebody: see `findTaken`. */
export async function insertUser(
  db: Db,
  user: { username: string; email: string; passwordHash: string; picture: string | null },
  now: Date,
): Promise<Pick<UserRow, 'id' | 'username' | 'email' | 'picture'>> {
  return db
    .insertInto('users')
    .values({
      username: user.username,
      username_folded: caseless(user.username),
      search_text: fold(user.username),
      email: user.email,
      email_folded: caseless(user.email),
      password_hash: user.passwordHash,
      picture: user.picture,
      created_at: now.toISOString(),
    })
    .returning(['id', 'username', 'email', 'picture'])
    .executeTakeFirstOrThrow()
}

/** Which name somebody else holds, where `error` says that one is held; ask it outside the transaction that failed. */
export async function findTaken(
  db: Db,
  error: unknown,
  username?: string,
): Promise<'username' | 'email' | undefined> {
  if (!isUniqueViolation(error)) return undefined
  if (username === undefined) return 'email'
  const holder = await db
    .selectFrom('users')
    .select('id')
    .where('username_folded', '=', caseless(username))
    .executeTakeFirst()
  return holder ? 'username' : 'email'
}

export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const holder = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', caseless(email))
    .executeTakeFirst()
  return holder !== undefined
}

export async function findProfile(db: Db, id: number): Promise<ProfileRow | undefined> {
  return db.selectFrom('users').select(profileColumns).where('id', '=', id).executeTakeFirst()
}

export async function findMe(db: Db, id: number): Promise<MeRow | undefined> {
  return db.selectFrom('users').select(meColumns).where('id', '=', id).executeTakeFirst()
}

/** What logging in is judged by. */
export async function findByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select([...meColumns, 'password_hash', 'verified_at'])
    .where('email_folded', '=', caseless(email))
    .executeTakeFirst()
}

/** What a change of one's own account is judged by. */
export async function findAccount(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Undefined leaves as it is. Throws a unique violation where the username belongs to somebody. */
export async function updateUser(
  db: Db,
  id: number,
  {
    username,
    ...others
  }: {
    username?: string | undefined
    picture?: string | null | undefined
    pending_email?: string | null | undefined
  },
): Promise<void> {
  const changes = {
    ...others,
    ...(username === undefined
      ? {}
      : { username, username_folded: caseless(username), search_text: fold(username) }),
  }
  if (Object.values(changes).every((value) => value === undefined)) return
  await db.updateTable('users').set(changes).where('id', '=', id).execute()
}

export async function verifyUser(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ verified_at: now.toISOString() })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .execute()
}

/**
 * The pending e-mail becomes the e-mail; false where there is none.
 * Throws a unique violation where it is somebody else's by now.
 */
export async function confirmPendingEmail(db: Db, id: number): Promise<boolean> {
  const user = await db.selectFrom('users').select('pending_email').where('id', '=', id).executeTakeFirst()
  if (!user?.pending_email) return false
  const email = user.pending_email
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ email, email_folded: caseless(email), pending_email: null })
    .where('id', '=', id)
    .where('pending_email', '=', email)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Sets a password and drops a pending e-mail, which somebody with the old one may have asked for.
 * With `from`, only while that is still the hash; false where it is not.
 */
export async function setPassword(db: Db, id: number, passwordHash: string, from?: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: passwordHash, pending_email: null })
    .where('id', '=', id)
    .$if(from !== undefined, (query) => query.where('password_hash', '=', from!))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

// Sessions

const touchMs = 60 * 60_000

const sessionOf = kept((db, tokenHash: string, now: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.wrote_at', 'sessions.last_used_at'])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now),
)

/** The member of a live session. Notes that it is in use, once an hour at most. */
export async function findMemberBySession(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<{ id: number; username: string; sessionHash: string; wroteAt: string | null } | undefined> {
  const [row] = await sessionOf(db, tokenHash, now.toISOString())
  if (!row) return undefined
  const touchedBefore = new Date(now.getTime() - touchMs).toISOString()
  if (row.last_used_at < touchedBefore) {
    // A read must not fail because this cannot be written down.
    await db
      .updateTable('sessions')
      .set({ last_used_at: now.toISOString() })
      .where('token_hash', '=', tokenHash)
      .where('last_used_at', '<', touchedBefore)
      .execute()
      .catch(() => {})
  }
  return { id: row.id, username: row.username, sessionHash: tokenHash, wroteAt: row.wrote_at }
}

/** To be called after what the member wrote is committed, where a replica may be read from. */
export async function markWrote(db: Db, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ wrote_at: sql`default` })
    .where('id', '=', id)
    .execute()
}

/** False where `passwordHash` is not the member's any more: it was changed while the given password was compared. */
export async function insertSession(
  db: Db,
  session: {
    tokenHash: string
    userId: number
    passwordHash: string
    userAgent: string | null
    expiresAt: Date
  },
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('sessions')
    .columns(['token_hash', 'user_id', 'created_at', 'last_used_at', 'expires_at', 'user_agent'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select((user) => [
          user.val(session.tokenHash).as('token_hash'),
          'users.id as user_id',
          user.val(now.toISOString()).as('created_at'),
          user.val(now.toISOString()).as('last_used_at'),
          user.val(session.expiresAt.toISOString()).as('expires_at'),
          user.val(session.userAgent).as('user_agent'),
        ])
        .where('users.id', '=', session.userId)
        .where('users.password_hash', '=', session.passwordHash)
        .$if(!isSqlite(db), (query) => query.forShare()),
    )
    .returning('token_hash')
    .executeTakeFirst()
  return row !== undefined
}

export async function listSessions(db: Db, userId: number, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['token_hash', 'created_at', 'last_used_at', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .orderBy('last_used_at', 'desc')
    .orderBy('token_hash')
    .execute()
}
export type SessionRow = Awaited<ReturnType<typeof listSessions>>[number]

export async function removeSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Every session of a member, but the one to keep. */
export async function removeSessions(db: Db, userId: number, keptHash?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptHash !== undefined, (query) => query.where('token_hash', '<>', keptHash!))
    .execute()
}

export async function removeExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now.toISOString()).execute()
}

// Tokens of mailed links

export type LinkPurpose = Tables['mail_tokens']['purpose']

export async function insertMailToken(
  db: Db,
  token: { tokenHash: string; userId: number; purpose: LinkPurpose; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('mail_tokens')
    .values({
      token_hash: token.tokenHash,
      user_id: token.userId,
      purpose: token.purpose,
      expires_at: token.expiresAt.toISOString(),
    })
    .execute()
}

/** Whether the token would work now. */
export async function isMailTokenLive(
  db: Db,
  tokenHash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('mail_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Uses a token up; undefined where it is unknown, used, expired or for something else.
 * Of two calls at once one gets it.
 */
export async function takeMailToken(
  db: Db,
  tokenHash: string,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<{ user_id: number; purpose: LinkPurpose } | undefined> {
  return db
    .updateTable('mail_tokens')
    .set({ used_at: now.toISOString() })
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'purpose'])
    .executeTakeFirst()
}

export async function removeMailTokens(
  db: Db,
  userId: number,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  await db.deleteFrom('mail_tokens').where('user_id', '=', userId).where('purpose', 'in', purposes).execute()
}

export async function removeExpiredMailTokens(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .deleteFrom('mail_tokens')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', now.toISOString())
    .execute()
}

// Outbox

export type Mail = { to: string; subject: string; text: string }
export type ClaimedMail = Mail & { id: number; attempts: number; createdAt: string }

/** To be called in the transaction of what the mail is about; `mailer.flush()` after it. */
export async function insertMail(db: Db, { to, subject, text }: Mail, now: Date): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      recipient: to,
      message: JSON.stringify({ subject, text }),
      next_attempt_at: now.toISOString(),
      created_at: now.toISOString(),
    })
    .execute()
}

/**
 * Takes mails that are due and puts their next attempt off to `until`, so that nobody else sends them meanwhile
 * and a process that dies over them loses none.
 */
export async function claimMails(db: Db, now: Date, until: Date, limit: number): Promise<ClaimedMail[]> {
  const isDue = (eb: ExpressionBuilder<Tables, 'outbox'>) =>
    eb.and([eb('sent_at', 'is', null), eb('next_attempt_at', '<=', now.toISOString())])
  const rows = await db
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: until.toISOString() }))
    .where('id', 'in', (eb) =>
      eb.selectFrom('outbox').select('id').where(isDue).orderBy('next_attempt_at').limit(limit),
    )
    // Once more: by the time that Postgres gets at a row, another process may have it.
    .where(isDue)
    .returning(['id', 'recipient', 'message', 'attempts', 'created_at'])
    .execute()
  return rows.map(({ id, recipient, message, attempts, created_at }) => {
    const { subject, text } = JSON.parse(message) as Pick<Mail, 'subject' | 'text'>
    return { id, to: recipient, subject, text, attempts, createdAt: created_at }
  })
}

export async function markMailSent(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ sent_at: now.toISOString(), message: '' })
    .where('id', '=', id)
    .execute()
}

export async function postponeMail(db: Db, id: number, until: Date): Promise<void> {
  await db.updateTable('outbox').set({ next_attempt_at: until.toISOString() }).where('id', '=', id).execute()
}

export async function removeMail(db: Db, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute()
}

/** Whom we wrote to is not kept for ever. */
export async function removeSentMails(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('outbox').where('sent_at', '<', before.toISOString()).execute()
}

/** How many mails wait, and since when the longest does. */
export async function measureOutbox(db: Db): Promise<{ waiting: number; oldestAt: string | null }> {
  return db
    .selectFrom('outbox')
    .select((eb) => [
      eb.fn.countAll<number>().as('waiting'),
      eb.fn.min<string | null>('created_at').as('oldestAt'),
    ])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
}
