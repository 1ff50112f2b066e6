import { expect, test } from 'vitest'
import { bookHit, gameHit, localHit, screenHit } from './hits.ts'

const book = {
  isbn13: '9780441013593',
  olid: 'OL893415W',
  key: '/works/OL893415W',
  title: 'Dune',
  authors: ['Frank Herbert'],
  publishYear: null,
  firstPublishYear: 1965,
  coverUrl: null,
  description: null,
  subtitle: 'A novel',
}

test('a book is added by its ISBN, or by its Open Library id if it has none', () => {
  expect(bookHit(book, 0).ids[0]).toEqual({ source: 'isbn13', id: '9780441013593' })
  expect(bookHit({ ...book, isbn13: null }, 0).ids).toEqual([{ source: 'olid', id: 'OL893415W' }])
})

test('a book without either cannot be added', () => {
  expect(bookHit({ ...book, isbn13: null, olid: null }, 0).ids).toEqual([])
})

test('a book shows its year, its authors and a text, as far as they are known', () => {
  expect(bookHit(book, 0)).toMatchObject({ facts: ['1965', 'Frank Herbert'], text: 'A novel' })
})

test('a movie and a TV show with the same TMDB id have different keys', () => {
  const hit = { tmdbId: 7, name: 'A', overview: null, imageUrl: null, releaseDate: '1999-03-31' }
  const [movie, show] = [screenHit({ ...hit, mediaType: 'movie' }), screenHit({ ...hit, mediaType: 'tv' })]
  expect([movie.kind, show.kind]).toEqual(['movie', 'tvShow'])
  expect(movie.key).not.toBe(show.key)
  expect(movie.facts).toEqual(['1999'])
})

test('a game shows its year and up to three platforms', () => {
  const game = { igdbId: 1, name: 'A', summary: null, genres: [], coverUrl: null, rating: null }
  expect(gameHit({ ...game, releaseYear: 2017, platforms: ['PC', 'Switch', 'PS4', 'Xbox'] }).facts).toEqual([
    '2017',
    'PC, Switch, PS4',
  ])
})

test('a title of the catalogue is known by its id and shows its year', () => {
  const item = { id: 9, name: 'A', category: 'TV show' as const, description: null, imageUrl: null }
  expect(localHit({ ...item, releaseYear: 1999 })).toMatchObject({
    localId: 9,
    kind: 'tvShow',
    facts: ['1999'],
  })
})
