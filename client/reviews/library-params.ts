import { readDecade, readGenre, readNumber } from '#client/params.ts'
import { type Kind, kindNames } from '#shared/media.ts'

/** The sorts of a library, by their name in the URL; the first is the default. */
export const librarySorts = ['newest', 'oldest', 'highest', 'lowest', 'title', 'release'] as const
type LibrarySort = (typeof librarySorts)[number]

/** The search params of a library. Defaults are left out. */
export type LibraryParams = {
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
  return {
    kind: kindNames.find((kind) => kind === search['kind']),
    text: search['text'] === 'yes' ? 'yes' : undefined,
    rating: readNumber(search['rating'], 1, 5),
    decade: readDecade(search['decade']),
    genre: readGenre(search['genre']),
    year: readNumber(search['year'], 1970, 9_998),
    sort,
  }
}
