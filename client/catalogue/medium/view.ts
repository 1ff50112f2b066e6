import type { z } from 'zod'
import type { title } from '#shared/catalogue.ts'
import type { Kind } from '#shared/media.ts'
import { plainText } from './plain-text.ts'

type RecordOf<K extends Kind> = z.infer<(typeof title)[K]>

/** What a detail page tells of a title, in the same words for every kind. */
export type MediumView = {
  name: string
  image: string | null
  backdrop: string | null
  tagline: string | null
  overview: string | null
  creators: string[]
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  release: string | null
  releaseYear: number | null
  genres: string[]
  platforms: string[]
  /** In the unit that `length` of the kind's facts names. */
  length: number | null
  /** The outside source that the record came from, as it asks to be named; null for our own and members' titles. */
  credit: { name: string; href: string } | null
}

/** `page` is the title's own at the source, where its address is known. */
function creditOf(source: string | null, page?: string | false | null): MediumView['credit'] {
  const credit = sources[source ?? '']
  return credit ? { name: credit.name, href: page || credit.href } : null
}

const sources: Record<string, { name: string; href: string }> = {
  tmdb: { name: 'TMDB', href: 'https://www.themoviedb.org/' },
  openlibrary: { name: 'Open Library', href: 'https://openlibrary.org/' },
  igdb: { name: 'IGDB.com', href: 'https://www.igdb.com/' },
}

const views: { [K in Kind]: (record: RecordOf<K>) => MediumView } = {
  movie: (movie) => screenView(movie, movie.releaseDate, 'movie'),
  tvShow: (show) => screenView(show, show.firstAirDate ?? show.releaseDate, 'tv'),
  book: (book) => ({
    name: book.title,
    image: book.coverUrl,
    backdrop: book.backdropUrl,
    tagline: book.tagline,
    overview: book.description === null ? null : plainText(book.description),
    creators: book.authors,
    release: book.publishDate ?? book.publishYear?.toString() ?? null,
    releaseYear: book.publishYear,
    genres: book.categories,
    platforms: [],
    length: book.pageCount,
    credit: creditOf(
      book.source,
      (book.olid && `https://openlibrary.org/${book.olid.endsWith('W') ? 'works' : 'books'}/${book.olid}`) ||
        (book.isbn13 && `https://openlibrary.org/isbn/${book.isbn13}`),
    ),
  }),
  game: (game) => ({
    name: game.name,
    image: game.coverUrl,
    backdrop: game.backdropUrl,
    tagline: game.tagline,
    overview: game.summary,
    creators: game.developers,
    release: game.releaseDate,
    releaseYear: game.releaseYear,
    genres: game.genres,
    platforms: game.platforms,
    length: null,
    credit: creditOf(game.source),
  }),
}

function screenView(screen: RecordOf<'movie'>, release: string | null, tmdbPath: string): MediumView {
  return {
    name: screen.name,
    image: screen.imageUrl,
    backdrop: screen.backdropUrl,
    tagline: screen.tagline,
    overview: screen.overview ?? screen.description,
    creators: screen.creators,
    release: release ?? screen.releaseYear?.toString() ?? null,
    releaseYear: screen.releaseYear,
    genres: screen.genres,
    platforms: [],
    length: screen.runtime,
    credit: creditOf(
      screen.source,
      screen.tmdbId !== null && `https://www.themoviedb.org/${tmdbPath}/${screen.tmdbId}`,
    ),
  }
}

/** `record` is that of the kind; which one it is, only the running program knows. */
export function viewOf(kind: Kind, record: { id: number }): MediumView {
  return (views[kind] as (record: { id: number }) => MediumView)(record)
}
