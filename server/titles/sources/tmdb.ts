import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import {
  externalId,
  foundEpisodesMax,
  foundSeasonsMax,
  invalidResponse,
  listOf,
  maybe,
  parseBody,
  popularityOf,
  requiredListOf,
  taglineMax,
  toCount,
  toDate,
  toHits,
  toLine,
  toNames,
  toRating,
  toText,
  yearOf,
} from './clean.ts'
import { namedEntry, namesOf } from './tmdb-names.ts'
import { kindOfMediaType, kinds, type MediaType } from '#shared/domain/kinds.ts'
import type { Config } from '#server/config.ts'
import type { Fetcher, Priority } from './fetcher.ts'
import { idOf, isExact, isNamed, numericIdOf, rankCandidates, toQuery } from './lookup.ts'
import { notFound, tmdbOffers } from './tmdb-offers.ts'
import type { FoundPart, FoundTitle, Lookup, Source, WantedTitle } from './source.ts'

const text = maybe(z.string())
const number = maybe(z.number())
const imdbId = maybe(z.string().regex(/^tt\d{7,10}$/))
const named = z.object({ name: text })

const entry = namedEntry.extend({
  id: externalId,
  media_type: text,
  adult: maybe(z.boolean()),
  overview: text,
  poster_path: text,
  release_date: text,
  first_air_date: text,
})

const details = entry.extend({
  tagline: text,
  backdrop_path: text,
  runtime: number,
  episode_run_time: listOf(z.number()),
  last_air_date: text,
  number_of_seasons: number,
  seasons: listOf(
    z.object({
      id: externalId,
      season_number: z.int().min(0).max(9_999),
      name: text,
      air_date: text,
      episode_count: maybe(z.int()),
    }),
  ),
  last_episode_to_air: maybe(z.object({ runtime: number })),
  genres: listOf(named),
  created_by: listOf(named),
  credits: maybe(z.object({ crew: listOf(z.object({ name: text, job: text })) })),
  vote_average: number,
  vote_count: number,
  imdb_id: imdbId,
  external_ids: maybe(z.object({ imdb_id: imdbId, tvdb_id: maybe(externalId) })),
})
type Details = z.infer<typeof details>
const detailsPage = z.object({ results: requiredListOf(details) })
const findResponse = z.object({
  movie_results: requiredListOf(details),
  tv_results: requiredListOf(details),
  tv_episode_results: listOf(z.unknown()),
  tv_season_results: listOf(z.unknown()),
})

const anyObject = z.record(z.string(), z.unknown())
const episode = z.object({
  id: externalId,
  episode_number: z.int().min(0).max(999_999),
  name: text,
  air_date: text,
  runtime: number,
})
const seasonBody = z.object({ episodes: requiredListOf(episode, foundEpisodesMax) })

const seasonsPerCall = 20
/** With the credits of each episode, 10 to 25 KB each, a response stays below the limit of the fetcher. */
const episodesPerCall = 80
/** Slightly less than the time of a sync. */
const episodesWithinMs = 4_300

