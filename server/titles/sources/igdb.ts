import { t } from '#shared/domain/message.ts'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { type DescribedName, languageCodeOf } from '#shared/domain/title-names.ts'
import { searchLimit } from '#shared/domain/limits.ts'
import {
  externalId,
  listOf,
  maybe,
  parseBody,
  popularityOf,
  requiredListOf,
  toDate,
  toHits,
  toLine,
  toNames,
  toRating,
  toText,
  toTitleNames,
} from './clean.ts'
import type { Config } from '#server/config.ts'
import type { Fetcher, Priority } from './fetcher.ts'
import { numericIdOf, rankCandidates, toQuery } from './lookup.ts'
import type { FoundTitle, Lookup, Source, WantedTitle } from './source.ts'

const text = maybe(z.string())
const number = maybe(z.number())
const named = z.object({ name: text })
/** One list can contain ids and expanded objects. */
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
  alternative_names: listOf(z.object({ name: text, comment: text })),
  game_localizations: listOf(z.object({ name: text, region: maybe(z.object({ identifier: text })) })),
  involved_companies: listOf(z.object({ developer: maybe(z.boolean()), company: maybe(named) })),
  rating: number,
  rating_count: number,
  themes: listOf(reference),
  version_parent: maybe(reference),
})
type Game = z.infer<typeof game>
const games = requiredListOf(game)

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
  'alternative_names.name',
  'alternative_names.comment',
  'game_localizations.name',
  'game_localizations.region.identifier',
  'involved_companies.developer',
  'involved_companies.company.name',
]

/** Main games, expansions, bundles, stand-alone expansions, episodes, remakes, remasters, expanded games, ports. */
const gameTypes = [0, 2, 3, 4, 6, 8, 9, 10, 11]
const listed = `version_parent = null & game_type = (${gameTypes.join(',')})`
const namedMax = 10
const adultTheme = 42

const tokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const tokenMarginMs = 60_000

/** API version 4, with an access token of Twitch (api-docs.igdb.com). */
export function igdb(
  fetcher: Fetcher,
  { igdb: { apiUrl, authUrl, clientId, clientSecret } }: Pick<Config, 'igdb'>,
  now: () => number = Date.now,
): Source | undefined {
  if (!clientId || !clientSecret) return undefined
  const callIgdb = fetcher({
    name: 'igdb',
    baseUrl: apiUrl,
    perSecond: 3,
    concurrency: 4,
    // IGDB allows four calls in a second.
    importsPerSecond: 1,
    headers: { 'client-id': clientId },
  })
  const callTwitch = fetcher({ name: 'twitch', baseUrl: authUrl, perSecond: 1, concurrency: 1 })

  let token: { value: string; expiresAt: number } | undefined
  let pendingToken: Promise<string> | undefined

  async function requestToken(): Promise<string> {
    const form = { client_id: clientId!, client_secret: clientSecret!, grant_type: 'client_credentials' }
    const call = {
      path: '',
      priority: 'search',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      isCached: false,
    } as const
    const { access_token: value, expires_in: seconds } = await callTwitch(call, ({ body }) =>
      parseBody('twitch', tokenResponse, body),
    )
    token = { value, expiresAt: now() + seconds * 1000 - tokenMarginMs }
    return value
  }

  async function currentToken(): Promise<string> {
    if (token && now() < token.expiresAt) return token.value
    pendingToken ??= requestToken().finally(() => {
      pendingToken = undefined
    })
    return pendingToken
  }

  /** Apicalypse is IGDB’s query language. Retries once with a new token if the token is refused. */
  async function query(apicalypse: string, priority: Priority): Promise<Game[]> {
    for (let attempt = 1; ; attempt++) {
      const value = await currentToken()
      const call = {
        path: '/games',
        priority,
        headers: { authorization: `Bearer ${value}`, 'content-type': 'text/plain' },
        body: apicalypse,
        accepts: [401],
      }
      const found = await callIgdb(call, ({ status, body }) =>
        status === 401 ? undefined : parseBody('igdb', games, body),
      )
      if (found) return found.filter(isListed)
      if (token?.value === value) token = undefined
      if (attempt === 2)
        throw new TRPCError({ code: 'BAD_GATEWAY', message: t`igdb refuses the access token of twitch.` })
    }
  }

  async function findByIds(ids: number[]): Promise<Game[]> {
    return ids.length === 0
      ? []
      : query(`fields ${allFields.join(',')}; where id = (${ids.join(',')}); limit ${ids.length};`, 'import')
  }

  async function findByName(wanted: WantedTitle): Promise<FoundTitle[]> {
    const name = toQuery(wanted.name).replaceAll('’', "'")
    if (!name) return []
    const rest = `fields ${allFields.join(',')}; limit ${namedMax};`
    const exact = await query(`where name ~ ${quoted(name)} & ${listed}; ${rest}`, 'import')
    const found =
      exact.length > 0 ? exact : await query(`search ${quoted(name)}; where ${listed}; ${rest}`, 'import')
    return rankCandidates(await toHits(found, toTitle), wanted)
  }

  const lookup: Lookup = {
    name: 'igdb',
    kinds: ['game'],
    batchSize: 25,

    async findCandidates(wanted) {
      const ids = wanted.map((title) => numericIdOf(title, 'igdb'))
      const known = await findByIds([...new Set(ids.flatMap((id) => id ?? []))])
      const candidates: FoundTitle[][] = []
      for (const [index, title] of wanted.entries()) {
        const byId = await toHits(
          known.filter(({ id }) => id === ids[index]),
          toTitle,
        )
        candidates.push(byId.length > 0 ? byId.slice(0, 1) : await findByName(title))
      }
      return candidates
    },
  }

  return {
    name: 'igdb',
    kinds: lookup.kinds,
    idSources: ['igdb'],

    async search(q) {
      // More than the limit, because some are filtered out here.
      const found = await query(
        `search ${quoted(q)}; fields ${hitFields.join(',')}; where ${listed}; limit ${2 * searchLimit};`,
        'search',
      )
      return { results: await toHits(found, toTitle), source: 'igdb' }
    },

    async find(_kind, { external_id: id }) {
      const igdbId = externalId.parse(Number(id))
      const found = await query(`fields ${allFields.join(',')}; where id = ${igdbId}; limit 1;`, 'sync')
      const game = found.find((one) => one.id === igdbId)
      return game && toTitle(game)[0]
    },

    lookup,
  }
}

