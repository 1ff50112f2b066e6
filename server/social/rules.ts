import { ratingMax, ratingMin, tasteMatchMin } from '#shared/domain/limits.ts'
import type { KindDefinition } from '#shared/domain/kinds.ts'
import { toStars } from '#shared/domain/ratings.ts'

export function toPerson({
  id,
  username,
  picture,
}: {
  id: number
  username: string
  picture: string | null
}) {
  return { id, username, profilePicture: picture }
}

export function toMetPerson(row: Parameters<typeof toPerson>[0] & { is_private: number }) {
  return { ...toPerson(row), ...(row.is_private === 1 && { isPrivate: true as const }) }
}

export function toListedPerson(
  row: Parameters<typeof toMetPerson>[0] & { review_count: number },
  isFollowing: boolean,
) {
  return { ...toMetPerson(row), isFollowing, reviewCount: row.review_count }
}

export function toFavorite({ kind, favorites }: KindDefinition, card: { id: number }): { id: number } {
  return favorites.isNested ? { id: card.id, [kind]: card } : card
}

export function rankFavorites(
  favorites: readonly { media_id: number; created_at: string }[],
  limit: number,
): number[] {
  const totals = new Map<number, { id: number; count: number; last: string }>()
  for (const { media_id: id, created_at: time } of favorites) {
    const total = totals.get(id)
    if (total) {
      total.count++
      if (time > total.last) total.last = time
    } else totals.set(id, { id, count: 1, last: time })
  }
  return [...totals.values()]
    .sort((a, b) => b.count - a.count || (a.last === b.last ? b.id - a.id : a.last < b.last ? 1 : -1))
    .slice(0, limit)
    .map(({ id }) => id)
}

export type CommonRating = { id: number; own: number; their: number }

export function pairRatings(
  own: readonly { media_id: number; rating: number }[],
  their: readonly { media_id: number; rating: number }[],
): CommonRating[] {
  const theirs = new Map(their.map((row) => [row.media_id, toStars(row.rating)]))
  return own.flatMap(({ media_id: id, rating }) => {
    const other = theirs.get(id)
    return other === undefined ? [] : [{ id, own: toStars(rating), their: other }]
  })
}

const distance = ({ own, their }: CommonRating) => Math.abs(own - their)
const strength = ({ own, their }: CommonRating) => Math.abs(own + their - 6)

/**
 * In percent: 100 if all ratings are equal, 0 if each differs by the whole scale; null with fewer than `tasteMatchMin` titles in common.
 * Also up to three titles of agreement, strongest opinions first, and up to three that differ by two stars or more.
 */
export function compareTaste(common: readonly CommonRating[]): {
  match: number | null
  agreements: CommonRating[]
  disagreements: CommonRating[]
} {
  if (common.length < tasteMatchMin) return { match: null, agreements: [], disagreements: [] }
  const total = common.reduce((sum, pair) => sum + distance(pair), 0)
  const scale = ratingMax - ratingMin
  return {
    match: Math.round(100 - (100 * total) / (scale * common.length)),
    agreements: common
      .filter((pair) => distance(pair) <= 1 && strength(pair) > 0)
      .sort((a, b) => distance(a) - distance(b) || strength(b) - strength(a) || a.id - b.id)
      .slice(0, 3),
    disagreements: common
      .filter((pair) => distance(pair) >= 2)
      .sort((a, b) => distance(b) - distance(a) || a.id - b.id)
      .slice(0, 3),
  }
}

type TheirRating = { user_id: number; media_id: number; rating: number }

/**
 * Best first: at least three titles in common and a positive cosine similarity, measured from the middle of the scale and weighted by the
 * number of titles in common.
 */
export function rankByTaste(
  own: readonly { media_id: number; rating: number }[],
  theirs: readonly TheirRating[],
  limit: number,
): { id: number; common: CommonRating[] }[] {
  const ownById = new Map(own.map((row) => [row.media_id, toStars(row.rating)]))
  const members = new Map<number, CommonRating[]>()
  for (const { user_id: member, media_id: id, rating: their } of theirs) {
    const rating = ownById.get(id)
    if (rating === undefined) continue
    const common = members.get(member)
    const pair = { id, own: rating, their: toStars(their) }
    if (common) common.push(pair)
    else members.set(member, [pair])
  }
  return [...members]
    .filter(([, common]) => common.length >= 3)
    .map(([id, common]) => ({ id, common, score: (cosine(common) * common.length) / (common.length + 3) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map(({ id, common }) => ({ id, common }))
}

function cosine(common: readonly CommonRating[]): number {
  const middle = (ratingMin + ratingMax) / 2
  let product = 0
  let own = 0
  let their = 0
  for (const pair of common) {
    product += (pair.own - middle) * (pair.their - middle)
    own += (pair.own - middle) ** 2
    their += (pair.their - middle) ** 2
  }
  return own === 0 || their === 0 ? 0 : product / Math.sqrt(own * their)
}

/** The same rating, as far as possible from the middle of the scale. */
export function strongestAgreement(common: readonly CommonRating[]): CommonRating | undefined {
  return common
    .filter((pair) => distance(pair) === 0 && strength(pair) >= 2)
    .sort((a, b) => b.own - a.own || a.id - b.id)[0]
}
