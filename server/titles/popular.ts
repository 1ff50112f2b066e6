import type { Kind } from '#shared/domain/kinds.ts'
import { divideWindow } from '#server/db/spans.ts'
import { keepResult } from '#server/db/version.ts'
import { findMostRated, mostPopular } from './rules.ts'
import { listMostRated, listRatingBounds, listRatingSums } from './popular-store.ts'
import { listCards } from './store.ts'

type Popular = { kind: Kind; days: number; limit: number; now: Date }

/** Ratings leave the window with time; one result serves the calls of so many milliseconds. */
const sharedMs = 10_000

export const listPopular = keepResult(
  ({ kind, days, limit, now }: Popular) => `${kind} ${days} ${limit} ${Math.floor(now.getTime() / sharedMs)}`,
  async (db, { kind, days, limit, now }: Popular) => {
    const window = divideWindow(now, days)
    const totals = await findMostRated(
      window.spans.length,
      limit,
      (depth) => listMostRated(db, kind, window.spans, depth),
      () => listRatingBounds(db, kind, window),
      (ids) => listRatingSums(db, ids, window),
    )
    return mostPopular(kind, totals, limit, (ids) => listCards(db, ids))
  },
)
