import type { Generated, Selectable } from 'kysely'
import type { ChangeArea } from '#shared/contracts/features.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** In the order of `xid` and `id`. Filled by triggers; swept after 90 days. */
    changes: {
      id: Generated<number>
      /** On Postgres, where ids may commit in another order; 0 on SQLite. */
      xid: Generated<number>
      user_id: number
      area: ChangeArea
      action: 'created' | 'updated' | 'deleted'
      /** Of the review, diary entry or list; for a favorite the title, for a follow the followed member. */
      thing_id: number
      /** Null for a list or a follow. Not a foreign key, as none of these ids. */
      media_id: number | null
      at: Generated<string>
    }
  }
}

export type ChangeRow = Selectable<Tables['changes']>

export const privateColumns = {
  changes: [],
} satisfies PrivateColumns
