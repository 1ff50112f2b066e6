import type { Generated, Selectable } from 'kysely'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** Triggers refuse changes and deletions. Ids are not foreign keys: entries outlive accounts. */
    audit: {
      id: Generated<number>
      /** Null for a command on the server. */
      actor_id: number | null
      /** The username then, or the command. */
      actor: string
      action: string
      target_type: string
      target_id: number | null
      target: Generated<string>
      before: string | null
      after: string | null
      reason: Generated<string>
      at: string
    }
    /** For a day, with the responses. */
    idempotency_keys: {
      user_id: number
      key_hash: string
      request_hash: string
      attempt: string
      claimed_at: string
      /** 1 if a transaction of the request was committed. */
      is_applied: Generated<number>
      status: number | null
      /** Null before the response, and if the response is not kept. */
      body: string | null
    }
  }
}

export type AuditRow = Selectable<Tables['audit']>

export const privateColumns = {
  idempotency_keys: ['body'],
  audit: [],
} satisfies PrivateColumns
