import { expect, test } from 'vitest'
import { kinds } from '#shared/domain/kinds.ts'
import { lengthPill } from './length-pill.ts'

test('movies and TV shows have a runtime, books have pages, games have no length', () => {
  expect(lengthPill(kinds.movie, 136)).toEqual({ label: 'Runtime', value: '136m' })
  expect(lengthPill(kinds.tvShow, 50)).toEqual({ label: 'Runtime', value: '50m' })
  expect(lengthPill(kinds.book, 310)).toEqual({ value: '310 pages' })
  expect(lengthPill(kinds.book, 1)).toEqual({ value: '1 page' })
  expect(lengthPill(kinds.game, 12)).toBeNull()
})

test('an unknown length has no pill', () => {
  expect(lengthPill(kinds.movie, null)).toBeNull()
  expect(lengthPill(kinds.movie, 0)).toBeNull()
})
