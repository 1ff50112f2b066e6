import { expect, test } from 'vitest'
import { readSearchParams } from './params.ts'

test('a query that the router read as a number is the words that were typed', () => {
  expect(readSearchParams({ q: 1984 }).q).toBe('1984')
})

test('a blank query is none', () => {
  expect(readSearchParams({ q: '  ' }).q).toBeUndefined()
  expect(readSearchParams({ q: ['a'] }).q).toBeUndefined()
})

test('a tab that there is not is left out', () => {
  expect(readSearchParams({ q: 'dune', tab: 'books' })).toEqual({ q: 'dune', tab: 'books' })
  expect(readSearchParams({ q: 'dune', tab: 'songs' }).tab).toBeUndefined()
})
