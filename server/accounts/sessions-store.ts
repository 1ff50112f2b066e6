import { sql } from 'kysely'
import type { Standing } from '#shared/contracts/moderation.ts'
import { includesRole, type Role } from '#shared/domain/roles.ts'
import { roleWithin, type Scope, scopeRoles } from '#shared/domain/scopes.ts'
import { dayMs } from '#shared/domain/days.ts'
import { isOneOfTexts } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst } from '#server/db/prepared.ts'
import { countRows, removeInParts, removeRows } from '#server/db/rows.ts'
import type { AccessTokenRow, UserRow } from '#server/members/tables.ts'

const touchIntervalMs = 60 * 60_000

function selectMembers(db: Db, now: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'users.id',
      'users.username',
      'users.role',
      'users.standing',
      'users.wrote_at',
      'users.title_names',
      'users.has_factor',
      'users.language',
    ])
    .where('sessions.expires_at', '>', now)
}

const sessionQuery = prepareFirst((db, tokenHash: string, now: string) =>
  selectMembers(db, now)
    .select(['sessions.last_used_at', 'sessions.expires_at'])
    .where('sessions.token_hash', '=', tokenHash),
)

/** Updates the last use, at most once an hour. Cacheable until `freshUntil`, as long as the database does not change. */
export async function findMemberBySession(db: Db, tokenHash: string, now: Date) {
  const row = await sessionQuery(db, tokenHash, now.toISOString())
  if (!row) return undefined
  const touchedBefore = touchStart(now)
  if (row.last_used_at < touchedBefore) {
    // A read must not fail because this write does.
    await db
      .updateTable('sessions')
      .set({ last_used_at: now.toISOString() })
      .where('token_hash', '=', tokenHash)
      .where('last_used_at', '<', touchedBefore)
      .execute()
      .then(() => countSeen(db, row.id, now))
      .catch(() => {})
  }
  const touchDue = new Date(Date.parse(row.last_used_at) + touchIntervalMs).toISOString()
  return {
    member: toMember(row, tokenHash),
    freshUntil: row.expires_at < touchDue ? row.expires_at : touchDue,
  }
}

const pageQuery = prepareFirst((db, pageHash: string, now: string) =>
  selectMembers(db, now)
    .select('sessions.token_hash')
    .where('sessions.page_hash', '=', pageHash)
    .where('users.standing', '<>', 'suspended'),
)

/** By the hash of the cookie. Writes nothing, not even the last use. */
export async function findMemberByPage(db: Db, pageHash: string, now: Date) {
  const row = await pageQuery(db, pageHash, now.toISOString())
  return row && toMember(row, row.token_hash)
}

type MemberRow = Pick<
  UserRow,
  'id' | 'username' | 'role' | 'standing' | 'wrote_at' | 'title_names' | 'has_factor' | 'language'
>

function toMember(row: MemberRow, sessionHash: string) {
  const { id, username, standing, wrote_at: wroteAt, language } = row
  const hasFactor = row.has_factor === 1
  return {
    id,
    username,
    sessionHash,
    scopes: null,
    role: actingRole(row, null),
    standing,
    titleNames: row.title_names,
    hasFactor,
    wroteAt,
    language,
  }
}

/** None with a token that lacks its scope, and none while the member is frozen or suspended. */
function actingRole(
  { role, standing }: { role: Role; standing: Standing },
  scopes: readonly Scope[] | null,
): Role {
  return standing === 'active' ? roleWithin(role, scopes) : 'member'
}

