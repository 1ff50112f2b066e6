import { expect, test } from 'vitest'
import { readItemsParams } from './params.ts'

test('page and category are read from the URL', () => {
  expect(readItemsParams({ page: 2, category: 'tvShow' })).toEqual({ page: 2, category: 'tvShow' })
})

test('sorts and filters are read from the URL, without the default sort', () => {
  expect(
    readItemsParams({ sort: 'rating', genre: 'Drama', decade: '1990', unrated: 'yes', network: 'no' }),
  ).toEqual({ sort: 'rating', genre: 'Drama', decade: 1990, unrated: 'yes' })
  expect(readItemsParams({ sort: 'popularity', genre: ' ', decade: '1995', view: 'list' })).toEqual({})
})

test('invalid parameters are ignored', () => {
  expect(readItemsParams({ page: 'x', category: 'song' })).toEqual({ page: undefined, category: undefined })
  expect(readItemsParams({ page: -3 }).page).toBeUndefined()
})
