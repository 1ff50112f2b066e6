import { sql } from 'kysely'
import type { Role } from '#shared/domain/roles.ts'
import type { Scope } from '#shared/domain/scopes.ts'
import { type Counted, recountAll } from '#server/db/counters.ts'
import { isSqlite, isUniqueViolation, lockKeys } from '#server/db/dialect.ts'
import { caseless, confusableKey, fold, usernameColumns } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst } from '#server/db/prepared.ts'
import { hasRow } from '#server/db/rows.ts'
import { isShown, maySee } from '#server/members/visibility.ts'
import {
  meColumns,
  type MeRow,
  profileColumns,
  type ProfileRow,
  type UserRow,
} from '#server/members/tables.ts'
import { enqueue, removeTasks } from '#server/db/tasks.ts'

/** Throws the database's unique violation if the username, a confusable one or the email is taken: see `findTaken`. */
export async function insertUser(
  db: Db,
  user: {
    username: string
    email: string
    picture: string | null
    loginKeyHash: string | null
    reason: string | null
    invitedBy: number | null
    language: string | undefined
  },
  now: Date,
): Promise<Pick<UserRow, 'id' | 'username' | 'email' | 'picture'>> {
  return db
    .insertInto('users')
    .values({
      ...usernameColumns(user.username),
      email: user.email,
      email_folded: caseless(user.email),
      picture: user.picture,
      login_key_hash: user.loginKeyHash,
      signup_reason: user.reason,
      invited_by: user.invitedBy,
      login_language: user.language ?? null,
      created_at: now.toISOString(),
    })
    .returning(['id', 'username', 'email', 'picture'])
    .executeTakeFirstOrThrow()
}

/** If `error` is a unique violation. Must run outside the transaction that failed. */
export async function findTaken(
  db: Db,
  error: unknown,
  username?: string,
): Promise<'username' | 'email' | undefined> {
  if (!isUniqueViolation(error)) return undefined
  if (username === undefined) return 'email'
  return (await findUsername(db, username)) ? 'username' : 'email'
}

export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  return hasRow(db, 'users', { email_folded: caseless(email) })
}

const profile = prepareFirst((db, id: number, viewerId: number) =>
  db
    .selectFrom('users')
    .select(profileColumns)
    .select(maySee(viewerId).as('isOpen'))
    .where('users.id', '=', id)
    .where(isShown(viewerId)),
)

export async function findProfile(
  db: Db,
  id: number,
  viewerId: number,
): Promise<(ProfileRow & { isOpen: boolean }) | undefined> {
  const row = await profile(db, id, viewerId)
  return row && { ...row, isOpen: Boolean(row.isOpen) }
}

export async function findMe(db: Db, id: number): Promise<MeRow | undefined> {
  return db.selectFrom('users').select(meColumns).where('id', '=', id).executeTakeFirst()
}

/**
 * Removes the key of the account that this token verified, no earlier than `since`. Undefined for another key. Only one of several
 * concurrent calls gets the account.
 */
export async function takeLoginKey(db: Db, tokenHash: string, keyHash: string, since: Date) {
  return db
    .updateTable('users')
    .set({ login_key_hash: null })
    .where('login_key_hash', '=', keyHash)
    .where('verified_at', 'is not', null)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('mail_tokens')
        .select('user_id')
        .where('token_hash', '=', tokenHash)
        .where('purpose', '=', 'verify')
        .where('used_at', '>=', since.toISOString()),
    )
    .returning(meColumns)
    .executeTakeFirst()
}

export async function findAccount(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'is_demo'])
    .where('id', '=', id)
    .executeTakeFirst()
}

// Every change to an account locks its row first, so that changes run one after another and cannot deadlock. SQLite has a single writer.

/**
 * `hasSession` is false if the session has ended or the access token was revoked since the call began; code that ends them takes this lock
 * as well.
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
  // On Postgres, a statement that waits for the lock reads other tables as of before the wait.
  const key = { token_hash: sessionHash, user_id: id }
  const hasSession = await hasRow(trx, scopes ? 'api_tokens' : 'sessions', key)
  return { pendingEmail: user?.pending_email ?? null, hasSession }
}

/** So that it still has the email when the transaction ends. */
export async function lockByEmail(trx: Db, email: string) {
  return trx
    .selectFrom('users')
    .select([...meColumns, 'verified_at', 'pending_since'])
    .where('email_folded', '=', caseless(email))
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

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

/** Leaves undefined fields as they are. Throws a unique violation if the username, or a confusable one, is taken. */
export async function updateUser(
  db: Db,
  id: number,
  {
    username,
    ...others
  }: {
    username?: string | undefined
    picture?: string | null | undefined
    bio?: string | undefined
    pending_email?: string | null | undefined
  },
): Promise<void> {
  if (username === undefined && Object.values(others).every((value) => value === undefined)) return
  const folded = username === undefined ? undefined : caseless(username)
  await db
    .updateTable('users')
    .set((eb) => ({
      ...others,
      // An old account may have no key. A change of the case of its name must not add the key, which may be taken.
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
    .execute()
}

export async function applyForApproval(db: Db, id: number, now: Date): Promise<'verified' | 'pending'> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ pending_since: now.toISOString() })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? 'pending' : 'verified'
}

export async function verifyUser(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ verified_at: now.toISOString(), pending_since: null })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .execute()
}

