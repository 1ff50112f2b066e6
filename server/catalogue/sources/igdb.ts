import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { searchLimit } from '#shared/limits.ts'
import {
  externalId,
  fameOf,
  listIn,
  listOf,
  maybe,
  sensible,
  toDate,
  toHits,
  toLine,
  toNames,
  toRating,
  toText,
  yearOf,
} from './clean.ts'
import type { Fetcher } from './fetcher.ts'
import type { GameHit, GameId, Source } from './source.ts'

const text = maybe(z.string())
const number = maybe(z.number())
const named = z.object({ name: text })
/** References come as an id, or as an object where they were expanded; one list can hold both. */
const reference = z.union([z.int(), z.object({ id: z.int() }).transform(({ id }) => id)])
const picture = z.object({ image_id: text, url: maybe(z.string().max(500)) })

const game = z.object({
  id: externalId,
  name: text,
  summary: text,
  cover: maybe(picture),
  artworks: listOf(picture),
  screenshots: listOf(picture),
  first_release_date: number,
  release_dates: listOf(z.object({ date: number, date_format: maybe(reference) })),
  genres: listOf(named),
  platforms: listOf(named),
  involved_companies: listOf(z.object({ developer: maybe(z.boolean()), company: maybe(named) })),
  rating: number,
  rating_count: number,
  themes: listOf(reference),
  version_parent: maybe(reference),
})
type Game = z.infer<typeof game>
const games = listIn(game)

const hitFields = [
  'name',
  'summary',
  'cover.image_id',
  'first_release_date',
  'release_dates.date',
  'release_dates.date_format',
  'genres.name',
  'platforms.name',
  'rating',
  'rating_count',
  'themes',
  'version_parent',
]
const allFields = [
  ...hitFields,
  'artworks.image_id',
  'screenshots.image_id',
  'involved_companies.developer',
  'involved_companies.company.name',
]

/** Main games, expansions, bundles, stand-alone expansions, episodes, remakes, remasters, expanded games, ports. */
const gameTypes = [0, 2, 3, 4, 6, 8, 9, 10, 11]
/** Erotic. */
const adultTheme = 42

const grant = z.object({ access_token: z.string().min(1), expires_in: z.number() })
/** A token is not used any more so long before it ends. */
const tokenMarginMs = 60_000

type Settings = { apiUrl: string; authUrl: string; clientId: string; clientSecret: string }

/** Games of IGDB's API, version 4, with a token of Twitch (api-docs.igdb.com). `now` is the time in milliseconds. */
export function igdb(
  fetcher: Fetcher,
  { apiUrl, authUrl, clientId, clientSecret }: Settings,
  now: () => number = Date.now,
): Source<GameHit, GameId> {
  const ask = fetcher({
    name: 'igdb',
    baseUrl: apiUrl,
    perSecond: 3,
    concurrency: 4,
    headers: { 'client-id': clientId },
  })
  const askTwitch = fetcher({ name: 'twitch', baseUrl: authUrl, perSecond: 1, concurrency: 1 })

  let token: { value: string; until: number } | undefined
  let signingIn: Promise<string> | undefined

  async function signIn(): Promise<string> {
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
    const call = {
      path: '',
      urgency: 'search',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      isKept: false,
    } as const
    const { access_token: value, expires_in: seconds } = await askTwitch(call, ({ body }) =>
      sensible('twitch', grant, body),
    )
    token = { value, until: now() + seconds * 1000 - tokenMarginMs }
    return value
  }

  async function currentToken(): Promise<string> {
    if (token && now() < token.until) return token.value
    signingIn ??= signIn().finally(() => {
      signingIn = undefined
    })
    return signingIn
  }

  async function query(apicalypse: string, urgency: 'search' | 'sync'): Promise<Game[]> {
    for (let tries = 1; ; tries++) {
      const value = await currentToken()
      const call = {
        path: '/games',
        urgency,
        headers: { authorization: `Bearer ${value}`, 'content-type': 'text/plain' },
        body: apicalypse,
        accepts: [401],
      }
      const found = await ask(call, ({ status, body }) =>
        status === 401 ? undefined : sensible('igdb', games, body),
      )
      if (found) return found.filter(isListed)
      if (token?.value === value) token = undefined
      if (tries === 2)
        throw new TRPCError({ code: 'BAD_GATEWAY', message: 'igdb refuses the token that twitch gave.' })
    }
  }

  return {
    name: 'igdb',

    async search(q) {
      // More than are shown: some are left out here.
      const found = await query(
        `search ${quoted(q)}; fields ${hitFields.join(',')}; where version_parent = null & game_type = (${gameTypes.join(',')}); limit ${2 * searchLimit};`,
        'search',
      )
      return { results: await toHits(found, toHit), source: 'igdb' }
    },

    async find({ igdbId }) {
      const found = await query(
        `fields ${allFields.join(',')}; where id = ${externalId.parse(igdbId)}; limit 1;`,
        'sync',
      )
      const game = found.find(({ id }) => id === igdbId)
      const name = toLine(game?.name)
      if (!game || !name) return undefined
      const developers = game.involved_companies.filter(({ developer }) => developer)
      return {
        source: 'igdb',
        kind: 'game',
        name,
        overview: toText(game.summary),
        tagline: null,
        image: pictureOf(game.cover, 't_cover_big'),
        backdrop: pictureOf(game.artworks[0] ?? game.screenshots[0], 't_1080p'),
        releaseDate: releaseDateOf(game),
        runtime: null,
        pageCount: null,
        genres: toNames(
          game.genres.map(({ name }) => name),
          6,
        ),
        creators: toNames(
          developers.map(({ company }) => company?.name),
          10,
        ),
        platforms: platformsOf(game),
        rating: toRating(game.rating, 100, game.rating_count),
        popularity: fameOf(game.rating_count, 6_000),
        ids: [{ source: 'igdb', external_id: String(igdbId) }],
      }
    },
  }
}

