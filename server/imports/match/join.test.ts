import { noteOf } from '#shared/texts/import-notes.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultImportOptions } from '#shared/contracts/imports.ts'
import { ratingSteps } from '#shared/domain/ratings.ts'
import { diaryStatuses } from '#shared/domain/kinds.ts'
import { problemOf } from '#server/diary/rules.ts'
import {
  entryOf,
  type ParsedEntry,
  type ParsedTitle,
  parsedTitle,
} from '#server/imports/read/formats/records.ts'
import { starsOf } from '#server/imports/read/formats/values.ts'
import { titleKeyOf } from '#server/imports/read/keys.ts'
import { joinLines } from './join.ts'

const now = new Date('2026-11-22T08:00:00.000Z')
const options = defaultImportOptions
const film = (fields: Partial<ParsedTitle> = {}) =>
  parsedTitle({ kind: 'movie', name: 'The Matrix', year: 1999, notes: [], ...fields })
const record = (...parsed: ParsedTitle[]) => joinLines(parsed, options, now)

test.each(['cut', 'skip'] as const)(
  'a text that is too long is known beside any number of notes: %s',
  (longTexts) => {
    const notes = [...Array.from({ length: 30 }, (_, at) => `Note ${at}`), noteOf('longText')]
    expect(joinLines([film({ notes })], { ...options, longTexts }, now).hasLongText).toBe(true)
    expect(record(film({ notes: ['Another note'] })).hasLongText).toBeUndefined()
  },
)

const halfStars = { halves: 'up', halfStars: true } as const
const wholeStars = { halves: 'up', halfStars: false } as const

