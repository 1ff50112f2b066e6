import { setImmediate as nextTurn } from 'node:timers/promises'
import { withStoredRating } from '#shared/domain/ratings.ts'
import { removeSessions } from '#server/accounts/sessions-store.ts'
import { recount } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import { uncommented } from '#server/reviews/notify.ts'
import type { ReviewRow } from '#server/reviews/tables.ts'
import type { DecisionInForce, DecisionRow } from './tables.ts'
import type { Live } from '#server/reviews/live.ts'
import { counters } from '#server/reviews/counters.ts'
import { takeComments, takeReactions } from '#server/reviews/deletion-store.ts'
import { addToCommentCount } from '#server/reviews/comments-store.ts'
import { findReview, findReviewBy, findTitleOf, lockReview, reviewedIn } from '#server/reviews/store.ts'
import { countRestored, decideReview, deleteReview, type Publish, publishing } from '#server/reviews/write.ts'
import { disableWebhooksOf } from '#server/webhooks/store.ts'
import * as content from './content-store.ts'
import { covers, decidedColumns, standingOf, wantedOf, withoutDecisions } from './rules.ts'
import { applyToListsOf, deleteRemovedList, destroyListsOf } from './lists.ts'
import { paged } from './paged.ts'
import { applyToPicturesOf, destroyPicturesOf } from './pictures.ts'
import * as store from './store.ts'
import * as decisionsStore from './decisions-store.ts'
import * as membersStore from './members-store.ts'
import { forgetTitle, isRemovalInForce, setRemoved } from './titles-store.ts'

// Applied by comparison: each function makes a review, comment or member what the decisions in force say, whatever it was before. So undo,
// end and repetition are the same step as the decision (docs/decisions/0041).

/** So that requests run between statements. */
const batchSize = 100
/** A review has a transaction of its own, because each locks another title. */
const commentsPerTransaction = 20
/** When the imports of a restricted member go on, unless the restriction ends before. */
const never = new Date('9999-01-01T00:00:00.000Z')

export async function applyToTitle(trx: Db, id: number, now: Date): Promise<void> {
  await setRemoved(trx, id, (await isRemovalInForce(trx, id)) ? now : null)
}

export async function applyToReview(trx: Db, id: number, now: Date, publish: Publish): Promise<void> {
  const known = (await content.findRemovedReview(trx, id)) ?? (await content.findWholeReview(trx, id))
  if (!known) return
  await content.lockTitle(trx, await findTitleOf(trx, known))
  const restrictions = await decisionsStore.listRestrictions(trx, known.user_id)
  const decisions = [...restrictions, ...(await decisionsStore.listInForce(trx, 'review', [id]))]
  const about = { type: 'review' as const, id, createdAt: known.created_at }
  const wanted = wantedOf(about, decisions, standingOf(restrictions, now))

  const isTaken = (await content.findRemovedReview(trx, id)) !== undefined
  if (!wanted.keepsRating) {
    const row = isTaken ? undefined : await content.findWholeReview(trx, id)
    if (row) await takeReview(trx, row, publish)
    return
  }
  if (isTaken && (known as { row?: string }).row === 'null') {
    // Deleted by its author: nothing comes back, but they may write about the title again.
    if (!wanted.isHidden) await content.deleteRemovedReview(trx, id)
    return
  }
  if (isTaken && !(await restoreReview(trx, id, now, publish))) return
  const review = await findReview(trx, id)
  const values = review && decidedColumns(review, wanted)
  if (values) await decideReview(trx, review, values, publish)
}

/** With its comments and reactions, out of all tables that are read. */
async function takeReview(trx: Db, row: ReviewRow, publish: Publish): Promise<void> {
  const review = (await findReview(trx, row.id))!
  await content.insertRemovedReview(trx, withoutDecisions(row))
  for (;;) {
    const comments = await takeComments(trx, row.id, batchSize)
    await content.insertRemovedRows(trx, row.id, 'comments', comments.map(withoutDecisions))
    if (comments.length < batchSize) break
  }
  for (;;) {
    const reactions = await takeReactions(trx, row.id, batchSize)
    await content.insertRemovedRows(trx, row.id, 'reactions', reactions)
    if (reactions.length < batchSize) break
  }
  await deleteReview(trx, review, publish)
}

