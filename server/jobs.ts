import { removeStale } from '#server/accounts/sweep.ts'
import { openChangeSweep } from '#server/changes/sweep.ts'
import type { Counted } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import { removeGivenUp } from '#server/db/tasks.ts'
import { removeExpiredKeys } from '#server/http/doors/idempotency.ts'
import { removeOldNotifications } from '#server/notifications/work.ts'
import type { Job } from '#server/process/scheduler.ts'
import { settleDue } from '#server/progress/settle.ts'
import { settleMembers } from '#server/reviews/settle.ts'
import { openOfferRefresh, removeOldOffers } from '#server/offers/refresh.ts'
import { openRefresh } from '#server/titles/refresh.ts'
import type { Sources } from '#server/titles/sources/source.ts'
import { removeAnonymous, removeOrphans } from '#server/uploads/orphans.ts'
import type { PictureStorage } from '#server/uploads/pictures.ts'
import { removeOldDeliveries } from '#server/webhooks/sweep.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const givenUpForMs = 10 * 24 * hourMs

/** Several processes can run them on the same database. */
export function jobsOf(
  db: Db,
  features: readonly Counted[],
  storage: PictureStorage,
  sources: Pick<Sources, 'episodes' | 'offers'>,
): Job[] {
  return [
    {
      name: 'remove unverified accounts and expired sessions',
      everyMs: hourMs,
      run: async (now, signal) => ({ accounts: await removeStale(db, features, now, signal) }),
    },
    {
      name: 'remove work that was given up',
      everyMs: hourMs,
      run: async (now) => ({ tasks: await removeGivenUp(db, new Date(now.getTime() - givenUpForMs)) }),
    },
    {
      name: 'remove expired idempotency keys',
      everyMs: hourMs,
      run: (now, signal) => removeExpiredKeys(db, now, signal),
    },
    {
      name: 'count the texts of members whose visibility has changed',
      everyMs: minuteMs,
      run: async (_now, signal) => ({ texts: await settleMembers(db, signal) }),
    },
    {
      name: 'continue shows that have a new season',
      everyMs: 10 * minuteMs,
      run: async (now, signal) => ({ passes: await settleDue(db, now, signal) }),
    },
    { name: 'refresh episodes', everyMs: 10 * minuteMs, run: openRefresh(db, sources) },
    { name: 'refresh offers of wanted titles', everyMs: 10 * minuteMs, run: openOfferRefresh(db, sources) },
    {
      name: 'remove old offers',
      everyMs: hourMs,
      run: (now, signal) => removeOldOffers(db, sources, now, signal),
    },
    { name: 'remove old changes', everyMs: hourMs, run: openChangeSweep(db) },
    {
      name: 'remove old webhook deliveries',
      everyMs: hourMs,
      run: async (now, signal) => ({ deliveries: await removeOldDeliveries(db, now, signal) }),
    },
    {
      name: 'remove old notifications',
      everyMs: hourMs,
      run: async (now, signal) => ({ notifications: await removeOldNotifications(db, now, signal) }),
    },
    {
      name: 'remove unused pictures of visitors',
      everyMs: 10 * minuteMs,
      run: (now, signal) => removeAnonymous(db, storage, now, signal),
    },
    {
      name: 'remove unused pictures',
      everyMs: hourMs,
      run: (now, signal) => removeOrphans(db, storage, now, signal),
    },
  ]
}
