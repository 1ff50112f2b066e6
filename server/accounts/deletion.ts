import { setImmediate as nextTurn } from 'node:timers/promises'
import { messages } from '#shared/messages.ts'
import type { Db } from '#server/db/open.ts'
import { removeImport, removeImportRows } from '#server/imports/store.ts'
import {
  addReactionCounts,
  addToCommentCount,
  findReaction,
  findReview,
  lockReview,
  lockTitleOf,
  removeComment,
  setReaction,
} from '#server/reviews/store.ts'
import { reactionsBetween } from '#server/reviews/rules.ts'
import { deleteReview } from '#server/reviews/write.ts'
import { removeFollow } from '#server/social/store.ts'
import { removePictures } from '#server/uploads/orphans.ts'
import type { PictureStorage } from '#server/uploads/pictures.ts'
import { disableWebhooksOf } from '#server/webhooks/store.ts'
import * as deletions from './deletion-store.ts'
import { removeMailCounts, removeMailTokens } from './mail-store.ts'
import { mailKeysOf } from './rules.ts'
import { removeAccessTokens, removeSessions } from './sessions-store.ts'

/** Small, so that requests run between batches. */
const batchSize = 100
/** The maximum number of passes over all steps. A second one is needed only if a call that began before the deletion ends after it. */
const roundsMax = 10

/**
 * Removes the accounts whose deletion is due, with everything that belongs to them. The first transaction anonymizes an account and
 * ends its sessions, which frees its username and email. The others remove a batch each and keep all counters correct. Interrupted
 * work is resumed by the next call. Returns the number of removed accounts. If an account fails, the others are still removed, and
 * the first error is thrown.
 */
