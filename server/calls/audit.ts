import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { includesRole } from '#shared/domain/roles.ts'
import type { Member } from './context.ts'
import { roleMissing } from './procedures.ts'
import type { AuditAction, AuditTarget } from '#shared/domain/audit.ts'

export type AuditEntry = {
  by: Pick<Member, 'id' | 'role'> | string
  action: AuditAction
  /** Entries keep the current `name` of the target. */
  target: { type: AuditTarget; id?: number | null; name?: string }
  /** By name. Without email addresses, which moderators may not see. */
  before?: object
  after?: object
  reason?: string | undefined
  at: Date
}

/**
 * Adds an entry to the audit log. Call it in the transaction of the change. Throws FORBIDDEN if the actor has lost the role since the call
 * began, or is frozen or suspended.
 */
export async function audit(
  trx: Db,
  { by, action, target, before, after, reason, at }: AuditEntry,
): Promise<void> {
  let actor = { id: null as number | null, name: String(by) }
  if (typeof by === 'object') {
    const row = await trx
      .selectFrom('users')
      .select(['username', 'role', 'standing'])
      .where('id', '=', by.id)
      .$if(!isSqlite(trx), (query) => query.forShare())
      .executeTakeFirst()
    if (!row || !includesRole(row.role, by.role) || row.standing !== 'active') throw roleMissing()
    actor = { id: by.id, name: row.username }
  }
  await trx
    .insertInto('audit')
    .values({
      actor_id: actor.id,
      actor: actor.name,
      action,
      target_type: target.type,
      target_id: target.id ?? null,
      target: target.name ?? '',
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      reason: reason ?? '',
      at: at.toISOString(),
    })
    .execute()
}