/** API version 3 (developer.themoviedb.org/reference). */
export function tmdb(
  fetcher: Fetcher,
  { tmdb: { apiUrl, token } }: Pick<Config, 'tmdb'>,
): Source | undefined {
  if (!token) return undefined
  const callTmdb = fetcher({
    name: 'tmdb',
    baseUrl: apiUrl,
    perSecond: 20,
    concurrency: 10,
    importsPerSecond: 5,
    headers: { authorization: `Bearer ${token}` },
  })

  /** Undefined if TMDB has no such title, or has it as an adult title. A show has its episodes, as far as they arrive in time. */
  async function readDetails(
    { tmdbId, mediaType }: { tmdbId: number; mediaType: MediaType },
    priority: Priority,
  ): Promise<FoundTitle | undefined> {
    const began = Date.now()
    const call = {
      path: `/${mediaType}/${externalId.parse(tmdbId)}`,
      // The details of a movie have its IMDb id, the details of a show do not.
      query: {
        language: 'en-US',
        append_to_response: `credits,translations,alternative_titles${mediaType === 'tv' ? ',external_ids' : ''}`,
      },
      priority,
      accepts: [404],
    } as const
    const read = await callTmdb(call, ({ status, body }) => {
      if (status === 404) return void parseBody('tmdb', notFound, body)
      const found = parseBody('tmdb', details, body)
      if (found.id !== tmdbId) throw invalidResponse('tmdb')
      const title = toTitle(found, mediaType)
      if (!title) throw invalidResponse('tmdb')
      return found.adult ? undefined : { title, seasons: found.seasons }
    })
    if (!read?.title.parts) return read?.title
    const { title, seasons } = read
    const left = priority === 'import' ? undefined : Math.max(0, began + episodesWithinMs - Date.now())
    const episodes = await readEpisodes(call.path, seasons, priority, left)
    return {
      ...title,
      parts: title.parts!.map((season) => {
        const parts = episodes.get(season.number)
        return parts ? { ...season, parts } : season
      }),
    }
  }

  /** By season. A season is missing if its call fails or does not return within `withinMs`. */
  async function readEpisodes(
    path: string,
    seasons: Details['seasons'],
    priority: Priority,
    withinMs: number | undefined,
  ): Promise<Map<number, FoundPart[]>> {
    const episodes = new Map<number, FoundPart[]>()
    const readBatch = async (numbers: readonly number[]): Promise<void> => {
      const query = {
        language: 'en-US',
        append_to_response: numbers.map((number) => `season/${number}`).join(),
      }
      const bodies = await callTmdb({ path, query, priority, isCached: false }, ({ body }) =>
        parseBody('tmdb', anyObject, body),
      )
      for (const number of numbers) {
        const body = bodies[`season/${number}`]
        // A season that TMDB has removed meanwhile is not in the response.
        if (body === undefined) continue
        episodes.set(number, parseBody('tmdb', seasonBody, body).episodes.map(toEpisode))
        await setImmediate()
      }
    }
    const all = Promise.allSettled(batchesOf(seasons).map(readBatch))
    await (withinMs === undefined ? all : Promise.race([all, passed(withinMs)]))
    return new Map(episodes)
  }

  /** Null for the id of an episode or a season. */
  async function readByExternalId(id: string, source: 'imdb_id' | 'tvdb_id'): Promise<FoundTitle[] | null> {
    const call = {
      path: `/find/${id}`,
      query: { external_source: source, language: 'en-US' },
      priority: 'import',
    } as const
    const found = await callTmdb(call, ({ body }) => parseBody('tmdb', findResponse, body))
    const titles = [
      ...(await toPartialTitles(found.movie_results, 'movie')),
      ...(await toPartialTitles(found.tv_results, 'tv')),
    ]
    // TVDB numbers shows and episodes separately: its id can belong to an unknown show too.
    const isPart =
      source === 'imdb_id' && found.tv_episode_results.length + found.tv_season_results.length > 0
    return titles.length === 0 && isPart ? null : titles
  }

  async function searchTitles(
    query: string,
    mediaType: MediaType | 'multi',
    { year = null, priority = 'import' }: { year?: number | null; priority?: Priority } = {},
  ): Promise<FoundTitle[]> {
    const yearKey = mediaType === 'movie' ? 'primary_release_year' : 'first_air_date_year'
    const call = {
      path: `/search/${mediaType}`,
      query: {
        query,
        include_adult: 'false',
        language: 'en-US',
        page: '1',
        ...(year !== null && { [yearKey]: String(year) }),
      },
      priority,
    } as const
    const { results } = await callTmdb(call, ({ body }) => parseBody('tmdb', detailsPage, body))
    return toPartialTitles(results, mediaType)
  }

  async function completeFirst([first, ...others]: FoundTitle[]): Promise<FoundTitle[]> {
    const mediaType = first && kinds[first.kind].mediaType
    if (!first || !mediaType) return []
    const tmdbId = Number(first.ids[0]!.external_id)
    const complete = await readDetails({ tmdbId, mediaType }, 'import')
    return complete ? [complete, ...others] : others
  }

  /** Null for the id of an episode or a season. */
  async function findByIds(wanted: WantedTitle): Promise<FoundTitle[] | null> {
    for (const mediaType of ['movie', 'tv'] as const) {
      const tmdbId = numericIdOf(wanted, `tmdb-${mediaType}`)
      const title = tmdbId && (await readDetails({ tmdbId, mediaType }, 'import'))
      if (title) return [title]
    }
    const imdb = idOf(wanted, 'imdb', /^tt\d{7,10}$/)
    // TMDB knows TVDB’s ids of shows only.
    const tvdb = wanted.kind === 'tvShow' ? numericIdOf(wanted, 'tvdb') : undefined
    const titles = imdb
      ? await readByExternalId(imdb, 'imdb_id')
      : tvdb
        ? await readByExternalId(String(tvdb), 'tvdb_id')
        : []
    return titles && completeFirst(rankCandidates(titles, wanted))
  }

  async function findByName(wanted: WantedTitle): Promise<FoundTitle[]> {
    const query = toQuery(wanted.name)
    const { mediaType } = kinds[wanted.kind]
    if (!query || !mediaType) return []
    const ofKind = await searchTitles(query, mediaType, { year: wanted.year })
    const exact = ofKind.filter((title) => isExact(title, wanted))
    const candidates = rankCandidates(ofKind, wanted)
    if (exact.length === 1) return completeFirst(candidates)
    if (exact.length > 1 || (wanted.year === null && ofKind.some((title) => isNamed(title, wanted))))
      return candidates
    // Released in another year, or a film that is a show at TMDB.
    const known = new Set(ofKind.map(keyOf))
    const others = (await searchTitles(query, 'multi')).filter((title) => !known.has(keyOf(title)))
    return rankCandidates([...ofKind, ...others], wanted)
  }

  const lookup: Lookup = {
    name: 'tmdb',
    kinds: ['movie', 'tvShow'],
    batchSize: 5,

    async findCandidates(wanted) {
      const candidates: FoundTitle[][] = []
      for (const title of wanted) {
        const byIds = await findByIds(title)
        candidates.push(byIds?.length === 0 ? await findByName(title) : (byIds ?? []))
      }
      return candidates
    },
  }

  return {
    name: 'tmdb',
    kinds: lookup.kinds,
    idSources: ['tmdb-movie', 'tmdb-tv'],
    search: async (query) => ({
      results: await searchTitles(query, 'multi', { priority: 'search' }),
      source: 'tmdb',
    }),
    find: (kind, { external_id: id }) =>
      readDetails({ tmdbId: Number(id), mediaType: kinds[kind].mediaType! }, 'sync'),
    lookup,
    offers: tmdbOffers(callTmdb, (path) => pictureOf(path, 'w92')),
    episodes: {
      name: 'tmdb',
      async findEpisodes(ids) {
        const id = ids.find(({ source }) => source === 'tmdb-tv')
        if (!id) return undefined
        const title = await readDetails({ tmdbId: Number(id.external_id), mediaType: 'tv' }, 'import')
        return title?.parts?.some(({ parts = [] }) => parts.length > 0) ? title.parts : undefined
      },
    },
  }
}