/** Undefined if none is pending. Throws a unique violation if the email has been taken since. */
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

/** The login key and the pending email may have been requested with an old password. Returns the account's email. */
export async function dropPending(trx: Db, id: number): Promise<string | undefined> {
  const user = await trx
    .updateTable('users')
    .set({ pending_email: null, login_key_hash: null })
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirst()
  return user?.email
}

/** Unless an earlier call has. Returns when the account will be deleted. */
export async function scheduleDeletion(db: Db, id: number, at: Date): Promise<string> {
  const row = await db
    .updateTable('users')
    .set((eb) => ({ deletion_at: eb.fn.coalesce('deletion_at', eb.val(at.toISOString())) }))
    .where('id', '=', id)
    .returning('deletion_at')
    .executeTakeFirstOrThrow()
  const deletionAt = row.deletion_at!
  await enqueue(db, { queue: 'deletions', key: String(id), owner: String(id) }, new Date(deletionAt))
  return deletionAt
}

export async function cancelDeletion(db: Db, id: number): Promise<void> {
  await removeTasks(db, 'deletions', 'key', [String(id)])
  await db.updateTable('users').set({ deletion_at: null }).where('id', '=', id).execute()
}

/** `responses` are comments and reactions on the member's reviews. */
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

/** Removes the accounts with everything they own. Returns how many. Must run in a transaction. */
export async function removeUnverified(
  trx: Db,
  features: readonly Counted[],
  before: Date,
  limit: number,
): Promise<number> {
  const ids = await lockUnverified(trx, before, limit)
  if (ids.length > 0) await removeAccounts(trx, features, ids)
  return ids.length
}

/** Accounts that were never logged in to, which must be locked. */
export async function removeAccounts(
  trx: Db,
  features: readonly Counted[],
  ids: readonly number[],
): Promise<void> {
  await subtractFollows(trx, ids)
  const hasContent = await ownContent(trx, ids)
  await trx.deleteFrom('users').where('id', 'in', ids).execute()
  if (hasContent) await recountAll(trx, features)
}

async function lockUnverified(trx: Db, before: Date, limit: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('verified_at', 'is', null)
    .where('is_demo', '=', 0)
    .where('pending_since', 'is', null)
    .where('deletion_at', 'is', null)
    .where('created_at', '<', before.toISOString())
    .orderBy('created_at')
    .limit(limit)
    // A locked account is being verified, or removed by another process.
    .$if(!isSqlite(trx), (query) => query.forUpdate().skipLocked())
    .execute()
  return rows.map(({ id }) => id)
}

/** Unverified accounts in old data may have follows. */
async function subtractFollows(trx: Db, ids: readonly number[]): Promise<void> {
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
}

/** Writing requires a login: an unverified account has content only if another program wrote it. */
async function ownContent(trx: Db, ids: readonly number[]): Promise<boolean> {
  const { isOwner } = await trx
    .selectNoFrom((eb) => {
      const owns = (table: 'reviews' | 'reactions' | 'comments') =>
        eb.exists(eb.selectFrom(table).select(eb.lit(1).as('one')).where(`${table}.user_id`, 'in', ids))
      const hasNotified = eb.exists(
        eb.selectFrom('notification_actors').select(eb.lit(1).as('one')).where('actor_id', 'in', ids),
      )
      return eb.or([owns('reviews'), owns('reactions'), owns('comments'), hasNotified]).as('isOwner')
    })
    .executeTakeFirstOrThrow()
  return Boolean(isOwner)
}

/** Not counting the demo community. */
export async function countMembers(db: Db): Promise<{ verified: number; unverified: number }> {
  return db
    .selectFrom('users')
    .select([
      sql<number>`count(verified_at)`.as('verified'),
      sql<number>`count(*) - count(verified_at)`.as('unverified'),
    ])
    .where('is_demo', '=', 0)
    .executeTakeFirstOrThrow()
}

/** `ownRole` is the role without the groups of providers; null if the two are the same. */
export async function setRole(trx: Db, id: number, role: Role, ownRole: Role | null = null): Promise<void> {
  await trx.updateTable('users').set({ role, own_role: ownRole }).where('id', '=', id).execute()
}

export async function isUsernameFree(db: Db, username: string): Promise<boolean> {
  return !(await findUsername(db, username))
}

async function findUsername(db: Db, username: string) {
  return db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.or({ username_folded: caseless(username), username_key: confusableKey(username) }))
    .executeTakeFirst()
}

/**
 * One who is frozen or suspended, or whose account is about to be deleted, does not count. Concurrent calls wait for each other, so that
 * two admins cannot demote each other.
 */
export async function isLastAdmin(trx: Db, id: number): Promise<boolean> {
  await lockKeys(trx, ['admins'])
  const admins = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('standing', '=', 'active')
    .where('verified_at', 'is not', null)
    .where('deletion_at', 'is', null)
    .limit(2)
    .execute()
  return admins.length === 1 && admins[0]!.id === id
}
