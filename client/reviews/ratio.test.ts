import { expect, test } from 'vitest'
import { ratioText } from './ratio.ts'

test('the ratio is likes to dislikes, or a dash without reactions', () => {
  expect(ratioText(12, 3)).toBe('12:3')
  expect(ratioText(0, 1)).toBe('0:1')
  expect(ratioText(0, 0)).toBe('–')
})
