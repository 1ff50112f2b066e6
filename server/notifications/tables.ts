import type { Generated, Selectable } from 'kysely'
import type { NotificationTarget, NotificationType } from '#shared/contracts/notifications.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** Locked by each change of notifications, so that their times are in the order of the commits. */
    inboxes: {
      user_id: number
      last_at: Generated<string>
      /** Read up to this time; up to `mailed_to` were in a digest. */
      read_to: Generated<string>
      mailed_to: Generated<string>
      /** Null if no digest is due. */
      digest_at: Generated<string | null>
      /** That differ from their defaults, as JSON. */
      settings: Generated<string>
    }
    /** One row per member, type, target and day. */
    notifications: {
      id: Generated<number>
      user_id: number
      type: NotificationType
      /** Blank and 0 if it is about the actors only. */
      target_type: Generated<NotificationTarget | ''>
      target_id: Generated<number>
      day: string
      /** Of the last event, unique among a member’s notifications. */
      at: string
      /** The last actors, as JSON, the last one first. */
      actors: Generated<string>
      actor_count: Generated<number>
    }
    notification_actors: { notification_id: number; actor_id: number; at: string }
  }
}

export type InboxRow = Selectable<Tables['inboxes']>

export type NotificationRow = Selectable<Tables['notifications']>

export const privateColumns = {
  inboxes: [],
  notifications: [],
  notification_actors: [],
} satisfies PrivateColumns
