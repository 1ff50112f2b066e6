import type { Generated } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import type { PrivateColumns } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    follows: { follower_id: number; followee_id: number; created_at: string }
    follow_requests: { follower_id: number; followee_id: number; created_at: string }
    /** `user_id` has blocked `member_id`. There is no follow between the two. */
    blocks: { user_id: number; member_id: number; created_at: string }
    mutes: { user_id: number; member_id: number; created_at: string }
    /** Sorted by `place`, then by time, both descending. `place` is 0 until the member puts the favorites of the kind in order. */
    favorites: { user_id: number; media_id: number; kind: Kind; created_at: string; place: Generated<number> }
  }
}

export const privateColumns = {
  follows: [],
  follow_requests: [],
  blocks: [],
  mutes: [],
  favorites: [],
} satisfies PrivateColumns
