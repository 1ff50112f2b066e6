import type { z } from 'zod'
import type { title } from '#shared/contracts/titles.ts'
import { type Kind, kinds, type MediaType, sources } from '#shared/domain/kinds.ts'
import { plainText } from './plain-text.ts'

type TitleOf<K extends Kind> = z.infer<(typeof title)[K]>

export type TitleView = {
  name: string
  /** Null if it is the shown name. */
  original: { name: string; language: string | undefined } | null
  image: string | null
  backdrop: string | null
  tagline: string | null
  overview: string | null
  creators: string[]
  release: string | null
  releaseYear: number | null
  genres: string[]
  platforms: string[]
  isbn: string | null
  lastAirYear: number | null
  seasonCount: number | null
  series: string | null
  /** In minutes or pages, by kind. */
  length: number | null
  /** Named as the source’s terms require; null for starter titles and titles that members created. */
  credit: { name: string; href: string } | null
  /** `by` is null if the account is gone. */
  imported: { by: { id: number; username: string } | null } | null
}

function creditOf(source: string | null, page?: string | false | null): TitleView['credit'] {
  const known = Object.entries(sources).find(([name]) => name === source)?.[1]
  return known ? { name: known.credit, href: page || known.href } : null
}

function importedOf({ source, addedBy }: Pick<TitleOf<Kind>, 'source' | 'addedBy'>): TitleView['imported'] {
  return source === 'import' ? { by: addedBy } : null
}

function originalOf(
  shown: string,
  { originalName: name, originalLanguage }: Pick<TitleOf<Kind>, 'originalName' | 'originalLanguage'>,
): TitleView['original'] {
  return name === null || name === shown ? null : { name, language: originalLanguage ?? undefined }
}

const views: { [K in Kind]: (title: TitleOf<K>) => TitleView } = {
  movie: (movie) => screenView(movie, movie.releaseDate, kinds.movie.mediaType),
  tvShow: (show) => ({
    ...screenView(show, show.firstAirDate ?? show.releaseDate, kinds.tvShow.mediaType),
    lastAirYear: show.lastAirYear,
    seasonCount: show.seasonCount,
  }),
  book: (book) => ({
    name: book.title,
    original: originalOf(book.title, book),
    image: book.coverUrl,
    backdrop: book.backdropUrl,
    tagline: book.tagline,
    overview: book.description === null ? null : plainText(book.description),
    creators: book.authors,
    release: book.publishDate ?? book.publishYear?.toString() ?? null,
    releaseYear: book.publishYear,
    genres: book.categories,
    platforms: [],
    isbn: book.isbn13,
    lastAirYear: null,
    seasonCount: null,
    series: book.series,
    length: book.pageCount,
    credit: creditOf(
      book.source,
      (book.olid && `https://openlibrary.org/${book.olid.endsWith('W') ? 'works' : 'books'}/${book.olid}`) ||
        (book.isbn13 && `https://openlibrary.org/isbn/${book.isbn13}`),
    ),
    imported: importedOf(book),
  }),
  game: (game) => ({
    name: game.name,
    original: originalOf(game.name, game),
    image: game.coverUrl,
    backdrop: game.backdropUrl,
    tagline: game.tagline,
    overview: game.summary,
    creators: game.developers,
    release: game.releaseDate,
    releaseYear: game.releaseYear,
    genres: game.genres,
    platforms: game.platforms,
    isbn: null,
    lastAirYear: null,
    seasonCount: null,
    series: null,
    length: null,
    credit: creditOf(game.source),
    imported: importedOf(game),
  }),
}

function screenView(screen: TitleOf<'movie'>, release: string | null, mediaType: MediaType): TitleView {
  return {
    name: screen.name,
    original: originalOf(screen.name, screen),
    image: screen.imageUrl,
    backdrop: screen.backdropUrl,
    tagline: screen.tagline,
    overview: screen.overview ?? screen.description,
    creators: screen.creators,
    release: release ?? screen.releaseYear?.toString() ?? null,
    releaseYear: screen.releaseYear,
    genres: screen.genres,
    platforms: [],
    isbn: null,
    lastAirYear: null,
    seasonCount: null,
    series: null,
    length: screen.runtime,
    credit: creditOf(
      screen.source,
      screen.tmdbId !== null && `https://www.themoviedb.org/${mediaType}/${screen.tmdbId}`,
    ),
    imported: importedOf(screen),
  }
}

export function viewOf<K extends Kind>(kind: K, title: TitleOf<K>): TitleView {
  return views[kind](title)
}
