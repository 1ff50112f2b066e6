import type { Generated, Selectable } from 'kysely'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** SHA-256. They make the caller the first admin. */
    setup_codes: { code_hash: string; expires_at: string }
    invites: {
      id: Generated<number>
      code: string
      created_by: number
      max_uses: number
      uses: Generated<number>
      note: Generated<string>
      created_at: string
      expires_at: string
    }
  }
}

export type InviteRow = Selectable<Tables['invites']>

export const privateColumns = {
  setup_codes: [],
  invites: ['note'],
} satisfies PrivateColumns
