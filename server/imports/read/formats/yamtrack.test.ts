import { expect, test } from 'vitest'
import {
  openBytes,
  openFixture,
  partReviewsOf,
  playsOf,
  read,
  shortly,
} from '#scripts/testing/import-file.ts'

test('Yamtrack: one decimal of ten, each time in a row of its own, private notes, ids of several sources', async () => {
  const csv = await read(await openFixture('yamtrack/yamtrack.csv'), { halfStars: true })
  expect([csv.service, csv.summary.shelves]).toEqual(['yamtrack', [{ name: 'Watching later', count: 1 }]])
  expect(shortly(csv)).toEqual({
    'Breaking Bad': { rating: '4.5←8.5/10', entries: ['started from 2024-02-09 “With Bo, on Fridays”'] },
    'The Matrix': {
      rating: '4.5←9.3/10',
      entries: ['finished 2022-12-31 7/10', 'finished 2024-05-01 again “=better, again”'],
    },
    'Hagane no Kakera': { entries: ['want'] },
    'Tin Harbour': { rating: '4.5←8.5/10', entries: ['paused from 2024-03-02'] },
    // Of two books of one name, the last.
    Emma: { rating: '2←4.3/10', entries: ['finished 2021-01-05'] },
    'Salt Roads': { rating: '3.5←6.5/10', entries: ['started from 2024-06-01 again'] },
    'Fight Club': {},
  })
  expect(csv.records.get('The Matrix')!.ids).toEqual([
    { source: 'yamtrack', id: 'movie:tmdb:603' },
    { source: 'tmdb-movie', id: '603' },
  ])
  expect(csv.records.get('Emma')!.ids).toEqual([
    { source: 'yamtrack', id: 'book:openlibrary:OL77002M' },
    { source: 'olid-edition', id: 'OL77002M' },
  ])
  expect(csv.records.get('Hagane no Kakera')).toMatchObject({
    kind: 'tvShow',
    ids: [{ source: 'yamtrack', id: 'anime:mal:5114' }],
  })
  expect(csv.records.get('Tin Harbour')!.ids).toContainEqual({ source: 'igdb', id: '72' })
  expect(csv.records.get('Salt Roads')!.ids).toEqual([])
  expect(csv.records.get('Fight Club')!.notes).toEqual([
    'The status “Watching later” is not known; choose what it means.',
    '“11.0” is not a rating from 0 to 10.',
  ])
  expect(playsOf(csv)).toEqual({ 'Breaking Bad': ['1×7 2024-02-19'] })
  expect(partReviewsOf(csv)).toEqual({ 'Breaking Bad': ['1 4←8/10'] })
  expect(csv.notKept).toEqual({ progress: 4, 'other media': 1, notes: 1 })
  expect(csv.unreadable).toEqual([])
})

test('a file of Yamtrack without scores says so', async () => {
  const csv = await read(
    await openBytes('media_id;source;media_type;title;status\n603;tmdb;movie;The Matrix;Completed\n'),
  )
  expect(shortly(csv)).toEqual({ 'The Matrix': { entries: ['finished'] } })
  expect(csv.unreadable).toEqual([{ file: '', line: 1, problem: 'The file has no column “score”.' }])
})
