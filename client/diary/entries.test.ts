import { expect, test } from 'vitest'
import { kinds } from '#shared/domain/kinds.ts'
import { byDay, byMonth, currentEntry, lengthText, longestStreak, statusWord, today } from './entries.ts'
import type { DiaryEntry } from './hooks.ts'
import { readDiaryParams, readYear } from './params.ts'

const entry = (id: number, status: DiaryEntry['status'], finishedOn: string | null = null) =>
  ({ id, status, startedOn: null, finishedOn, isAgain: false }) as DiaryEntry

test('today is the date of the device, not of UTC', () => {
  expect(today(new Date(2026, 0, 2, 0, 30))).toBe('2026-01-02')
  expect(today(new Date(2026, 11, 31, 23, 30))).toBe('2026-12-31')
})

test('a new status belongs to the entry under way, else to the one wanted, else to a new entry', () => {
  const [finished, want, paused] = [entry(1, 'finished'), entry(2, 'want'), entry(3, 'paused')]
  expect(currentEntry([finished, want, paused])).toBe(paused)
  expect(currentEntry([finished, want])).toBe(want)
  expect(currentEntry([finished])).toBeUndefined()
})

test('entries are grouped by month, and those with a year only or without a date apart', () => {
  const dates = ['2026-05-04', '2026-05', '2026-04-30', '2026', null, null]
  const entries = dates.map((date, id) => entry(id, 'finished', date))
  expect(byMonth(entries).map(({ month, entries }) => [month, entries.length])).toEqual([
    ['2026-05', 2],
    ['2026-04', 1],
    ['2026', 1],
    ['', 2],
  ])
})

test('entries of one day are one group', () => {
  const entries = ['2026-05-04', '2026-05-04', '2026-05', null].map((date, id) => entry(id, 'finished', date))
  expect(byDay(entries).map(({ day, entries: ofDay }) => [day, ofDay.length])).toEqual([
    ['2026-05-04', 2],
    ['2026-05', 1],
    ['', 1],
  ])
})

test('the longest streak is the first longest run of at least two days, across months', () => {
  const streakOf = (...days: string[]) => longestStreak(days.map((date) => ({ date })))
  expect(
    streakOf('2026-01-01', '2026-01-30', '2026-01-31', '2026-02-01', '2026-03-01', '2026-03-02'),
  ).toEqual({
    from: '2026-01-30',
    to: '2026-02-01',
    days: 3,
  })
  expect(streakOf('2026-01-01', '2026-01-03')).toBeNull()
  expect(streakOf()).toBeNull()
})

test('the length of a title is its minutes or its pages', () => {
  expect(lengthText({ runtime: 136, pageCount: null })).toBe('136 min')
  expect(lengthText({ runtime: null, pageCount: 1 })).toBe('1 page')
  expect(lengthText({ runtime: null, pageCount: null })).toBe('')
})

test('a second time has a word of its own for what is finished', () => {
  expect(statusWord(kinds.book, { status: 'finished', isAgain: true })).toBe('Read again')
  expect(statusWord(kinds.book, { status: 'started', isAgain: true })).toBe('Reading')
  expect(statusWord(kinds.game, { status: 'want', isAgain: false })).toBe('Want to play')
})

test('search params that a diary cannot have are left out', () => {
  expect(
    readDiaryParams({
      list: 'want',
      kind: 'book',
      status: 'paused',
      year: 2024,
      sort: 'average',
      length: 'p400',
    }),
  ).toEqual({
    list: 'want',
    kind: 'book',
    status: 'paused',
    year: 2024,
    sort: 'average',
    length: 'p400',
  })
  const none = {
    list: undefined,
    kind: undefined,
    status: undefined,
    year: undefined,
    sort: undefined,
    length: undefined,
  }
  expect(readDiaryParams({ list: 'x', kind: 'song', status: 'want', year: 'abc', sort: {} })).toEqual(none)
  expect([readYear('2026'), readYear(1869), readYear('20260'), readYear(2026.5)]).toEqual([
    2026,
    undefined,
    undefined,
    undefined,
  ])
})
