import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Scope } from '#shared/scopes.ts'
import { recountAll } from '#server/db/counters.ts'
import { isSqlite, isUniqueViolation } from '#server/db/dialect.ts'
import { caseless, confusableKey, fold } from '#server/db/fold.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import type { Db } from '#server/db/open.ts'
import {
  type AccessTokenRow,
  type LinkPurpose,
  type Mail,
  meColumns,
  type MeRow,
  profileColumns,
  type ProfileRow,
  type Tables,
  type UserRow,
} from '#server/db/tables.ts'

/**
 * Creates an unverified account. Throws the database's unique violation if the username, a confusable one or the email is
 * taken: see `findTaken`.
 */
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
      username_key: confusableKey(user.username),
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

/** Returns what is taken if `error` is a unique violation. Must run outside the transaction that failed. */
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
    .where((eb) => eb.or({ username_folded: caseless(username), username_key: confusableKey(username) }))
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

/** Returns undefined for an unverified account too: its name and picture come from a person who proved nothing yet. */
export async function findProfile(db: Db, id: number): Promise<ProfileRow | undefined> {
  return db
    .selectFrom('users')
    .select(profileColumns)
    .where('id', '=', id)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
}

export async function findMe(db: Db, id: number): Promise<MeRow | undefined> {
  return db.selectFrom('users').select(meColumns).where('id', '=', id).executeTakeFirst()
}

/** Returns what a login is checked against. */
export async function findByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select([...meColumns, 'password_hash', 'verified_at'])
    .where('email_folded', '=', caseless(email))
    .executeTakeFirst()
}

/** Returns what a member's change to their own account is checked against. */
export async function findAccount(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'password_hash', 'is_demo'])
    .where('id', '=', id)
    .executeTakeFirst()
}

// Locks. Every change to an account locks its row first, so that changes to one account run one after another and cannot
// deadlock. SQLite has a single writer and needs no locks.

/**
 * Locks an account and returns what may have changed since the call began. The caller’s session may have ended, or the
 * access token may be revoked: everything that ends all of them takes this lock as well.
 */
export async function lockAccount(
  trx: Db,
  { id, sessionHash, scopes }: { id: number; sessionHash: string; scopes: readonly Scope[] | null },
): Promise<{ pendingEmail: string | null; hasSession: boolean }> {
  const user = await trx
    .selectFrom('users')
    .select('pending_email')
    .where('id', '=', id)
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
  // A separate statement: one that waited for the lock would read other tables as of before the wait in Postgres.
  const session = await trx
    .selectFrom(scopes ? 'api_tokens' : 'sessions')
    .select('user_id')
    .where('token_hash', '=', sessionHash)
    .where('user_id', '=', id)
    .executeTakeFirst()
  return { pendingEmail: user?.pending_email ?? null, hasSession: session !== undefined }
}

/** Locks the account with this email, if any, so that it still has the email when the transaction ends. */
export async function lockByEmail(
  trx: Db,
  email: string,
): Promise<Pick<UserRow, 'id' | 'email' | 'verified_at'> | undefined> {
  return trx
    .selectFrom('users')
    .select(['id', 'email', 'verified_at'])
    .where('email_folded', '=', caseless(email))
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

/** Locks the account that an emailed token belongs to, if any. */
export async function lockByMailToken(trx: Db, tokenHash: string): Promise<void> {
  if (isSqlite(trx)) return
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', (eb) =>
      eb.selectFrom('mail_tokens').select('user_id').where('token_hash', '=', tokenHash),
    )
    .forUpdate()
    .execute()
}

