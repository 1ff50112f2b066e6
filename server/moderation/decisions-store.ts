import type { Insertable } from 'kysely'
import { restrictions } from '#shared/domain/moderation.ts'
import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { CaseRow, DecisionInForce, DecisionRow } from './tables.ts'

export async function insertDecision(trx: Db, decision: Insertable<Tables['decisions']>) {
  return trx.insertInto('decisions').values(decision).returningAll().executeTakeFirstOrThrow()
}

export async function findDecision(db: Db, id: number): Promise<DecisionRow | undefined> {
  return db.selectFrom('decisions').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function lockDecision(trx: Db, id: number): Promise<DecisionRow | undefined> {
  return trx
    .selectFrom('decisions')
    .selectAll()
    .where('id', '=', id)
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

export async function updateDecision(trx: Db, id: number, values: Partial<DecisionRow>): Promise<void> {
  await trx.updateTable('decisions').set(values).where('id', '=', id).execute()
}

export async function listDecisionsOf(db: Db, caseId: number): Promise<DecisionRow[]> {
  return db.selectFrom('decisions').selectAll().where('case_id', '=', caseId).orderBy('id').execute()
}

export async function listDecisionsAbout(
  db: Db,
  userId: number,
  { exceptCase = 0, limit }: { exceptCase?: number; limit: number },
): Promise<(DecisionRow & Pick<CaseRow, 'snapshot'>)[]> {
  return selectDecisionsAbout(db, userId)
    .where('decisions.case_id', '<>', exceptCase)
    .orderBy('decisions.id', 'desc')
    .limit(limit)
    .execute()
}

/** Who stays: only admins about moderators and admins. */
export async function hasOtherModerator(
  db: Db,
  moderatorId: number,
  userId: number | null,
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '<>', 'member')
    .where('standing', '=', 'active')
    .where('deletion_at', 'is', null)
    .where('id', 'not in', [moderatorId, userId ?? 0])
    .where((eb) =>
      eb.or([
        eb('role', '=', 'admin'),
        eb.not(
          eb.exists(
            eb
              .selectFrom('users as subject')
              .select('subject.id')
              .where('subject.id', '=', userId ?? 0)
              .where('subject.role', '<>', 'member'),
          ),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** For an export: all decisions but dismissals. */
export function selectDecisionsAbout(db: Db, userId: number) {
  return db
    .selectFrom('decisions')
    .innerJoin('cases', 'cases.id', 'decisions.case_id')
    .selectAll('decisions')
    .select('cases.snapshot')
    .where('decisions.user_id', '=', userId)
    .where('decisions.action', '<>', 'dismiss')
}

const inForceColumns = [
  'action',
  'target_type',
  'target_id',
  'since',
  'until',
  'keeps_rating',
  'created_at',
  'final_at',
] as const

export async function listRestrictions(db: Db, userId: number): Promise<DecisionInForce[]> {
  return (await listRestrictionsOf(db, [userId])).get(userId) ?? []
}

export async function listRestrictionsOf(
  db: Db,
  userIds: readonly number[],
): Promise<Map<number, DecisionInForce[]>> {
  const rows = await db
    .selectFrom('decisions')
    .select(inForceColumns)
    .select('user_id')
    .where(isOneOf(db, 'user_id', userIds))
    .where('ended_at', 'is', null)
    .where('action', 'in', restrictions)
    .execute()
  return Map.groupBy(rows, ({ user_id }) => user_id!)
}

export async function listInForce(db: Db, type: 'review' | 'comment' | 'list', ids: readonly number[]) {
  return db
    .selectFrom('decisions')
    .select(inForceColumns)
    .where('target_type', '=', type)
    .where(isOneOf(db, 'target_id', ids))
    .where('ended_at', 'is', null)
    .where('action', 'in', ['remove', 'markSpoiler'])
    .execute()
}
