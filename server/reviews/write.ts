import type { Db } from '#server/db/open.ts'
import { type OwnReviewRow, type ReviewRow, safeColumns, writtenColumns, type WrittenRow } from './tables.ts'
import { findAccess } from '#server/members/visibility.ts'
import type { Live } from './live.ts'
import {
  type Change,
  changeBetween,
  countsBetween,
  ratingCountsBetween,
  textOf,
  withDecisions,
} from './rules.ts'
import {
  findLastEpisode,
  insertReview,
  recordRemoved,
  removeReview,
  type Reviewed,
  type ReviewedTitleRow,
  updateReview,
} from './store.ts'
import { addCounts, addRatingCounts } from './counters-store.ts'

export type Publish = (change: Change | undefined) => void
type ReviewTimes = Pick<ReviewRow, 'created_at' | 'updated_at' | 'rated_at'>

/** Requires the title’s lock, like every change of a review or its counters. */
export async function createReview(
  trx: Db,
  { id, kind, part_id = null }: Reviewed & Pick<ReviewedTitleRow, 'kind'>,
  userId: number,
  values: WrittenRow & ReviewTimes & Partial<Pick<ReviewRow, 'rating_given'>>,
  publish: Publish,
): Promise<number> {
  const review = await insertReview(trx, {
    media_id: part_id === null ? id : null,
    part_id,
    kind,
    user_id: userId,
    ...values,
  })
  await recordChange(trx, review, [undefined, review], publish)
  return review.id
}

export async function changeReview(
  trx: Db,
  review: OwnReviewRow,
  values: WrittenRow & Pick<ReviewRow, 'rating_given' | 'updated_at' | 'rated_at'>,
  publish: Publish,
): Promise<void> {
  const after = withDecisions(review, values)
  const { is_public } = await updateReview(trx, review, after)
  await recordChange(trx, review, [review, { ...after, is_public }], publish)
}

type Before = Pick<OwnReviewRow, 'part_id' | 'text' | 'removed_text'>

/** The first text about a part is withheld, unless its author says otherwise, from those who have not seen the part. */
export async function withSafe<Values extends WrittenRow>(
  trx: Db,
  before: Before,
  values: Values,
): Promise<Values> {
  const { part_id } = before
  if (part_id === null || textOf(before) !== '' || values.text === '') return values
  if (safeColumns.some((column) => values[column] !== null)) return values
  return { ...values, safe_episode_id: await findLastEpisode(trx, part_id) }
}

/** The times of the text stay, because only the rating changes. */
export async function changeRating(
  trx: Db,
  review: OwnReviewRow,
  { rating, rating_given, rated_at }: Pick<ReviewRow, 'rating' | 'rating_given' | 'rated_at'>,
  publish: Publish,
): Promise<void> {
  const written = Object.fromEntries(writtenColumns.map((column) => [column, review[column]])) as WrittenRow
  // As the author wrote it: `changeReview` applies the decisions again.
  const has_spoilers = review.own_has_spoilers ?? review.has_spoilers
  const { updated_at } = review
  const after = { ...written, has_spoilers, rating, rating_given, rated_at, updated_at }
  await changeReview(trx, review, after, publish)
}

/** The times of the review stay. */
export async function decideReview(
  trx: Db,
  review: OwnReviewRow,
  values: Pick<ReviewRow, 'text' | 'removed_text' | 'has_spoilers' | 'own_has_spoilers'>,
  publish: Publish,
): Promise<void> {
  const { is_public } = await updateReview(trx, review, values)
  await recordChange(trx, review, [review, { ...review, ...values, is_public }], publish)
}

export async function countRestored(trx: Db, review: OwnReviewRow, publish: Publish): Promise<void> {
  const { is_public } = await updateReview(trx, review, {})
  await recordChange(trx, review, [undefined, { ...review, is_public }], publish)
}

/** One that a decision has removed stays removed: the author cannot write another one. */
export async function deleteOwnReview(trx: Db, review: OwnReviewRow, publish: Publish): Promise<void> {
  if (review.removed_text !== null) await recordRemoved(trx, review.id)
  await deleteReview(trx, review, publish)
}

export async function deleteReview(trx: Db, review: OwnReviewRow, publish: Publish): Promise<void> {
  await removeReview(trx, review.id)
  await recordChange(trx, review, [review, undefined], publish)
}

type Counted = Parameters<typeof countsBetween>[0] & Parameters<typeof ratingCountsBetween>[0]

async function recordChange(
  trx: Db,
  review: OwnReviewRow,
  [before, after]: [before: Counted, after: Counted],
  publish: Publish,
): Promise<void> {
  await addCounts(trx, review, countsBetween(before, after))
  await addRatingCounts(trx, review, ratingCountsBetween(before, after))
  const change = changeBetween(review, before, after)
  // Live streams carry no token, so they name only what visitors see.
  if (change?.review && !(await findAccess(trx, review.user_id, 0))?.isOpen)
    publish({ subject: change.subject })
  else publish(change)
}

export async function publishing<T>(
  { db, live }: { db: Db; live: Live },
  work: (trx: Db, publish: Publish) => Promise<T>,
): Promise<T> {
  const changes: Change[] = []
  const result = await db
    .transaction()
    .execute((trx) => work(trx, (change) => void (change && changes.push(change))))
  for (const change of changes) live.publish(change)
  return result
}
