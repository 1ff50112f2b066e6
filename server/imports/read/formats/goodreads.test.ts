import { describe, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { inShort, openBytes, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

describe('Goodreads', () => {
  test('an export becomes one record per book, editions joined', async () => {
    const csv = await read(await openFixture('goodreads/goodreads_library_export.csv'))
    expect(csv.rows).toHaveLength(12)
    expect(shortly(csv)).toEqual({
      'The Hobbit': {
        rating: '5←5/5',
        review: 'Read aloud.\n\nTwice.',
        entries: ['finished', 'finished again', 'finished 2021-06-01 again'],
      },
      Dune: { rating: '4←4/5', entries: ['finished 2020-02-03'] },
      'Pride and Prejudice': { entries: ['finished 2019-09-09'] },
      'Frankenstein: The 1818 Text': { rating: '3←3/5', entries: ['finished'] },
      'Moby-Dick or, The Whale': { rating: '2←2/5', entries: ['want'] },
      Dracula: { entries: ['started'] },
      'A Book That Nobody Catalogued': {
        rating: '4←4/5',
        review: 'Only 40 copies were printed.',
        entries: ['finished 2022-12-31'],
      },
      'Crime and Punishment': { rating: '1←1/5', review: 'Stopped at part three.', entries: ['dropped'] },
      'The Great Gatsby': { rating: '5←5/5', entries: ['finished 2010-01-01 3/5', 'finished 2018-07'] },
      'Don Quixote': {
        rating: '4←4/5',
        review: 'Spoils the windmills.',
        entries: ['finished “lent to Ana”'],
      },
      'Nineteen Eighty-Four': { rating: '4←4/5', entries: ['finished 2023-01-05'] },
    })
    const notesOf = (name: string) => csv.records.get(name)!.notes
    expect(notesOf('Moby-Dick or, The Whale')).toEqual(['The ISBN has a wrong check digit.'])
    expect(notesOf('Don Quixote')).toEqual(['The date of finishing is in the future and is left out.'])
    expect(csv.records.get('Don Quixote')!.review!.hasSpoilers).toBe(true)
    expect(notesOf('Nineteen Eighty-Four')).toContain('The ISBN lost its digits in a spreadsheet.')
    expect(notesOf('Nineteen Eighty-Four')).toContain('“1/5/23” was read with the month first.')
    const isbnOf = (name: string) => csv.records.get(name)!.ids.filter(({ source }) => source === 'isbn13')
    expect(isbnOf('The Hobbit')).toEqual([{ source: 'isbn13', id: '9780547928227' }])
    expect(isbnOf('Moby-Dick or, The Whale')).toEqual([])
    expect(csv.records.get('Pride and Prejudice')!.authors).toEqual(['Jane Austen'])
  })

  test('the older export with 31 columns says the same', async () => {
    const [older, newer] = [
      await read(await openFixture('goodreads/older-31-columns.csv')),
      await read(await openFixture('goodreads/goodreads_library_export.csv')),
    ]
    expect(older.records.get('The Hobbit')).toEqual(newer.records.get('The Hobbit'))
  })

  test('shelves become lists if the member says so, each book at its position', async () => {
    const file = () =>
      openBytes(
        'Book Id,Title,Author,Exclusive Shelf,Bookshelves,Bookshelves with positions,My Rating\n' +
          '1,A,B,read,"favorites, re-read, read","favorites (#2), re-read (#7), read (#1)",4\n2,C,D,read,favorites,,0\n',
      )
    const asked = await read(await file())
    expect([asked.notKept, asked.records.get('A')!.listItems]).toEqual([{ shelves: 2 }, []])
    const { notKept, records } = await read(await file(), { shelfLists: true })
    expect(notKept).toEqual({})
    const shown = (name: string) => records.get(name)!.listItems.map(({ key, position }) => [key, position])
    expect(shown('A')).toEqual([
      ['favorites', 2],
      ['re-read', 7],
    ])
    expect(shown('C')).toEqual([['favorites', 3]])
  })

  test('a file with a header only is empty', async () => {
    await expect(openFixture('goodreads/header-only.csv').then(read)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: messages.importEmpty,
    })
  })

  test('the meaning of a shelf of the member’s own is asked once for the shelf', async () => {
    const file = () =>
      openBytes(
        'Book Id,Title,Author,Exclusive Shelf,My Rating\n1,A,B,someday maybe,4\n2,C,D,someday maybe,0\n3,E,F,on-hold,0\n',
      )
    const asked = await read(await file())
    expect(asked.summary.shelves).toEqual([{ name: 'someday maybe', count: 2 }])
    expect(shortly(asked)).toEqual({ A: { rating: '4←4/5' }, C: {}, E: { entries: ['paused'] } })
    const chosen = await read(await file(), { shelves: { 'someday maybe': 'want' } })
    expect(inShort(chosen.records.get('C')!)).toEqual({ entries: ['want'] })
    const skipped = await read(await file(), { shelves: { 'someday maybe': 'skip' } })
    expect(skipped.records.get('C')).toMatchObject({ entries: [], notes: [] })
  })
})
