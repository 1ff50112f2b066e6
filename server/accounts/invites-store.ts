import { sql } from 'kysely'
import { type Role, roles } from '#shared/domain/roles.ts'
import type { Db } from '#server/db/open.ts'
import { countRows, removeInParts, removeRows } from '#server/db/rows.ts'
import type { InviteRow } from '#server/site/tables.ts'

export async function insertInvite(
  trx: Db,
  invite: { code: string; userId: number; maxUses: number; note: string; expiresAt: Date },
  now: Date,
): Promise<InviteRow> {
  return trx
    .insertInto('invites')
    .values({
      code: invite.code,
      created_by: invite.userId,
      max_uses: invite.maxUses,
      note: invite.note,
      created_at: now.toISOString(),
      expires_at: invite.expiresAt.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function listInvites(db: Db, userId: number): Promise<InviteRow[]> {
  return db
    .selectFrom('invites')
    .selectAll()
    .where('created_by', '=', userId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

export async function countOpenInvites(db: Db, userId: number, now: Date): Promise<number> {
  return countRows(
    db
      .selectFrom('invites')
      .where('created_by', '=', userId)
      .where('expires_at', '>', now.toISOString())
      .whereRef('uses', '<', 'max_uses'),
  )
}

/** Not while its member is frozen or suspended, nor while the member’s role may not invite. */
function isUsable(now: Date, inviters: readonly Role[]) {
  return sql<boolean>`(expires_at > ${now.toISOString()} and uses < max_uses and exists
    (select 1 from users where users.id = invites.created_by and users.standing = 'active'
      and users.role in (${sql.join(inviters)})))`
}

export function invitersBy(invitesBy: 'admins' | 'moderators' | 'members'): readonly Role[] {
  return roles.slice({ admins: 2, moderators: 1, members: 0 }[invitesBy])
}

export async function listAllInvites(
  db: Db,
  {
    isOpen,
    before,
    limit,
    now,
    inviters,
  }: {
    isOpen?: boolean | undefined
    before: number | undefined
    limit: number
    now: Date
    inviters: readonly Role[]
  },
) {
  return db
    .selectFrom('invites')
    .innerJoin('users', 'users.id', 'invites.created_by')
    .selectAll('invites')
    .select(['users.username', 'users.picture'])
    .select((eb) => [
      sql<number>`case when ${isUsable(now, inviters)} then 1 else 0 end`.as('is_open'),
      eb
        .selectFrom('users as joined')
        .select((joined) => joined.fn.countAll<number>().as('count'))
        .whereRef('joined.invited_by', '=', 'invites.created_by')
        .as('joined'),
    ])
    .$if(isOpen === true, (query) => query.where(isUsable(now, inviters)))
    .$if(isOpen === false, (query) => query.where((eb) => eb.not(isUsable(now, inviters))))
    .$if(before !== undefined, (query) => query.where('invites.id', '<', before!))
    .orderBy('invites.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findInviter(db: Db, code: string, now: Date, inviters: readonly Role[]) {
  return db
    .selectFrom('invites')
    .innerJoin('users', 'users.id', 'invites.created_by')
    .select(['users.id', 'users.username'])
    .where('code', '=', code)
    .where(isUsable(now, inviters))
    .executeTakeFirst()
}

/** Returns its creator; undefined, and changes nothing, if it cannot be used. Exact under concurrency. */
export async function takeInvite(
  trx: Db,
  code: string,
  now: Date,
  inviters: readonly Role[],
): Promise<number | undefined> {
  const row = await trx
    .updateTable('invites')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('code', '=', code)
    .where(isUsable(now, inviters))
    .returning('created_by')
    .executeTakeFirst()
  return row?.created_by
}

export async function findInvite(db: Db, id: number) {
  return db
    .selectFrom('invites')
    .innerJoin('users', 'users.id', 'invites.created_by')
    .selectAll('invites')
    .select('users.username')
    .where('invites.id', '=', id)
    .executeTakeFirst()
}

export async function removeInvite(db: Db, id: number): Promise<boolean> {
  return removeRows(db, 'invites', { id })
}

export async function removeExpiredInvites(db: Db, before: Date): Promise<void> {
  await removeInParts(db, 'invites', sql`expires_at < ${before.toISOString()}`)
}
