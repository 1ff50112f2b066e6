import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptFor, textParts, withoutSpoilers } from './spoilers.ts'

const shown = (text: string) => withoutSpoilers({ text, hasSpoilers: false })
const hidden = (text: string) =>
  textParts(text)
    .filter(({ isSpoiler }) => isSpoiler)
    .map((part) => part.text)

test('what stands between two || is a spoiler; pairs are matched from the left and do not nest', () => {
  expect(textParts('Good. ||She was dead.|| Twice seen.')).toEqual([
    { text: 'Good. ', isSpoiler: false },
    { text: 'She was dead.', isSpoiler: true },
    { text: ' Twice seen.', isSpoiler: false },
  ])
  expect(hidden('||a ||b|| c||')).toEqual(['a ', ' c'])
  expect(hidden('||over\ntwo lines||')).toEqual(['over\ntwo lines'])
  expect(hidden('|||a|||')).toEqual(['|a'])
  expect(hidden('||a||||b||')).toEqual(['a', 'b'])
})

test('a || that is not closed is plain text, and so is a pair around nothing', () => {
  for (const text of ['', 'a', '|', '||', 'a || b', '||a', 'a||', '||||', '|| ||', '|||'])
    expect(textParts(text)).toEqual(text === '' ? [] : [{ text, isSpoiler: false }])
  expect(hidden('|| || ||a||')).toEqual(['a'])
})

test('an excerpt has … for each spoiler, and nothing of a text that is marked as a whole', () => {
  expect(shown('The ||butler|| did it with ||a spoon||.')).toBe('The … did it with ….')
  expect(withoutSpoilers({ text: 'The butler did it.', hasSpoilers: true })).toBe('')
})

const texts = fc
  .array(fc.constantFrom('|', '||', 'a', ' ', '\n', 'b c', '𝕬'), { maxLength: 40 })
  .map((parts) => parts.join(''))

test('no text is lost, and no part of a spoiler is in the excerpt', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const parts = textParts(text)
      // The parts, with `||` around spoilers, add up to the text.
      expect(parts.map((part) => (part.isSpoiler ? `||${part.text}||` : part.text)).join('')).toBe(text)
      // The plain parts alone contain no spoiler.
      for (const part of parts) {
        expect(part.text).not.toBe('')
        if (part.isSpoiler) expect(part.text).not.toContain('||')
        else expect(hidden(part.text)).toEqual([])
      }
      expect(shown(text)).toBe(parts.map((part) => (part.isSpoiler ? '…' : part.text)).join(''))
    }),
    { seed: 13, numRuns: 2_000 },
  )
})

test('the time is linear in the length', () => {
  for (const unit of ['||', '|', '|| ', '||a', 'a||b']) {
    const text = unit.repeat(1_000_000)
    // In quadratic time this would take hours.
    expect(textParts(text).reduce((sum, part) => sum + part.text.length, 0)).toBeLessThanOrEqual(text.length)
  }
})

test('an excerpt hides nothing from its author', () => {
  const texts = [
    { text: 'She ||was|| dead.', hasSpoilers: false },
    { text: 'She ||was|| dead.', hasSpoilers: true },
  ]
  expect(texts.map((text) => excerptFor(text, true))).toEqual(['She was dead.', 'She was dead.'])
  expect(texts.map((text) => excerptFor(text, false))).toEqual(['She … dead.', ''])
})
