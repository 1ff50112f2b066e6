import { type Insertable, sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst } from '#server/db/prepared.ts'
import { countRows, hasRow, removeInParts, removeRows } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import { type CredentialKind, credentialKinds, meColumns, type StepKind } from '#server/members/tables.ts'

export type Credential = { id: number; secret: string }

const kind = 'password'

/** One query for every email, so that its time reveals nothing. */
export async function findByEmail(db: Db, email: string) {
  const row = await db
    .selectFrom('users')
    .leftJoin('credentials', (join) =>
      join.onRef('credentials.user_id', '=', 'users.id').on('credentials.kind', '=', kind),
    )
    .select(['users.id', 'credentials.id as passwordId', 'credentials.secret'])
    .where('users.email_folded', '=', caseless(email))
    .executeTakeFirst()
  return row && { id: row.id, password: toCredential(row.passwordId, row.secret) }
}

export async function findPassword(db: Db, userId: number): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('credentials')
    .select(['id', 'secret'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row && toCredential(row.id, row.secret)
}

function toCredential(id: number | null, secret: string | null): Credential | undefined {
  return id === null || secret === null ? undefined : { id, secret }
}

export async function hasPassword(db: Db, userId: number): Promise<boolean> {
  return hasRow(db, 'credentials', { user_id: userId, kind })
}

export function withPassword(db: Db) {
  return db.selectFrom('credentials').select('user_id').where('kind', '=', kind)
}

/** The member may have no password. The account must be locked. */
export async function setPassword(trx: Db, userId: number, passwordHash: string, now: Date): Promise<void> {
  const values = { secret: passwordHash, created_at: now.toISOString(), last_used_at: null }
  await trx
    .insertInto('credentials')
    .values({ user_id: userId, kind, ...values })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).where('identifier', 'is', null).doUpdateSet(values),
    )
    .execute()
}

/**
 * Returns false, and changes nothing, if the credential has changed since it was read. The account must be locked: every change of a
 * credential locks the account first.
 */