function toTitle(game: Game): FoundTitle[] {
  const name = toLine(game.name)
  if (!name) return []
  const developers = game.involved_companies.filter(({ developer }) => developer)
  return [
    {
      source: 'igdb',
      kind: 'game',
      name,
      names: namesOf(game),
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
      popularity: popularityOf(game.rating_count, 6_000),
      ids: [{ source: 'igdb', external_id: String(game.id) }],
    },
  ]
}

/** In a comment of IGDB: `Japanese title - romanization`. */
const languagesByName = new Map(
  ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'sv', 'tr', 'zh'].map((code) => [
    new Intl.DisplayNames('en', { type: 'language' }).of(code)!.toLowerCase(),
    code,
  ]),
)

/** The region of a localization is a locale (`ja-JP`) or a continent. */
function namesOf({ alternative_names, game_localizations }: Game): DescribedName[] {
  const localized = game_localizations.map(({ name, region }) => {
    const [code, place] = region?.identifier?.split('-') ?? []
    const language = languageCodeOf(code, place)
    return { kind: language === '' ? ('other' as const) : ('local' as const), language, name }
  })
  const commented = alternative_names.map(({ name, comment }) => {
    const [, of, form = ''] = /^(\w+) (?:title|name)(?: - (.*))?$/i.exec(comment ?? '') ?? []
    const language = languagesByName.get(of?.toLowerCase() ?? '')
    if (language === undefined || /^translat/i.test(form))
      return { kind: 'other' as const, language: '', name }
    const kind = /^roman/i.test(form) ? 'romanised' : /^original/i.test(form) ? 'original' : 'local'
    return { kind, language, name } as const
  })
  return toTitleNames([...localized, ...commented])
}

/** Other editions have entries of their own. */
function isListed({ version_parent, themes }: Game): boolean {
  return version_parent === undefined && !themes.includes(adultTheme)
}

function platformsOf(game: Game): string[] {
  return toNames(
    game.platforms.map(({ name }) => name),
    30,
  )
}

/**
 * As precise as IGDB knows it: `first_release_date` is a day even if only the month or the year is known. The release that it was taken
 * from has the precision; without it, only the year is used.
 */
function releaseDateOf({ first_release_date: seconds, release_dates }: Game): string | null {
  if (seconds === undefined || Math.abs(seconds) > 250e9) return null
  const formats = release_dates.flatMap(({ date, date_format }) =>
    date === seconds ? (date_format ?? []) : [],
  )
  const precision = formats.length > 0 ? Math.min(...formats) : 2
  // date_format: 0 day, 1 month, 2 year, 3 to 6 quarter, 7 unknown.
  const length = precision === 0 ? 10 : precision === 1 ? 7 : precision <= 6 ? 4 : 0
  return toDate(new Date(seconds * 1000).toISOString().slice(0, length))
}

/** Without an `image_id`, from the `//images.igdb.com/…` URL. */
function pictureOf(picture: z.infer<typeof game>['cover'], size: 't_cover_big' | 't_1080p'): string | null {
  const id =
    picture?.image_id ?? /^(?:https?:)?\/\/images\.igdb\.com\/.+\/(\w+)\.\w+$/.exec(picture?.url ?? '')?.[1]
  return id && /^\w{1,100}$/.test(id) ? `https://images.igdb.com/igdb/image/upload/${size}/${id}.jpg` : null
}

function quoted(q: string): string {
  return `"${q.replace(/[\\"]/g, '\\$&')}"`
}
