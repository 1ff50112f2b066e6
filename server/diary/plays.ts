import * as schema from '#shared/contracts/progress.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import type { Db } from '#server/db/open.ts'
import { listPlaysOfMember } from '#server/progress/plays-store.ts'
import { toPlays } from '#server/progress/shown-plays.ts'

type Listing = { userId: number; limit: number; cursor: string | undefined; isOwn: boolean }

/** Only the member sees which batches added them. */
export async function readPlays(db: Db, { userId, limit, cursor, isOwn }: Listing) {
  const [day, id] = readCursor(cursor, schema.playCursor) ?? []
  const after = day === undefined ? undefined : { day, id: id! }
  const rows = await listPlaysOfMember(db, userId, after, limit + 1)
  const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.watched_on ?? '', last.id])
  const plays = await toPlays(db, shown)
  return { plays: isOwn ? plays : plays.map((play) => ({ ...play, batch: null })), nextCursor }
}
