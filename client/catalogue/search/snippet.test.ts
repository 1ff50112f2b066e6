import { expect, test } from 'vitest'
import { snippet } from './snippet.ts'

test('a text of 160 characters is not truncated', () => {
  expect(snippet('a'.repeat(160))).toBe('a'.repeat(160))
})

test('a longer text is truncated to 160 characters and an ellipsis', () => {
  expect(snippet('a'.repeat(161))).toBe(`${'a'.repeat(160)}…`)
})

test('there is no space before the ellipsis', () => {
  expect(snippet('one two', 4)).toBe('one…')
})

test('a surrogate pair is never split', () => {
  expect(snippet('🦉🦉🦉', 2)).toBe('🦉🦉…')
})

test('tags are stripped and do not count', () => {
  expect(snippet('<p>A <b>bold</b>\n tale</p>')).toBe('A bold tale')
})

test('a missing text has an empty snippet', () => {
  expect(snippet(null)).toBe('')
})

test('no word is split, and there is no full stop before the ellipsis', () => {
  expect(snippet('one two three', 9)).toBe('one two…')
  expect(snippet('one two three', 7)).toBe('one two…')
  expect(snippet('One. Two', 5)).toBe('One…')
})
