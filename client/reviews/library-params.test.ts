import { expect, test } from 'vitest'
import { readLibraryParams } from './library-params.ts'

test('filters and the sort of a library are read from the URL, without the default sort', () => {
  expect(
    readLibraryParams({
      kind: 'book',
      text: 'yes',
      rating: '4',
      decade: '1990',
      year: '2026',
      sort: 'title',
      q: ' ark ',
    }),
  ).toEqual({ kind: 'book', text: 'yes', rating: 4, decade: 1990, year: 2026, sort: 'title', q: 'ark' })
  expect(readLibraryParams({ sort: 'newest' })).toEqual({})
})

test('invalid parameters of a library are ignored', () => {
  expect(
    readLibraryParams({
      kind: 'song',
      text: 'no',
      rating: 6,
      decade: 1995,
      year: '12345',
      sort: 'x',
      genre: 3,
    }),
  ).toEqual({})
})
