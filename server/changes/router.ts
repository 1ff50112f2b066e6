import * as schema from '#shared/contracts/changes.ts'
import { changeDays, changesMax } from '#shared/domain/limits.ts'
import { numberText } from '#shared/texts/formats.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Db } from '#server/db/open.ts'
import type { Feature } from '#server/feature.ts'
import { readCursor, writeCursor } from '#server/calls/cursors.ts'
import { notFound, ReasonedError } from '#server/calls/errors.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import { isExpired } from './rules.ts'
import * as store from './store.ts'
import { withResources } from './resources.ts'

const { forMembers } = callsIn('Changes')

/** For clients that keep a copy of the data. */
export const changesRouter = (features: readonly Feature[]) =>
  router({
    list: forMembers('GET /users/me/changes', 'listChanges', schema.listChanges, {
      summary: 'List what the caller changed since a cursor',
      description:
        'What the caller created, updated or deleted of each area, oldest change first. ' +
        'To keep a copy, get a cursor without `since`, read the lists, then follow the changes. Each change has the resource as it is now, ' +
        `so applying a change again does no harm. Changes are kept for ${changeDays} days, and at most ${numberText(changesMax)} of each area: ` +
        'an older cursor returns 400 with the reason `CURSOR_EXPIRED`.',
      returnsData: 'followed',
    }).query(async ({ ctx: { db, member, now }, input: { since, limit } }) => {
      if (since === undefined)
        return { changes: [], nextCursor: cursorAt(await store.findLastPosition(db), now), hasMore: false }
      const [xid, id, readAtMs] = readCursor(since, schema.changeCursor)
      const position = { xid, id }
      const rows = await store.listChanges(db, member.id, position, limit + 1)
      const hasMore = rows.length > limit
      if (isExpired(readAtMs, now) || (await isPassed(db, member.id, position, hasMore)))
        throw new ReasonedError('BAD_REQUEST', 'CURSOR_EXPIRED', messages.cursorExpired)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return {
        changes: await withResources(db, features, member.id, shown),
        nextCursor: cursorAt(last ?? position, hasMore ? new Date(last!.at) : now),
        hasMore,
      }
    }),

    activity: forMembers('GET /users/me/activity', 'getActivity', schema.activity, {
      summary: 'Get when the caller last changed something of each area',
      description:
        'Send the `ETag` of the last response as `If-None-Match`: a client that polls reads the lists or the changes only after a 200.',
      returnsData: 'own',
    }).query(async ({ ctx: { db, member } }) => {
      const rows = await store.listLastTimes(db, member.id)
      return schema.byArea((area) => rows.find((row) => row.area === area)?.at ?? null)
    }),
  })

function cursorAt({ xid, id }: store.Position, readAt: Date): string {
  return writeCursor([xid, id, readAt.getTime()])
}

/** Changes after the position may have been removed, or it is not of this log. */
async function isPassed(
  db: Db,
  userId: number,
  position: store.Position,
  hasMore: boolean,
): Promise<boolean> {
  if (!hasMore) {
    const isBeyond = await store.isBeyondLog(db, position)
    // A call that finds nothing on a replica is repeated on the primary.
    if (isBeyond === 'unknown') throw notFound()
    return isBeyond
  }
  const isAfter = (other: store.Position) =>
    other.xid > position.xid || (other.xid === position.xid && other.id > position.id)
  for (const { area, ...first } of await store.listFirstPositions(db, userId))
    if (isAfter(first) && (await store.findPositionBefore(db, userId, area, changesMax - 1))) return true
  return false
}
