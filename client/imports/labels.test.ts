import { expect, test } from 'vitest'
import { nameOfLeft } from './labels.ts'

test('what is left in a file is not called like what is imported from it', () => {
  expect(nameOfLeft('favorites')).toBe('Favorites that the file does not name')
  expect(nameOfLeft('comments')).toBe('Comments')
  expect(nameOfLeft('column “My score”')).toBe('Column “\u2068My score\u2069”')
})
