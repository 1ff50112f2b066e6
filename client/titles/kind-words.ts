import type { Kind } from '#shared/domain/kinds.ts'
import { plural, t } from '#shared/domain/message.ts'

type Words = {
  favorites: {
    heading: string
    mine: string
    /** On the profile. */
    empty: string
    none: string
    find: string
    press: string
  }
  ratings: (count: number) => string
  finished: (count: number) => string
}

/** What only pages of members say. The words of all pages are in shared/domain/kinds.ts. */
export const kindWords: Record<Kind, Words> = {
  movie: {
    favorites: {
      heading: t`Favorite Movies`,
      mine: t`My favourite movies`,
      empty: t`No favorite movies yet.`,
      none: t`No movies added yet.`,
      find: t`Find a movie`,
      press: t`Press ♡ Favorite on a movie’s page to add it here.`,
    },
    ratings: (n) => plural(n, { one: '# rating of movies', other: '# ratings of movies' }),
    finished: (n) => plural(n, { one: '# Movie', other: '# Movies' }),
  },
  tvShow: {
    favorites: {
      heading: t`Favorite TV Shows`,
      mine: t`My favourite TV shows`,
      empty: t`No favorite TV shows yet.`,
      none: t`No TV shows added yet.`,
      find: t`Find a TV show`,
      press: t`Press ♡ Favorite on a TV show’s page to add it here.`,
    },
    ratings: (n) => plural(n, { one: '# rating of TV shows', other: '# ratings of TV shows' }),
    finished: (n) => plural(n, { one: '# TV show', other: '# TV shows' }),
  },
  book: {
    favorites: {
      heading: t`Favorite Books`,
      mine: t`My favourite books`,
      empty: t`No favorite books yet.`,
      none: t`No books added yet.`,
      find: t`Find a book`,
      press: t`Press ♡ Favorite on a book’s page to add it here.`,
    },
    ratings: (n) => plural(n, { one: '# rating of books', other: '# ratings of books' }),
    finished: (n) => plural(n, { one: '# Book', other: '# Books' }),
  },
  game: {
    favorites: {
      heading: t`Favorite Games`,
      mine: t`My favourite games`,
      empty: t`No favorite games yet.`,
      none: t`No games added yet.`,
      find: t`Find a game`,
      press: t`Press ♡ Favorite on a game’s page to add it here.`,
    },
    ratings: (n) => plural(n, { one: '# rating of games', other: '# ratings of games' }),
    finished: (n) => plural(n, { one: '# Game', other: '# Games' }),
  },
}
