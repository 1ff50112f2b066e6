import { expect, test } from 'vitest'
import { openBytes, openFixture, partReviewsOf, read, shortly } from '#scripts/testing/import-file.ts'

test('Serializd: shows by their ids at TMDB, rewatches, and reviews of seasons and episodes', async () => {
  const csv = await read(await openFixture('serializd/serializd.csv'), { halfStars: true })
  expect(csv.service).toBe('serializd')
  expect(shortly(csv)).toEqual({
    'Low Tide': {
      rating: '3.5←7/10',
      review: 'The tide, at last.',
      entries: ['finished 2024-05-01'],
    },
    Salt: { entries: ['finished 2024-05-02'] },
    'Breaking Bad': { rating: '5←10/10', entries: ['finished 2022-01-09 again'] },
  })
  expect(csv.records.get('Low Tide')).toMatchObject({
    ids: [{ source: 'tmdb-tv', id: '1399001' }],
    review: { hasSpoilers: true },
  })
  expect(partReviewsOf(csv)).toEqual({ 'Breaking Bad': ['1 4.5←9/10 “Good start”', '1×1 4←8/10'] })
  expect(csv.records.get('Breaking Bad')!.partReviews[0]).toMatchObject({ id: 'tmdb:3572' })
  expect(csv.notKept).toEqual({ tags: 1, likes: 1 })
  expect(csv.unreadable).toEqual([])
  const liked = await read(await openFixture('serializd/serializd.csv'), { likes: true })
  expect(shortly(liked)['Low Tide']).toMatchObject({ isFavorite: true })
})

test('Serializd: other names of columns are read, and a file without ratings says so', async () => {
  const csv = await read(await openBytes('title,showId,date,isRewatch\nSalt,42,2024-05-02,\n'))
  expect(shortly(csv)).toEqual({ Salt: { entries: ['finished 2024-05-02'] } })
  expect(csv.unreadable).toEqual([{ file: '', line: 1, problem: 'The file has no column “rating”.' }])
})

test('Serializd: what says no number of the season or no rating is left out and counted', async () => {
  const csv = await read(
    await openBytes(
      [
        'title,showId,isRewatch,seasonId,seasonName,episodeNumber,rating,review',
        'Salt,42,,900,,,8,',
        'Salt,42,,900,,3,8,',
        'Salt,42,,900,Specials,2,,Only a text',
        'Salt,42,,900,Specials,2,6,',
        'Salt,42,,901,Staffel 2,,6,',
        'Salt,42,,901,The Long One,,6,',
      ].join('\n'),
    ),
    { halfStars: true },
  )
  expect(partReviewsOf(csv)).toEqual({ Salt: ['0×2 3←6/10', '2 3←6/10'] })
  expect(csv.notKept).toEqual({ seasons: 2, episodes: 2 })
})
