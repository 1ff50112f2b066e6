import { type Insertable, sql } from 'kysely'
import type { Snapshot } from '#shared/contracts/moderation.ts'
import { rankOf, type Role } from '#shared/domain/roles.ts'
import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { countRows } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import { readSettings } from '#server/members/settings.ts'
import type { UserRow } from '#server/members/tables.ts'
import { mayDecideAbout, staffOf } from '#server/members/visibility.ts'
import type { CaseRow, ListedCaseRow, ReportRow } from './tables.ts'
import type { ReportCategory, ReportOutcome, ReportTarget } from '#shared/domain/moderation.ts'

type Target = { type: ReportTarget; id: number }

// Cases

/** Returns the id of an open case if there is one. */
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

async function findOpenCase(trx: Db, { type, id }: Target): Promise<{ id: number } | undefined> {
  return trx
    .selectFrom('cases')
    .select('id')
    .where('target_type', '=', type)
    .where('target_id', '=', id)
    .where('is_open', '=', sql.lit(1))
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

export async function lockCase(trx: Db, id: number): Promise<CaseRow | undefined> {
  return trx
    .selectFrom('cases')
    .selectAll()
    .where('id', '=', id)
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

/** With the reports’ categories, separated by commas, and whether an appeal waits. */
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

/** Open or appealed ones oldest first, closed ones newest first: what the viewer may decide. */
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

/** Reopens the case and its reports, unless there is another open case about the target. Returns whether it is open. */
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

/** Reports and decisions keep the texts, because rules change. Unknown ids are left out. */
export async function findRuleTexts(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rules } = await readSettings(db)
  return rules.filter(({ id }) => ids.includes(id)).map(({ text }) => text)
}

// Reports

/** Undefined if the member has already reported the target of the case. */
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

export async function countReports(db: Db, userId: number, since: Date): Promise<number> {
  const reports = db.selectFrom('reports').where('user_id', '=', userId)
  return countRows(reports.where('created_at', '>', since.toISOString()))
}

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

export function selectExportedReports(db: Db, userId: number) {
  return db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'reports.case_id')
    .selectAll('reports')
    .select(['cases.target_type', 'cases.target_id'])
    .where('reports.user_id', '=', userId)
}

export const blank: Snapshot = {
  text: '',
  rating: null,
  hasSpoilers: false,
  imageUrl: null,
  title: null,
  about: null,
  writtenAt: null,
}

/** For what nothing is left of: the cases about it forget what it said. */
export async function forgetSnapshots(db: Db, userId: number | null, { type, id }: Target): Promise<void> {
  await db
    .updateTable('cases')
    .set({ snapshot: JSON.stringify(blank) })
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('target_type', '=', type)
    .where('target_id', '=', id)
    .execute()
}

const anonymous = {
  cases: { user_id: null, snapshot: JSON.stringify(blank) },
  reports: { user_id: null, comment: '' },
  decisions: { user_id: null, appeal: null },
}

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
