import type { RouterOutputs } from '#client/trpc.ts'
import { type Kind, kindOfCategory, kindOfMediaType, kinds } from '#shared/media.ts'
import { snippet } from './snippet.ts'

/** The id of a title at an external source. */
export type ExternalId = { source: 'tmdb-movie' | 'tmdb-tv' | 'isbn13' | 'olid' | 'igdb'; id: string }

/** A search result of an external source or of the catalogue. */
export type Hit = {
  key: string
  kind: Kind
  title: string
  /** Year, authors, platforms, if known. */
  facts: readonly string[]
  text: string
  imageUrl: string | null
  /** The preferred one first. Without any the title cannot be added. */
  ids: readonly ExternalId[]
  /** The id of a title of the catalogue that no external source has. */
  localId?: number
}

type Found<Name extends 'searchTmdb' | 'searchBooks' | 'searchGames'> =
  RouterOutputs['sources'][Name]['results'][number]
type LocalTitle = RouterOutputs['items']['search']['results'][number]

export function screenHit(hit: Found<'searchTmdb'>): Hit {
  const kind = kindOfMediaType(hit.mediaType)
  const [source] = kinds[kind].idSources
  return {
    key: `${source} ${hit.tmdbId}`,
    kind,
    title: hit.name,
    facts: known(hit.releaseDate?.slice(0, 4)),
    text: snippet(hit.overview),
    imageUrl: hit.imageUrl,
    ids: [{ source, id: String(hit.tmdbId) }],
  }
}

export function bookHit(hit: Found<'searchBooks'>, index: number): Hit {
  const ids: ExternalId[] = []
  if (hit.isbn13 !== null) ids.push({ source: 'isbn13', id: hit.isbn13 })
  if (hit.olid !== null) ids.push({ source: 'olid', id: hit.olid })
  return {
    key: `book ${hit.key ?? ids[0]?.id ?? index}`,
    kind: 'book',
    title: hit.title,
    facts: known(hit.publishYear ?? hit.firstPublishYear, hit.authors.slice(0, 2).join(', ')),
    text: snippet(hit.description ?? hit.subtitle),
    imageUrl: hit.coverUrl,
    ids,
  }
}

export function gameHit(hit: Found<'searchGames'>): Hit {
  return {
    key: `igdb ${hit.igdbId}`,
    kind: 'game',
    title: hit.name,
    facts: known(hit.releaseYear, hit.platforms.slice(0, 3).join(', ')),
    text: snippet(hit.summary),
    imageUrl: hit.coverUrl,
    ids: [{ source: 'igdb', id: String(hit.igdbId) }],
  }
}

export function localHit({ id, name, category, releaseYear, description, imageUrl }: LocalTitle): Hit {
  return {
    key: `local ${id}`,
    kind: kindOfCategory(category)!,
    title: name,
    facts: known(releaseYear),
    text: snippet(description),
    imageUrl,
    ids: [],
    localId: id,
  }
}

function known(...facts: (string | number | null | undefined)[]): string[] {
  return facts.flatMap((fact) => (fact === null || fact === undefined || fact === '' ? [] : [String(fact)]))
}
