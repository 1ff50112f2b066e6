import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type IdSource, type Kind, kindOfMediaType, type MediaType } from '#shared/domain/kinds.ts'
import { toBookHit, toGameHit, toScreenHit } from '#server/titles/hits.ts'
import type { Hit, Sources } from './source.ts'

/** Real HTTP servers on localhost that respond like the services, oddities included, and refuse what the services refuse. */
export type Fake = {
  url: string
  requests: {
    method: string
    path: string
    query: URLSearchParams
    headers: IncomingHttpHeaders
    body: string
    at: number
  }[]
  maxConcurrent: () => number
  replyOnce: (...replies: Reply[]) => void
  /** Clears the queue; undefined restores the normal replies. */
  replyAlways: (reply: Reply | undefined) => void
  close: () => Promise<void>
}
type FakeRequest = Fake['requests'][number]
export type Reply = (response: ServerResponse, request: FakeRequest) => void

export async function startFake(
  respond: (request: FakeRequest, fake: Fake) => Reply,
  { path = '', port = 0 } = {},
): Promise<Fake> {
  const queue: Reply[] = []
  let always: Reply | undefined
  let open = 0
  let maxConcurrent = 0
  const server = createServer((request, response) => void handle(request, response))

  async function handle(incoming: IncomingMessage, response: ServerResponse) {
    maxConcurrent = Math.max(maxConcurrent, ++open)
    response.on('close', () => open--)
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const request = {
      method: incoming.method ?? '',
      path: url.pathname.slice(path.length),
      query: url.searchParams,
      headers: incoming.headers,
      body,
      at: Date.now(),
    }
    fake.requests.push(request)
    const reply =
      queue.shift() ?? always ?? (url.pathname.startsWith(path) ? respond(request, fake) : html(404))
    reply(response, request)
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const fake: Fake = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests: [],
    maxConcurrent: () => maxConcurrent,
    replyOnce: (...replies) => void queue.push(...replies),
    replyAlways: (reply) => {
      always = reply
      queue.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
}

export const hang: Reply = () => {}

export const drop: Reply = (response) => void response.destroy()

export function delayed(ms: number, reply: Reply): Reply {
  return (response, request) => void setTimeout(() => reply(response, request), ms)
}

/** As proxies and Open Library’s front end send it. */
export function html(status: number): Reply {
  const page = `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center><hr>nginx</body></html>`
  return (response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(page)
}

export function tooManyRequests(retryAfter?: string): Reply {
  return json(
    { status: 429, message: 'Too Many Requests' },
    429,
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  )
}

export function redirect(to: string, status = 302): Reply {
  return (response) => void response.writeHead(status, { location: to }).end()
}

export const abortMidBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"results": [{"id": 60', () => response.destroy())
}

export const truncatedJson: Reply = (response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"results": [{"id": 60')

export const endlessBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const part = ' '.repeat(64 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', more)
  more()
}

type Fields = Record<string, unknown>

/**
 * Version 3: `titles` by path (`/movie/603`); a search of one type compares names and years, `/find` external ids. `episodes` are ids of
 * episodes, `services` the streaming services of countries.
 */
export async function startFakeTmdb({
  token,
  titles,
  searchResults,
  episodes = [],
  services = {},
}: {
  token: string
  titles: Record<string, Fields>
  searchResults: unknown[]
  episodes?: string[]
  services?: Record<string, unknown[]>
}): Promise<Fake> {
  const listed = (type: string, isListed: (title: Fields) => boolean = () => true) =>
    Object.entries(titles)
      .filter(([path, title]) => path.startsWith(`/${type}/`) && isListed(title))
      .map(([, { imdb_id: _imdb, runtime: _runtime, ...title }]) => withoutAppended(title))
  const refuse = (status: number, code: number, message: string) =>
    json({ status_code: code, status_message: message, success: false }, status)
  return startFake(
    ({ path, query, headers }) => {
      if (headers.authorization !== `Bearer ${token}`)
        return refuse(401, 7, 'Invalid API key: You must be granted a valid key.')
      if (path === '/search/multi') {
        if (!query.get('query')) return json({ errors: ['query must be provided'] }, 422)
        return json({ page: 1, results: searchResults, total_pages: 1, total_results: searchResults.length })
      }
      const type = /^\/search\/(movie|tv)$/.exec(path)?.[1]
      if (type) {
        const words = query.get('query')
        if (!words) return json({ errors: ['query must be provided'] }, 422)
        const results = listed(type).filter((title) => {
          const year = query.get(type === 'movie' ? 'primary_release_year' : 'first_air_date_year')
          const date = title.release_date ?? title.first_air_date ?? ''
          return (
            JSON.stringify([title.title, title.name, title.original_title])
              .toLowerCase()
              .includes(JSON.stringify(words).slice(1, -1).toLowerCase()) &&
            (year === null || String(date).startsWith(year))
          )
        })
        return json({ page: 1, results, total_pages: 1, total_results: results.length })
      }
      const external = /^\/find\/(.+)$/.exec(path)?.[1]
      if (external) {
        const key = query.get('external_source') ?? ''
        const has = (title: Fields) =>
          [title, title.external_ids as Fields | undefined].some((ids) => String(ids?.[key]) === external)
        const found = (of: string) => listed(of, has).map((title) => ({ ...title, media_type: of }))
        return json({
          movie_results: found('movie'),
          person_results: [],
          tv_results: found('tv'),
          tv_episode_results: episodes.includes(external)
            ? [{ id: 1, media_type: 'tv_episode', show_id: 2 }]
            : [],
          tv_season_results: [],
        })
      }
      if (/^\/watch\/providers\/(movie|tv)$/.test(path))
        return json({ results: services[query.get('watch_region') ?? ''] ?? [] })
      const [, of = '', id] = /^(\/\w+\/(\d+))\/watch\/providers$/.exec(path) ?? []
      const offers = titles[of]?.['watch/providers']
      if (offers) return json({ id: Number(id), results: offers })
      const title = titles[path]
      if (!title) return refuse(404, 34, 'The resource you requested could not be found.')
      const appended = query.get('append_to_response')?.split(',') ?? []
      if (appended.length > 20)
        return refuse(
          400,
          27,
          'Too many append to response objects: The maximum number of remote calls is 20.',
        )
      return json({ ...withoutAppended(title), ...pick(title, appended) })
    },
    { path: '/3' },
  )
}

/** A season of a show in the fake is under `season/1`, as it is in a response. */
const appendable = /^(credits|external_ids|translations|alternative_titles|watch\/providers|season\/\d+)$/

function withoutAppended(title: Fields): Fields {
  return Object.fromEntries(Object.entries(title).filter(([name]) => !appendable.test(name)))
}

/** Raw `records` by key (`/works/OL1W`), keys of editions by ISBN, and the `docs` of the search index. */
export async function startFakeOpenLibrary({
  records,
  isbns = {},
  docs = [],
}: {
  records: Record<string, Fields>
  isbns?: Record<string, string>
  docs?: Fields[]
}): Promise<Fake> {
  return startFake(({ path, query, headers }, fake) => {
    // The front end refuses clients without a contact address.
    if (!/\(\+https?:\/\/\S+; \S+@\S+\)/.test(headers['user-agent'] ?? '')) return html(403)
    const isbn = /^\/isbn\/(\w+)\.json$/.exec(path)?.[1]
    if (isbn) return isbns[isbn] ? redirect(`${fake.url}${isbns[isbn]}.json`) : html(404)
    if (path === '/search.json') return searchDocs(docs, query)
    const key = path.replace(/\.json$/, '')
    return records[key] ? json({ key, ...records[key] }) : json({ error: 'notfound', key }, 404)
  })
}

function searchDocs(docs: Fields[], query: URLSearchParams): Reply {
  const q = query.get('q') ?? ''
  const [title, author] = [query.get('title'), query.get('author')]
  if (!title && (q.length < 3 || q === 'the')) {
    const msg = 'Value error, Query too short, must be at least 3 characters'
    return json({ detail: [{ type: 'value_error', loc: ['query', 'q'], msg }] }, 422)
  }
  const key = /^key:(\S+)$/.exec(q)?.[1]
  const words = q.toLowerCase()
  const asked = /^isbn:\((\w+(?: OR \w+)*)\)$/.exec(q)?.[1]?.split(' OR ')
  const hasWords = (value: unknown, wanted: string | null) => {
    const own = String(value)
      .toLowerCase()
      .split(/[^\p{L}\p{N}']+/u)
    return !wanted || wanted.split(' ').every((word) => own.includes(word))
  }
  const found = docs.filter((doc) =>
    title
      ? hasWords(doc.title, title) && hasWords(doc.author_name, author)
      : asked
        ? (doc.isbn as string[] | undefined)?.some((isbn) => asked.includes(isbn))
        : key
          ? doc.key === key
          : String(doc.title).toLowerCase().includes(words) ||
            (doc.isbn as string[] | undefined)?.includes(words),
  )
  const fields = (query.get('fields') ?? 'key,title').split(',')
  const limited = found.slice(0, Number(query.get('limit') ?? 100)).map((doc) => {
    const { editions, ...own } = pick(doc, fields)
    const inner = fields.flatMap((field) =>
      field.startsWith('editions.') ? [field.slice('editions.'.length)] : [],
    )
    if (!editions) return own
    const { docs: editionDocs, ...counts } = editions as { docs: Fields[] }
    return { ...own, editions: { ...counts, docs: editionDocs.map((edition) => pick(edition, inner)) } }
  })
  return json({
    numFound: found.length,
    start: 0,
    numFoundExact: true,
    num_found: found.length,
    q,
    offset: null,
    docs: limited,
  })
}

function pick(from: Fields, fields: string[]): Fields {
  return Object.fromEntries(Object.entries(from).filter(([name]) => fields.includes(name)))
}

export type FakeIgdb = Fake & {
  authUrl: string
  expireTokens: () => void
}

/** Removed when IGDB moved its enums into tables. */
const removedFields = /\b(category|status|collection|follows|region|media)\b/

/** IGDB, version 4, and Twitch’s token endpoint: `games` with all references expanded. */
export async function startFakeIgdb({
  clientId,
  clientSecret,
  games,
  expiresIn = 5_000_000,
}: {
  clientId: string
  clientSecret: string
  games: Fields[]
  expiresIn?: number
}): Promise<FakeIgdb> {
  let tokens: string[] = []
  let count = 0
  const fake = await startFake(({ method, path, query, headers, body }) => {
    if (path === '/oauth2/token') {
      const form = new URLSearchParams(body)
      if (method !== 'POST' || query.size > 0)
        return json({ status: 400, message: 'send it in the body' }, 400)
      if (form.get('client_id') !== clientId) return json({ status: 400, message: 'invalid client' }, 400)
      if (form.get('client_secret') !== clientSecret)
        return json({ status: 403, message: 'invalid client secret' }, 403)
      tokens.push(`token-${++count}`)
      return json({ access_token: `token-${count}`, expires_in: expiresIn, token_type: 'bearer' })
    }
    if (method !== 'POST' || path !== '/v4/games') {
      return json(
        { title: 'Not Found', status: 404, type: 'https://javalin.io/documentation#notfoundresponse' },
        404,
      )
    }
    const isKnown = tokens.some((token) => headers.authorization === `Bearer ${token}`)
    if (!isKnown || headers['client-id'] !== clientId) {
      return json(
        {
          message: 'Authorization Failure. Have you tried:',
          'Tip 1': 'Ensure you are sending Authorization and Client-ID as headers.',
        },
        401,
      )
    }
    return queryGames(games, body)
  })
  return {
    ...fake,
    url: `${fake.url}/v4`,
    authUrl: `${fake.url}/oauth2/token`,
    expireTokens: () => {
      tokens = []
    },
  }
}

function queryGames(games: Fields[], apicalypse: string): Reply {
  const refuse = (title: string) => json([{ title, status: 400, cause: 'see the query' }], 400)
  const clauses = apicalypse.match(
    /\s*(?:search\s+"(?:[^"\\]|\\.)*"|(?:fields|where|limit)\s+(?:[^;"]|"(?:[^"\\]|\\.)*")+)\s*;/gy,
  )
  if (clauses?.join('') !== apicalypse) return refuse('Syntax Error')
  const clause = (word: string) =>
    clauses
      .map((each) => each.trim())
      .find((each) => each.startsWith(word))
      ?.slice(word.length, -1)
      .trim()
  const fields = (clause('fields') ?? '').split(',').map((field) => field.trim())
  if (fields.some((field) => removedFields.test(field) && !field.startsWith('game_localizations.')))
    return refuse('Invalid Field')
  const unquoted = (literal: string | undefined) =>
    literal?.slice(1, -1).replace(/\\(.)/g, '$1').toLowerCase()
  const words = unquoted(clause('search'))
  const where = clause('where') ?? ''
  const ids = /^id = \(?([\d,]+)\)?$/.exec(where)?.[1]?.split(',')
  const exact = unquoted(/^name ~ ("(?:[^"\\]|\\.)*") & /.exec(where)?.[1])
  const found = games.filter((game) => {
    const name = String(game.name).toLowerCase()
    return ids
      ? ids.includes(String(game.id))
      : exact !== undefined
        ? name === exact
        : name.includes(words ?? '')
  })
  const limited = found.slice(0, Number(clause('limit') ?? 10)).map((game) => expand(game, fields))
  return json(limited, 200, { 'x-count': String(found.length) })
}

/** References are expanded as far as requested, and are ids beyond that. */
function expand(value: unknown, fields: string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => expand(each, fields))
  if (typeof value !== 'object' || value === null) return value
  if (fields.length === 0) return (value as { id: number }).id
  const inner = Map.groupBy(fields, (field) => field.split('.', 1)[0]!)
  const chosen = Object.entries(value).flatMap(([name, each]) => {
    const paths = inner.get(name)
    if (!paths) return name === 'id' ? [[name, each]] : []
    return [
      [
        name,
        expand(
          each,
          paths.flatMap((path) => path.split('.').slice(1).join('.') || []),
        ),
      ],
    ]
  })
  return Object.fromEntries(chosen)
}

/** Shows by the ids that TVmaze looks up, such as `thetvdb 81189`. */
export function startFakeTvmaze(shows: Record<string, { id: number; episodes: (Fields | null)[] }>) {
  const missing = () => json({ name: 'Not Found', message: '', code: 0, status: 404 }, 404)
  return startFake(({ path, query, headers }, fake) => {
    if (!headers['user-agent']) return html(403)
    if (path === '/lookup/shows') {
      const [[key, id] = ['', '']] = [...query]
      const show = shows[`${key} ${id}`]
      return show ? redirect(`${fake.url}/shows/${show.id}`) : json(null, 404)
    }
    const [, kind, id, rest] = /^\/(shows|seasons)\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
    // The id of a season of these shows is 100 times the id of the show, with the number.
    const showId = kind === 'seasons' ? Math.floor(Number(id) / 100) : Number(id)
    const show = Object.values(shows).find((one) => one.id === showId)
    if (!show) return missing()
    if (kind === 'seasons')
      return json(show.episodes.filter((one) => one?.season === Number(id) - 100 * showId))
    if (rest === undefined) return json({ id: showId, name: 'A show', externals: {} })
    if (rest === 'seasons') {
      const numbers = [...new Set(show.episodes.flatMap((one) => (one ? Number(one.season) : [])))]
      return json(numbers.map((number) => ({ id: 100 * showId + number, number, name: '' })))
    }
    const regular = show.episodes.filter((one) => one?.number !== null)
    return json(query.get('specials') === '1' ? show.episodes : regular)
  })
}

export function documentedSources({ all }: Sources) {
  const servedBy = (kind: Kind) => all.find((source) => source.kinds.includes(kind)) ?? all[0]!
  const searchOf =
    <Result>(own: readonly Kind[], toResult: (hit: Hit) => Result | null) =>
    async (q: string) => {
      const { results, source } = await servedBy(own[0]!).search(q, own)
      return { results: results.flatMap((hit) => toResult(hit) ?? []), source }
    }
  const find = (kind: Kind, source: IdSource, id: string | number) =>
    servedBy(kind).find(kind, { source, external_id: String(id) })
  return {
    screens: {
      name: servedBy('movie').name,
      search: searchOf(['movie', 'tvShow'], toScreenHit),
      find: ({ tmdbId, mediaType }: { tmdbId: number; mediaType: MediaType }) =>
        find(kindOfMediaType(mediaType), `tmdb-${mediaType}`, tmdbId),
    },
    books: {
      name: servedBy('book').name,
      search: searchOf(['book'], toBookHit),
      find: ({ isbn13, olid = '' }: { isbn13?: string; olid?: string }) =>
        isbn13
          ? find('book', 'isbn13', isbn13)
          : find('book', olid.endsWith('M') ? 'olid-edition' : 'olid-work', olid),
    },
    games: {
      name: servedBy('game').name,
      search: searchOf(['game'], toGameHit),
      find: ({ igdbId }: { igdbId: number }) => find('game', 'igdb', igdbId),
    },
  }
}
