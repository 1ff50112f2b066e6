import { describe, expect, test } from 'vitest'
import { inShort, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

describe('Trakt', () => {
  test.each(['trakt-export.zip', 'trakt-export-in-folders.zip'])(
    '%s becomes one plan per title',
    async (name) => {
      const zip = await read(await openFixture(`trakt/${name}`))
      expect(zip.service).toBe('trakt')
      expect(shortly(zip)).toEqual({
        'The Matrix': { rating: '5←9/10', entries: ['finished 2014-04-05', 'finished 2023-06-01 again'] },
        'A Film Nobody Made': { rating: '2←4/10', entries: ['finished'] },
        'Breaking Bad': { rating: '5←10/10', entries: ['started from 2023-03-14'] },
        Stalker: { entries: ['want'] },
      })
      expect(zip.notKept).toEqual({ seasons: 1, episodes: 1, lists: 1, 'places in lists': 1 })
      expect(zip.plans.get('The Matrix')!.rating!.ratedAt).toBe('2024-01-15T10:30:00.000Z')
      expect(zip.plans.get('Breaking Bad')!.ids).toContainEqual({ source: 'tmdb-tv', id: '1396' })
    },
  )

  test('shows that were begun are finished if the member says so', async () => {
    const { plans } = await read(await openFixture('trakt/trakt-export.zip'), { shows: 'finished' })
    expect(inShort(plans.get('Breaking Bad')!)).toEqual({
      rating: '5←10/10',
      entries: ['finished from 2023-03-14 2023-03-15'],
    })
  })
})
