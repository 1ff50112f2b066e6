import { expect, test } from 'vitest'
import { moved } from './favorites-rules.ts'

test('a favorite is moved to a position, and nowhere else', () => {
  expect(moved([1, 2, 3], 3, 0)).toEqual([3, 1, 2])
  expect(moved([1, 2, 3], 1, 2)).toEqual([2, 3, 1])
  for (const [id, to] of [
    [1, 0],
    [1, -1],
    [1, 3],
    [4, 0],
  ] as const)
    expect(moved([1, 2, 3], id, to)).toBeNull()
})
