import { ratingMax, ratingMin, tasteMatchMin } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { toStars, toTenths } from '#shared/domain/ratings.ts'

/** Titles with the same sum and number of ratings, and the same `match` if they are ordered by it. */
export type Tie = { sum: number; count: number; match?: number | undefined; ids: number[] }

/** Larger than any sum of ratings of a title: one number encodes both the count and the sum. */
const oneRating = 2 ** 30

/** One value per rating, as stored. */
type Ratings = Record<'media_id' | 'rating', readonly number[]>

/**
 * By followees, without titles the member has rated: highest mean first, then most ratings, or the reverse for `friends`. The ties fill
 * `limit`; the last one is complete, because its order depends on the names.
 */
export function bestTies(
  ratings: Ratings,
  rated: { has: (id: number) => boolean },
  limit: number,
  order: 'average' | 'friends' = 'average',
): Tie[] {
  const totals = new Map<number, number>()
  for (const [index, id] of ratings.media_id.entries())
    totals.set(id, (totals.get(id) ?? 0) + oneRating + ratings.rating[index]!)

  const ties = new Map<number, Tie>()
  for (const [id, total] of totals) {
    if (rated.has(id)) continue
    const tie = ties.get(total)
    if (tie) tie.ids.push(id)
    else ties.set(total, { sum: total % oneRating, count: Math.floor(total / oneRating), ids: [id] })
  }

  // Exact: division is correctly rounded, and these numbers are small enough that unequal fractions give unequal doubles.
  const byAverage = (a: Tie, b: Tie) => b.sum / b.count - a.sum / a.count
  const byCount = (a: Tie, b: Tie) => b.count - a.count
  const sorted = [...ties.values()].sort((a, b) =>
    order === 'friends' ? byCount(a, b) || byAverage(a, b) : byAverage(a, b) || byCount(a, b),
  )
  return untilFull(sorted, limit)
}

function untilFull(ties: readonly Tie[], limit: number): Tie[] {
  let filled = 0
  return ties.filter((tie) => {
    const isNeeded = filled < limit
    filled += tie.ids.length
    return isNeeded
  })
}

/** Of a person whose taste is unknown, and of the middle of the scale, beside 0 to 1 for all others. */
const unknownWeight = 0.5
const middleWeight = 1

/**
 * As `bestTies`, with `match`: the expected rating in percent of the scale, the mean of the followees' ratings weighted by their agreement
 * with the member on the kind, and of the middle of the scale, so that one rating alone counts less than several.
 */
export function bestMatches(
  ratings: Ratings & { user_id: readonly number[] },
  own: ReadonlyMap<number, number>,
  limit: number,
): Tie[] {
  const tastes = new Map<number, { common: number; distance: number }>()
  for (const [index, id] of ratings.media_id.entries()) {
    const mine = own.get(id)
    if (mine === undefined) continue
    const person = ratings.user_id[index]!
    let taste = tastes.get(person)
    if (!taste) tastes.set(person, (taste = { common: 0, distance: 0 }))
    taste.common++
    taste.distance += Math.abs(mine - ratings.rating[index]!)
  }
  const scale = toTenths(ratingMax - ratingMin)
  const weightOf = (person: number) => {
    const taste = tastes.get(person)
    return taste === undefined || taste.common < tasteMatchMin
      ? unknownWeight
      : 1 - taste.distance / (scale * taste.common)
  }
  const weights = new Map([...tastes.keys()].map((person) => [person, weightOf(person)]))

  const titles = new Map<number, { sum: number; count: number; weight: number; weighted: number }>()
  for (const [index, id] of ratings.media_id.entries()) {
    if (own.has(id)) continue
    const rating = ratings.rating[index]!
    const title = titles.get(id) ?? { sum: 0, count: 0, weight: middleWeight, weighted: 0 }
    const weight = weights.get(ratings.user_id[index]!) ?? unknownWeight
    title.sum += rating
    title.count++
    title.weight += weight
    title.weighted += weight * (toStars(rating) - (ratingMin + ratingMax) / 2)
    titles.set(id, title)
  }
  const ties = new Map<string, Tie>()
  for (const [id, { sum, count, weight, weighted }] of titles) {
    const match = Math.round(50 + (100 * weighted) / weight / (ratingMax - ratingMin))
    const key = `${match} ${sum} ${count}`
    const tie = ties.get(key)
    if (tie) tie.ids.push(id)
    else ties.set(key, { sum, count, match, ids: [id] })
  }
  const sorted = [...ties.values()].sort(
    (a, b) => b.match! - a.match! || b.count - a.count || b.sum / b.count - a.sum / a.count,
  )
  return untilFull(sorted, limit)
}

type Named = { id: number; name_folded: string }

export function bestByName(ties: readonly Tie[], names: readonly Named[], limit: number) {
  const byId = new Map(names.map((row) => [row.id, row]))
  return ties
    .flatMap(({ ids, ...tie }) =>
      ids
        .flatMap((id) => byId.get(id) ?? [])
        .sort((a, b) =>
          a.name_folded === b.name_folded ? a.id - b.id : a.name_folded < b.name_folded ? -1 : 1,
        )
        .map(({ id }) => ({ id, ...tie })),
    )
    .slice(0, limit)
}

/** Fewer are a coincidence. */
const sharedRatersMin = 5
/** Titles of other kinds have the weight 1. */
const sameKindFactor = 1.5

/** As long as they have at most `ratingsMax` ratings together. Without members who have more than a tenth of these, who would dominate the result. */
export function takeRaters<Rater extends { review_count: number }>(
  raters: readonly Rater[],
  ratingsMax: number,
): Rater[] {
  let total = 0
  return raters.filter(({ review_count: count }) => {
    if (count > ratingsMax / 10 || total + count > ratingsMax) return false
    total += count
    return true
  })
}

/** Liked by at least five members, most first. */
export function countShared(
  liked: readonly { media_id: number }[],
  limit: number,
): { id: number; shared: number }[] {
  const counts = new Map<number, number>()
  for (const { media_id: id } of liked) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts]
    .filter(([, shared]) => shared >= sharedRatersMin)
    .map(([id, shared]) => ({ id, shared }))
    .sort((a, b) => b.shared - a.shared || a.id - b.id)
    .slice(0, limit)
}

/** By shared raters, relative to the square root of all ratings, so that popular titles are not similar to all others. */
export function rankSimilar(
  kind: Kind,
  counts: readonly { id: number; shared: number }[],
  totals: readonly { id: number; kind: Kind; rating_count: number }[],
): number[] {
  const byId = new Map(totals.map((row) => [row.id, row]))
  return counts
    .flatMap(({ id, shared }) => {
      const row = byId.get(id)
      if (!row) return []
      const score = (shared / Math.sqrt(row.rating_count)) * (row.kind === kind ? sameKindFactor : 1)
      return [{ id, score }]
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ id }) => id)
}