function toTitle(found: Details, mediaType: MediaType): FoundTitle | null {
  const name = nameOf(found)
  if (!name) return null
  const kind = kindOfMediaType(mediaType)
  const isMovie = kind === 'movie'
  const directors = found.credits?.crew.filter(({ job }) => job === 'Director') ?? []
  const episode = found.episode_run_time[0] ?? found.last_episode_to_air?.runtime
  const names = namesOf(found)
  return {
    source: 'tmdb',
    kind,
    name,
    otherNames: toNames([isMovie ? found.original_title : found.original_name], 1).filter(
      (original) => original !== name,
    ),
    ...(names && { names }),
    overview: toText(found.overview),
    tagline: toLine(found.tagline, taglineMax),
    image: pictureOf(found.poster_path, 'w500'),
    backdrop: pictureOf(found.backdrop_path, 'w1280'),
    releaseDate: toDate(isMovie ? found.release_date : found.first_air_date),
    runtime: toCount(isMovie ? found.runtime : episode),
    pageCount: null,
    ...(!isMovie && {
      lastAirYear: yearOf(toDate(found.last_air_date)),
      seasonCount: toCount(found.number_of_seasons),
      ...(found.seasons.length > 0 && { parts: found.seasons.map(toSeason) }),
    }),
    genres: toNames(
      found.genres.map(({ name }) => name),
      6,
    ),
    creators: toNames(
      (isMovie ? directors : found.created_by).map(({ name }) => name),
      10,
    ),
    platforms: [],
    rating: toRating(found.vote_average, 10, found.vote_count),
    popularity: popularityOf(found.vote_count, 40_000),
    ids: idsOf(found, mediaType),
  }
}

