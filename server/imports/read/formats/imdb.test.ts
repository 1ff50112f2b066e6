import { describe, expect, test } from 'vitest'
import { inShort, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

describe('IMDb', () => {
  test('ratings: kinds, episodes and a line that stands there twice', async () => {
    const csv = await read(await openFixture('imdb/ratings-2024.csv'))
    expect(shortly(csv)).toEqual({
      'The Matrix': { rating: '5←9/10' },
      "Le Fabuleux Destin d'Amélie Poulain": { rating: '4←7/10' },
      'Breaking Bad': { rating: '5←10/10' },
      Chernobyl: { rating: '4←8/10' },
      'A Film Nobody Made': { rating: '1←1/10' },
      'Some Short': { rating: '3←5/10' },
      'Some Game': { rating: '3←6/10' },
      'Blade Runner': { rating: '2←3/10' },
    })
    expect(csv.notKept).toEqual({ episodes: 1 })
    expect([...csv.records.values()].map(({ kind }) => kind)).toEqual([
      'movie',
      'movie',
      'tvShow',
      'tvShow',
      'movie',
      'movie',
      'game',
      'movie',
    ])
    expect(csv.records.get('Breaking Bad')).toMatchObject({
      year: 2008,
      ids: [{ source: 'imdb', id: 'tt0903747' }],
      rating: { ratedAt: '2024-01-06T12:00:00.000Z' },
    })
  })

  test('an older file in Latin-1 says the same', async () => {
    const older = await read(await openFixture('imdb/ratings-2019-latin1.csv'))
    const newer = await read(await openFixture('imdb/ratings-2024.csv'))
    const names = [...older.records.keys()]
    expect(names).toEqual([...newer.records.keys()].slice(0, 3))
    for (const name of names)
      expect(inShort(older.records.get(name)!)).toEqual(inShort(newer.records.get(name)!))
  })

  test('a list is the watchlist unless the member says otherwise', async () => {
    const quoted = await read(await openFixture('imdb/watchlist-2017-quoted.csv'))
    expect(shortly(quoted)).toEqual({ Inception: { rating: '5←10/10', entries: ['want'] } })
    expect(quoted.records.get('Inception')!.entries[0]).toMatchObject({ addedOn: '2011-04-23' })
    const file = 'imdb/watchlist-2024.csv'
    const list = await openFixture(file)
    expect(shortly(await read(list))).toEqual({
      Stalker: { entries: ['want'] },
      'The Matrix': { rating: '5←9/10', entries: ['want “again”'] },
    })
    expect(list.summary().shelves).toEqual([{ name: 'IMDb list', count: 2 }])
    const watched = await read(await openFixture(file), { shelves: { 'IMDb list': 'finished' } })
    expect(inShort(watched.records.get('Stalker')!)).toEqual({ entries: ['finished'] })
  })
})
