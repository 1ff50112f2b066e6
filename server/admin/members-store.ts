import { sql } from 'kysely'
import type { Standing } from '#shared/contracts/moderation.ts'
import type { Role } from '#shared/domain/roles.ts'
import { contains, isSqlite } from '#server/db/dialect.ts'
import { caseless, fold } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import type { MemberState } from '#shared/domain/member-states.ts'

const columns = [
  'id',
  'username',
  'picture',
  'role',
  'email',
  'created_at',
  'seen_on',
  'review_count',
  'signup_reason',
  'verified_at',
  'pending_since',
  'deletion_at',
  'invited_by',
  'standing',
] as const

type Filters = {
  q?: string | undefined
  state?: MemberState | undefined
  role?: Role | undefined
  invitedBy?: number | undefined
}

/** Newest first. `mayReadEmail`: `q` is searched in addresses too. */
export async function listMembers(
  db: Db,
  { q, state, role, invitedBy }: Filters,
  mayReadEmail: boolean,
  beforeId: number | undefined,
  limit: number,
) {
  return (
    db
      .selectFrom('users')
      .select(columns)
      // What is left of an account while it is being removed.
      .where('closed_at', 'is', null)
      .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId!))
      .$if(Boolean(q), (query) =>
        query.where((eb) =>
          eb.or([
            contains(db, 'search_text', fold(q!)),
            ...(mayReadEmail ? [contains(db, 'email_folded', caseless(q!))] : []),
          ]),
        ),
      )
      .$if(role !== undefined, (query) => query.where('role', '=', role!))
      .$if(invitedBy !== undefined, (query) => query.where('invited_by', '=', invitedBy!))
      .$if(state === 'active' || state === 'frozen' || state === 'suspended', (query) =>
        query
          .where('verified_at', 'is not', null)
          .where('deletion_at', 'is', null)
          .where('standing', '=', state as Standing),
      )
      .$if(state === 'unverified', (query) =>
        query
          .where('verified_at', 'is', null)
          .where('pending_since', 'is', null)
          .where('deletion_at', 'is', null),
      )
      .$if(state === 'pending', (query) => query.where('pending_since', 'is not', null))
      .$if(state === 'deleting', (query) =>
        query.where('deletion_at', 'is not', null).where('pending_since', 'is', null),
      )
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  )
}

export async function findMember(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(columns)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
}

export async function findRelations(db: Db, id: number, invitedBy: number | null) {
  const count = (table: string, column: string) =>
    sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${id})`
  const counts = await db
    .selectNoFrom([count('users', 'invited_by').as('invited'), count('sessions', 'user_id').as('sessions')])
    .executeTakeFirstOrThrow()
  const inviter =
    invitedBy === null
      ? undefined
      : await db.selectFrom('users').select(['id', 'username']).where('id', '=', invitedBy).executeTakeFirst()
  return { ...counts, inviter: inviter ?? null }
}

export async function lockMember(trx: Db, id: number) {
  return trx
    .selectFrom('users')
    .select(columns)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

/** It was never active, so it has nothing but its row. */
export async function removeApplicant(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).where('verified_at', 'is', null).execute()
}
