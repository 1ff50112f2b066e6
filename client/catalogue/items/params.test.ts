import { expect, test } from 'vitest'
import { readItemsParams } from './params.ts'

test('page and category are read from the URL', () => {
  expect(readItemsParams({ page: 2, category: 'tvShow' })).toEqual({ page: 2, category: 'tvShow' })
})

test('invalid parameters are ignored', () => {
  expect(readItemsParams({ page: 'x', category: 'song' })).toEqual({ page: undefined, category: undefined })
  expect(readItemsParams({ page: -3 }).page).toBeUndefined()
})
