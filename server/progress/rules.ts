import type { Batch, Episode, Season, ShownEpisode } from '#shared/contracts/progress.ts'
import { meanRating } from '#shared/domain/ratings.ts'
import type * as airing from '#server/titles/airing.ts'
import type {
  BatchRow,
  EpisodeRow,
  Played,
  RatedRow,
  SeasonRow,
  ShortEpisodeRow,
  Statement,
  WatchedRow,
} from './tables.ts'

/** An episode of a show in the order of its episodes: by season, then by number. */
export type Aired<Row = ShortEpisodeRow> = airing.Aired<Row>

/** Specials never count. */
const isRegular = ({ season }: { season: number }) => season > 0

export const isPlayedIn = (plays: Played, pass: number) =>
  new Set(plays.episode_id.filter((_, at) => plays.pass[at] === pass))

export function playedByPass({ episode_id, pass: passes }: Played): Map<number, Set<number>> {
  const byPass = new Map<number, Set<number>>()
  for (const [at, pass] of passes.entries()) {
    const played = byPass.get(pass)
    if (played) played.add(episode_id[at]!)
    else byPass.set(pass, new Set([episode_id[at]!]))
  }
  return byPass
}

/** 0 without plays. */
export const newestPass = ({ pass: passes }: Played) =>
  passes.reduce((newest, pass) => Math.max(newest, pass), 0)

type Placed = Pick<EpisodeRow, 'id' | 'season'>

/** `finished` if each episode of each season that has begun is played. */
export function derivedStatus(
  episodes: readonly Aired<Placed>[],
  played: ReadonlySet<number>,
): 'started' | 'finished' {
  const begun = seasonsBegun(episodes)
  const isMissing = ({ id, season }: Placed) => begun.has(season) && !played.has(id)
  return begun.size > 0 && !episodes.some(isMissing) ? 'finished' : 'started'
}

function seasonsBegun(episodes: readonly Aired<Placed>[]): Set<number> {
  const begun = new Set<number>()
  for (const { season, isAired } of episodes) if (season > 0 && isAired) begun.add(season)
  return begun
}

/** A pass that is over because another one has begun: whether it skipped nothing up to the end of its last season. */
export function isWhole(episodes: readonly Placed[], played: ReadonlySet<number>): boolean {
  const last = episodes.findLast((one) => isRegular(one) && played.has(one.id))?.season ?? 0
  return last > 0 && episodes.every((one) => !isRegular(one) || one.season > last || played.has(one.id))
}

/** The first aired one after the furthest played, otherwise the first that was skipped. */
function findNext(regular: readonly Aired[], played: ReadonlySet<number>): Aired | undefined {
  const furthest = regular.findLastIndex(({ id }) => played.has(id))
  const isDue = ({ id, isAired }: Aired) => isAired && !played.has(id)
  return regular.slice(furthest + 1).find(isDue) ?? regular.find(isDue)
}

/** The season that has begun and not been started, if all earlier ones are finished. */
function findNewSeason(episodes: readonly Aired<Placed>[], played: ReadonlySet<number>): number | null {
  const newest = Math.max(0, ...seasonsBegun(episodes))
  if (newest === 0 || episodes.some(({ id, season }) => season === newest && played.has(id))) return null
  const earlier = episodes.filter(({ season }) => season > 0 && season < newest)
  const isNew = earlier.some(({ id }) => played.has(id)) && derivedStatus(earlier, played) === 'finished'
  return isNew ? newest : null
}

/** Whether a member has nothing left to watch before this season, and has not begun it. */
export function isWaitingFor(
  number: number,
  episodes: readonly Aired<Placed>[],
  plays: Played,
  { status, stated }: Statement,
): boolean {
  if (status === 'dropped' || stated === 'dropped') return false
  const earlier = episodes.filter(({ season }) => season > 0 && season < number)
  const played = isPlayedIn(plays, newestPass(plays))
  if (plays.pass.length === 0) return status === 'finished'
  if (episodes.some(({ id, season }) => season === number && played.has(id))) return false
  return stated === 'finished' || derivedStatus(earlier, played) === 'finished'
}

/** `played` has the episodes that one member played in the newest pass. `statement` is the status of the show in the diary. */
export function standingOf(
  episodes: readonly Aired[],
  { pass, played }: { pass: number; played: ReadonlySet<number> },
  { status, stated }: Statement,
) {
  const regular = episodes.filter(isRegular)
  const aired = regular.filter(({ isAired }) => isAired)
  const watched = regular.filter(({ id }) => played.has(id))
  const watchedAired = watched.filter(({ isAired }) => isAired).length
  return {
    status: pass > 0 ? (stated ?? derivedStatus(episodes, played)) : status,
    pass,
    playedCount: watched.length,
    airedCount: aired.length,
    episodeCount: regular.length,
    percent: aired.length === 0 ? 0 : Math.floor((100 * watchedAired) / aired.length),
    next: findNext(regular, played) ?? null,
    newSeason: findNewSeason(episodes, played),
  }
}

export function toEpisode(row: EpisodeRow): Episode {
  return {
    id: row.id,
    season: row.season,
    number: row.number,
    name: row.name,
    airDate: row.release_date,
    airsAt: row.airs_at,
    runtime: row.runtime,
  }
}

/** By the id of the part, in stars. */
export type OwnRatings = ReadonlyMap<number, number>

export function shownRatings({ rating_count, rating_sum }: RatedRow) {
  return { avg: meanRating(rating_sum, rating_count), count: rating_count }
}

/** Returns what the member watched of an episode, and how they rated it; `pass` is the newest one. */
export function mineByEpisode(plays: readonly WatchedRow[], pass: number, ratings: OwnRatings) {
  const byEpisode = Map.groupBy(plays, ({ episode_id }) => episode_id)
  return ({ id }: Pick<EpisodeRow, 'id'>): ShownEpisode['mine'] => {
    const own = byEpisode.get(id) ?? []
    const last = own.toSorted((a, b) => b.pass - a.pass)[0]
    return {
      isPlayed: last !== undefined && last.pass === pass,
      playCount: own.length,
      watchedOn: last?.watched_on ?? null,
      rating: ratings.get(id) ?? null,
    }
  }
}

/** `mine` is null for a visitor. */
export function toSeasons(
  rows: readonly SeasonRow[],
  episodes: readonly Aired[],
  mine: { played: ReadonlySet<number>; ratings: OwnRatings } | null,
): Season[] {
  const bySeason = Map.groupBy(episodes, ({ season }) => season)
  return rows.map((row) => toSeason(row, bySeason.get(row.number) ?? [], mine))
}

function toSeason(row: SeasonRow, own: readonly Aired[], mine: Parameters<typeof toSeasons>[2]): Season {
  const airedCount = own.filter(({ isAired }) => isAired).length
  const playedCount = own.filter(({ id }) => mine?.played.has(id)).length
  const isFinished = airedCount > 0 && playedCount === own.length
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    airDate: row.release_date ?? own[0]?.release_date ?? null,
    episodeCount: own.length,
    airedCount,
    ...shownRatings(row),
    mine: mine && {
      playedCount,
      status: playedCount === 0 ? 'none' : isFinished ? 'finished' : 'started',
      rating: mine.ratings.get(row.id) ?? null,
    },
  }
}

export function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    type: row.type,
    source: row.source,
    count: row.count,
    importId: row.import_id,
    createdAt: row.created_at,
    undoneAt: row.undone_at,
  }
}
