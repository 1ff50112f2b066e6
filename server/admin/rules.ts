import type { MemberSummary } from '#shared/contracts/admin.ts'
import type { AuditEntry } from '#shared/contracts/audit.ts'
import { messages } from '#shared/texts/messages.ts'
import type { AuditRow } from '#server/calls/tables.ts'
import type { UserRow } from '#server/members/tables.ts'
import type { MemberState } from '#shared/domain/member-states.ts'
import type { AuditAction, AuditTarget } from '#shared/domain/audit.ts'

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

type MemberRow = Pick<
  UserRow,
  | 'id'
  | 'username'
  | 'picture'
  | 'role'
  | 'email'
  | 'created_at'
  | 'seen_on'
  | 'review_count'
  | 'signup_reason'
  | 'verified_at'
  | 'pending_since'
  | 'deletion_at'
  | 'standing'
>

export function presentMember(row: MemberRow, mayReadEmail: boolean): MemberSummary {
  return {
    id: row.id,
    username: row.username,
    profilePicture: row.picture,
    role: row.role,
    state: stateOf(row),
    ...(mayReadEmail && { email: row.email }),
    createdAt: row.created_at,
    seenOn: row.seen_on,
    reviewCount: row.review_count,
    signUpReason: row.signup_reason,
  }
}

function stateOf(row: MemberRow): MemberState {
  if (row.pending_since) return 'pending'
  if (row.deletion_at) return 'deleting'
  if (row.verified_at && row.standing !== 'active') return row.standing
  return row.verified_at ? 'active' : 'unverified'
}

export function errorMessage(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : messages.sourceDown
}
