import { expect, test } from 'vitest'
import { releaseFormat } from './release.ts'

const american = releaseFormat('en-US')

test('a day is that day wherever the reader lives', () => {
  expect(american('1999-03-31')).toBe('March 31, 1999')
  expect(american('2024-01-01')).toBe('January 1, 2024')
  expect(releaseFormat('de')('1999-03-31')).toBe('31. März 1999')
})

test('a release of an unknown day shows its month, one of an unknown month its year', () => {
  expect(american('2020-05')).toBe('May 2020')
  expect(american('1847')).toBe('1847')
})

test('what is no date stays as it is', () => {
  expect(american('2020-13-45')).toBe('2020-13-45')
  expect(american('circa 1600')).toBe('circa 1600')
})
