import { unverifiedDays } from '#shared/domain/limits.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Counted } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import { removeInBatches } from '#server/process/scheduler.ts'
import { removeExpiredChallenges } from './challenge-store.ts'
import { removeExpiredSteps } from './credentials-store.ts'
import { removeExpiredMail } from './mail-store.ts'
import { removeExpiredAccessTokens, removeExpiredSessions } from './sessions-store.ts'
import { removeExpiredInvites } from '#server/accounts/invites-store.ts'
import { removeUnverified } from './store.ts'

const expiredInviteDays = 30
const batchSize = 100

/** Frees usernames and emails. Also removes expired sessions, tokens, challenges, steps of logins and email counts. Returns the number of removed accounts. */
export async function removeStale(
  db: Db,
  features: readonly Counted[],
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  await removeExpiredMail(db, now)
  await removeExpiredSessions(db, now)
  await removeExpiredAccessTokens(db, now)
  await removeExpiredChallenges(db, now)
  await removeExpiredSteps(db, now)
  await removeExpiredInvites(db, new Date(now.getTime() - expiredInviteDays * dayMs))
  const before = new Date(now.getTime() - unverifiedDays * dayMs)
  return removeInBatches(
    (limit) => db.transaction().execute((trx) => removeUnverified(trx, features, before, limit)),
    batchSize,
    signal,
  )
}