/** One interval ago, or the start of the day if that is later. */
function touchStart(now: Date): string {
  const recent = new Date(now.getTime() - touchIntervalMs).toISOString()
  const today = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`
  return recent > today ? recent : today
}

/** Counts a member once a day, and nobody of the demo community. */
async function countSeen(db: Db, userId: number, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  const seen = await db
    .updateTable('users')
    .set({ seen_on: day })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('seen_on', 'is', null), eb('seen_on', '<', day)]))
    .returning('is_demo')
    .executeTakeFirst()
  if (seen?.is_demo !== 0) return
  await db
    .insertInto('active_counts')
    .values({ day, count: 1 })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet((eb) => ({ count: eb('active_counts.count', '+', 1) })),
    )
    .execute()
}

/** The account must be locked, and what the member proved must hold: code that ends all sessions takes this lock too. */
export async function insertSession(
  trx: Db,
  session: {
    tokenHash: string
    pageHash?: string
    userId: number
    userAgent: string | null
    language?: string | undefined
    expiresAt: Date
    /** The login at a provider that the session began with. */
    identity?: { provider: string; key: string; sid: string | null } | undefined
  },
  now: Date,
): Promise<void> {
  await trx
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      page_hash: session.pageHash ?? null,
      user_id: session.userId,
      created_at: now.toISOString(),
      last_used_at: now.toISOString(),
      expires_at: session.expiresAt.toISOString(),
      user_agent: session.userAgent,
      provider: session.identity?.provider ?? null,
      provider_subject: session.identity?.key ?? null,
      provider_sid: session.identity?.sid ?? null,
    })
    .execute()
  if (session.language !== undefined)
    await trx
      .updateTable('users')
      .set({ login_language: session.language })
      .where('id', '=', session.userId)
      .execute()
  await countSeen(trx, session.userId, now)
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

export async function setPageHash(db: Db, tokenHash: string, pageHash: string): Promise<void> {
  await db.updateTable('sessions').set({ page_hash: pageHash }).where('token_hash', '=', tokenHash).execute()
}

export async function confirmSession(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ confirmed_at: now.toISOString() })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function findProof(db: Db, tokenHash: string) {
  return db
    .selectFrom('sessions')
    .select(['created_at', 'confirmed_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

export async function findSessionProvider(db: Db, tokenHash: string): Promise<string | null> {
  const session = db.selectFrom('sessions').select('provider').where('token_hash', '=', tokenHash)
  return (await session.executeTakeFirst())?.provider ?? null
}

/** Ends the sessions that began with this login at a provider, or with all logins of this person. One of the hashes is not null. */
export async function removeProviderSessions(
  db: Db,
  { subject, sid }: { subject: string | null; sid: string | null },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .$if(subject !== null, (query) => query.where('provider_subject', '=', subject))
    .$if(sid !== null, (query) => query.where('provider_sid', '=', sid))
    .where((eb) => eb.or([eb('provider_subject', 'is not', null), eb('provider_sid', 'is not', null)]))
    .execute()
}

export async function removeSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

export async function removeSessions(db: Db, userId: number, exceptHash = ''): Promise<void> {
  await removeInParts(db, 'sessions', sql`user_id = ${userId} and token_hash <> ${exceptHash}`)
}

export async function removeExpiredSessions(db: Db, now: Date): Promise<void> {
  await removeInParts(db, 'sessions', sql`expires_at <= ${now.toISOString()}`)
}

// Personal access tokens

/** Owners check this time to see whether a token is in use. Not shorter, because each update is a write. */
const tokenTouchIntervalMs = 5 * 60_000

const accessTokenQuery = prepareFirst((db, tokenHash: string, now: string) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'users.id',
      'users.username',
      'users.role',
      'users.standing',
      'users.wrote_at',
      'api_tokens.scopes',
      'api_tokens.last_used_at',
      'api_tokens.expires_at',
    ])
    .where('api_tokens.token_hash', '=', tokenHash)
    .where('users.standing', '<>', 'suspended')
    .where((eb) => eb.or([eb('api_tokens.expires_at', 'is', null), eb('api_tokens.expires_at', '>', now)])),
)

/** Updates the last use at most every five minutes. */
export async function findMemberByAccessToken(db: Db, tokenHash: string, now: Date) {
  const row = await accessTokenQuery(db, tokenHash, now.toISOString())
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
  const scopes = (row.scopes.split(' ') as Scope[]).filter((scope) =>
    includesRole(row.role, scopeRoles[scope] ?? 'member'),
  )
  return {
    member: {
      id: row.id,
      username: row.username,
      sessionHash: tokenHash,
      scopes,
      role: actingRole(row, scopes),
      standing: row.standing,
      wroteAt: row.wrote_at,
    },
    freshUntil: row.expires_at !== null && row.expires_at < touchDue ? row.expires_at : touchDue,
  }
}

export async function listStreaming(db: Db, hashes: readonly string[], now: string) {
  if (hashes.length === 0) return []
  const columns = ['token_hash', 'expires_at', 'users.role', 'users.standing'] as const
  const sessions = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(columns)
    .where(isOneOfTexts(db, 'sessions.token_hash', hashes))
  const tokens = db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select(columns)
    .where(isOneOfTexts(db, 'api_tokens.token_hash', hashes))
  const rows = [...(await sessions.execute()), ...(await tokens.execute())]
  return rows
    .filter(
      ({ standing, expires_at }) => standing !== 'suspended' && (expires_at === null || expires_at > now),
    )
    .map(({ token_hash, expires_at, ...owner }) => ({
      token_hash,
      expires_at,
      roleWithin: (scopes: readonly Scope[] | null) => actingRole(owner, scopes),
    }))
}

const accessTokenColumns = ['id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const

/** The account must be locked, so that the result of `countAccessTokens` is still correct. */
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
  return countRows(db.selectFrom('api_tokens').where('user_id', '=', userId))
}

export async function listAccessTokens(db: Db, userId: number): Promise<AccessTokenRow[]> {
  return db
    .selectFrom('api_tokens')
    .select(accessTokenColumns)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

export async function removeAccessToken(db: Db, userId: number, id: number): Promise<boolean> {
  return removeRows(db, 'api_tokens', { id, user_id: userId })
}

export async function removeAccessTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('api_tokens').where('user_id', '=', userId).execute()
}

const expiredTokenRetentionMs = 30 * dayMs

export async function removeExpiredAccessTokens(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - expiredTokenRetentionMs).toISOString()
  await removeInParts(db, 'api_tokens', sql`expires_at <= ${before}`)
}
