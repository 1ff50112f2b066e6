import { describe, expect, test } from 'vitest'
import {
  inShort,
  openBytes,
  openFixture,
  partReviewsOf,
  playsOf,
  read,
  shortly,
} from '#scripts/testing/import-file.ts'
import { zipOf } from '#scripts/testing/zip.ts'

describe('Trakt', () => {
  test.each(['trakt-export.zip', 'trakt-export-in-folders.zip'])(
    '%s becomes one record per title',
    async (name) => {
      const zip = await read(await openFixture(`trakt/${name}`))
      expect(zip.service).toBe('trakt')
      expect(shortly(zip)).toEqual({
        'The Matrix': { rating: '5←9/10', entries: ['finished 2014-04-05', 'finished 2023-06-01 again'] },
        'A Film Nobody Made': { rating: '2←4/10', entries: ['finished'] },
        'Breaking Bad': { rating: '5←10/10', entries: ['started from 2023-03-14'] },
        Stalker: { entries: ['want'] },
      })
      expect(zip.notKept).toEqual({})
      expect(partReviewsOf(zip)).toEqual({ 'Breaking Bad': ['1 4←8/10'] })
      expect(playsOf(zip)).toEqual({ 'Breaking Bad': ['1×1 2023-03-14'] })
      expect(zip.records.get('The Matrix')!.rating!.ratedAt).toBe('2024-01-15T10:30:00.000Z')
      expect(zip.records.get('Breaking Bad')!.ids).toContainEqual({ source: 'tmdb-tv', id: '1396' })
    },
  )

  test('lists keep their ranks and notes, and are private here', async () => {
    const about = (title: string, rank: number, notes: string | null) => ({
      id: rank,
      rank,
      notes,
      type: 'movie',
      listed_at: '2024-03-01T10:00:00.000Z',
      movie: { title, year: 1979, ids: { trakt: rank } },
    })
    const list = {
      name: 'Rainy days',
      description: 'calm',
      privacy: 'public',
      display_numbers: true,
      item_count: 2,
      created_at: '2024-03-01T10:00:00.000Z',
      updated_at: '2024-04-01T10:00:00.000Z',
      ids: { trakt: 77, slug: 'rainy-days' },
    }
    const { lists, records, notKept } = await read(
      await openBytes(
        zipOf({
          'lists-list-77-rainy-days.json': JSON.stringify([
            about('Stalker', 2, 'slow'),
            about('Alien', 1, null),
          ]),
          'lists-lists.json': JSON.stringify([list]),
        }),
      ),
    )
    const times = { createdOn: '2024-03-01T10:00:00.000Z', updatedOn: '2024-04-01T10:00:00.000Z' }
    const settings = {
      name: 'Rainy days',
      description: 'calm',
      isRanked: true,
      visibility: 'private',
      tags: [],
    }
    expect([lists, notKept]).toEqual([[{ key: '77', ...settings, ...times }], {}])
    const item = { key: '77', name: 'rainy days', addedOn: '2024-03-01T10:00:00.000Z' }
    expect(records.get('Stalker')!.listItems).toEqual([{ ...item, position: 2, note: 'slow' }])
    expect(records.get('Alien')!.listItems).toEqual([{ ...item, position: 1, note: '' }])
  })

  test('shows that were begun are finished if the member says so', async () => {
    const { records } = await read(await openFixture('trakt/trakt-export.zip'), { shows: 'finished' })
    expect(inShort(records.get('Breaking Bad')!)).toEqual({
      rating: '5←10/10',
      entries: ['finished from 2023-03-14 2023-03-15'],
    })
  })
})