/**
 * Updates the fields that are not undefined. With `passwordHash`, only if that is still the current hash, and returns
 * false if it is not. Throws a unique violation if the username, or a confusable one, is taken.
 */
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
  passwordHash?: string,
): Promise<boolean> {
  if (username === undefined && Object.values(others).every((value) => value === undefined)) return true
  const folded = username === undefined ? undefined : caseless(username)
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((eb) => ({
      ...others,
      // A name from before keys existed may have none: changing its case alone must not give it one, which may be taken.
      ...(username !== undefined && {
        username,
        username_folded: folded,
        username_key: eb
          .case()
          .when('username_folded', '=', folded!)
          .then(eb.ref('username_key'))
          .else(confusableKey(username))
          .end(),
        search_text: fold(username),
      }),
    }))
    .where('id', '=', id)
    .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash!))
    .executeTakeFirst()
  return numUpdatedRows > 0n
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
 * Replaces the email with the pending one and returns it; returns undefined if none is pending.
 * Throws a unique violation if it has been taken since.
 */
export async function confirmPendingEmail(db: Db, id: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('pending_email').where('id', '=', id).executeTakeFirst()
  if (!user?.pending_email) return undefined
  const email = user.pending_email
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ email, email_folded: caseless(email), pending_email: null })
    .where('id', '=', id)
    .where('pending_email', '=', email)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? email : undefined
}

/**
 * Sets a password and drops a pending email, which may have been requested with the old password. Returns the account's
 * email. With `expectedHash`, only if that is still the current hash, and returns undefined if it is not.
 */
export async function setPassword(
  db: Db,
  id: number,
  passwordHash: string,
  expectedHash?: string,
): Promise<{ email: string } | undefined> {
  return db
    .updateTable('users')
    .set({ password_hash: passwordHash, pending_email: null })
    .where('id', '=', id)
    .$if(expectedHash !== undefined, (query) => query.where('password_hash', '=', expectedHash!))
    .returning('email')
    .executeTakeFirst()
}

/**
 * Schedules the deletion of an account if `passwordHash` is still its current hash. Returns when it will be deleted, which an
 * earlier call may have determined; undefined if the password has changed.
 */
export async function scheduleDeletion(
  db: Db,
  id: number,
  at: Date,
  passwordHash: string,
): Promise<string | undefined> {
  const row = await db
    .updateTable('users')
    .set((eb) => ({ deletion_at: eb.fn.coalesce('deletion_at', eb.val(at.toISOString())) }))
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .returning('deletion_at')
    .executeTakeFirst()
  return row?.deletion_at ?? undefined
}

/** Cancels the deletion of an account and invalidates the links that cancel it. */
export async function cancelDeletion(db: Db, id: number): Promise<void> {
  await db.updateTable('users').set({ deletion_at: null }).where('id', '=', id).execute()
  await removeMailTokens(db, id, ['keep-account'])
}

