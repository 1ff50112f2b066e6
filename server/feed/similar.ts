import { LRUCache } from 'lru-cache'
import { limitMax } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { highRating } from '#shared/domain/ratings.ts'
import { pluck } from '#shared/domain/pluck.ts'
import type { Db } from '#server/db/open.ts'
import { findLastMemberId } from '#server/social/store.ts'
import { countShared, rankSimilar, takeRaters } from './rules.ts'
import { listLiked, listRatersFrom, listRatingTotals, ratersMax } from './store.ts'

const ratingsMax = 5_000
const candidatesMax = limitMax
const freshMs = 60 * 60 * 1_000
const cachedTitlesMax = 10_000

type Cache = LRUCache<number, number[], Kind>
const caches = new WeakMap<Db, Cache>()

/** Most similar first. A list older than an hour is returned as it is and computed again in the background. */
export async function findSimilar(db: Db, kind: Kind, id: number): Promise<number[]> {
  let cache = caches.get(db)
  if (!cache) caches.set(db, (cache = openCache(db)))
  return (await cache.fetch(id, { context: kind })) ?? []
}

function openCache(db: Db): Cache {
  return new LRUCache({
    max: cachedTitlesMax,
    ttl: freshMs,
    allowStale: true,
    // If the database fails in the background, the old list stays.
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: (id, _, { context: kind }) => computeSimilar(db, kind, id),
  })
}

/** From a sample, so that the cost does not depend on how popular the title is. */
export async function computeSimilar(db: Db, kind: Kind, id: number): Promise<number[]> {
  const fans = takeRaters(
    (await sampleRaters(db, id)).filter((rater) => rater.rating >= highRating),
    ratingsMax,
  )
  const liked = await listLiked(db, pluck(fans, 'id'), id)
  const counts = countShared(liked, candidatesMax)
  const totals = await listRatingTotals(db, pluck(counts, 'id'))
  return rankSimilar(kind, counts, totals)
}

/** From a random member on; from the first one if there are not enough. */
async function sampleRaters(db: Db, id: number) {
  const first = 1 + Math.floor(Math.random() * (await findLastMemberId(db)))
  const raters = await listRatersFrom(db, id, first)
  return raters.length < ratersMax ? listRatersFrom(db, id, 1) : raters
}
