import { messages } from '#shared/texts/messages.ts'
import { defaultImportOptions } from '#shared/contracts/imports.ts'
import { importsMax } from '#shared/domain/limits.ts'
import { toStars, toTenths } from '#shared/domain/ratings.ts'
import { conflict, ReasonedError } from '#server/calls/errors.ts'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { pagesOf, shortRows } from '#server/db/pages.ts'
import { pause } from '#server/db/slices.ts'
import { findReview, lockTitle } from '#server/reviews/store.ts'
import type { ReviewRow } from '#server/reviews/tables.ts'
import { changeRating } from '#server/reviews/write.ts'
import type { Writing } from '#server/imports/context.ts'
import { add, newFacts, ratingsMax } from '#server/imports/facts.ts'
import { checkUsage } from '#server/imports/limits.ts'
import { exactStarsOf, starsOf } from '#server/imports/read/formats/values.ts'
import { insertImport, listImports } from '#server/imports/store.ts'
import type { ImportRow } from '#server/imports/tables.ts'
import { logChange } from './journal.ts'
import { turnOnHalfStars } from './members.ts'
import { selectWithOriginals } from './journal-store.ts'

// Ratings that an import has rounded to whole stars become again what their originals say. It is an import without a file, so that it
// is listed, resumed after a crash and undone like any other.

type Rated = Pick<ReviewRow, 'rating' | 'rating_given'>

/** Returns the half that a rating in whole stars was; undefined if its original is no half, or does not round to it. */
export function halfOf({ rating, rating_given }: Rated): number | undefined {
  if (rating_given === null) return undefined
  const stars = toStars(rating)
  const isRounded = Number.isInteger(stars) && Math.abs(exactStarsOf(rating_given) - stars) <= 0.5
  const half = isRounded ? starsOf(rating_given, { halves: 'up', halfStars: true }).stars : stars
  return half === stars ? undefined : half
}

type Original = { given: string; from: number; to: number; count: number }

/** Returns how many ratings can be restored, and the first kinds of them, the highest originals first. */
export async function countOriginals(
  db: Db,
  userId: number,
): Promise<{ count: number; ratings: Original[] }> {
  const known = new Map<string, Original>()
  let count = 0
  for await (const rows of pagesOf(selectWithOriginals(db, userId), ['reviews.id'], shortRows)) {
    for (const row of rows) {
      const to = halfOf(row)
      if (to === undefined) continue
      count++
      const [given, from] = [row.rating_given!, toStars(row.rating)]
      const key = `${from} ${given}`
      const original = known.get(key)
      if (original) original.count++
      else if (known.size < ratingsMax) known.set(key, { given, from, to, count: 1 })
    }
    await pause()
  }
  const ratings = [...known.values()].sort(
    (a, b) =>
      exactStarsOf(b.given) - exactStarsOf(a.given) || b.from - a.from || (a.given < b.given ? -1 : 1),
  )
  return { count, ratings }
}

/** Begins the import, or returns the one that is under way. Throws CONFLICT. */
export async function beginOriginals(db: Db, userId: number, now: Date): Promise<number> {
  const { count, ratings } = await countOriginals(db, userId)
  const at = now.toISOString()
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx, [`imports of ${userId}`])
    const all = await listImports(trx, userId)
    const underWay = all.find(({ service, state }) => service === 'originals' && state === 'applying')
    if (underWay) return underWay.id
    if (count === 0) throw new ReasonedError('CONFLICT', 'NOTHING_TO_RESTORE', messages.nothingToRestore)
    if (all.length >= importsMax) throw conflict(messages.importsWaiting)
    await checkUsage(trx, userId, now)
    const facts = { ...newFacts({ lines: 0, columns: [], shelves: [], unclear: [] }), changes: count }
    for (const { given, to, count: more } of ratings)
      facts.ratings[given] = { stars: to, isHalf: false, count: (facts.ratings[given]?.count ?? 0) + more }
    return insertImport(trx, {
      user_id: userId,
      service: 'originals',
      file_name: '',
      file_hash: '',
      options: JSON.stringify({ ...defaultImportOptions, halfStars: true }),
      facts: JSON.stringify(facts),
      state: 'applying',
      total: count,
      next_at: at,
      created_at: at,
      updated_at: at,
    })
  })
}

export type RoundedRow = Pick<ReviewRow, 'id'> & { media_id: number }

export async function nextRounded(
  db: Db,
  { user_id }: Pick<ImportRow, 'user_id'>,
  after: number,
  limit: number,
): Promise<RoundedRow[]> {
  const later = selectWithOriginals(db, user_id).where('reviews.id', '>', after)
  for await (const rows of pagesOf(later, ['reviews.id'], shortRows)) {
    const rounded = rows.filter((row) => halfOf(row) !== undefined)
    if (rounded.length > 0) return rounded.slice(0, limit)
  }
  return []
}

/** Neither the text nor the time of the rating changes. */
export async function restoreOriginal(writing: Writing, { id, media_id }: RoundedRow): Promise<void> {
  const { db: trx, facts } = writing
  facts.cursor = id
  if (!(await lockTitle(trx, { id: media_id }))) return
  const review = await findReview(trx, id)
  const half = review && review.removed_text === null ? halfOf(review) : undefined
  if (!review || half === undefined) return
  const { rating, rating_given, rated_at, part_id } = review
  const after = { rating: toTenths(half), rating_given }
  await changeRating(trx, review, { ...after, rated_at }, () => {})
  const of = { what: 'review', target_id: review.id, media_id } as const
  await logChange(writing, {
    ...of,
    before: { rating, rating_given },
    after: { ...after, ...(part_id !== null && { part_id }) },
  })
  // Once: the member may turn them off meanwhile.
  if (facts.applied.halves === 0) await turnOnHalfStars(writing)
  const { ratings, halves } = facts.applied
  facts.applied = { ...facts.applied, ratings: ratings + 1, halves: halves + 1 }
  facts.titles++
  add(facts.counts, 'taken', 1)
}
