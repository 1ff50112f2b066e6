import { type SqlBool, sql } from 'kysely'
import type { AuditFilters } from '#shared/contracts/audit.ts'
import { rankOf, type Role } from '#shared/domain/roles.ts'
import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { mayDecideAbout, staffOf } from '#server/members/visibility.ts'

type Viewer = { id: number; role: Role }

/** Not about a case that the viewer may not decide. Each entry looks up its cases by their indexes. */
function isOpenTo({ id, role }: Viewer) {
  const isClosed = sql`not ${mayDecideAbout('cases.user_id', staffOf(id, rankOf(role)))}`
  return sql<SqlBool>`not exists (select 1 from cases where cases.id = case audit.action
      when 'case.assign' then audit.target_id
      when 'decision.undo' then (select case_id from decisions where decisions.id = audit.target_id)
      when 'appeal.answer' then (select case_id from decisions where decisions.id = audit.target_id)
      end and ${isClosed})
    and not exists (select 1 from cases where audit.action in ('case.open', 'decision.make')
      and cases.target_type = audit.target_type and cases.target_id = audit.target_id and ${isClosed})`
}

export async function listAudit(
  db: Db,
  { actor, action, target, targetId, from, to }: AuditFilters,
  viewer: Viewer,
  beforeId: number | undefined,
  limit: number,
) {
  return (
    db
      .selectFrom('audit')
      .selectAll()
      .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId!))
      // By id, which has an index, and by name for accounts that are gone.
      .$if(actor !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb(
              'actor_id',
              'in',
              eb.selectFrom('users').select('id').where('username_folded', '=', caseless(actor!)),
            ),
            eb('actor', '=', actor!),
          ]),
        ),
      )
      .$if(action !== undefined, (query) => query.where('action', '=', action!))
      .$if(target !== undefined, (query) => query.where('target_type', '=', target!))
      .$if(targetId !== undefined, (query) => query.where('target_id', '=', targetId!))
      .$if(from !== undefined, (query) => query.where('at', '>=', `${from}T00:00:00.000Z`))
      .$if(to !== undefined, (query) => query.where('at', '<=', `${to}T23:59:59.999Z`))
      .where(isOpenTo(viewer))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  )
}
