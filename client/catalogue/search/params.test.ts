import { expect, test } from 'vitest'
import { readSearchParams } from './params.ts'

test('a numeric query stays a string', () => {
  expect(readSearchParams({ q: 1984 }).q).toBe('1984')
})

test('a blank query is undefined', () => {
  expect(readSearchParams({ q: '  ' }).q).toBeUndefined()
  expect(readSearchParams({ q: ['a'] }).q).toBeUndefined()
})

test('an unknown tab is ignored', () => {
  expect(readSearchParams({ q: 'dune', tab: 'books' })).toEqual({ q: 'dune', tab: 'books' })
  expect(readSearchParams({ q: 'dune', tab: 'songs' }).tab).toBeUndefined()
})
