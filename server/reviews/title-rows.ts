import { type SqlBool, sql } from 'kysely'
import { recount } from '#server/db/counters.ts'
import type { Db } from '#server/db/open.ts'
import { partSize } from '#server/db/rows.ts'
import type { OwnReviewRow } from './tables.ts'
import { isUsedIn, type TitleRows } from '#server/feature.ts'
import { listParts } from '#server/titles/parts-store.ts'
import { counters } from './counters.ts'
import * as rows from './move-store.ts'
import { pairOf } from './rules.ts'
import { changeRating, deleteReview } from './write.ts'

const withoutPublishing = () => {}

/**
 * If a member has reviewed both titles, `pairOf` says which review stays, with the newer of the two ratings, and the comments and reactions
 * of both. The diary keeps the other text.
 */
export const titleRows: TitleRows = {
  tables: ['reviews', 'rating_counts'],
  isUsed: (exceptUserId) =>
    sql<SqlBool>`(${isUsedIn('reviews')(exceptUserId)}
      or exists (select 1 from reviews join parts on parts.id = reviews.part_id
        where parts.media_id = media.id and reviews.user_id <> ${exceptUserId}))`,
  async move(trx, from, to) {
    await moveAll(trx, aboutTitle(from), aboutTitle(to))
    await rows.moveSafeEpisodes(trx, from, to)
    await rows.moveCounts(trx, from, to)
    // Other parts move with their reviews, after these.
    for (const [part, other] of await listSharedPlaces(trx, from, to)) {
      await moveAll(trx, aboutPart(part), aboutPart(other))
      await rows.moveCountsOfPart(trx, part, other)
      await rows.moveRemovedOfPart(trx, part, other)
    }
  },
  async remove(trx, id) {
    await removeAll(trx, aboutTitle(id))
    await rows.removeCounts(trx, id)
    for (const part of await rows.listReviewedParts(trx, id)) await removeAll(trx, aboutPart(part))
  },
}

const aboutTitle = (id: number): rows.About => ({ column: 'media_id', id })
const aboutPart = (id: number): rows.About => ({ column: 'part_id', id })

async function moveAll(trx: Db, from: rows.About, to: rows.About): Promise<void> {
  for (;;) {
    const reviews = await rows.listReviewsOf(trx, from, partSize)
    const userIds = reviews.map(({ user_id }) => user_id)
    for (const pair of await rows.listPairs(trx, reviews, to)) await joinReviews(trx, pairOf(...pair))
    await rows.moveReviews(trx, from, to, userIds)
    if (reviews.length < partSize) return
  }
}

async function removeAll(trx: Db, about: rows.About): Promise<void> {
  for (;;) {
    const reviews = await rows.listReviewsOf(trx, about, partSize)
    await rows.removeReviews(trx, reviews, about)
    if (reviews.length < partSize) return
  }
}

/** Reviewed parts of `from`, each with the part of `to` that replaces it, as `moveParts` of server/titles/parts-store.ts decides. */
async function listSharedPlaces(trx: Db, from: number, to: number): Promise<[part: number, other: number][]> {
  const reviewed = new Set(await rows.listReviewedParts(trx, from))
  if (reviewed.size === 0) return []
  const places = await listPlaces(trx, to)
  return [...(await listPlaces(trx, from))].flatMap(([place, id]) => {
    const other = places.get(place)
    return other !== undefined && reviewed.has(id) ? [[id, other] as [number, number]] : []
  })
}

async function listPlaces(trx: Db, titleId: number): Promise<Map<string, number>> {
  const parts = (await listParts(trx, titleId)).filter(({ is_gone }) => is_gone === 0)
  return new Map(parts.map(({ id, type, season, number }) => [`${type} ${season} ${number}`, id]))
}

async function joinReviews(trx: Db, { kept, other }: { kept: OwnReviewRow; other: OwnReviewRow }) {
  await rows.moveReplies(trx, other.id, kept.id)
  await recount(trx, counters, 'reviews', [other.id, kept.id])
  await deleteReview(trx, other, withoutPublishing)
  if (other.rated_at <= kept.rated_at) return
  await changeRating(trx, kept, other, withoutPublishing)
}
