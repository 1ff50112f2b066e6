import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import { usedLinkDays } from '#shared/domain/limits.ts'
import { dayMs } from '#shared/domain/days.ts'
import { caseless } from '#server/db/fold.ts'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { removeInParts } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import type {
  LinkPurpose,
  Mail,
  MailContent,
  MailPayload,
  MailText,
  TokenPurpose,
} from '#server/members/tables.ts'
import { toRow } from '#server/db/tasks.ts'

// Tokens of emailed links

/** Inserts nothing if the user does not exist. */
export async function insertMailToken(
  db: Db,
  token: { tokenHash: string; userId: number; purpose: TokenPurpose; expiresAt: Date },
): Promise<void> {
  await insertForUser(db, token.userId, 'mail_tokens', {
    token_hash: token.tokenHash,
    user_id: token.userId,
    purpose: token.purpose,
    expires_at: token.expiresAt.toISOString(),
  })
}

/** Takes the same time if the user does not exist, so that it does not reveal which. */
async function insertForUser<Table extends 'mail_tokens' | 'tasks'>(
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

/** The token works more than once. Undefined if it is unknown or expired. */
export async function findTokenUser(
  db: Db,
  tokenHash: string,
  purpose: TokenPurpose,
  now: Date,
): Promise<number | undefined> {
  const row = await usableMailTokens(db, purpose, now).where('token_hash', '=', tokenHash).executeTakeFirst()
  return row?.user_id
}

function usableMailTokens(db: Db, purpose: TokenPurpose, now: Date) {
  return db
    .selectFrom('mail_tokens')
    .select('user_id')
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
}

/**
 * Undefined if the token is unknown, used, expired or for another purpose. Only one of several concurrent calls gets it. The token is kept
 * for `findUsedMailToken`.
 */
export async function takeMailToken(db: Db, tokenHash: string, purposes: readonly LinkPurpose[], now: Date) {
  return db
    .updateTable('mail_tokens')
    .set(usedAt(now))
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'purpose'])
    .$narrowType<{ purpose: LinkPurpose }>()
    .executeTakeFirst()
}

function usedAt(now: Date) {
  const keptUntil = new Date(now.getTime() + usedLinkDays * dayMs)
  return { used_at: now.toISOString(), expires_at: keptUntil.toISOString() }
}

/** Also the state of its account, which tells whether what it did still holds. */
export async function findUsedMailToken(
  db: Db,
  tokenHash: string,
  purposes: readonly LinkPurpose[],
  now: Date,
) {
  return db
    .selectFrom('mail_tokens')
    .innerJoin('users', 'users.id', 'mail_tokens.user_id')
    .select(['purpose', 'verified_at', 'pending_since', 'deletion_at'])
    .$narrowType<{ purpose: LinkPurpose }>()
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is not', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

/** For when the member did without the links what they are for. */
export async function useUpMailTokens(
  db: Db,
  userId: number,
  purpose: LinkPurpose,
  now: Date,
): Promise<void> {
  await db
    .updateTable('mail_tokens')
    .set(usedAt(now))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .execute()
}

/** Only links that were not used. */
export async function removeMailTokens(
  db: Db,
  userId: number,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  await db
    .deleteFrom('mail_tokens')
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .execute()
}

export async function removeAllMailTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('mail_tokens').where('user_id', '=', userId).execute()
}

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

/** Links, for which somebody is waiting, come first. */
const noticePriority = 1
/** In characters; the earliest notices are left out. */
const joinedMax = 20_000

/**
 * Without a limit: for tests, and the functions below. Must run in the transaction of the change that causes it; call `mailer.flush()`
 * after the commit.
 */
export async function insertMail(db: Db, mail: Mail, now: Date, priority = 0): Promise<void> {
  await db
    .insertInto('tasks')
    .values({ ...taskOf(mail, now), priority })
    .execute()
}

/** For a link that was counted. Inserts nothing if the user does not exist. */
export async function insertMailFor(db: Db, userId: number, mail: Mail, now: Date): Promise<void> {
  await insertForUser(db, userId, 'tasks', taskOf(mail, now))
}