/** With its ids, times, comments and reactions. Returns false if its author has written another one meanwhile, which stays. */
async function restoreReview(trx: Db, id: number, now: Date, publish: Publish): Promise<boolean> {
  const taken = (await content.findRemovedReview(trx, id))!
  const isReplaced = (await findReviewBy(trx, taken.user_id, reviewedIn(taken))) !== undefined
  if (isReplaced) {
    await content.deleteRemovedReview(trx, id)
    return false
  }
  const lastDelivery = await content.findLastDelivery(trx)
  const { media_id, part_id } = taken
  const row = withStoredRating(JSON.parse(taken.row) as Record<string, unknown>)
  // What it is about may have moved.
  await content.insertAgain(trx, 'reviews', [{ ...row, media_id, part_id }])
  const commentIds: number[] = []
  for (;;) {
    const { count, comments, reactions } = await content.takeRemovedRows(trx, id, batchSize)
    if (count === 0) break
    await content.insertAgain(trx, 'comments', comments)
    await content.insertAgain(trx, 'reactions', reactions)
    commentIds.push(...comments.map((comment) => comment.id as number))
  }
  await content.removeDeliveries(trx, lastDelivery, id, commentIds)
  await content.deleteRemovedReview(trx, id)
  await recount(trx, counters, 'reviews', [id])
  await countRestored(trx, (await findReview(trx, id))!, publish)
  for (let at = 0; at < commentIds.length; at += batchSize)
    await applyToComments(trx, commentIds.slice(at, at + batchSize), now)
  return true
}

export async function applyToComments(trx: Db, ids: readonly number[], now: Date): Promise<void> {
  const inForce = await decisionsStore.listInForce(trx, 'comment', ids)
  const valuesOf = (comment: content.Comment, restrictions: DecisionInForce[] = []) => {
    const about = { type: 'comment' as const, id: comment.id, createdAt: comment.created_at }
    return decidedColumns(
      comment,
      wantedOf(about, [...restrictions, ...inForce], standingOf(restrictions, now)),
    )
  }
  const comments = await content.findWholeComments(trx, ids)
  const restrictions = await decisionsStore.listRestrictionsOf(trx, [
    ...new Set(comments.map((one) => one.user_id)),
  ])
  for (const known of comments) {
    // Nearly always: a long thread of a review that is shown again.
    if (!valuesOf(known, restrictions.get(known.user_id))) continue
    const { id, review_id, user_id } = known
    await lockReview(trx, review_id)
    const [comment] = await content.findWholeComments(trx, [id])
    const values = comment && valuesOf(comment, await decisionsStore.listRestrictions(trx, user_id))
    if (!values) continue
    const isShown = values.removed_text === null
    if (isShown !== (comment.removed_text === null)) await addToCommentCount(trx, review_id, isShown ? 1 : -1)
    await content.updateComment(trx, id, values)
    if (!isShown) await uncommented(trx, { review_id, user_id })
  }
}

/** A suspension ends all sessions and disables the webhooks, which are enabled again when it ends; imports wait while the member may not write. */
export async function applyToMember(trx: Db, userId: number, now: Date): Promise<void> {
  const before = (await membersStore.lockMembers(trx, [userId])).get(userId)?.standing
  const standing = standingOf(await decisionsStore.listRestrictions(trx, userId), now)
  if (before === undefined || standing === before) return
  await membersStore.setStanding(trx, userId, standing)
  if (standing === 'suspended') {
    await removeSessions(trx, userId)
    await disableWebhooksOf(trx, userId, now, 'suspended')
  }
  if (before === 'suspended') await membersStore.enableWebhooks(trx, userId)
  if (standing === 'active') await membersStore.moveImports(trx, userId, now)
  else if (before === 'active') await membersStore.moveImports(trx, userId, never)
}

