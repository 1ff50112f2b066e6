import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEntry } from '#shared/contracts/diary.ts'
import { diaryStatuses } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { latestDay } from '#shared/domain/days.ts'
import { applyWritten, findTwin, isBefore, pickOne, problemOf, summarizeYear } from './rules.ts'

const seed = 9
const now = new Date('2026-05-04T12:00:00.000Z')
/** Any day from 1870 to the day before `now`, as `YYYY-MM-DD`. */
const pastDay = fc
  .date({ min: new Date('1870-01-01'), max: new Date('2026-05-03'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const status = fc.constantFrom(...diaryStatuses)
const accepts = (finishedOn: unknown) =>
  createEntry.input.safeParse({ movieId: 1, status: 'finished', finishedOn }).success

test('a date is accepted if and only if it is a day of the calendar since 1870', () => {
  const number = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
  fc.assert(
    fc.property(fc.integer({ min: 1850, max: 2100 }), number(13), number(32), (year, month, day) => {
      const text = `${year}-${month}-${day}`
      const date = new Date(`${text}T00:00:00.000Z`)
      const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
      expect(accepts(text)).toBe(isDay && year >= 1870)
    }),
    { seed, numRuns: 2_000 },
  )
  for (const text of [
    '',
    '2026',
    '2026-05',
    '2026-5-4',
    '2026-05-04T00:00:00Z',
    ' 2026-05-04',
    '١٩٩٩-٠١-٠١',
    20260504,
  ])
    expect(accepts(text), String(text)).toBe(false)
})

test('today is accepted in every time zone, and the day after in none', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
      fc.integer({ min: -12, max: 14 }),
      (time, offset) => {
        const today = new Date(time.getTime() + offset * 3_600_000).toISOString().slice(0, 10)
        const problem = (finished_on: string) =>
          problemOf({ status: 'finished', started_on: null, finished_on }, time)
        expect(problem(today)).toBeUndefined()
        const afterLatest = new Date(Date.parse(latestDay(time)) + 86_400_000).toISOString().slice(0, 10)
        expect(problem(afterLatest)).toBe(messages.dateInFuture)
      },
    ),
    { seed },
  )
})

test('an entry is refused if and only if its status cannot have the dates, or the end is before the start', () => {
  const maybeDay = fc.option(pastDay, { nil: null })
  fc.assert(
    fc.property(status, maybeDay, maybeDay, (status, started_on, finished_on) => {
      const isOver = status === 'finished' || status === 'dropped'
      const isPossible =
        (started_on === null || status !== 'want') &&
        (finished_on === null || isOver) &&
        (started_on === null || finished_on === null || started_on <= finished_on)
      expect(problemOf({ status, started_on, finished_on }, now) === undefined).toBe(isPossible)
    }),
    { seed, numRuns: 1_000 },
  )
})

test('a change of only the status always results in a valid entry', () => {
  fc.assert(
    fc.property(status, status, pastDay, pastDay, (before, after, one, other) => {
      const [started, finished] = [one, other].sort()
      const isOver = before === 'finished' || before === 'dropped'
      const entry = {
        status: before,
        started_on: before === 'want' ? null : started!,
        finished_on: isOver ? finished! : null,
        is_again: 1,
        text: 'A note.',
      }
      const changed = applyWritten({ status: after }, entry)
      expect(problemOf(changed, now)).toBeUndefined()
      expect(changed).toMatchObject({ status: after, is_again: 1, text: 'A note.' })
    }),
    { seed },
  )
})

test('a date without a day or month is before another one only if all of its days are', () => {
  expect(isBefore('2025', '2026-01-01')).toBe(true)
  expect(isBefore('2026', '2026-12-31')).toBe(false)
  expect(isBefore('2026-04', '2026-05-01')).toBe(true)
  expect(isBefore('2026-05-01', '2026-05')).toBe(false)
})

test('a year counts each viewing, and rates each title once', () => {
  const row = (id: number, media_id: number, day: string, rating: number | null) => ({
    id,
    media_id,
    day,
    rating,
    kind: 'movie' as const,
    name: `Title ${media_id}`,
    image: null,
    release_year: 1994,
    runtime: 100,
    page_count: null,
    genres: media_id === 1 ? ['Drama'] : ['Crime', 'Drama'],
  })
  const rows = [
    row(1, 1, '2026', 30),
    row(2, 1, '2026-01-31', 30),
    row(3, 2, '2026-01-31', 50),
    row(4, 3, '2026-12', null),
  ]
  const year = summarizeYear(2026, rows, { before: '2024-02', after: undefined })
  expect(year).toMatchObject({
    total: 4,
    minutes: 400,
    pages: 0,
    titles: [{ id: 1 }, { id: 2 }, { id: 3 }],
    kinds: { movie: 4, book: 0 },
    days: [{ date: '2026-01-31', count: 2 }],
    ratings: { '3': 1, '5': 1 },
    highestRated: [{ title: { id: 2 }, rating: 5 }, { title: { id: 1 } }],
    genres: [
      { name: 'Drama', count: 3 },
      { name: 'Crime', count: 2 },
    ],
    decades: [{ decade: 1990, count: 3 }],
    first: { date: '2026-01-31', title: { id: 1 } },
    last: { date: '2026-01-31', title: { id: 2 } },
    previousYear: 2024,
    nextYear: null,
  })
  expect(year.months.map(({ movie }) => movie)).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
})

test('the twin of a year shares most of its titles, and at least three', () => {
  const by = (user_id: number, ids: number[]) => ids.map((media_id) => ({ user_id, media_id }))
  const rows = [...by(7, [1, 2]), ...by(9, [1, 2, 3]), ...by(8, [2, 3, 4])]
  expect(findTwin(rows)).toEqual({ userId: 8, commonCount: 3, titleIds: [2, 3, 4] })
  expect(findTwin(by(7, [1, 2]))).toBeUndefined()
})

test('a seed picks the same element each time, and seeds reach all elements', () => {
  const list = ['a', 'b', 'c']
  expect(pickOne(list, 5)).toBe(pickOne(list, 5))
  expect(new Set(Array.from({ length: 30 }, (_, seed) => pickOne(list, seed)))).toEqual(new Set(list))
  expect(pickOne([], 5)).toBeUndefined()
})