export async function removeDueAccounts(
  db: Db,
  storage: PictureStorage,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  const errors: unknown[] = []
  for (const id of await deletions.listDueDeletions(db, now)) {
    if (signal?.aborted) break
    try {
      if (await removeAccount(db, storage, id, now, signal)) removed++
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return removed
}

/** Returns false if the account is not due, if `signal` interrupted the work, or if another process removed the account. */
async function removeAccount(
  db: Db,
  storage: PictureStorage,
  id: number,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const isClosed = await db.transaction().execute((trx) => closeAccount(trx, id, now))
  if (!isClosed) return false
  const steps: ((db: Db, id: number) => Promise<number>)[] = [
    removeImports,
    removeReviews,
    removeComments,
    removeReactions,
    removeFollows,
    (db, id) => deletions.removeOwned(db, 'favorites', id, batchSize),
    (db, id) => deletions.removeOwned(db, 'diary_entries', id, batchSize),
    (db, id) => deletions.removeOwned(db, 'import_keys', id, batchSize),
    (db, id) => removeUploads(db, storage, id),
    (db, id) => deletions.disownTitles(db, id, batchSize),
    (db, id) => deletions.removeOwned(db, 'idempotency_keys', id, batchSize),
    (db, id) => deletions.removeDeliveries(db, id, batchSize),
    // Last, because the steps above log changes too.
    (db, id) => deletions.removeOwned(db, 'changes', id, batchSize),
  ]
  for (let round = 0; round < roundsMax; round++) {
    for (const step of steps)
      do {
        if (signal?.aborted) return false
        await nextTurn()
      } while ((await step(db, id)) > 0)
    const outcome = await db.transaction().execute(async (trx) => {
      // Calls that add something reference the account, and so wait for this lock.
      if (!(await deletions.lockDueAccount(trx, id, now))) return 'gone'
      return (await deletions.removeEmptyAccount(trx, id)) ? 'removed' : 'not empty'
    })
    if (outcome !== 'not empty') return outcome === 'removed'
  }
  throw new Error('Rows are still being added to the account. The next sweep tries again.')
}

/** Makes an account unusable and anonymous. Returns false if it is not due. */
async function closeAccount(trx: Db, id: number, now: Date): Promise<boolean> {
  const account = await deletions.lockDueAccount(trx, id, now)
  if (!account) return false
  const emails = [account.email, account.pending_email].filter((email) => email !== null)
  await removeSessions(trx, id)
  await removeAccessTokens(trx, id)
  await disableWebhooksOf(trx, id, now, messages.webhookWasDisabled)
  await removeMailTokens(trx, id, ['verify', 'change-email', 'reset', 'keep-account'])
  await deletions.removeMailsTo(trx, emails)
  await removeMailCounts(trx, emails.flatMap(mailKeysOf))
  await deletions.anonymize(trx, id)
  return true
}

// Steps. Each removes one batch and returns the number of removed items; 0 if none is left.

async function removeImports(db: Db, userId: number): Promise<number> {
  const importId = await deletions.findImportOf(db, userId)
  if (importId === undefined) return 0
  await deletions.haltImport(db, importId)
  if (!(await removeImportRows(db, importId, batchSize))) await removeImport(db, importId)
  return 1
}

/** Removes a review, or a batch of its comments or reactions if it has more than one batch. */
async function removeReviews(db: Db, userId: number): Promise<number> {
  const found = await deletions.findReviewOf(db, userId)
  if (!found) return 0
  await db.transaction().execute(async (trx) => {
    await lockTitleOf(trx, found.id)
    if (!(await lockReview(trx, found.id))) return
    if (found.comment_count > batchSize) await deletions.removeCommentsOn(trx, found.id, batchSize)
    else if (found.like_count + found.dislike_count > batchSize)
      await deletions.removeReactionsTo(trx, found.id, batchSize)
    else await deleteReview(trx, (await findReview(trx, found.id))!, () => {})
  })
  return 1
}

/** Removes the member’s comments on other members’ reviews. */
async function removeComments(db: Db, userId: number): Promise<number> {
  const comments = await deletions.listCommentsBy(db, userId, batchSize)
  if (comments.length === 0) return 0
  // Reviews are locked in a fixed order, so that two processes with the same work do not deadlock.
  comments.sort((a, b) => a.review_id - b.review_id)
  await db.transaction().execute(async (trx) => {
    for (const { id, review_id } of comments) {
      if (!(await lockReview(trx, review_id))) continue
      if (await removeComment(trx, id)) await addToCommentCount(trx, review_id, -1)
    }
  })
  return comments.length
}

/** Removes the member’s reactions to other members’ reviews. */
async function removeReactions(db: Db, userId: number): Promise<number> {
  const reviewIds = await deletions.listReactedReviews(db, userId, batchSize)
  if (reviewIds.length === 0) return 0
  await db.transaction().execute(async (trx) => {
    for (const reviewId of reviewIds) {
      if (!(await lockReview(trx, reviewId))) continue
      const key = { review_id: reviewId, user_id: userId }
      const reaction = await findReaction(trx, key)
      if (!reaction) continue
      await setReaction(trx, key, 'none')
      await addReactionCounts(trx, reviewId, reactionsBetween(reaction, 'none'))
    }
  })
  return reviewIds.length
}

/** Removes follows in both directions, each in its own transaction, because it locks two members. */
async function removeFollows(db: Db, userId: number): Promise<number> {
  const follows = await deletions.listFollowsOf(db, userId, batchSize)
  for (const follow of follows) await db.transaction().execute((trx) => removeFollow(trx, follow))
  return follows.length
}

/** Removes the member’s pictures. Those that titles show stay, without an owner. */
async function removeUploads(db: Db, storage: PictureStorage, userId: number): Promise<number> {
  const picture = await db.transaction().execute((trx) => deletions.takePicture(trx, userId))
  // A picture uploaded at sign-up has no owner, so the list of uploads lacks it.
  if (picture) await removePictures(db, storage, [picture])
  const uploads = await deletions.listUploadsOf(db, userId, batchSize)
  if (uploads.length === 0) return 0
  await removePictures(db, storage, uploads)
  await deletions.disownUploads(db, uploads)
  return uploads.length
}
