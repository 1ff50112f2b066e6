import { type IdSource, type Kind, kindNames, kinds } from '#shared/media.ts'
import { readData, type StarterTitle } from './schema.ts'

export const starterTitles = Object.fromEntries(
  kindNames.map((kind) => [kind, readData('titles', `${kinds[kind].path}.json`).titles]),
) as Record<Kind, StarterTitle[]>

/** Returns a starter title's external id: `movies/the-matrix`. */
export function starterId(kind: Kind, slug: string): string {
  return `${kinds[kind].path}/${slug}`
}

/** Returns every external id of a title, the starter's own first. */
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

/** Part of every name. Raise it when the pictures change: browsers keep what a name once showed. */
const edition = 1
/** Width of the largest file of each shape. */
export const pictureWidths = { poster: 640, backdrop: 1280, portrait: 320 } as const

/** Returns the name of a title's poster or backdrop, without width and extension. */
export function pictureName(kind: Kind, title: StarterTitle, shape: 'poster' | 'backdrop'): string {
  return `${shape}-${edition}-${kinds[kind].path}-${title.slug}`
}

/** Returns the path that a title's poster or backdrop is served at. */
export function pictureOf(kind: Kind, title: StarterTitle, shape: 'poster' | 'backdrop'): string {
  return `/starter/${pictureName(kind, title, shape)}-${pictureWidths[shape]}.webp`
}

/** Returns the name of the portrait of the member at that place in members.json, counted from 1. */
export function portraitName(place: number): string {
  return `portrait-${edition}-${place}`
}

/** Returns the path that the portrait is served at. */
export function portraitOf(place: number): string {
  return `/starter/${portraitName(place)}-${pictureWidths.portrait}.webp`
}
