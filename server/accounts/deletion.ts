import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#server/db/open.ts'
import { removeTasks } from '#server/db/tasks.ts'
import type { Removal } from '#server/feature.ts'
import { openQueue, type Queue, type QueueOptions } from '#server/process/queue.ts'
import type { Services } from '#server/calls/context.ts'
import { removeCredentials } from './credentials-store.ts'
import * as deletions from './deletion-store.ts'
import { removeAllMailTokens, removeMailCounts } from './mail-store.ts'
import { mailKeysOf } from './rules.ts'
import { removeAccessTokens, removeSessions } from './sessions-store.ts'

const batchSize = 100
/** A second pass is needed only if a call that began before the deletion ends after it. */
const roundsMax = 10

type Removing = Pick<Services, 'storage' | 'features'>

export function openDeletions(services: Removing, options: QueueOptions): Queue {
  const { db, log, now = () => new Date() } = options
  return openQueue({
    ...options,
    name: 'deletions',
    async run({ key }, _waiting, signal) {
      const isRemoved = await removeAccount(db, services, Number(key), now(), signal)
      signal.throwIfAborted()
      if (isRemoved) log.info({ account: key }, 'account removed')
    },
  })
}

/**
 * The first transaction anonymizes the account and ends its sessions; the others remove a batch each and keep all counters correct. The
 * next call resumes interrupted work. Returns false if the account is not due, if `signal` interrupted the work, or if another process
 * removed the account.
 */
export async function removeAccount(
  db: Db,
  { storage, features }: Removing,
  id: number,
  now: Date,
  signal?: AbortSignal,
): Promise<boolean> {
  const removals = features.flatMap(({ deletion = [] }) => deletion)
  const owned = removals.flatMap(({ table, owner }) => (table ? [{ table, ...(owner && { owner }) }] : []))
  const isClosed = await db.transaction().execute((trx) => closeAccount(trx, features, id, now))
  if (!isClosed) return false
  for (let round = 0; round < roundsMax; round++) {
    for (const removal of removals)
      do {
        if (signal?.aborted) return false
        await nextTurn()
      } while ((await removeBatch(db, storage, id, removal)) > 0)
    const outcome = await db.transaction().execute(async (trx) => {
      if (!(await deletions.lockDueAccount(trx, id, now))) return 'gone'
      return (await deletions.removeEmptyAccount(trx, id, owned)) ? 'removed' : 'not empty'
    })
    if (outcome !== 'not empty') return outcome === 'removed'
  }
  throw new Error('Rows are still being added to the account. The next attempt goes on.')
}

/** Returns the number of removed items; 0 if none is left. */
async function removeBatch(
  db: Db,
  storage: Services['storage'],
  id: number,
  removal: Removal,
): Promise<number> {
  if ('remove' in removal) return removal.remove(db, id, batchSize, storage)
  return deletions.removeOwned(db, removal, id, batchSize)
}

async function closeAccount(
  trx: Db,
  features: Removing['features'],
  id: number,
  now: Date,
): Promise<boolean> {
  const account = await deletions.lockDueAccount(trx, id, now)
  if (!account) return false
  const emails = [account.email, account.pending_email].filter((email) => email !== null)
  await removeCredentials(trx, id)
  await removeSessions(trx, id)
  await removeAccessTokens(trx, id)
  for (const { endAccess } of features) await endAccess?.(trx, id, now)
  await removeAllMailTokens(trx, id)
  await removeTasks(trx, 'mail', 'owner', emails)
  await removeMailCounts(trx, emails.flatMap(mailKeysOf))
  await deletions.anonymize(trx, id, now)
  return true
}
