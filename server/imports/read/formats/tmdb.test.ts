import { expect, test } from 'vitest'
import { openFixture, read, shortly } from '#scripts/testing/import-file.ts'

test('TMDB: ids, halves, instants; episodes are not kept', async () => {
  const csv = await read(await openFixture('tmdb/tmdb_ratings.csv'))
  expect(shortly(csv)).toEqual({
    'The Matrix': { rating: '4←8/10' },
    'Breaking Bad': { rating: '5←9.5/10' },
  })
  expect(csv.records.get('Breaking Bad')).toMatchObject({
    kind: 'tvShow',
    ids: [
      { source: 'tmdb-tv', id: '1396' },
      { source: 'imdb', id: 'tt0903747' },
    ],
    rating: { ratedAt: '2023-05-02T09:40:27.000Z' },
  })
  expect(csv.notKept).toEqual({ episodes: 1 })
})