export async function recordUse(trx: Db, { id, secret }: Credential, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('credentials')
    .set({ last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where('secret', '=', secret)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The account must be locked. */
export async function removeCredentials(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('credentials').where('user_id', '=', userId).execute()
  await removeSteps(trx, userId)
  await updateFactor(trx, userId)
}

/** Locks an account that is not being deleted, and returns it with the columns that a login checks. */
export async function lockOwner(trx: Db, userId: number) {
  return trx
    .selectFrom('users')
    .select([...meColumns, 'verified_at', 'pending_since', 'is_demo', 'own_role'])
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

// Of any kind

const columns = [
  'id',
  'user_id',
  'kind',
  'identifier',
  'name',
  'secret',
  'details',
  'created_at',
  'last_used_at',
] as const

export async function findCredential(db: Db, kind: CredentialKind, identifier: string) {
  return db
    .selectFrom('credentials')
    .select(columns)
    .where('kind', '=', kind)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
}

export async function listCredentials(db: Db, userId: number, kind?: CredentialKind) {
  return db
    .selectFrom('credentials')
    .select(columns)
    .where('user_id', '=', userId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('id')
    .execute()
}

/**
 * Returns undefined if somebody has the identifier already or, without an identifier, if the member has a credential of the kind. The account
 * must be locked.
 */
export async function insertCredential(
  trx: Db,
  credential: Omit<Insertable<Tables['credentials']>, 'created_at'>,
  now: Date,
) {
  const row = await trx
    .insertInto('credentials')
    .values({ ...credential, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
  if (credentialKinds[credential.kind].isFactor) await updateFactor(trx, credential.user_id)
  return row
}

/** Replaces the details of a credential. Returns false if another call has replaced them since they were read. */
export async function replaceDetails(
  trx: Db,
  { id, details }: { id: number; details: string },
  replacement: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('credentials')
    .set({ details: replacement, last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where('details', '=', details)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function renamePasskey(db: Db, userId: number, id: number, name: string) {
  return db
    .updateTable('credentials')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', 'passkey')
    .returning(columns)
    .executeTakeFirst()
}

/** Returns the credential; undefined if the member has none with these values. The account must be locked. */
export async function removeCredential(
  trx: Db,
  key: { user_id: number; kind: CredentialKind; id?: number; name?: string },
) {
  const row = await trx
    .deleteFrom('credentials')
    .where((eb) => eb.and(key))
    .returning(columns)
    .executeTakeFirst()
  if (credentialKinds[key.kind].isFactor) await updateFactor(trx, key.user_id)
  return row
}

/** Caches in the member's row whether they have a factor, for calls that require one. */
async function updateFactor(trx: Db, userId: number): Promise<void> {
  const hasFactor = (await listCredentials(trx, userId)).some(({ kind }) => credentialKinds[kind].isFactor)
  await trx
    .updateTable('users')
    .set({ has_factor: hasFactor ? 1 : 0 })
    .where('id', '=', userId)
    .execute()
}

// Second factor

/** The TOTP of a member that is on. `details` has the step whose code was used last. */
export async function findTotp(db: Db, userId: number) {
  return (await listCredentials(db, userId, 'totp'))[0]
}

/** Turns codes off and removes the recovery codes. Returns false if they are off. The account must be locked. */
export async function removeTotp(trx: Db, userId: number): Promise<boolean> {
  await removeRows(trx, 'credentials', { user_id: userId, kind: 'recovery-code' })
  return (await removeCredential(trx, { user_id: userId, kind: 'totp' })) !== undefined
}

/** Replaces the recovery codes of a member by those with these hashes. The account must be locked. */
export async function setRecoveryCodes(
  trx: Db,
  userId: number,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await removeRows(trx, 'credentials', { user_id: userId, kind: 'recovery-code' })
  const row = { user_id: userId, kind: 'recovery-code' as const, created_at: now.toISOString() }
  await trx
    .insertInto('credentials')
    .values(hashes.map((identifier) => ({ ...row, identifier })))
    .execute()
}

const recoveryCode = (userId: number, identifier: string) => ({
  user_id: userId,
  kind: 'recovery-code' as const,
  identifier,
})

export async function hasRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  return hasRow(db, 'credentials', recoveryCode(userId, hash))
}

/** Consumes a recovery code. Returns false if it was used before. The account must be locked. */
export async function takeRecoveryCode(trx: Db, userId: number, hash: string): Promise<boolean> {
  return removeRows(trx, 'credentials', recoveryCode(userId, hash))
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  return countRows(
    db.selectFrom('credentials').where('user_id', '=', userId).where('kind', '=', 'recovery-code'),
  )
}

// Calendar links: the identifier is the hash of the secret in the address

const calendarLink = (userId: number) => ({ user_id: userId, kind: 'calendar' as const })

export async function findCalendarLink(db: Db, userId: number): Promise<string | undefined> {
  return (await listCredentials(db, userId, 'calendar'))[0]?.created_at
}

/** Replaces an earlier link. The account must be locked. */
export async function setCalendarLink(trx: Db, userId: number, hash: string, now: Date): Promise<void> {
  await removeCalendarLink(trx, userId)
  const row = { ...calendarLink(userId), identifier: hash, created_at: now.toISOString() }
  await trx.insertInto('credentials').values(row).execute()
}

export async function removeCalendarLink(db: Db, userId: number): Promise<boolean> {
  return removeRows(db, 'credentials', calendarLink(userId))
}

const calendarQuery = prepareFirst((db, hash: string) =>
  db
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.user_id')
    .select(['users.id', 'users.username', 'users.standing', 'users.wrote_at'])
    .select(['users.title_names', 'users.language'])
    .where('credentials.kind', '=', 'calendar')
    .where('credentials.identifier', '=', hash)
    .where('users.standing', '<>', 'suspended')
    .where('users.closed_at', 'is', null),
)

/** Returns a member who may only read. */
export async function findMemberByCalendar(db: Db, hash: string) {
  const row = await calendarQuery(db, hash)
  return (
    row && {
      id: row.id,
      username: row.username,
      sessionHash: hash,
      scopes: ['read' as const],
      role: 'member' as const,
      standing: row.standing,
      titleNames: row.title_names,
      wroteAt: row.wrote_at,
      language: row.language,
    }
  )
}

// Pending steps: the key of each is known to a single client

export async function insertStep(
  db: Db,
  step: { keyHash: string; kind: StepKind; userId: number | null; details?: string; expiresAt: Date },
): Promise<void> {
  const values = {
    kind: step.kind,
    user_id: step.userId,
    details: step.details ?? '{}',
    expires_at: step.expiresAt.toISOString(),
  }
  await db
    .insertInto('sign_in_steps')
    .values({ key_hash: step.keyHash, ...values })
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet(values))
    .execute()
}

export async function findStep(db: Db, keyHash: string, kind: StepKind, now: Date) {
  return db
    .selectFrom('sign_in_steps')
    .select(['user_id', 'details'])
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

/** Consumes a step. Only one of several concurrent calls receives it. */
export async function takeStep(trx: Db, keyHash: string, kind: StepKind, now: Date) {
  return trx
    .deleteFrom('sign_in_steps')
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'details'])
    .executeTakeFirst()
}

export async function removeSteps(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('sign_in_steps').where('user_id', '=', userId).execute()
}

export async function removeExpiredSteps(db: Db, now: Date): Promise<void> {
  await removeInParts(db, 'sign_in_steps', sql`expires_at <= ${now.toISOString()}`)
}
