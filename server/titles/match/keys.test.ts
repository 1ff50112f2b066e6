import { expect, test } from 'vitest'
import { authorKey, matchKey } from './keys.ts'

test.each([
  ['The Matrix', 'movie', 'matrix'],
  ['MATRIX [Remastered] (1999)', 'movie', 'matrix'],
  ['Dune (Dune, #1)', 'book', 'dune'],
  ['Frankenstein: The 1818 Text', 'book', 'frankenstein'],
  ['Alien: Romulus', 'movie', 'alien romulus'],
  ['Pride & Prejudice', 'book', 'pride and prejudice'],
  ['Amélie', 'movie', 'amelie'],
  ['A', 'movie', 'a'],
  ['The The', 'movie', 'the'],
  ['[REC]', 'movie', 'rec'],
  ['(500) Days of Summer', 'movie', '500 days of summer'],
  ['!!!', 'movie', ''],
] as const)('the name key of %s (%s) is “%s”', (name, kind, key) => {
  expect(matchKey(name, kind)).toBe(key)
})

test('the subtitle of a book can be kept', () => {
  expect(matchKey('Frankenstein: The 1818 Text', 'book', { keepsSubtitle: true })).toBe(
    'frankenstein the 1818 text',
  )
})

test.each([
  ['J.R.R. Tolkien', 'tolkien'],
  ['Tolkien, J.R.R.', 'tolkien'],
  [' Austen, Jane', 'austen'],
  ['Kurt Vonnegut Jr.', 'vonnegut'],
  ['Kurt Vonnegut, Jr.', 'vonnegut'],
  ['Ursula K. Le Guin', 'guin'],
  ['Émile Zola', 'zola'],
  ['', ''],
  [',', ''],
])('the author key of “%s” is “%s”', (author, key) => {
  expect(authorKey(author)).toBe(key)
})

test('hostile names have bounded keys, at once', () => {
  for (const name of [
    '('.repeat(100_000),
    '(#'.repeat(50_000),
    '['.repeat(100_000),
    `(${'#'.repeat(100_000)}`,
    '\u0301'.repeat(100_000),
  ])
    expect(matchKey(name, 'book').length).toBeLessThanOrEqual(800)
})
