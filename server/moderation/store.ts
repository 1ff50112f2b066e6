import { type Insertable, sql } from 'kysely'
import type { ReportCategory, ReportOutcome, ReportTarget, Snapshot } from '#shared/contracts/moderation.ts'
import { restrictions } from '#shared/domain/restrictions.ts'
import { rankOf, type Role } from '#shared/domain/roles.ts'
import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { countRows } from '#server/db/rows.ts'
import { mayDecideAbout, staffOf } from '#server/members/visibility.ts'
import { readSettings } from '#server/members/settings.ts'
import type { Tables } from '#server/db/tables.ts'
import type { UserRow } from '#server/members/tables.ts'
import type { CaseRow, DecisionInForce, DecisionRow, ListedCaseRow, ReportRow } from './tables.ts'

type Target = { type: ReportTarget; id: number }

const locked = (db: Db) => !isSqlite(db)

// Cases

/** Opens a case, unless one is open: returns the id of that one. */
export async function ensureCase(trx: Db, values: Insertable<Tables['cases']>): Promise<number> {
  const inserted = await trx
    .insertInto('cases')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['target_type', 'target_id']).where('is_open', '=', sql.lit(1)).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  const open = inserted ?? (await findOpenCase(trx, { type: values.target_type, id: values.target_id }))
  // The case that was open has been closed meanwhile.
  return open?.id ?? ensureCase(trx, values)
}