/** Counts what a member has, what others added to it (`responses`), and the titles that the member created. */
export async function countContents(db: Db, userId: number) {
  const count = (table: string, column = 'user_id') =>
    sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${userId})`
  return db
    .selectNoFrom([
      count('reviews').as('reviews'),
      sql<number>`(select coalesce(sum(comment_count + like_count + dislike_count), 0) from reviews
        where user_id = ${userId})`.as('responses'),
      count('comments').as('comments'),
      count('reactions').as('reactions'),
      count('diary_entries').as('diaryEntries'),
      count('favorites').as('favorites'),
      count('imports').as('imports'),
      count('uploads', 'owner_id').as('uploads'),
      count('media', 'created_by').as('titles'),
    ])
    .executeTakeFirstOrThrow()
}

/**
 * Removes at most `limit` unverified accounts created before `before`, with everything they own. Returns how many. Must
 * run in a transaction.
 */
export async function removeUnverified(trx: Db, before: Date, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('verified_at', 'is', null)
    .where('is_demo', '=', 0)
    // Removed in batches (deletion.ts).
    .where('deletion_at', 'is', null)
    .where('created_at', '<', before.toISOString())
    .orderBy('created_at')
    .limit(limit)
    // A locked account is being verified, or removed by another process.
    .$if(!isSqlite(trx), (query) => query.forUpdate().skipLocked())
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  // Unverified accounts may have follows from before these were refused.
  const sides = [
    ['follower_id', 'followee_id', 'follower_count'],
    ['followee_id', 'follower_id', 'following_count'],
  ] as const
  for (const [removed, other, counter] of sides) {
    const others = await trx
      .selectFrom('users')
      .select('id')
      .where('id', 'in', (eb) => eb.selectFrom('follows').select(other).where(removed, 'in', ids))
      // The same order as in a follow, to avoid deadlocks.
      .orderBy('id')
      .$if(!isSqlite(trx), (query) => query.forUpdate())
      .execute()
    for (const { id } of others)
      await trx
        .updateTable('users')
        .set((eb) => ({
          [counter]: eb(
            counter,
            '-',
            eb
              .selectFrom('follows')
              .select((follow) => follow.fn.countAll<number>().as('count'))
              .where(`follows.${other}`, '=', id)
              .where(`follows.${removed}`, 'in', ids),
          ),
        }))
        .where('id', '=', id)
        .execute()
  }
  // These need a login, so an unverified account has them only if the data came from elsewhere.
  const { ownsMore } = await trx
    .selectNoFrom((eb) => {
      const owns = (table: 'reviews' | 'reactions' | 'comments') =>
        eb.exists(eb.selectFrom(table).select(eb.lit(1).as('one')).where(`${table}.user_id`, 'in', ids))
      return eb.or([owns('reviews'), owns('reactions'), owns('comments')]).as('ownsMore')
    })
    .executeTakeFirstOrThrow()
  await trx.deleteFrom('users').where('id', 'in', ids).execute()
  if (ownsMore) await recountAll(trx)
  return ids.length
}

// Sessions

const touchIntervalMs = 60 * 60_000

const sessionQuery = prepareQuery((db, tokenHash: string, now: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.wrote_at', 'sessions.last_used_at', 'sessions.expires_at'])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now),
)

/**
 * Returns the member of a live session. Updates when the session was last used, at most once an hour. If nothing is written
 * in between, the result is the same until `freshUntil`.
 */
export async function findMemberBySession(db: Db, tokenHash: string, now: Date) {
  const [row] = await sessionQuery(db, tokenHash, now.toISOString())
  if (!row) return undefined
  const touchedBefore = new Date(now.getTime() - touchIntervalMs).toISOString()
  if (row.last_used_at < touchedBefore) {
    // A read must not fail because this write does.
    await db
      .updateTable('sessions')
      .set({ last_used_at: now.toISOString() })
      .where('token_hash', '=', tokenHash)
      .where('last_used_at', '<', touchedBefore)
      .execute()
      .catch(() => {})
  }
  const touchDue = new Date(Date.parse(row.last_used_at) + touchIntervalMs).toISOString()
  return {
    member: {
      id: row.id,
      username: row.username,
      sessionHash: tokenHash,
      scopes: null,
      wroteAt: row.wrote_at,
    },
    freshUntil: row.expires_at < touchDue ? row.expires_at : touchDue,
  }
}

/** Returns false if `passwordHash` is no longer the member's: it was changed while the given password was compared. */
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

export async function removeSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Removes all sessions of a member except `exceptHash`. */
export async function removeSessions(db: Db, userId: number, exceptHash?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptHash !== undefined, (query) => query.where('token_hash', '<>', exceptHash!))
    .execute()
}

export async function removeExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now.toISOString()).execute()
}

// Personal access tokens

/** Shorter than for sessions: an owner looks at this time to see whether someone uses a token. Each update is a write. */
const tokenTouchIntervalMs = 5 * 60_000

const accessTokenQuery = prepareQuery((db, tokenHash: string, now: string) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'users.id',
      'users.username',
      'users.wrote_at',
      'api_tokens.scopes',
      'api_tokens.last_used_at',
      'api_tokens.expires_at',
    ])
    .where('api_tokens.token_hash', '=', tokenHash)
    .where((eb) => eb.or([eb('api_tokens.expires_at', 'is', null), eb('api_tokens.expires_at', '>', now)])),
)

/** Like `findMemberBySession`, for an access token. Updates when it was last used, at most every five minutes. */
export async function findMemberByAccessToken(db: Db, tokenHash: string, now: Date) {
  const [row] = await accessTokenQuery(db, tokenHash, now.toISOString())
  if (!row) return undefined
  const touchedBefore = new Date(now.getTime() - tokenTouchIntervalMs).toISOString()
  let lastUsedAt = row.last_used_at
  if (lastUsedAt === null || lastUsedAt < touchedBefore) {
    lastUsedAt = now.toISOString()
    // A read must not fail because this write does.
    await db
      .updateTable('api_tokens')
      .set({ last_used_at: lastUsedAt })
      .where('token_hash', '=', tokenHash)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', touchedBefore)]))
      .execute()
      .catch(() => {})
  }
  const touchDue = new Date(Date.parse(lastUsedAt) + tokenTouchIntervalMs).toISOString()
  return {
    member: {
      id: row.id,
      username: row.username,
      sessionHash: tokenHash,
      scopes: row.scopes.split(' ') as Scope[],
      wroteAt: row.wrote_at,
    },
    freshUntil: row.expires_at !== null && row.expires_at < touchDue ? row.expires_at : touchDue,
  }
}

const accessTokenColumns = ['id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const

/** Must run with the account locked, so that `countAccessTokens` is right. */
export async function insertAccessToken(
  trx: Db,
  token: { userId: number; tokenHash: string; name: string; scopes: string; expiresAt: Date | null },
  now: Date,
): Promise<AccessTokenRow> {
  return trx
    .insertInto('api_tokens')
    .values({
      user_id: token.userId,
      token_hash: token.tokenHash,
      name: token.name,
      scopes: token.scopes,
      created_at: now.toISOString(),
      expires_at: token.expiresAt?.toISOString() ?? null,
    })
    .returning(accessTokenColumns)
    .executeTakeFirstOrThrow()
}

export async function countAccessTokens(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns a member's tokens, expired ones too, newest first. */
export async function listAccessTokens(db: Db, userId: number): Promise<AccessTokenRow[]> {
  return db
    .selectFrom('api_tokens')
    .select(accessTokenColumns)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Returns false if the member has no such token. */
export async function removeAccessToken(db: Db, userId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function removeAccessTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('api_tokens').where('user_id', '=', userId).execute()
}

// Tokens of emailed links

/** Inserts nothing if the user does not exist. */
export async function insertMailToken(
  db: Db,
  token: { tokenHash: string; userId: number; purpose: LinkPurpose; expiresAt: Date },
): Promise<void> {
  await insertForUser(db, token.userId, 'mail_tokens', {
    token_hash: token.tokenHash,
    user_id: token.userId,
    purpose: token.purpose,
    expires_at: token.expiresAt.toISOString(),
  })
}

/** Inserts nothing if the user does not exist, in the same time, which therefore does not reveal that. */
async function insertForUser<Table extends 'mail_tokens' | 'outbox'>(
  db: Db,
  userId: number,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<void> {
  const columns = Object.keys(row).map((column) => sql.ref(column))
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns)})
    select ${sql.join(Object.values(row))} from users where id = ${userId}
  `.execute(db)
}

