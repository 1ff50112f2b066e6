import { expect, test } from 'vitest'
import { readItemsParams } from './params.ts'

test('a page and a category are read from the address', () => {
  expect(readItemsParams({ page: 2, category: 'tvShow' })).toEqual({ page: 2, category: 'tvShow' })
})

test('what cannot be is left out', () => {
  expect(readItemsParams({ page: 'x', category: 'song' })).toEqual({ page: undefined, category: undefined })
  expect(readItemsParams({ page: -3 }).page).toBeUndefined()
})
