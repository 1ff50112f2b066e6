import { expect, test } from 'vitest'
import { titleSize } from './poster-card.tsx'

test('the longest word of a title fits a poster without a picture, so that none is broken without a hyphen', () => {
  const cqiOf = (title: string) => Number(/([\d.]+)cqi/.exec(titleSize(title))![1])
  for (const length of [1, 4, 9, 10, 13, 18, 24]) {
    const word = 'w'.repeat(length)
    // A letter is two thirds as wide as it is high; the poster has 18 % of padding.
    expect(cqiOf(word) * length * (2 / 3), word).toBeLessThanOrEqual(84)
    expect(cqiOf(`A ${word}`)).toBe(cqiOf(word))
  }
  expect(cqiOf('Dune')).toBe(13)
  expect(cqiOf('Spider-Man')).toBe(13)
})
