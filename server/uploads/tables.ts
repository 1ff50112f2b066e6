import type { Generated } from 'kysely'
import type { PrivateColumns } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    uploads: {
      id: Generated<number>
      /** As in the rows that use the picture: `/uploads/….webp`. */
      path: string
      width: number
      height: number
      /** Of all sizes; 0 for uploads older than this column. */
      bytes: Generated<number>
      /** Null if uploaded without a login, as at sign-up. */
      owner_id: number | null
      created_at: string
    }
  }
}

export const privateColumns = {
  uploads: [],
} satisfies PrivateColumns