/** The mailbox is the owner: mailboxes take turns, and the deletion of an account removes its emails. */
function taskOf({ to, ...payload }: Mail, now: Date) {
  return toRow({ queue: 'mail', owner: to, payload: JSON.stringify(payload) }, now)
}

/** Finds the languages of the member who has the address, or whom one of the links is for. */
export async function findReaderLanguages(db: Db, to: string, tokenHashes: readonly string[]) {
  return db
    .selectFrom('users')
    .select(['language', 'login_language'])
    .where((eb) =>
      eb.or([
        eb('email_folded', '=', caseless(to)),
        ...(tokenHashes.length === 0
          ? []
          : [
              eb(
                'id',
                'in',
                eb.selectFrom('mail_tokens').select('user_id').where('token_hash', 'in', tokenHashes),
              ),
            ]),
      ]),
    )
    .orderBy('id')
    .executeTakeFirst()
}

// Rate limit of emails per mailbox

type MailLimit = { max: number; nextAt: Date; endsAt: Date }

/**
 * Returns false if the last email was too recent, or if `max` were sent within the window. One statement, so that only one of several
 * concurrent calls succeeds, on all processes.
 */
export async function countMail(
  db: Db,
  key: string,
  now: Date,
  { max, nextAt, endsAt }: MailLimit,
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

/** Returns false, and queues nothing, at the limit of the mailbox. */
export async function insertCountedMail(
  trx: Db,
  mail: Mail,
  key: string,
  now: Date,
  limit: MailLimit,
): Promise<boolean> {
  const isCounted = await countMail(trx, key, now, limit)
  if (isCounted) await insertMail(trx, mail, now, noticePriority)
  return isCounted
}

/**
 * At the limit of the mailbox, the notice waits and further ones join it, so that none is lost. `limitAt` returns the limit from a time on.
 */
export async function insertNotice(
  trx: Db,
  mail: Mail,
  key: string,
  now: Date,
  limitAt: (now: Date) => MailLimit,
): Promise<void> {
  await lockKeys(trx, [`mail ${key}`])
  const limit = limitAt(now)
  const waiting = await trx
    .selectFrom('tasks')
    .select(['id', 'payload', 'claim', 'due_at'])
    .where('queue', '=', 'mail')
    .where('key', '=', key)
    .executeTakeFirst()
  if (waiting) {
    const { to: _, ...content } = mail
    const payload = joinMails(JSON.parse(waiting.payload) as MailPayload, content)
    // One that is being sent, or was given up, is due once more.
    const isWaiting = waiting.claim === null && waiting.due_at !== null
    const due = isWaiting ? {} : { due_at: limit.nextAt.toISOString(), claim: null, attempts: 0 }
    await trx
      .updateTable('tasks')
      .set({ payload: JSON.stringify(payload), ...due })
      .where('id', '=', waiting.id)
      .execute()
    return
  }
  if (await insertCountedMail(trx, mail, key, now, limit)) return
  const counted = await trx
    .selectFrom('mail_counts')
    .select(['count', 'next_at', 'ends_at'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const dueAt = new Date(counted.count < limit.max ? counted.next_at : counted.ends_at)
  await countMail(trx, key, dueAt, limitAt(dueAt))
  const task = { ...taskOf(mail, dueAt), key, priority: noticePriority }
  await trx.insertInto('tasks').values(task).execute()
}

function joinMails(before: MailPayload, content: MailContent | MailText): MailPayload {
  const joined = 'joined' in before ? before.joined : [before]
  const isKnown = joined.some((one) => JSON.stringify(one) === JSON.stringify(content))
  if (isKnown) return before
  const all = [...joined, content]
  while (all.length > 1 && JSON.stringify(all).length > joinedMax) all.shift()
  return { joined: all }
}

export async function removeExpiredMail(db: Db, now: Date): Promise<void> {
  await removeInParts(db, 'mail_counts', sql`ends_at <= ${now.toISOString()}`)
  // A locked token is being removed by a concurrent call of its user.
  await removeInParts(db, 'mail_tokens', sql`expires_at <= ${now.toISOString()}`, {
    skipsLocked: true,
  })
}