/** Not another edition of a game that has an entry of its own, and nothing for adults only. */
function isListed({ version_parent, themes }: Game): boolean {
  return version_parent === undefined && !themes.includes(adultTheme)
}

function toHit(game: Game): GameHit[] {
  const name = toLine(game.name)
  if (!name) return []
  return [
    {
      igdbId: game.id,
      name,
      summary: toText(game.summary),
      releaseYear: yearOf(releaseDateOf(game)),
      platforms: platformsOf(game),
      genres: toNames(
        game.genres.map(({ name }) => name),
        6,
      ),
      coverUrl: pictureOf(game.cover, 't_cover_big'),
      rating: toRating(game.rating, 100, game.rating_count),
    },
  ]
}

function platformsOf(game: Game): string[] {
  return toNames(
    game.platforms.map(({ name }) => name),
    30,
  )
}

/**
 * The first release as exactly as IGDB knows it. `first_release_date` is a day even where only the month or the year is
 * known; the release that it was taken from says how much of it is true. Without that one, only the year is believed.
 */
function releaseDateOf({ first_release_date: seconds, release_dates }: Game): string | null {
  if (seconds === undefined || Math.abs(seconds) > 250e9) return null
  const formats = release_dates.flatMap(({ date, date_format }) =>
    date === seconds ? (date_format ?? []) : [],
  )
  const exactness = formats.length > 0 ? Math.min(...formats) : 2
  // 0 is a day, 1 a month, 2 a year, 3 to 6 its quarters, 7 unknown.
  const length = exactness === 0 ? 10 : exactness === 1 ? 7 : exactness <= 6 ? 4 : 0
  return toDate(new Date(seconds * 1000).toISOString().slice(0, length))
}

/** Pictures are known by an id; an answer that was not expanded that far has it in a `//images.igdb.com/…` address. */
function pictureOf(picture: z.infer<typeof game>['cover'], size: 't_cover_big' | 't_1080p'): string | null {
  const id =
    picture?.image_id ?? /^(?:https?:)?\/\/images\.igdb\.com\/.+\/(\w+)\.\w+$/.exec(picture?.url ?? '')?.[1]
  return id && /^\w{1,100}$/.test(id) ? `https://images.igdb.com/igdb/image/upload/${size}/${id}.jpg` : null
}

/** A string of Apicalypse. */
function quoted(q: string): string {
  return `"${q.replace(/[\\"]/g, '\\$&')}"`
}
