import { expect, test } from 'vitest'
import { openBytes, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

test('Serializd: shows by their ids at TMDB, rewatches, and seasons and episodes that are counted', async () => {
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
  expect(csv.notKept).toEqual({ seasons: 1, episodes: 1, tags: 1, likes: 1 })
  expect(csv.unreadable).toEqual([])
  const liked = await read(await openFixture('serializd/serializd.csv'), { likes: true })
  expect(shortly(liked)['Low Tide']).toMatchObject({ isFavorite: true })
})

test('Serializd: other names of columns are read, and a file without ratings says so', async () => {
  const csv = await read(await openBytes('title,showId,date,isRewatch\nSalt,42,2024-05-02,\n'))
  expect(shortly(csv)).toEqual({ Salt: { entries: ['finished 2024-05-02'] } })
  expect(csv.unreadable).toEqual([{ file: '', line: 1, problem: 'The file has no column “rating”.' }])
})
