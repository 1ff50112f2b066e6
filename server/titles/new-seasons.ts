import { latestDay } from '#shared/domain/days.ts'
import { enqueue } from '#server/db/tasks.ts'
import type { Db } from '#server/db/open.ts'
import { withAired } from './airing.ts'
import * as store from './parts-store.ts'
import type { PartRow } from './tables.ts'

/**
 * Call it when the parts of a show have changed. Queues the notifications about a new season, once its first episode has aired or has a
 * date: each season once, also if the source removes it and brings it back. A show whose episodes have just become known has no new season.
 */
export async function announceSeason(
  trx: Db,
  titleId: number,
  { before, after }: { before: readonly PartRow[]; after: readonly PartRow[] },
  now: Date,
): Promise<void> {
  const seasons = scheduledSeasons(after, now)
  const announced = await store.findAnnounced(trx, titleId)
  const told = announced?.season ?? Math.max(0, ...scheduledSeasons(before, now).keys())
  const newest = Math.max(told, ...seasons.keys())
  if (newest === announced?.season || newest === 0) return
  await store.saveAnnounced(trx, titleId, newest)
  if (told === 0) return
  // The source may have given another number to a season that the show had.
  const known = new Set(before.filter(isScheduled).map(({ id }) => id))
  const number = [...seasons.keys()]
    .toSorted((a, b) => a - b)
    .find((one) => one > told && !known.has(seasons.get(one)!.id))
  const season = after.find((part) => part.type === 'season' && part.is_gone === 0 && part.number === number)
  if (!season) return
  const key = `season ${season.id}`
  await enqueue(trx, { queue: 'notifications', key, owner: key, priority: 0, payload: '' }, now)
}

const isRegularEpisode = (part: PartRow): part is PartRow & { season: number } =>
  part.type === 'episode' && part.is_gone === 0 && part.season !== null && part.season > 0

const isScheduled = ({ release_date, airs_at }: PartRow) => release_date !== null || airs_at !== null

/** By their numbers, without specials: the first episode of each season whose first episode has aired or has a date. */
function scheduledSeasons(parts: readonly PartRow[], now: Date): Map<number, PartRow> {
  const episodes = parts
    .filter(isRegularEpisode)
    .toSorted((a, b) => a.season - b.season || a.number - b.number)
  // In the time zone where it is the latest.
  const clock = { now: now.toISOString(), today: latestDay(now) }
  const firsts = new Map<number, PartRow>()
  for (const [at, episode] of withAired(episodes, clock).entries()) {
    const isFirst = episodes[at - 1]?.season !== episode.season
    if (isFirst && (isScheduled(episode) || episode.isAired)) firsts.set(episode.season, episode)
  }
  return firsts
}
