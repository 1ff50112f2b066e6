import { expect, test } from 'vitest'
import { americanDates, datesFor, englishDates } from './dates.ts'

const american = datesFor(['en-US'], 'UTC')
const german = datesFor(['de'], 'UTC')

test('lang is the locale unless it is English, the language of the page', () => {
  expect(datesFor(['en-GB']).lang).toBeUndefined()
  expect(german.lang).toBe('de')
})

test('a day is the same day in every time zone', () => {
  expect(datesFor(['en-US'], 'Pacific/Honolulu').date('2024-01-01')).toBe('Jan 1, 2024')
  expect(american.release('1999-03-31')).toBe('March 31, 1999')
  expect(german.release('1999-03-31')).toBe('31. März 1999')
})

test('a timestamp is shown in the user’s time zone', () => {
  expect(american.date('2024-01-01T03:00:00.000Z')).toBe('Jan 1, 2024')
  expect(datesFor(['en-US'], 'Pacific/Honolulu').date('2024-01-01T03:00:00.000Z')).toBe('Dec 31, 2023')
})

test('a release date has the precision that is known: day, month or year', () => {
  expect(american.release('2020-05')).toBe('May 2020')
  expect(american.release('1847')).toBe('1847')
})

test('a month has its name in the language of the user', () => {
  expect(american.month('2020-03', 'long')).toBe('March')
  expect(american.month('2020-03', 'short')).toBe('Mar')
  expect(german.month('2020-03', 'long')).toBe('März')
  expect(englishDates.month('2020-09', 'short')).toBe('Sep')
})

test('a weekday and an hour of the day have the form of the user’s locale, in every time zone', () => {
  const honolulu = datesFor(['en-US'], 'Pacific/Honolulu')
  for (let at = 1; at <= 7; at++)
    for (const dates of [englishDates, americanDates])
      expect(dates.weekday(`2026-11-0${at}`)).toBe(honolulu.weekday(`2026-11-0${at}`))
  for (let hour = 0; hour < 24; hour++) expect(americanDates.hour(hour)).toBe(american.hour(hour))
  expect(german.weekday('2026-11-04')).toBe('Mi')
  expect(german.hour(8)).toBe('08:00')
  expect(honolulu.hour(8)).toMatch(/^8:00\sAM$/)
})

test('an invalid date is returned unchanged', () => {
  expect(american.release('2020-13-45')).toBe('2020-13-45')
  expect(american.release('circa 1600')).toBe('circa 1600')
  expect(american.date('1847')).toBe('1847')
  expect(american.fullDate('soon')).toBeUndefined()
})

test('recent timestamps are relative; older than four weeks, they are dates', () => {
  const now = Date.parse('2026-05-04T12:00:00.000Z')
  expect(american.ago('2026-05-04T11:59:50.000Z', now)).toBe('now')
  expect(american.ago('2026-05-04T09:00:00.000Z', now)).toBe('3 hours ago')
  expect(american.ago('2026-05-03T09:00:00.000Z', now)).toBe('yesterday')
  expect(german.ago('2026-05-03T09:00:00.000Z', now)).toBe('gestern')
  expect(american.ago('2026-01-04T09:00:00.000Z', now)).toBe('Jan 4, 2026')
})

test('the dates of server rendering equal Intl’s', () => {
  const english = datesFor(['en'], 'UTC')
  for (let month = 1; month <= 12; month++)
    for (const hour of [0, 9, 12, 23]) {
      const day = new Date(Date.UTC(1900 + 11 * month, month - 1, 2 * month, hour, 5 * month)).toISOString()
      for (const value of [day, day.slice(0, 10), day.slice(0, 7), day.slice(0, 4)]) {
        expect(englishDates.date(value)).toBe(english.date(value))
        expect(englishDates.fullDate(value)).toBe(english.fullDate(value))
        expect(englishDates.release(value)).toBe(english.release(value))
      }
    }
})

test('American dates equal Intl’s, in the time zone of the machine', () => {
  const intl = datesFor(['en-US'])
  const now = Date.parse('2026-03-29T12:34:56.000Z')
  const units = [1_000, 60_000, 3_600_000, 86_400_000, 604_800_000]
  for (const ms of units)
    for (const count of [0, 1, 1.9, 2, 3, 25])
      for (const time of [now - count * ms, now + count * ms]) {
        const value = new Date(time).toISOString()
        for (const format of ['date', 'fullDate', 'release'] as const)
          expect(americanDates[format](value)).toBe(intl[format](value))
        expect(americanDates.ago(value, now)).toBe(intl.ago(value, now))
      }
  for (const format of ['date', 'fullDate', 'release'] as const)
    for (const value of ['2024-01-01', '1999-12-31', '2020-05', '1847', 'soon'])
      expect(americanDates[format](value)).toBe(intl[format](value))
})

test('the time of day of an event is the clock of the reader, so that it agrees with the name of its day', () => {
  expect(american.clock('2024-01-01T14:05:59.000Z')).toMatch(/^2:05\sPM$/)
  expect(datesFor(['en-GB'], 'Asia/Tokyo').clock('2024-01-01T14:05:59.000Z')).toBe('23:05')
})