describe('stars', () => {
  test.each([
    ['0.5/5', 1, true, 1, false],
    ['1/5', 1, false, 1, false],
    ['1.5/5', 2, true, 1.5, false],
    ['4.5/5', 5, true, 4.5, false],
    ['4.25/5', 4, false, 4.5, true],
    ['4.24/5', 4, false, 4, false],
    ['3.75/5', 4, false, 4, true],
    ['0.75/5', 1, false, 1, true],
    ['1.25/5', 1, false, 1.5, true],
    ['9/10', 5, true, 4.5, false],
    ['9.5/10', 5, false, 5, true],
    ['8.5/10', 4, false, 4.5, true],
    ['1/10', 1, true, 1, false],
    ['87/100', 4, false, 4.5, false],
    ['50/100', 3, true, 2.5, false],
    ['0.01/100', 1, false, 1, false],
    ['100/100', 5, false, 5, false],
  ])(
    '%s is %i in whole stars, between two: %s; in halves %d, between two: %s',
    (given, whole, isHalf, half, isQuarter) => {
      expect(starsOf(given, wholeStars)).toEqual({ stars: whole, isHalf })
      expect(starsOf(given, halfStars)).toEqual({ stars: half, isHalf: isQuarter })
    },
  )

  test('only ratings exactly between two steps follow the switch', () => {
    const whole = { ...wholeStars, halves: 'down' } as const
    expect(starsOf('4.5/5', whole).stars).toBe(4)
    expect(starsOf('4.51/5', whole).stars).toBe(5)
    expect(starsOf('0.5/5', whole).stars).toBe(1)
    const half = { ...halfStars, halves: 'down' } as const
    expect(starsOf('4.25/5', half).stars).toBe(4)
    expect(starsOf('4.26/5', half).stars).toBe(4.5)
    expect(starsOf('4.5/5', half).stars).toBe(4.5)
    expect(starsOf('0.75/5', half).stars).toBe(1)
  })

  test('stars are a rating, never fall as the rating rises, and never differ by more than a step between the switches', () => {
    const rating = fc.record({
      scale: fc.integer({ min: 2, max: 100 }),
      isInHalves: fc.boolean(),
      a: fc.nat(10_000),
      b: fc.nat(10_000),
    })
    fc.assert(
      fc.property(rating, ({ scale, isInHalves, a, b }) => {
        const given = (part: number) => `${Math.round((part / 10_000) * scale * 100) / 100}/${scale}`
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        const [up, down] = (['up', 'down'] as const).map((halves) => {
          const step = { halves, halfStars: isInHalves }
          const [of, ofHigher] = [starsOf(given(low), step), starsOf(given(high), step).stars]
          expect(ratingSteps).toContain(of.stars)
          if (!isInHalves) expect(of.stars % 1).toBe(0)
          expect(ofHigher).toBeGreaterThanOrEqual(of.stars)
          return of
        })
        expect(up!.stars - down!.stars).toBeGreaterThanOrEqual(0)
        expect(up!.stars - down!.stars).toBeLessThanOrEqual(up!.isHalf ? (isInHalves ? 0.5 : 1) : 0)
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('a restored rating is as it was; only whole stars round it, and then the one of the file is its original', () => {
    const times = { createdAt: '2026-02-01T04:05:06.789Z', updatedAt: '2026-02-01T04:05:06.789Z' }
    const flags = { hasSpoilers: false }
    const restored = (rating: number) =>
      film({
        rating: { given: '87/100', on: null, isOfTitle: false },
        restored: { rating, ratingGiven: '87/100', ...flags, ...times },
      })
    const of = (rating: number, isInHalves: boolean) =>
      joinLines([restored(rating)], { ...options, halfStars: isInHalves }, now).rating
    expect(of(3.5, true)).toMatchObject({ stars: 3.5, given: '87/100', isBetween: true })
    expect(of(3.5, false)).toMatchObject({ stars: 4, given: '87/100', isHalf: true, isBetween: true })
    for (const isInHalves of [true, false]) {
      expect(of(4, isInHalves)).toMatchObject({ stars: 4, isHalf: false })
      expect(of(4, isInHalves)).not.toHaveProperty('isBetween')
    }
  })
})

describe('keys', () => {
  test('lines of a title have one key, whatever ids of editions and entries they have', () => {
    const film1 = film({ ids: [{ source: 'letterboxd', id: 'a' }] })
    const film2 = film({ name: 'the  matrix', ids: [{ source: 'letterboxd', id: 'b' }] })
    expect(titleKeyOf(film1)).toBe(titleKeyOf(film2))
    expect(titleKeyOf(film({ year: 2021 }))).not.toBe(titleKeyOf(film1))
    expect(titleKeyOf(film({ kind: 'tvShow' }))).not.toBe(titleKeyOf(film1))
    const book = (isbn: string) =>
      parsedTitle({
        kind: 'book',
        name: 'Dune',
        authors: ['Frank Herbert'],
        ids: [{ source: 'isbn13', id: isbn }],
        notes: [],
      })
    expect(titleKeyOf(book('1'))).toBe(titleKeyOf(book('2')))
    const byId = { ids: [{ source: 'imdb' as const, id: 'tt0133093' }] }
    expect(titleKeyOf(film({ ...byId, name: 'Matrix', year: null }))).toBe(titleKeyOf(film(byId)))
    expect(titleKeyOf(film({ name: '!!!' }))).not.toBe(titleKeyOf(film({ name: '???' })))
  })
})

const civil = fc.constantFrom('1999', '2003-07', '2021-03-04', '2022-12-31', '2026-11-22', '2031-01-01')
const instant = fc.constantFrom(
  '2020-01-02T03:04:05.678Z',
  '2026-11-22T07:59:59.999Z',
  '2090-01-01T00:00:00.000Z',
)
const date = fc.option(fc.oneof(civil, instant))
const given = fc.constantFrom('0.5/5', '4.5/5', '7/10', '100/100')
const text = fc.constantFrom('', 'One.', 'Two.', 'x'.repeat(10_000))
const entry: fc.Arbitrary<ParsedEntry> = fc.record(
  {
    status: fc.constantFrom(...diaryStatuses),
    startedOn: date,
    finishedOn: date,
    isAgain: fc.boolean(),
    pass: fc.option(fc.constantFrom(1, 2)),
    ratingGiven: fc.option(given),
    text,
    origin: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
    addedOn: date,
    updatedOn: date,
    steps: fc.constant([]),
    isImplied: fc.constant(true as const),
    isOfHistory: fc.constant(true as const),
  },
  {
    requiredKeys: [
      'status',
      'startedOn',
      'finishedOn',
      'isAgain',
      'pass',
      'ratingGiven',
      'text',
      'origin',
      'addedOn',
      'updatedOn',
      'steps',
    ],
  },
)
const line: fc.Arbitrary<ParsedTitle> = fc.record({
  kind: fc.constant('movie' as const),
  name: fc.constantFrom('The Matrix', 'Matrix', 'the matrix'),
  otherNames: fc.constantFrom([], ['La matrice']),
  year: fc.constantFrom(1999, null),
  authors: fc.constantFrom([], ['A'], ['B']),
  ids: fc.constantFrom([], [{ source: 'imdb' as const, id: 'tt0133093' }]),
  rating: fc.option(fc.record({ given, on: date, isOfTitle: fc.boolean() })),
  review: fc.option(
    fc.record({ text: fc.constantFrom('One.', 'Two.', 'Three.'), hasSpoilers: fc.boolean(), on: date }),
  ),
  entries: fc.array(entry, { maxLength: 4 }),
  partReviews: fc.constant([]),
  plays: fc.subarray([
    '1|1|2020-05-01|1||',
    '1|1||2||',
    '1|2|2020-05-02|<2|tmdb:7|a|b',
    '2|1|2030-01-01|1||',
  ]),
  isFavorite: fc.boolean(),
  favoriteOn: date,
  listItems: fc.array(
    fc.record({
      key: fc.constantFrom('1', '2'),
      name: fc.constant('List'),
      position: fc.nat(3),
      note: fc.constantFrom('', 'A', 'B'),
      addedOn: date,
    }),
    { maxLength: 3 },
  ),
  notes: fc.constantFrom([], ['A note.']),
})
const lines = fc.array(line, { minLength: 1, maxLength: 6 })

describe('any lines', () => {
  test('the order of the lines, and lines that stand there twice, make no difference', () => {
    const shuffled = lines.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    fc.assert(
      fc.property(shuffled, ([all, others]) => {
        const before = JSON.stringify(all)
        expect(record(...others, ...all)).toEqual(record(...all))
        expect(JSON.stringify(all)).toBe(before)
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('a record fits the diary, and no text or rating of a line is lost', () => {
    fc.assert(
      fc.property(lines, (lines) => {
        const result = record(...lines)
        for (const { status, startedOn, finishedOn, text } of result.entries) {
          const columns = { status, started_on: startedOn, finished_on: finishedOn }
          expect(problemOf(columns, now)).toBeUndefined()
          expect(`${startedOn}${finishedOn}`).not.toContain('T')
          expect(text.length).toBeLessThanOrEqual(10_000)
        }
        const count = (...statuses: string[]) =>
          result.entries.filter(({ status }) => statuses.includes(status)).length
        expect(count('want')).toBeLessThanOrEqual(1)
        expect(count('started', 'paused')).toBeLessThanOrEqual(1)
        const origins = result.entries.flatMap(({ origin }) => origin ?? [])
        expect(new Set(origins).size).toBe(origins.length)

        expect(result.rating !== null).toBe(lines.some(({ rating }) => rating !== null))
        expect(result.review !== null).toBe(lines.some(({ review }) => review !== null))
        expect(result.isTextWithoutRating).toBe(result.review !== null && result.rating === null)
        for (const time of [result.rating?.ratedAt, result.review?.writtenAt])
          if (time) expect(new Date(time).toISOString() === time && time <= now.toISOString()).toBe(true)
      }),
      { seed: 8, numRuns: 500 },
    )
  })
})

describe('one record per title', () => {
  test('the rating of now wins over one of a viewing, whatever is newer', () => {
    const result = record(
      film({ rating: { given: '2/5', on: '2020-01-01', isOfTitle: true } }),
      film({ rating: { given: '5/5', on: '2024-01-01', isOfTitle: false } }),
    )
    expect(result.rating).toEqual({
      stars: 2,
      given: '2/5',
      isHalf: false,
      ratedAt: '2020-01-01T12:00:00.000Z',
    })
  })

  test('without one, the rating of the newest viewing is the rating', () => {
    const viewing = (given: string, on: string) =>
      film({
        rating: { given, on, isOfTitle: false },
        entries: [entryOf({ status: 'finished', finishedOn: on, ratingGiven: given })],
      })
    const result = record(
      viewing('5/5', '2020-01-01'),
      viewing('3/5', '2022-01-01'),
      viewing('4/5', '2021-01-01'),
    )
    expect(result.rating!.given).toBe('3/5')
    expect(result.entries.map(({ ratingGiven }) => ratingGiven)).toEqual(['5/5', '4/5', '3/5'])
  })

  test('older texts go to their entries', () => {
    const review = (text: string, on: string) =>
      film({
        rating: { given: '4/5', on, isOfTitle: true },
        review: { text, hasSpoilers: false, on },
        entries: [entryOf({ status: 'finished', finishedOn: on, origin: on })],
      })
    const result = record(review('New', '2022-01-01'), review('Old', '2020-01-01'))
    expect(result.review!.text).toBe('New')
    expect(result.entries.map(({ text }) => text)).toEqual(['Old', ''])
  })

  test('an entry that says only that the title was finished is dropped if another says so too', () => {
    const watched = film({ entries: [entryOf({ status: 'finished', origin: 'film', isImplied: true })] })
    const dated = film({ entries: [entryOf({ status: 'finished', finishedOn: '2020', origin: 'entry' })] })
    expect(record(watched).entries).toEqual([entryOf({ status: 'finished', origin: 'film' })])
    expect(record(watched, dated).entries.map(({ origin }) => origin)).toEqual(['entry'])
  })

  test('a day becomes noon in UTC, a month or a year its first day, and nothing is after now', () => {
    const ratedAt = (on: string) =>
      record(film({ rating: { given: '4/5', on, isOfTitle: true } })).rating!.ratedAt
    expect(ratedAt('2020-02-29')).toBe('2020-02-29T12:00:00.000Z')
    expect(ratedAt('2018-07')).toBe('2018-07-01T12:00:00.000Z')
    expect(ratedAt('2018')).toBe('2018-01-01T12:00:00.000Z')
    expect(ratedAt('2020-01-02T03:04:05.678Z')).toBe('2020-01-02T03:04:05.678Z')
    expect(ratedAt('2026-11-22')).toBe('2026-11-22T08:00:00.000Z')
    expect(ratedAt('2026-11-24')).toBeNull()
  })

  test('a rating without a date has the date of the viewing, and a review the date of the rating', () => {
    const result = record(
      film({
        rating: { given: '4/5', on: null, isOfTitle: true },
        review: { text: 'One.', hasSpoilers: false, on: null },
        entries: [entryOf({ status: 'finished', finishedOn: '2020-05-06' })],
      }),
    )
    expect(result.rating!.ratedAt).toBe('2020-05-06T12:00:00.000Z')
    expect(result.review!.writtenAt).toBe('2020-05-06T12:00:00.000Z')
  })

  test('parts that the member does not import are not in the record', () => {
    const all = film({
      rating: { given: '4/5', on: null, isOfTitle: true },
      review: { text: 'One.', hasSpoilers: false, on: null },
      entries: [entryOf({ status: 'finished' })],
      isFavorite: true,
    })
    const off = { ...options, ratings: false, reviews: false, entries: false, favorites: false }
    expect(joinLines([all], off, now)).toMatchObject({
      rating: null,
      review: null,
      entries: [],
      isFavorite: false,
      isTextWithoutRating: false,
    })
  })

  test('a hundred thousand lines of one title have a bounded record', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) =>
      film({
        entries: [entryOf({ status: 'finished', origin: `${index}`, text: `${index}` })],
        notes: [`${index}`],
      }),
    )
    const { entries, notes } = record(...lines)
    expect(entries.length).toBeLessThanOrEqual(200)
    expect(notes.length).toBeLessThanOrEqual(20)
  })
})
