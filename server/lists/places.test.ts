import { expect, test } from 'vitest'
import { seeded } from '#scripts/testing/random.ts'
import { placeBetween, placesBetween, spreadPlaces } from './places.ts'

const isSorted = (places: string[]) => places.every((place, at) => at === 0 || places[at - 1]! < place)

test('a place is between its neighbours, wherever titles are added, and has no trailing zero', () => {
  const random = seeded(3)
  const places: string[] = []
  for (let turn = 0; turn < 5_000; turn++) {
    const at = Math.floor(random() * (places.length + 1))
    places.splice(at, 0, placeBetween(places[at - 1] ?? null, places[at] ?? null))
  }
  expect(isSorted(places)).toBe(true)
  expect(places.filter((place) => place.endsWith('0'))).toEqual([])
  expect(Math.max(...places.map(({ length }) => length))).toBeLessThan(14)
})

test('places stay between two neighbours, however often one of them is replaced', () => {
  for (const isLeft of [true, false]) {
    let [low, high] = ['V', 'W']
    for (let turn = 0; turn < 300; turn++) {
      const place = placeBetween(low, high)
      expect(low < place && place < high).toBe(true)
      if (isLeft) high = place
      else low = place
    }
  }
})

test('titles that are added at an end have short places', () => {
  for (const [before, after] of [
    ['V', null],
    [null, 'V'],
    [null, null],
  ] as const) {
    const places = placesBetween(before, after, 5_000)
    expect(isSorted(places)).toBe(true)
    expect(Math.max(...places.map(({ length }) => length))).toBeLessThanOrEqual(4)
  }
  expect(isSorted(placesBetween('V', 'V1', 100))).toBe(true)
  expect(isSorted(placesBetween('zzzz', null, 100))).toBe(true)
  expect(isSorted(placesBetween(null, '0001', 100))).toBe(true)
})

test('spread places are sorted, and have room between them', () => {
  const places = spreadPlaces(5_000)
  expect(isSorted(places)).toBe(true)
  expect(placeBetween(places[0]!, places[1]!).length).toBeLessThanOrEqual(4)
})
