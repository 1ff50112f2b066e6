import { beforeEach, expect, test } from 'vitest'
import { blockedMs, isBlockedTooLong, leaveUnwatched } from '#scripts/testing/event-loop.ts'
import { hostileTexts } from '#scripts/testing/hostile-texts.ts'
import type { HostCall, Fetcher, JsonResponse } from './fetcher.ts'
import { igdb } from './igdb.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import type { WantedTitle } from './source.ts'
import { openLibrary } from './open-library.ts'
import { tmdb } from './tmdb.ts'
import { tvmaze } from './tvmaze.ts'

// These tests measure each call themselves.
beforeEach(leaveUnwatched)

/** A fetcher whose responses have the body that `bodyOf` returns. */
const fetcherOf =
  (bodyOf: (call: HostCall) => unknown): Fetcher =>
  () =>
  async <T>(call: HostCall, read: (response: JsonResponse) => T) =>
    read({ status: 200, body: bodyOf(call) })

/** Returns a list of about 2 MB, the size limit of a response, with at most 500 entries. */
const many = <T extends object>(value: T): T[] =>
  Array.from(
    { length: Math.max(1, Math.min(500, Math.floor(2e6 / JSON.stringify(value).length))) },
    () => value,
  )

const markup = [
  '<b>',
  '<p>',
  '<div>',
  '<table><tr><td>',
  '<ul><li>',
  '<svg>',
  '<a href="',
  '<a ',
  '<!--',
  '<![CDATA[',
  '<',
  '</',
  '&',
  '&#',
  '*a_',
  '_a__b',
  '>',
  '> ',
  '1. ',
  '>- ',
  '* a\n\n',
  '[',
  '![',
  '[a](',
  '![](',
  '`',
  '``a`',
  '~~a',
  '|a|\n|-|\n',
  '\n',
  '\\',
  '([source](',
  '\n----',
  '\u0301\u0323',
].map((unit) => ({ name: unit, text: unit.repeat(Math.ceil(60_000 / unit.length)) }))
const texts = [...markup, ...hostileTexts(60_000)]

/** A title with a hostile name, once with an id and once without. */
const wanted = (kind: Kind, text: string, source: string, id: string): WantedTitle[] =>
  [[{ source, id }], []].map((ids) => ({
    kind,
    name: text,
    otherNames: [text, text],
    year: 2001,
    authors: [text],
    ids,
  }))

const sources: Record<
  string,
  (text: string) => Partial<Record<'search' | 'find' | 'lookUp', () => Promise<unknown>>>
> = {
  tmdb(text) {
    const entry = { id: 1, media_type: 'movie', title: text, overview: text, release_date: text }
    const names = many({ name: text, job: 'Director' })
    // Built here, not in the measured call.
    const results = many(entry)
    const bodyOf = ({ path }: HostCall) =>
      path.startsWith('/search')
        ? { results }
        : path.startsWith('/find')
          ? { movie_results: results, tv_results: results }
          : {
              ...entry,
              tagline: text,
              original_title: `${text}.`,
              original_language: text,
              translations: {
                translations: many({
                  iso_639_1: 'de',
                  data: { title: text, overview: text, tagline: text },
                }),
              },
              alternative_titles: { titles: many({ title: text, type: text }) },
              poster_path: text,
              genres: names,
              created_by: names,
              credits: { crew: names },
            }
    const source = tmdb(fetcherOf(bodyOf), { tmdb: { apiUrl: 'https://tmdb.example', token: 'x' } })!
    return {
      search: () => source.search('q', ['movie']),
      find: () => source.find('movie', { source: 'tmdb-movie', external_id: '1' }),
      lookUp: () => source.lookup!.findCandidates(wanted('movie', text, 'imdb', 'tt0000001')),
    }
  },
  'Open Library'(text) {
    const list = many([text]).map(() => text)
    const doc = {
      key: '/works/OL1W',
      title: text,
      subtitle: text,
      author_name: list,
      isbn: ['9780140328721', ...list],
      subject: list,
      editions: { docs: [{ key: text, isbn: list, publish_date: [text] }] },
    }
    const record = {
      key: '/works/OL1W',
      title: text,
      description: text,
      subjects: list,
      publish_date: text,
      first_publish_date: text,
      isbn_13: list,
      authors: many({ key: text }),
      works: many({ key: text }),
      languages: many({ key: text }),
      other_titles: list,
      translation_of: text,
    }
    const docs = many(doc)
    const bodyOf = ({ path }: HostCall) => (path === '/search.json' ? { docs } : record)
    const source = openLibrary(fetcherOf(bodyOf), { openLibrary: { url: 'https://books.example' } })
    return {
      search: () => source.search('dune', ['book']),
      find: () => source.find('book', { source: 'olid-work', external_id: 'OL1W' }),
      lookUp: () => source.lookup!.findCandidates(wanted('book', text, 'isbn13', '9780140328721')),
    }
  },
  IGDB(text) {
    const names = many({ name: text, url: text })
    const game = {
      id: 1,
      name: text,
      summary: text,
      cover: { url: text, image_id: text },
      genres: names,
      platforms: names,
      artworks: names,
      alternative_names: many({ name: text, comment: text }),
      game_localizations: many({ name: text, region: { identifier: text } }),
      involved_companies: many({ developer: true, company: { name: text } }),
    }
    const games = many(game)
    const bodyOf = ({ path }: HostCall) => (path === '' ? { access_token: 'x', expires_in: 9_999 } : games)
    const source = igdb(fetcherOf(bodyOf), {
      igdb: {
        apiUrl: 'https://games.example',
        authUrl: 'https://token.example',
        clientId: 'x',
        clientSecret: 'y',
      },
    })!
    return {
      search: () => source.search('q', ['game']),
      find: () => source.find('game', { source: 'igdb', external_id: '1' }),
      lookUp: () => source.lookup!.findCandidates(wanted('game', text, 'igdb', '1')),
    }
  },
  TVmaze(text) {
    const dates = { airdate: text, airtime: text, airstamp: text }
    const episodes = many({ id: 1, season: 1, number: 1, name: text, runtime: text, ...dates })
    const bodyOf = ({ path }: HostCall) => (path === '/lookup/shows' ? { id: 1, name: text } : episodes)
    const source = tvmaze(fetcherOf(bodyOf), { tvmaze: { url: 'https://shows.example' } })!
    return { find: () => source.findEpisodes([{ source: 'tvdb', external_id: '1' }]) }
  },
}

test.each(Object.keys(sources))(
  'a hostile response of %s does not block the event loop, and throws nothing but BAD_GATEWAY',
  { timeout: 180_000 },
  async (name) => {
    const faults: string[] = []
    for (const { name: kind, text } of texts) {
      for (const call of Object.values(sources[name]!(text))) {
        const work = () =>
          call().catch((error: { code?: unknown }) => {
            if (error.code !== 'BAD_GATEWAY') faults.push(`${kind}: ${String(error)}`)
          })
        const ms = await blockedMs(work)
        if (await isBlockedTooLong(ms, work)) faults.push(`${call.name} ${kind}: ${ms} ms`)
      }
    }
    expect(faults).toEqual([])
  },
)