function toSeason({ id, season_number: number, name, air_date }: Details['seasons'][number]): FoundPart {
  return {
    type: 'season',
    number,
    name: toLine(name),
    releaseDate: toDate(air_date),
    runtime: null,
    ids: [{ source: 'tmdb-season', external_id: String(id) }],
  }
}

function toEpisode({
  id,
  episode_number: number,
  name,
  air_date,
  runtime,
}: z.infer<typeof episode>): FoundPart {
  const given = toLine(name)
  return {
    type: 'episode',
    number,
    // What TMDB shows for an episode without a name.
    name: given === `Episode ${number}` ? null : given,
    releaseDate: toDate(air_date),
    runtime: toCount(runtime),
    ids: [{ source: 'tmdb-episode', external_id: String(id) }],
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

/** Numbers of the seasons that one call each reads. Seasons without episodes are left out. */
function batchesOf(seasons: Details['seasons']): number[][] {
  const batches: { numbers: number[]; count: number }[] = []
  let total = 0
  for (const { season_number: number, episode_count: count = 0 } of seasons.slice(0, foundSeasonsMax)) {
    if (count < 1 || total + count > foundEpisodesMax) continue
    total += count
    const last = batches.at(-1)
    const isFull = !last || last.numbers.length >= seasonsPerCall || last.count + count > episodesPerCall
    if (isFull) batches.push({ numbers: [number], count })
    else {
      last.numbers.push(number)
      last.count += count
    }
  }
  return batches.map(({ numbers }) => numbers)
}

function idsOf({ id, imdb_id, external_ids }: Details, mediaType: MediaType): FoundTitle['ids'] {
  const imdb = imdb_id ?? external_ids?.imdb_id
  const tvdb = mediaType === 'tv' ? external_ids?.tvdb_id : undefined
  return [
    { source: kinds[kindOfMediaType(mediaType)].idSources[0], external_id: String(id) },
    ...(imdb ? [{ source: 'imdb' as const, external_id: imdb }] : []),
    ...(tvdb ? [{ source: 'tvdb' as const, external_id: String(tvdb) }] : []),
  ]
}

/** Without credits, runtime and other details. */
async function toPartialTitles(entries: Details[], type: MediaType | 'multi'): Promise<FoundTitle[]> {
  return toHits(entries, (found) => {
    const mediaType = type === 'multi' ? found.media_type : type
    const isTitle = (mediaType === 'movie' || mediaType === 'tv') && !found.adult
    const title = isTitle ? toTitle(found, mediaType) : null
    return title ? [{ ...title, isPartial: true }] : []
  })
}

function keyOf({ ids }: FoundTitle): string {
  return `${ids[0]!.source} ${ids[0]!.external_id}`
}

function nameOf({ title, name }: z.infer<typeof namedEntry>): string | null {
  return toLine(title) ?? toLine(name)
}

function pictureOf(path: string | undefined, size: 'w92' | 'w500' | 'w1280'): string | null {
  return path && /^\/[\w-]{1,100}\.(jpe?g|png|webp)$/.test(path)
    ? `https://image.tmdb.org/t/p/${size}${path}`
    : null
}
