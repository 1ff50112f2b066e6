import { expect, test } from 'vitest'
import { interleave } from './interleave.ts'

const self = (entry: string) => entry

test('the merged list has entries of every list, best ranks first', () => {
  const lists = [['m1', 'm2', 'm3', 'm4', 'm5', 'm6'], ['t1', 't2'], ['g1', 'g2'], ['b1']]
  expect(interleave(lists, self, 6)).toEqual(['m1', 't1', 'g1', 'b1', 'm2', 't2'])
})

test('an entry in two lists appears once, at its best rank', () => {
  expect(
    interleave(
      [
        ['a', 'b'],
        ['b', 'a', 'c'],
      ],
      self,
      6,
    ),
  ).toEqual(['a', 'b', 'c'])
})

test('the other lists fill the places of short and empty lists', () => {
  expect(interleave([[], ['t1'], [], ['b1', 'b2', 'b3']], self, 6)).toEqual(['t1', 'b1', 'b2', 'b3'])
  expect(interleave([], self, 6)).toEqual([])
})