/** Returns whether the token can be used now. */
export async function isMailTokenLive(
  db: Db,
  tokenHash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<boolean> {
  const row = await usableMailTokens(db, purpose, now).where('token_hash', '=', tokenHash).executeTakeFirst()
  return row !== undefined
}

function usableMailTokens(db: Db, purpose: LinkPurpose, now: Date) {
  return db
    .selectFrom('mail_tokens')
    .select('user_id')
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
}

/**
 * Marks a token as used and returns it; returns undefined if it is unknown, used, expired or for another purpose.
 * Only one of several concurrent calls gets it.
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

/** Returns whether a member has a link for this purpose that can be used now. */
export async function hasMailToken(
  db: Db,
  userId: number,
  purpose: LinkPurpose,
  now: Date,
): Promise<boolean> {
  const row = await usableMailTokens(db, purpose, now).where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

export async function removeExpiredMailTokens(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .deleteFrom('mail_tokens')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', now.toISOString())
    .execute()
}

// Outbox

export type ClaimedMail = Mail & { id: number; attempts: number; createdAt: string }

/** Must run in the transaction of the change that the email is about; call `mailer.flush()` after the commit. */
export async function insertMail(db: Db, mail: Mail, now: Date): Promise<void> {
  await db.insertInto('outbox').values(outboxRow(mail, now)).execute()
}

/** Like `insertMail`; inserts nothing if the user does not exist. */
export async function insertMailFor(db: Db, userId: number, mail: Mail, now: Date): Promise<void> {
  await insertForUser(db, userId, 'outbox', outboxRow(mail, now))
}

function outboxRow({ to, subject, text }: Mail, now: Date) {
  return {
    recipient: to,
    message: JSON.stringify({ subject, text }),
    next_attempt_at: now.toISOString(),
    created_at: now.toISOString(),
  }
}

/**
 * Claims emails that are due: postpones their next attempt to `until`, so that no other process sends them before then
 * and none is lost if this process dies.
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
    // Checked again: by the time Postgres has locked a row, another process may have claimed it.
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

/** Removes emails that were sent before a time, since recipients are personal data. */
export async function removeSentMails(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('outbox').where('sent_at', '<', before.toISOString()).execute()
}

/** Returns how many emails are unsent, and when the oldest of them was created. */
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

// Rate limit of emails per mailbox

/**
 * Counts an email; returns false if the last one was too recent, or if `max` were sent within the window. One statement,
 * so that only one of several concurrent calls succeeds, in whatever process.
 */
export async function countMail(
  db: Db,
  key: string,
  now: Date,
  { max, nextAt, endsAt }: { max: number; nextAt: Date; endsAt: Date },
): Promise<boolean> {
  const isOver = (eb: ExpressionBuilder<Tables, 'mail_counts'>) =>
    eb('mail_counts.ends_at', '<=', now.toISOString())
  const row = await db
    .insertInto('mail_counts')
    .values({ key, count: 1, next_at: nextAt.toISOString(), ends_at: endsAt.toISOString() })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({
          count: eb
            .case()
            .when(isOver(eb as never))
            .then(1)
            .else(eb('mail_counts.count', '+', 1))
            .end(),
          ends_at: eb
            .case()
            .when(isOver(eb as never))
            .then(eb.ref('excluded.ends_at'))
            .else(eb.ref('mail_counts.ends_at'))
            .end(),
          next_at: eb.ref('excluded.next_at'),
        }))
        .where('mail_counts.next_at', '<=', now.toISOString())
        .where((eb) => eb.or([isOver(eb as never), eb('mail_counts.count', '<', max)])),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

export async function removeMailCounts(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('mail_counts').where('key', 'in', keys).execute()
}

/** How long an expired access token stays in its owner's list. */
const expiredTokenRetentionMs = 30 * 24 * 60 * 60_000

/** Removes expired email counts, link tokens and sessions, and access tokens that expired a month ago. */
export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mail_counts').where('ends_at', '<=', now.toISOString()).execute()
  await db
    .deleteFrom('mail_tokens')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('mail_tokens')
        .select('token_hash')
        .where('expires_at', '<=', now.toISOString())
        // A locked token is being removed by a concurrent call of its user.
        .$if(!isSqlite(db), (query) => query.forUpdate().skipLocked()),
    )
    .execute()
  await removeExpiredSessions(db, now)
  const tokensBefore = new Date(now.getTime() - expiredTokenRetentionMs).toISOString()
  await db.deleteFrom('api_tokens').where('expires_at', '<=', tokensBefore).execute()
}
