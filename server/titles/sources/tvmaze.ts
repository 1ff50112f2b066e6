import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Config } from '#server/config.ts'
import { tvmaze as named } from '#shared/domain/tvmaze.ts'
import {
  externalId,
  foundEpisodesMax,
  foundSeasonsMax,
  listOf,
  maybe,
  parseBody,
  requiredListOf,
  toCount,
  toDate,
  toLine,
} from './clean.ts'
import { type Fetcher, type HostCall, isTooLarge } from './fetcher.ts'
import type { EpisodeSource, ExternalId, FoundPart } from './source.ts'

const text = maybe(z.string())
const seasonNumber = z.int().min(0).max(9_999)

const show = z.object({ id: externalId })
/** A 404 of a proxy would have no JSON. */
const notFound = z.union([z.null(), z.object({ status: z.literal(404) })])
const season = z.object({ id: externalId, number: seasonNumber })
const episode = z.object({
  id: externalId,
  season: seasonNumber,
  number: maybe(z.int().min(0).max(999_999)),
  name: text,
  airdate: text,
  airtime: text,
  airstamp: text,
  runtime: maybe(z.number()),
})
type Episode = z.infer<typeof episode>

const parsedPerTurn = 50

const lookups = { tvdb: 'thetvdb', imdb: 'imdb' } as const
const isKey = (source: string): source is keyof typeof lookups => source in lookups

/** www.tvmaze.com/api. */
export function tvmaze(
  fetcher: Fetcher,
  { tvmaze: { url } }: Pick<Config, 'tvmaze'>,
): EpisodeSource | undefined {
  if (url === undefined) return undefined
  const callTvmaze = fetcher({
    name: named.name,
    baseUrl: url,
    // TVmaze allows 20 calls in 10 seconds, both kinds together.
    perSecond: 1,
    importsPerSecond: 1,
    concurrency: 1,
    redirectsTo: /^\/shows\/\d{1,15}$/,
  })
  const call = (path: string, query: Record<string, string> = {}) =>
    ({ path, query, priority: 'import', accepts: [404] }) satisfies HostCall

  async function findShow(ids: readonly ExternalId[]): Promise<number | undefined> {
    for (const key of ['tvdb', 'imdb'] as const)
      for (const { source, external_id: id } of ids) {
        if (source !== key || !isKey(source)) continue
        const lookup = call('/lookup/shows', { [lookups[key]]: id })
        const found = await callTvmaze(lookup, (response) => bodyOf(response, show))
        if (found) return found.id
      }
    return undefined
  }

  /** A list of thousands of episodes can be larger than a response may be. */
  async function readBySeason(id: number): Promise<FoundPart[]> {
    const seasons = await callTvmaze(call(`/shows/${id}/seasons`), (response) =>
      bodyOf(response, requiredListOf(season)),
    )
    const asked = (seasons ?? []).toSorted((a, b) => a.number - b.number).slice(-foundSeasonsMax)
    const entries: unknown[] = []
    for (const { id: seasonId } of asked) {
      const found = await callTvmaze(call(`/seasons/${seasonId}/episodes`), (response) =>
        bodyOf(response, requiredListOf(z.unknown(), foundEpisodesMax)),
      )
      entries.push(...(found ?? []).slice(0, foundEpisodesMax - entries.length))
    }
    const parts = toSeasons(await parse(entries))
    const isAsked = new Set(asked.map(({ number }) => number))
    // Those before the newest ones keep the episodes that they have.
    const others = (seasons ?? []).filter(({ number }) => number > 0 && !isAsked.has(number))
    return [...others.map(({ number }) => toSeason(number)), ...parts]
  }

  return {
    name: 'tvmaze',
    async check() {
      // TVmaze's first show, which its documentation uses as the example.
      await callTvmaze({ path: '/shows/1', priority: 'search', isCached: false }, ({ body }) =>
        parseBody(named.name, show, body),
      )
    },
    async findEpisodes(ids) {
      const id = await findShow(ids)
      if (id === undefined) return undefined
      const all = call(`/shows/${id}/episodes`, { specials: '1' })
      const entries = await callTvmaze(all, (response) =>
        bodyOf(response, requiredListOf(z.unknown(), foundEpisodesMax)),
      ).catch((error: unknown) => {
        if (isTooLarge(error)) return null
        throw error
      })
      const parts = entries === null ? await readBySeason(id) : toSeasons(await parse(entries ?? []))
      return parts.some((part) => part.parts) ? parts : undefined
    },
  }
}

/** Undefined if TVmaze does not have it. */
function bodyOf<S extends z.ZodType>(
  { status, body }: { status: number; body: unknown },
  schema: S,
): z.output<S> | undefined {
  if (status === 404) return void parseBody(named.name, notFound, body)
  return parseBody(named.name, schema, body)
}

/** Yields to the event loop. Leaves out entries that do not match. */
async function parse(entries: readonly unknown[]): Promise<Episode[]> {
  const episodes: Episode[] = []
  for (let from = 0; from < entries.length; from += parsedPerTurn) {
    const chunk = entries.slice(from, from + parsedPerTurn)
    episodes.push(
      ...parseBody(named.name, listOf(episode), chunk).map((one) => ({
        ...one,
        name: toLine(one.name) ?? undefined,
      })),
    )
    await setImmediate()
  }
  return episodes
}

/** TVmaze names the season around which a special was shown, but no number: the specials are season 0, by date. */
function toSeasons(episodes: readonly Episode[]): FoundPart[] {
  const isSpecial = ({ season, number }: Episode) => season === 0 || number === undefined
  const specials = episodes
    .filter(isSpecial)
    .map((one) => ({ one, day: toDate(one.airdate) ?? '~' }))
    .sort((a, b) => (a.day === b.day ? a.one.id - b.one.id : a.day < b.day ? -1 : 1))
  const seasons = new Map<number, FoundPart[]>()
  if (specials.length > 0)
    seasons.set(
      0,
      specials.map(({ one }, at) => toEpisode(one, at + 1)),
    )
  for (const one of episodes) {
    if (isSpecial(one)) continue
    const parts = seasons.get(one.season) ?? []
    parts.push(toEpisode(one, one.number!))
    seasons.set(one.season, parts)
  }
  return [...seasons]
    .sort(([a], [b]) => a - b)
    .map(([number, parts]) => {
      const inOrder = parts.toSorted((a, b) => a.number - b.number)
      return { ...toSeason(number), releaseDate: inOrder[0]!.releaseDate, parts: inOrder }
    })
}

function toSeason(number: number): FoundPart {
  return { type: 'season', number, name: null, releaseDate: null, runtime: null, ids: [] }
}

function toEpisode({ id, name, airdate, airtime, airstamp, runtime }: Episode, number: number): FoundPart {
  return {
    type: 'episode',
    number,
    // What TVmaze shows for an episode without a name.
    name: name === undefined || name === `Episode ${number}` ? null : name,
    releaseDate: toDate(airdate),
    // Without a time of day, TVmaze says noon.
    airsAt: airtime ? toTime(airstamp) : null,
    runtime: toCount(runtime),
    ids: [{ source: 'tvmaze-episode', external_id: String(id) }],
  }
}

function toTime(value: string | undefined): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(value ?? '')) return null
  const at = new Date(value!)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
