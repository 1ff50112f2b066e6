import { z } from 'zod'
import {
  externalId,
  invalidResponse,
  listOf,
  maybe,
  parseBody,
  popularityOf,
  requiredListOf,
  toCount,
  toDate,
  toHits,
  toLine,
  toNames,
  toRating,
  toText,
} from './clean.ts'
import { kindOfMediaType, kinds } from '#shared/media.ts'
import type { Fetcher } from './fetcher.ts'
import type { FoundTitle, ScreenHit, ScreenId, Source } from './source.ts'

const text = maybe(z.string())
const number = maybe(z.number())
const named = z.object({ name: text })

const entry = z.object({
  id: externalId,
  media_type: text,
  adult: maybe(z.boolean()),
  title: text,
  name: text,
  overview: text,
  poster_path: text,
  release_date: text,
  first_air_date: text,
})
const page = z.object({ results: requiredListOf(entry) })

const details = entry.extend({
  tagline: text,
  original_title: text,
  original_name: text,
  backdrop_path: text,
  runtime: number,
  episode_run_time: listOf(z.number()),
  last_episode_to_air: maybe(z.object({ runtime: number })),
  genres: listOf(named),
  created_by: listOf(named),
  credits: maybe(z.object({ crew: listOf(z.object({ name: text, job: text })) })),
  vote_average: number,
  vote_count: number,
})
const notFound = z.object({ status_code: z.union([z.literal(34), z.literal(6)]) })

/** Returns the source of movies and TV shows: TMDB’s API, version 3 (developer.themoviedb.org/reference). */
export function tmdb(
  fetcher: Fetcher,
  { apiUrl, token }: { apiUrl: string; token: string },
): Source<ScreenHit, ScreenId> {
  const callTmdb = fetcher({
    name: 'tmdb',
    baseUrl: apiUrl,
    perSecond: 20,
    concurrency: 10,
    headers: { authorization: `Bearer ${token}` },
  })

  return {
    name: 'tmdb',

    async search(query) {
      const call = {
        path: '/search/multi',
        query: { query, include_adult: 'false', language: 'en-US', page: '1' },
        priority: 'search',
      } as const
      const { results } = await callTmdb(call, ({ body }) => parseBody('tmdb', page, body))
      return { results: await toHits(results, toHit), source: 'tmdb' }
    },

    async find({ tmdbId, mediaType }) {
      const call = {
        path: `/${mediaType}/${externalId.parse(tmdbId)}`,
        query: { language: 'en-US', append_to_response: 'credits' },
        priority: 'sync',
        accepts: [404],
      } as const
      return callTmdb(call, ({ status, body }) => {
        // A proxy can send a 404 too. Only TMDB’s own, which has this body, means that there is no such title.
        if (status === 404) return void parseBody('tmdb', notFound, body)
        const found = parseBody('tmdb', details, body)
        if (found.id !== tmdbId) throw invalidResponse('tmdb')
        return found.adult ? undefined : toTitle(found, mediaType)
      })
    },
  }
}

function toTitle(found: z.infer<typeof details>, mediaType: ScreenId['mediaType']): FoundTitle {
  const name = nameOf(found)
  if (!name) throw invalidResponse('tmdb')
  const kind = kindOfMediaType(mediaType)
  const isMovie = kind === 'movie'
  const directors = found.credits?.crew.filter(({ job }) => job === 'Director') ?? []
  const episode = found.episode_run_time[0] ?? found.last_episode_to_air?.runtime
  return {
    source: 'tmdb',
    kind,
    name,
    otherNames: toNames([isMovie ? found.original_title : found.original_name], 1).filter(
      (original) => original !== name,
    ),
    overview: toText(found.overview),
    tagline: toLine(found.tagline, 300),
    image: pictureOf(found.poster_path, 'w500'),
    backdrop: pictureOf(found.backdrop_path, 'w1280'),
    releaseDate: toDate(isMovie ? found.release_date : found.first_air_date),
    runtime: toCount(isMovie ? found.runtime : episode),
    pageCount: null,
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
    ids: [{ source: kinds[kind].idSources[0], external_id: String(found.id) }],
  }
}

/** Returns no hit for people, collections and all other types that are not titles. */
function toHit(found: z.infer<typeof entry>): ScreenHit[] {
  const { media_type: mediaType } = found
  const name = nameOf(found)
  if ((mediaType !== 'movie' && mediaType !== 'tv') || found.adult || !name) return []
  return [
    {
      tmdbId: found.id,
      mediaType,
      name,
      overview: toText(found.overview),
      imageUrl: pictureOf(found.poster_path, 'w500'),
      releaseDate: toDate(mediaType === 'movie' ? found.release_date : found.first_air_date),
    },
  ]
}

function nameOf({ title, name }: z.infer<typeof entry>): string | null {
  return toLine(title) ?? toLine(name)
}

function pictureOf(path: string | undefined, size: 'w500' | 'w1280'): string | null {
  return path && /^\/[\w-]{1,100}\.(jpe?g|png|webp)$/.test(path)
    ? `https://image.tmdb.org/t/p/${size}${path}`
    : null
}
