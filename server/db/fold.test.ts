import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockedMs, isBlockedTooLong } from '#scripts/testing/event-loop.ts'
import { searchTitles } from '#server/catalogue/store.ts'
import { titleRowOf } from '#server/catalogue/sources/title-row.ts'
import type { FoundTitle } from '#server/catalogue/sources/source.ts'
import { insertTitle } from '#server/catalogue/store.ts'
import { aServer } from '#server/testing.ts'
import { fold, foldWords, searchText, sortKey, termsOf } from './fold.ts'

const { db } = await aServer()

const title = (name: string, creators: string[] = []): FoundTitle => ({
  source: 'tmdb',
  kind: 'movie',
  name,
  overview: null,
  tagline: null,
  image: null,
  backdrop: null,
  releaseDate: null,
  runtime: null,
  pageCount: null,
  genres: [],
  creators,
  platforms: [],
  rating: null,
  popularity: 0,
  ids: [],
})
/** Returns random letters, which a database cannot compress. */
const letters = (from: number, to: number, length: number, seed: number) =>
  fc.sample(
    fc.string({
      unit: fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code)),
      minLength: length,
      maxLength: length,
    }),
    { seed, numRuns: 1 },
  )[0]!

test('folding takes linear time for any combining marks, and strips all of them', async () => {
  const marks = `a${'\u0301'.repeat(200_000)}${'\u0323'.repeat(200_000)}`
  const work = async () => {
    expect(fold(marks)).toBe('a')
    expect(searchText(marks, marks)).toBe('a a')
    expect(sortKey(marks)).toBe('a')
    expect(foldWords(marks)).toEqual(['a'])
  }
  expect(await isBlockedTooLong(await blockedMs(work), work)).toBe(false)
})

test('a title whose name expands to a very long folded name can be stored and found', async () => {
  const korean = letters(0xac00, 0xd7a3, 200, 1)
  const creators = Array.from({ length: 10 }, (_, index) => letters(0xac00, 0xd7a3, 100, index + 2))
  const id = await insertTitle(db, titleRowOf(title(korean, creators), 'tmdb', new Date()))
  expect(await searchTitles(db, { q: korean, limit: 5 })).toEqual([id])

  // Each character expands to a word of four letters or more; together they are one word of 3 KB.
  const squares = '㌀㌃㌄㌋㌌㌕㌖㌗㌫㌮㌶㍀㍃㍈㍗'
  const name = Array.from(
    { length: 200 },
    (_, index) => squares[(index * 7 + (index >> 3)) % squares.length],
  ).join('')
  const other = await insertTitle(db, titleRowOf(title(name), 'tmdb', new Date()))
  expect(await searchTitles(db, { q: name, limit: 5 })).toEqual([other])
  expect(await searchTitles(db, { q: name.slice(0, 9), limit: 5 })).toEqual([other])
})

test('sort keys and search texts are never cut inside a surrogate pair', () => {
  expect(sortKey(`a${'𝄞'.repeat(200)}`)).toBe(`a${'𝄞'.repeat(99)}`)
  expect(searchText('𠮷'.repeat(200))).toBe('𠮷'.repeat(100))
})

test('the terms of a search match the same names as all its words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
  const words = fc.array(word, { minLength: 1, maxLength: 8 })
  const matches = (query: readonly string[], name: readonly string[]) =>
    query.every((each) => name.some((other) => other.startsWith(each)))
  fc.assert(
    fc.property(words, words, (query, name) => {
      expect(matches(termsOf(query), name)).toBe(matches(query, name))
    }),
    { seed: 1, numRuns: 500 },
  )
})

test('at most four words of one letter narrow a search', () => {
  expect(termsOf(foldWords('s h i e l d of agents'))).toEqual(['s', 'h', 'i', 'e', 'of', 'agents'])
  expect(termsOf(foldWords('a a a a a a a a'))).toEqual(['a'])
})
