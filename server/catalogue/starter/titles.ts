import { type IdSource, type Kind, kinds } from '#shared/media.ts'
import { books } from './books.ts'
import { games } from './games.ts'
import { movies } from './movies.ts'
import type { StarterTitle } from './title.ts'
import { tvShows } from './tv-shows.ts'

export const starterTitles: Record<Kind, StarterTitle[]> = {
  movie: movies,
  tvShow: tvShows,
  book: books,
  game: games,
}

/** A starter title's id among the external ids. */
export function starterId(kind: Kind, slug: string): string {
  return `${kinds[kind].path}/${slug}`
}

/** Every id of a title, the starter's own first. */
export function externalIdsOf(kind: Kind, title: StarterTitle): { source: IdSource; external_id: string }[] {
  const tmdb = kind === 'tvShow' ? 'tmdb-tv' : 'tmdb-movie'
  const ids: [IdSource, string | number | undefined][] = [
    ['starter', starterId(kind, title.slug)],
    [tmdb, title.tmdbId],
    ['igdb', title.igdbId],
    ['isbn13', title.isbn13],
    [title.olid?.endsWith('M') ? 'olid-edition' : 'olid-work', title.olid],
  ]
  return ids.flatMap(([source, id]) => (id === undefined ? [] : [{ source, external_id: String(id) }]))
}

/** Raised when the drawings change, so that a browser does not keep the old ones. */
const edition = 1
export const pictureWidths = { poster: 640, backdrop: 1280 } as const

/** The name of a title's poster or backdrop in the uploads folder. */
export function pictureName(kind: Kind, title: StarterTitle, shape: keyof typeof pictureWidths): string {
  return `${shape}-${edition}-${kinds[kind].path}-${title.slug}`
}

/** Where a title's poster or backdrop is served. */
export function pictureOf(kind: Kind, title: StarterTitle, shape: keyof typeof pictureWidths): string {
  return `/uploads/${pictureName(kind, title, shape)}-${pictureWidths[shape]}.webp`
}