type Services = { db: Db; live: Live }

export async function applyToAllOf(
  services: Services,
  userId: number,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = services
  for (const [table, type] of [
    ['reviews', 'review'],
    ['comments', 'comment'],
  ] as const)
    for (let after = 0; ;) {
      const rows = await content.listContentBy(db, table, userId, after, batchSize)
      if (rows.length === 0) break
      after = rows.at(-1)!.id
      const restrictions = await decisionsStore.listRestrictions(db, userId)
      const ids = rows.map((row) => row.id)
      const decisions = [...restrictions, ...(await decisionsStore.listInForce(db, type, ids))]
      const standing = standingOf(restrictions, now)
      const changed = rows.filter((row) => {
        const wanted = wantedOf({ type, id: row.id, createdAt: row.created_at }, decisions, standing)
        return !wanted.keepsRating || decidedColumns(row, wanted) !== undefined
      })
      const size = type === 'review' ? 1 : commentsPerTransaction
      for (let at = 0; at < changed.length; at += size) {
        signal?.throwIfAborted()
        const part = changed.slice(at, at + size).map((row) => row.id)
        await publishing(services, (trx, publish) =>
          type === 'review' ? applyToReview(trx, part[0]!, now, publish) : applyToComments(trx, part, now),
        )
        await nextTurn()
      }
    }
  const readRemoved = (after: number) => content.listRemovedReviewsBy(db, userId, after, batchSize)
  for await (const { id } of paged(readRemoved, signal))
    await publishing(services, (trx, publish) => applyToReview(trx, id, now, publish))
  await applyToListsOf(db, userId, now, signal)
  await applyToPicturesOf(db, userId, signal)
}

export async function destroyRemoved(
  services: Services,
  decision: DecisionRow,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = services
  const { target_type: type, target_id: id, action, user_id: userId } = decision
  if (action === 'remove' && type === 'review') await destroyReview(db, id)
  if (action === 'remove' && type === 'comment') await content.deleteRemovedComment(db, id)
  if (action === 'remove' && type === 'title') await forgetTitle(db, id)
  if (action === 'remove' && type === 'list') await deleteRemovedList(db, id)
  if (action === 'remove') await store.forgetSnapshots(db, userId, { type, id })
  if (action === 'removeAll' && userId !== null) await destroyAll(db, decision, userId, signal)
  await publishing(services, async (trx, publish) => {
    await decisionsStore.updateDecision(trx, decision.id, { final_at: now.toISOString() })
    if (type === 'review') await applyToReview(trx, id, now, publish)
  })
}

async function destroyReview(db: Db, id: number): Promise<void> {
  await content.forgetText(db, id)
  await content.deleteRemovedReview(db, id)
}

async function destroyAll(
  db: Db,
  decision: DecisionRow,
  userId: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const table of ['reviews', 'comments'] as const) {
    const read = (after: number) => content.listContentBy(db, table, userId, after, batchSize)
    for await (const { id, removed_text, created_at } of paged(read, signal)) {
      if (removed_text === null || !covers(decision, created_at)) continue
      await (table === 'reviews' ? destroyReview(db, id) : content.deleteRemovedComment(db, id))
      await store.forgetSnapshots(db, userId, { type: table === 'reviews' ? 'review' : 'comment', id })
    }
  }
  const readRemoved = (after: number) => content.listRemovedReviewsBy(db, userId, after, batchSize)
  for await (const { id, created_at } of paged(readRemoved, signal)) {
    if (!covers(decision, created_at)) continue
    await content.deleteRemovedReview(db, id)
    await store.forgetSnapshots(db, userId, { type: 'review', id })
  }
  await destroyListsOf(db, decision, userId, signal)
  await destroyPicturesOf(db, decision, userId, signal)
}
