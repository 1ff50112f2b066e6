import type { AuditAction, AuditEntry, AuditTarget } from '#shared/audit.ts'
import type { AuditRow } from '#server/db/tables.ts'

export function presentEntry(row: AuditRow): AuditEntry {
  const values = (json: string | null) =>
    json === null ? null : (JSON.parse(json) as Record<string, unknown>)
  return {
    id: row.id,
    at: row.at,
    actor: { id: row.actor_id, name: row.actor },
    action: row.action as AuditAction,
    target: { type: row.target_type as AuditTarget, id: row.target_id, name: row.target },
    before: values(row.before),
    after: values(row.after),
    reason: row.reason,
  }
}
