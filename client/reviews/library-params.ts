import { type RatingStep, ratingSteps } from '#shared/domain/ratings.ts'
import { readDecade, readGenre, readNumber } from '#client/app/params.ts'
import { queryMax } from '#shared/domain/limits.ts'
import { type Kind, kindNames } from '#shared/domain/kinds.ts'

export const librarySorts = ['newest', 'oldest', 'highest', 'lowest', 'title', 'release'] as const
export type LibrarySort = (typeof librarySorts)[number]

export type LibraryParams = {
  q?: string | undefined
  /** Seasons and episodes, instead of titles. */
  about?: 'parts' | undefined
  kind?: Kind | undefined
  text?: 'yes' | undefined
  rating?: RatingStep | undefined
  decade?: number | undefined
  genre?: string | undefined
  year?: number | undefined
  sort?: LibrarySort | undefined
}

export function readLibraryParams(search: Record<string, unknown>): LibraryParams {
  const sort = librarySorts.slice(1).find((name) => name === search['sort'])
  const q = search['q']
  return {
    q:
      typeof q === 'string' || typeof q === 'number'
        ? String(q).slice(0, queryMax).trim() || undefined
        : undefined,
    about: search['about'] === 'parts' ? 'parts' : undefined,
    kind: kindNames.find((kind) => kind === search['kind']),
    text: search['text'] === 'yes' ? 'yes' : undefined,
    rating: ratingSteps.find((stars) => String(stars) === String(search['rating'])),
    decade: readDecade(search['decade']),
    genre: readGenre(search['genre']),
    year: readNumber(search['year'], 1970, 9_998),
    sort,
  }
}
