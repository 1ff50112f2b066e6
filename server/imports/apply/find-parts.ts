import { noteOf } from '#shared/texts/import-notes.ts'
import type { Db } from '#server/db/open.ts'
import { pause } from '#server/db/slices.ts'
import { numbersOf } from '#server/reviews/rules.ts'
import { listPartIds, listParts } from '#server/titles/parts-store.ts'
import { type ParsedPlay, toPlay } from '#server/imports/read/formats/plays.ts'
import { type ParsedPart, placeOf } from '#server/imports/read/formats/records.ts'
import type { TitleRecord } from '#server/imports/match/join.ts'

/** Of the file. `note` has several, one a line, which list the first ones. */
export type UnknownEpisodes = { count: number; note: string }

type Part = Pick<ParsedPart, 'season' | 'number'>
export type FoundParts = {
  /** By an id, or else by its numbers. */
  find: (part: ParsedPart) => number | undefined
  /** The last episode of a season that is known here; of an episode, itself. */
  lastEpisodeOf: (part: Part) => number | null
  /** Of the file, by the episode. */
  plays: ReadonlyMap<number, ParsedPlay[]>
  unknown: UnknownEpisodes | undefined
}

const shownMax = 20
type Missing = Record<'season' | 'episode', Set<string>>
const typeOf = ({ number }: Part): keyof Missing => (number === null ? 'season' : 'episode')

/** Finds the seasons and episodes of the file that the title has here. */
export async function findParts(
  db: Db,
  titleId: number | null,
  { plays, partReviews, restored }: TitleRecord,
): Promise<FoundParts> {
  const namesEpisode = [restored, ...partReviews.map((review) => review.restored)].some(
    (each) => each?.safeUpTo !== undefined && 'season' in each.safeUpTo,
  )
  const isOfParts = plays.length + partReviews.length > 0 || namesEpisode
  const isHere = isOfParts && titleId !== null
  const parts = (isHere ? await listParts(db, titleId) : []).filter(({ is_gone }) => is_gone === 0)
  const ids = isHere ? await listPartIds(db, titleId) : []
  const byPlace = new Map<string, number>()
  const lastOf = new Map<number, { id: number; number: number }>()
  for (const part of parts) {
    await pause()
    const { id, type, season, number } = part
    byPlace.set(placeOf(numbersOf(part)), id)
    if (type === 'episode' && number >= (lastOf.get(season!)?.number ?? 0))
      lastOf.set(season!, { id, number })
  }
  const there = new Set(byPlace.values())
  const byId = new Map<string, number>()
  for (const { source, external_id, part_id } of ids) {
    const [name, type] = source.split('-')
    if (there.has(part_id)) byId.set(`${type} ${name}:${external_id}`, part_id)
  }
  const find = (part: ParsedPart) => byId.get(`${typeOf(part)} ${part.id}`) ?? byPlace.get(placeOf(part))
  const missing: Missing = { season: new Set(), episode: new Set() }
  const playsOf = new Map<number, ParsedPlay[]>()
  for (const stored of plays) {
    await pause()
    const play = toPlay(stored)
    const id = find({ ...play, id: play.episodeId })
    if (id === undefined) missing.episode.add(placeOf(play))
    else if (playsOf.has(id)) playsOf.get(id)!.push(play)
    else playsOf.set(id, [play])
  }
  for (const part of partReviews) if (find(part) === undefined) missing[typeOf(part)].add(placeOf(part))
  return {
    find,
    lastEpisodeOf: ({ season, number }) =>
      (number === null ? lastOf.get(season)?.id : byPlace.get(placeOf({ season, number }))) ?? null,
    plays: playsOf,
    unknown: unknownOf(missing),
  }
}

function unknownOf({ season, episode }: Missing): UnknownEpisodes | undefined {
  const notes = [
    ...(season.size > 0 ? [noteOf('unknownSeasons', first(season))] : []),
    ...(episode.size > 0 ? [noteOf('unknownEpisodes', first(episode))] : []),
  ]
  return notes.length > 0 ? { count: season.size + episode.size, note: notes.join('\n') } : undefined
}

function first(places: ReadonlySet<string>): string {
  const shown = [...places].slice(0, shownMax).join(', ')
  return places.size > shownMax ? `${shown} …` : shown
}
