import { expect, test } from 'vitest'
import { formatsFor } from '#client/ui/formats.ts'
import { popularMeta } from './popular-meta.ts'

const formats = formatsFor(['en'])

test('the line has the number of recent reviews and their average with one decimal', () => {
  expect(popularMeta({ reviewCount: 3, reviewAverage: 4.25 }, formats)).toEqual([
    '3 recent reviews',
    '4.3 ★ average',
  ])
  expect(popularMeta({ reviewCount: 1, reviewAverage: 4 }, formats)).toEqual([
    '1 recent review',
    '4.0 ★ average',
  ])
})

test('a missing average is omitted; without reviews the line is “Tap to see details”', () => {
  expect(popularMeta({ reviewCount: 2, reviewAverage: null }, formats)).toEqual(['2 recent reviews'])
  expect(popularMeta({ reviewCount: 0, reviewAverage: null }, formats)).toEqual(['Tap to see details'])
})
