import { expect, test } from 'vitest'
import { kinds } from '#shared/domain/kinds.ts'
import { favoriteCard } from './favorite-card.ts'

test('flat and nested favorites have the same card', () => {
  const movie = { id: 1, name: 'Alien', imageUrl: '/a.webp', releaseDate: '1979-05-25', releaseYear: 1979 }
  expect(favoriteCard(kinds.movie, movie)).toEqual({
    id: 1,
    kind: 'movie',
    name: 'Alien',
    imageUrl: '/a.webp',
    releaseYear: 1979,
  })
  const book = { id: 2, book: { id: 2, title: 'Dune', authors: [], coverUrl: null, publishYear: 1965 } }
  expect(favoriteCard(kinds.book, book)).toEqual({
    id: 2,
    kind: 'book',
    name: 'Dune',
    imageUrl: null,
    releaseYear: 1965,
  })
})
