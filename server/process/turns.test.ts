import { expect, test } from 'vitest'
import { openTurns } from './turns.ts'

type Work = { owners: string[]; name: string }

/** Runs all work, at most `atOnce` at a time, the first to start ends first. Returns the names in the order in which they started. */
function orderOf(waiting: Work[], atOnce = 1, joining: (started: number) => Work[] = () => []): string[] {
  const turns = openTurns()
  const ends: (() => void)[] = []
  const names: string[] = []
  for (;;) {
    waiting.push(...joining(names.length))
    if (ends.length === atOnce) ends.shift()!()
    const next = turns.next(waiting)
    if (!next) return names
    waiting.splice(waiting.indexOf(next), 1)
    ends.push(turns.begin(next))
    names.push(next.name)
  }
}
const work = (count: number, ...owners: string[]): Work[] =>
  Array.from({ length: count }, (_, at) => ({ owners, name: `${owners.at(-1)}${at + 1}` }))

test('owners have their turns, however much the others have waiting, and the work of each keeps its order', () => {
  const names = orderOf([...work(1_000, 'a'), ...work(2, 'b'), ...work(2, 'c')])
  expect(names.slice(0, 8)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'a4'])
})

test('an owner with work that runs comes after those with none', () => {
  expect(orderOf([...work(4, 'a'), ...work(2, 'b')], 3)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
})

test('within an owner, narrower owners have their turns', () => {
  const names = orderOf([...work(9, 'net', 'a'), ...work(2, 'net', 'b'), ...work(3, 'other')])
  expect(names.slice(0, 7)).toEqual(['a1', 'other1', 'b1', 'other2', 'a2', 'other3', 'b2'])
})

test('a stream of new owners keeps nobody waiting for more than a round', () => {
  const names = orderOf([...work(1, 'first'), ...work(5, 'old')], 1, (started) =>
    started < 20 ? [...work(1, `new${started}-`), ...work(1, `newer${started}-`)] : [],
  )
  expect(names.indexOf('old1')).toBe(1)
  expect(names.indexOf('old2')).toBeLessThan(8)
})

test('the excess is the last of the owner with the most work waiting', () => {
  const { excess } = openTurns()
  const waiting = [...work(2, 'a'), ...work(3, 'net', 'b'), ...work(4, 'net', 'c'), ...work(1, 'd')]
  expect(excess(waiting)?.name).toBe('c4')
  expect(excess([])).toBeUndefined()
})
