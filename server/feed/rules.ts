/** Titles that equally many followees rated equally well. */
export type Tie = { sum: number; count: number; ids: number[] }

/** Above any sum of ratings that a title can have, so that one number carries count and sum. */
const oneRating = 2 ** 26

/**
 * What followees rated best, without what the member has rated: by mean, then by number of ratings.
 * Enough ties to fill `limit`, the last one whole: who of it is among the first is for the names to say.
 */
export function bestTies(
  ratings: Iterable<{ media_id: number; rating: number }>,
  rated: ReadonlySet<number>,
  limit: number,
): Tie[] {
  const totals = new Map<number, number>()
  for (const { media_id: id, rating } of ratings) totals.set(id, (totals.get(id) ?? 0) + oneRating + rating)

  const ties = new Map<number, Tie>()
  for (const [id, total] of totals) {
    if (rated.has(id)) continue
    const tie = ties.get(total)
    if (tie) tie.ids.push(id)
    else ties.set(total, { sum: total % oneRating, count: Math.floor(total / oneRating), ids: [id] })
  }

  // Equal fractions are equal doubles, and unequal ones of such numbers never are.
  const sorted = [...ties.values()].sort((a, b) => b.sum / b.count - a.sum / a.count || b.count - a.count)
  let filled = 0
  return sorted.filter((tie) => {
    const isNeeded = filled < limit
    filled += tie.ids.length
    return isNeeded
  })
}

type Named = { id: number; name_folded: string }

/** The ties one after another, each by name, cut at `limit`. */
export function bestByName(ties: readonly Tie[], names: readonly Named[], limit: number) {
  const byId = new Map(names.map((row) => [row.id, row]))
  return ties
    .flatMap(({ sum, count, ids }) =>
      ids
        .flatMap((id) => byId.get(id) ?? [])
        .sort((a, b) =>
          a.name_folded === b.name_folded ? a.id - b.id : a.name_folded < b.name_folded ? -1 : 1,
        )
        .map(({ id }) => ({ id, sum, count })),
    )
    .slice(0, limit)
}
