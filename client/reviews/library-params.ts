import { readDecade, readGenre, readNumber } from '#client/app/params.ts'
import { queryMax } from '#shared/domain/limits.ts'
import { type Kind, kindNames } from '#shared/domain/media.ts'

/** The sorts of a library, by their name in the URL; the first is the default. */
export const librarySorts = ['newest', 'oldest', 'highest', 'lowest', 'title', 'release'] as const
export type LibrarySort = (typeof librarySorts)[number]

/** The search params of a library. Defaults are left out. */
export type LibraryParams = {
  /** Words of the title. */
  q?: string | undefined
  kind?: Kind | undefined
  text?: 'yes' | undefined
  rating?: number | undefined
  decade?: number | undefined
  genre?: string | undefined
  year?: number | undefined
  sort?: LibrarySort | undefined
}

/** Reads the search params; leaves invalid ones out. */
export function readLibraryParams(search: Record<string, unknown>): LibraryParams {
  const sort = librarySorts.slice(1).find((name) => name === search['sort'])
  const q = search['q']
  return {
    // A number in the URL is parsed as one.
    q:
      typeof q === 'string' || typeof q === 'number'
        ? String(q).slice(0, queryMax).trim() || undefined
        : undefined,
    kind: kindNames.find((kind) => kind === search['kind']),
    text: search['text'] === 'yes' ? 'yes' : undefined,
    rating: readNumber(search['rating'], 1, 5),
    decade: readDecade(search['decade']),
    genre: readGenre(search['genre']),
    year: readNumber(search['year'], 1970, 9_998),
    sort,
  }
}
