import type { Generated, Selectable } from 'kysely'
import type { WebhookEvent } from '#shared/contracts/webhooks.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    webhooks: {
      id: Generated<number>
      user_id: number
      url: string
      secret: string
      events: string
      created_at: string
      failing_since: string | null
      disabled_at: string | null
    }
    /** Filled by triggers; another trigger adds a task for each row. */
    webhook_deliveries: {
      id: Generated<number>
      webhook_id: number
      event: WebhookEvent | 'test'
      action: 'created' | 'updated' | 'deleted'
      /** As in `changes`; for a comment its id, for a reaction the id of the review. */
      thing_id: number
      media_id: number | null
      actor_id: number | null
      created_at: Generated<string>
      attempts: Generated<number>
      attempted_at: string | null
      delivered_at: string | null
      status: number | null
      /** A `DeliveryError`. Earlier versions stored its text. */
      error: string | null
    }
  }
}

export type WebhookRow = Omit<Selectable<Tables['webhooks']>, 'secret'>

export type DeliveryRow = Selectable<Tables['webhook_deliveries']>

export const privateColumns = {
  webhooks: ['url', 'secret'],
  webhook_deliveries: ['error'],
} satisfies PrivateColumns
