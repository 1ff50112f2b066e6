import type { Generated, Selectable } from 'kysely'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** What moderators and admins did. Triggers refuse changes and deletions. Ids are not foreign keys: entries outlive accounts. */
    audit: {
      id: Generated<number>
      /** Null for a command on the server. */
      actor_id: number | null
      /** The username at that time, or the command. */
      actor: string
      action: string
      target_type: string
      target_id: number | null
      /** The name of the target at that time. */
      target: Generated<string>
      /** What changed, as JSON. */
      before: string | null
      after: string | null
      reason: Generated<string>
      at: string
    }
    /** Requests with an `Idempotency-Key`, and their responses, for a day. */
    idempotency_keys: {
      user_id: number
      key_hash: string
      /** SHA-256 of the call and its body. */
      request_hash: string
      /** Identifies the request that holds the claim. */
      attempt: string
      claimed_at: string
      /** 1 if a transaction of the request was committed. */
      is_applied: Generated<number>
      /** Null until the request has responded. */
      status: number | null
      /** Null until the request has responded, and if its response is not kept. */
      body: string | null
    }
  }
}

export type AuditRow = Selectable<Tables['audit']>

export const privateColumns = {
  idempotency_keys: ['body'],
  audit: [],
} satisfies PrivateColumns
