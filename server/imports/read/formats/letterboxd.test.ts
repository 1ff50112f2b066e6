import { describe, expect, test } from 'vitest'
import { defaultImportOptions } from '#shared/contracts/imports.ts'
import { inShort, now, openBytes, openFixture, read, shortly } from '#scripts/testing/import-file.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import { titleKeyOf } from '#server/imports/read/keys.ts'
import { joinLines } from '#server/imports/match/join.ts'
import type { ParsedTitle } from './records.ts'
import { readRecord } from './index.ts'

describe('Letterboxd', () => {
  const expected = {
    'The Matrix': {
      rating: '5←4.5/5',
      review: 'Better than I remembered.',
      entries: [
        'want',
        'finished 2022-12-31 4/5 “First time. Whoa.\n\nSecond paragraph, with "quotes" and a comma, too.”',
        'finished 2023-06-09 again 4.5/5',
      ],
      isFavorite: true,
    },
    'Fight Club': { rating: '1←0.5/5', entries: ['finished'] },
    Amélie: {
      rating: '5←5/5',
      review: 'Lovely & odd. More (https://example.org/x)\nquoted',
      entries: ['finished'],
      isFavorite: true,
    },
    'Crouching Tiger, Hidden Dragon': { rating: '4←3.5/5', entries: ['finished'] },
    WALL·E: { entries: ['finished'] },
    Metropolis: {
      rating: '4←4/5',
      review: 'This review may contain spoilers.\nThe machine is not her.',
      entries: ['finished'],
    },
    Parasite: { rating: '3←2.5/5', entries: ['finished'] },
    'The Lighthouse Keeper’s Radio': { rating: '3←3/5', entries: ['finished'] },
    'Untitled Student Short': { entries: ['finished 2001-01-27'] },
    'Blade Runner': { rating: '2←1.5/5', entries: ['finished 2023-06-08 again 1.5/5'] },
    'Seven Samurai': { rating: '4←4/5', entries: ['finished 2023-02-02'] },
    Titanic: {
      review: "=cmd|' /C calc'!A0 said nobody about this boat",
      entries: ["finished “=cmd|' /C calc'!A0 said nobody about this boat”"],
    },
    'Spirited Away': { entries: ['finished'] },
    Stalker: { entries: ['want'] },
    'Solaris, Again': { entries: ['want'] },
  }

  test('a zip becomes one record per film, with what is not kept counted', async () => {
    const zip = await read(await openFixture('letterboxd/letterboxd-maria-2023-06-11.zip'))
    expect(zip.service).toBe('letterboxd')
    expect(shortly(zip)).toEqual(expected)
    expect(zip.notKept).toEqual({
      comments: 1,
      likes: 2,
      'deleted entries': 1,
      tags: 2,
    })
    const key = 'https://boxd.it/lRain'
    expect(zip.lists).toMatchObject([{ key, name: 'Rainy days', tags: ['calm', 'blue'], isRanked: false }])
    expect(zip.records.get('Stalker')!.listItems).toEqual([
      { key, name: 'Rainy days', position: 2, note: 'long', addedOn: null },
    ])
    const matrix = zip.records.get('The Matrix')!
    expect(matrix.rating!.ratedAt).toBe('2023-01-02T12:00:00.000Z')
    expect(matrix.review!.writtenAt).toBe('2023-06-10T12:00:00.000Z')
    expect(matrix.entries[0]).toMatchObject({ addedOn: '2023-04-01' })
    expect(matrix.entries.map(({ origin }) => origin)).toEqual([
      'letterboxd:want:fMtx',
      'letterboxd:entry:eMtx01',
      'letterboxd:entry:eMtx02',
    ])
    expect(zip.records.get('Metropolis')!.review!.hasSpoilers).toBe(true)
    const samurai = zip.records.get('Seven Samurai')!
    expect(samurai.rating!.ratedAt).toBeNull()
    expect(samurai.notes).toEqual(['The date of the rating is in the future and is left out.'])
    const titanic = zip.records.get('Titanic')!
    expect(titanic.isTextWithoutRating).toBe(true)
    expect(titanic.notes).toEqual([
      '“6” is not a rating from 0.5 to 5.',
      'Kept in your diary: a review here needs a rating.',
    ])
    expect(zip.records.get('Untitled Student Short')!.year).toBeNull()
  })

  test('a zip with a folder in it is the same, and the files of macOS are ignored', async () => {
    const zip = await read(await openFixture('letterboxd/letterboxd-in-a-folder.zip'))
    expect(shortly(zip)).toEqual(expected)
    expect(zip.rows.some(({ file }) => file.includes('MACOSX'))).toBe(false)
  })

  test('a newer zip differs in exactly what has changed', async () => {
    const older = await read(await openFixture('letterboxd/letterboxd-maria-2023-06-11.zip'))
    const newer = await read(await openFixture('letterboxd/letterboxd-maria-2023-07-02-newer.zip'))
    const changed = [...newer.records].filter(
      ([name, record]) => JSON.stringify(record) !== JSON.stringify(older.records.get(name)),
    )
    expect(changed.map(([name, record]) => [name, inShort(record)])).toEqual([
      ['Fight Club', { rating: '1←1/5', entries: ['finished'] }],
      ['Alien', { rating: '5←5/5', entries: ['finished 2023-06-30 5/5'] }],
    ])
  })

  test('likes become favorites if the member wants it', async () => {
    const zip = await openFixture('letterboxd/letterboxd-maria-2023-06-11.zip')
    const { records, notKept } = await read(zip, { likes: true })
    expect(notKept['likes']).toBeUndefined()
    expect(records.get('The Matrix')).toMatchObject({
      isFavorite: true,
      favoriteOn: '2023-01-02T12:00:00.000Z',
    })
  })

  test('two films of the same name and year stay two, and so do their viewings', async () => {
    const uri = (id: string) => `https://boxd.it/${id}`
    const films = (...ids: string[]) =>
      ['Date,Name,Year,Letterboxd URI', ...ids.map((id) => `2023-01-02,Signs,2020,${uri(id)}`), ''].join('\n')
    const line = (id: string, rating: number, on: string) => `${on},signs,2020,${uri(id)},${rating},,,${on}`
    const opened = await openBytes(
      zipOf({
        'profile.csv': `Username,Favorite Films\nmaria,"${uri('fOne')}"\n`,
        'watched.csv': `${films('fOne', 'fTwo')}2023-01-02,Alien,1979,${uri('fAli')}\n`,
        'ratings.csv': `Date,Name,Year,Letterboxd URI,Rating\n2023-01-02,Signs,2020,${uri('fTwo')},2\n`,
        'watchlist.csv': films('fThree'),
        'diary.csv': [
          'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date',
          line('eOne', 4, '2023-02-03'),
          line('eTwo', 2, '2023-03-04'),
          '',
        ].join('\n'),
      }),
    )
    const titles = new Map<string, ParsedTitle[]>()
    for await (const row of opened.records) {
      const result = 'raw' in row && readRecord('letterboxd', row, defaultImportOptions).record
      if (!result || result.type !== 'title') continue
      const key = titleKeyOf(result.title)
      titles.set(key, [...(titles.get(key) ?? []), result.title])
    }
    const records = [...titles.values()].map((readings) => joinLines(readings, defaultImportOptions, now))
    expect(records.map((record) => [record.name, record.isNamesake, inShort(record)])).toEqual([
      ['Signs', true, { entries: ['finished'], isFavorite: true }],
      ['Signs', true, { rating: '2←2/5', entries: ['finished'] }],
      ['Alien', undefined, { entries: ['finished'] }],
      ['Signs', true, { entries: ['want'] }],
      ['signs', true, { rating: '4←4/5', entries: ['finished 2023-02-03 4/5'] }],
      ['signs', true, { rating: '2←2/5', entries: ['finished 2023-03-04 2/5'] }],
    ])
    expect(records[0]!.notes).toEqual(['namesakes'])
  })

  test('a single file is read by its columns; whether its films were watched is asked', async () => {
    const ratings = await read(await openFixture('letterboxd/ratings-utf8-bom-lf.csv'))
    expect(ratings.records.size).toBe(10)
    expect(inShort(ratings.records.get('Amélie')!)).toEqual({ rating: '5←5/5' })

    const films = () => openBytes('Letterboxd URI,year,NAME\nhttps://boxd.it/fMtx,1999,The Matrix\n')
    const asked = await read(await films())
    expect(asked.summary.shelves).toEqual([{ name: 'Films of this file', count: 1 }])
    expect(inShort(asked.records.get('The Matrix')!)).toEqual({})
    const wanted = await read(await films(), { shelves: { 'Films of this file': 'want' } })
    expect(inShort(wanted.records.get('The Matrix')!)).toEqual({ entries: ['want'] })
  })
})
