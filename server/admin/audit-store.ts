import type { AuditFilters } from '#shared/audit.ts'
import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'

/** Returns entries of the audit log before the one with the id `beforeId`, newest first. */
export async function listAudit(
  db: Db,
  { actor, action, target, targetId, from, to }: AuditFilters,
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
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  )
}
