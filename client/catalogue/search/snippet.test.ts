import { expect, test } from 'vitest'
import { snippet } from './snippet.ts'

test('a text of 160 characters stays whole', () => {
  expect(snippet('a'.repeat(160))).toBe('a'.repeat(160))
})

test('a longer text is cut at 160 characters and says so', () => {
  expect(snippet('a'.repeat(161))).toBe(`${'a'.repeat(160)}…`)
})

test('no space is left before the dots', () => {
  expect(snippet('one two', 4)).toBe('one…')
})

test('a letter of two code units is never cut in half', () => {
  expect(snippet('🦉🦉🦉', 2)).toBe('🦉🦉…')
})

test('tags are not shown and do not count', () => {
  expect(snippet('<p>A <b>bold</b>\n tale</p>')).toBe('A bold tale')
})

test('no text gives no snippet', () => {
  expect(snippet(null)).toBe('')
})

test('no word is cut in two, and no full stop stands before the dots', () => {
  expect(snippet('one two three', 9)).toBe('one two…')
  expect(snippet('one two three', 7)).toBe('one two…')
  expect(snippet('One. Two', 5)).toBe('One…')
})