/** Locks the open case about a target until the transaction ends. */
async function findOpenCase(trx: Db, { type, id }: Target): Promise<{ id: number } | undefined> {
  return trx
    .selectFrom('cases')
    .select('id')
    .where('target_type', '=', type)
    .where('target_id', '=', id)
    .where('is_open', '=', sql.lit(1))
    .$if(locked(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

export async function lockCase(trx: Db, id: number): Promise<CaseRow | undefined> {
  return trx
    .selectFrom('cases')
    .selectAll()
    .where('id', '=', id)
    .$if(locked(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

/** With the categories of the reports, separated by commas, and whether an appeal waits for an answer. */
const listedCases = (db: Db) =>
  db
    .selectFrom('cases')
    .selectAll()
    .select([
      sql<string>`coalesce((select string_agg(category, ',' order by category) from (
        select distinct category from reports where reports.case_id = cases.id) as of_case), '')`.as(
        'categories',
      ),
      sql<number>`case when ${isAppealed} then 1 else 0 end`.as('is_appealed'),
    ])
const isAppealed = sql<boolean>`exists (select 1 from decisions where decisions.case_id = cases.id
  and decisions.appealed_at is not null and decisions.answered_at is null)`

export async function findCase(db: Db, id: number): Promise<ListedCaseRow | undefined> {
  return listedCases(db).where('id', '=', id).executeTakeFirst()
}

/** Lists open or appealed cases, oldest first, or closed ones, newest first, after the case with the id `after`: those that the viewer may decide. */
export async function listCases(
  db: Db,
  {
    state,
    category,
    assignee,
    after,
    limit,
    viewer,
  }: {
    viewer: { id: number; role: Role }
    state: 'open' | 'closed' | 'appealed'
    category?: ReportCategory | undefined
    assignee?: number | undefined
    after: number | undefined
    limit: number
  },
): Promise<ListedCaseRow[]> {
  const [order, comparison] = state === 'closed' ? (['desc', '<'] as const) : (['asc', '>'] as const)
  return listedCases(db)
    .$if(state === 'appealed', (query) =>
      query.where('id', 'in', (eb) =>
        eb
          .selectFrom('decisions')
          .select('case_id')
          .where('appealed_at', 'is not', null)
          .where('answered_at', 'is', null),
      ),
    )
    .$if(state !== 'appealed', (query) => query.where('is_open', '=', state === 'open' ? 1 : 0))
    .$if(category !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('reports')
            .select('reports.id')
            .whereRef('reports.case_id', '=', 'cases.id')
            .where('reports.category', '=', category!),
        ),
      ),
    )
    .$if(assignee !== undefined, (query) => query.where('assignee_id', '=', assignee!))
    .$if(after !== undefined, (query) => query.where('id', comparison, after!))
    .where(mayDecideAbout('cases.user_id', staffOf(viewer.id, rankOf(viewer.role))))
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

export async function assignCase(db: Db, id: number, userId: number | null): Promise<void> {
  await db.updateTable('cases').set({ assignee_id: userId }).where('id', '=', id).execute()
}

/** Closes a case and its reports. */
export async function closeCase(trx: Db, id: number, outcome: ReportOutcome, now: Date): Promise<void> {
  const closed_at = now.toISOString()
  await trx.updateTable('cases').set({ is_open: 0, closed_at }).where('id', '=', id).execute()
  await trx
    .updateTable('reports')
    .set({ outcome, closed_at })
    .where('case_id', '=', id)
    .where('closed_at', 'is', null)
    .execute()
}

/** Opens a closed case and its reports again, unless there is another open case about the target. Returns whether it is open. */
export async function reopenCase(
  trx: Db,
  { id, target_type, target_id, closed_at }: CaseRow,
): Promise<boolean> {
  if (closed_at === null) return true
  if (await findOpenCase(trx, { type: target_type, id: target_id })) return false
  await trx.updateTable('cases').set({ is_open: 1, closed_at: null }).where('id', '=', id).execute()
  await trx
    .updateTable('reports')
    .set({ outcome: null, closed_at: null })
    .where('case_id', '=', id)
    .where('closed_at', '=', closed_at)
    .execute()
  return true
}

export async function listPeople(
  db: Db,
  ids: readonly (number | null)[],
): Promise<Map<number, Pick<UserRow, 'id' | 'username' | 'picture'>>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'picture'])
    .where(isOneOf(db, 'users.id', known))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the texts of rules of the site, which reports and decisions keep, because rules change. Unknown ids are left out. */
export async function findRuleTexts(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rules } = await readSettings(db)
  return rules.filter(({ id }) => ids.includes(id)).map(({ text }) => text)
}

// Reports

/** Returns undefined if the member has already reported the target of the case. */
export async function insertReport(
  trx: Db,
  report: Insertable<Tables['reports']>,
): Promise<ReportRow | undefined> {
  const row = await trx
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) => conflict.columns(['case_id', 'user_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row)
    await trx
      .updateTable('cases')
      .set((eb) => ({ report_count: eb('report_count', '+', 1) }))
      .where('id', '=', report.case_id)
      .execute()
  return row
}

/** Returns the number of reports of a member since a time. */
export async function countReports(db: Db, userId: number, since: Date): Promise<number> {
  const reports = db.selectFrom('reports').where('user_id', '=', userId)
  return countRows(reports.where('created_at', '>', since.toISOString()))
}

/** Lists the reports of a member before the one with the id `before`, newest first. */
export async function listReportsBy(db: Db, userId: number, before: number | undefined, limit: number) {
  return db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'reports.case_id')
    .selectAll('reports')
    .select(['cases.target_type', 'cases.target_id'])
    .where('reports.user_id', '=', userId)
    .$if(before !== undefined, (query) => query.where('reports.id', '<', before!))
    .orderBy('reports.id', 'desc')
    .limit(limit)
    .execute()
}

export async function listReportsOf(db: Db, caseId: number, limit: number): Promise<ReportRow[]> {
  return db
    .selectFrom('reports')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists the addresses of the members who reported a case, by report, after the report with the id `after`. */
export async function listReporters(db: Db, caseId: number, after: number, limit: number) {
  return db
    .selectFrom('reports')
    .innerJoin('users', 'users.id', 'reports.user_id')
    .select(['reports.id', 'reports.user_id', 'users.email', 'reports.outcome'])
    .where('reports.case_id', '=', caseId)
    .where('reports.id', '>', after)
    .where('users.verified_at', 'is not', null)
    .orderBy('reports.id')
    .limit(limit)
    .execute()
}

// Decisions

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
    .$if(locked(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

export async function updateDecision(trx: Db, id: number, values: Partial<DecisionRow>): Promise<void> {
  await trx.updateTable('decisions').set(values).where('id', '=', id).execute()
}

export async function listDecisionsOf(db: Db, caseId: number): Promise<DecisionRow[]> {
  return db.selectFrom('decisions').selectAll().where('case_id', '=', caseId).orderBy('id').execute()
}

/** Lists decisions about a member, newest first, without those of a case, and without dismissals. */
export async function listDecisionsAbout(
  db: Db,
  userId: number,
  { exceptCase = 0, limit }: { exceptCase?: number; limit: number },
): Promise<(DecisionRow & Pick<CaseRow, 'snapshot'>)[]> {
  return db
    .selectFrom('decisions')
    .innerJoin('cases', 'cases.id', 'decisions.case_id')
    .selectAll('decisions')
    .select('cases.snapshot')
    .where('decisions.user_id', '=', userId)
    .where('decisions.case_id', '<>', exceptCase)
    .where('decisions.action', '<>', 'dismiss')
    .orderBy('decisions.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns whether somebody other than `moderatorId` may decide about a member, and stays: only admins about moderators and admins. */
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

/** Selects a member’s reports for an export. */
export function selectExportedReports(db: Db, userId: number) {
  return db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'reports.case_id')
    .selectAll('reports')
    .select(['cases.target_type', 'cases.target_id'])
    .where('reports.user_id', '=', userId)
}

/** Selects the decisions about a member for an export. */
export function selectExportedDecisions(db: Db, userId: number) {
  return db
    .selectFrom('decisions')
    .innerJoin('cases', 'cases.id', 'decisions.case_id')
    .selectAll('decisions')
    .select('cases.snapshot')
    .where('decisions.user_id', '=', userId)
    .where('decisions.action', '<>', 'dismiss')
}

const blank: Snapshot = {
  text: '',
  rating: null,
  hasSpoilers: false,
  imageUrl: null,
  title: null,
  writtenAt: null,
}
/** Removes the content of a member, of which nothing is left, from the cases about it. */
export async function forgetSnapshots(db: Db, userId: number | null, { type, id }: Target): Promise<void> {
  await db
    .updateTable('cases')
    .set({ snapshot: JSON.stringify(blank) })
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('target_type', '=', type)
    .where('target_id', '=', id)
    .execute()
}

/** What is left of rows whose member has deleted the account. */
const anonymous = {
  cases: { user_id: null, snapshot: JSON.stringify(blank) },
  reports: { user_id: null, comment: '' },
  decisions: { user_id: null, appeal: null },
}

/** Removes the member and their texts from up to `limit` rows. Returns how many. */
export async function disown(
  db: Db,
  table: 'cases' | 'reports' | 'decisions',
  userId: number,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set(anonymous[table] as object)
    .where('id', 'in', (eb) => eb.selectFrom(table).select('id').where('user_id', '=', userId).limit(limit))
    .executeTakeFirst()
  return Number(numUpdatedRows)
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

/** Lists the decisions in force that restrict a member. */
export async function listRestrictions(db: Db, userId: number): Promise<DecisionInForce[]> {
  return (await listRestrictionsOf(db, [userId])).get(userId) ?? []
}

/** Returns the decisions in force that restrict members, by member. */
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

/** Lists the decisions in force about these reviews, comments or lists. */
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

/** The columns of a member that decisions depend on. */
export type SubjectRow = Pick<UserRow, 'id' | 'username' | 'email' | 'role' | 'standing' | 'verified_at'>

/** Locks members, in the order of their ids, until the transaction ends. */
export async function lockMembers(trx: Db, ids: readonly number[]): Promise<Map<number, SubjectRow>> {
  const rows = await trx
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'standing', 'verified_at'])
    .where(isOneOf(trx, 'users.id', ids))
    .orderBy('id')
    .$if(locked(trx), (query) => query.forNoKeyUpdate())
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns whom a case concerns; undefined if the account is gone. */
export async function findSubject(db: Db, userId: number) {
  return db.selectFrom('users').select(['id', 'role', 'standing']).where('id', '=', userId).executeTakeFirst()
}

export async function setStanding(trx: Db, userId: number, standing: UserRow['standing']): Promise<void> {
  await trx.updateTable('users').set({ standing }).where('id', '=', userId).execute()
}

/** Enables the webhooks of a member that suspensions have disabled. */
export async function enableWebhooks(trx: Db, userId: number): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ disabled_at: null })
    .where('user_id', '=', userId)
    .where('disabled_at', 'in', (eb) =>
      eb
        .selectFrom('decisions')
        .select('created_at')
        .where('user_id', '=', userId)
        .where('action', 'in', ['suspend', 'removeAll']),
    )
    .execute()
}

/** Moves the tasks of a member’s imports to a time. */
export async function moveImports(trx: Db, userId: number, dueAt: Date): Promise<void> {
  await trx
    .updateTable('tasks')
    .set({ due_at: dueAt.toISOString(), claim: null })
    .where('queue', '=', 'imports')
    .where('owner', '=', String(userId))
    .where('due_at', 'is not', null)
    .execute()
}
