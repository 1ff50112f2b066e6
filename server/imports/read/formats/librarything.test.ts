import { expect, test } from 'vitest'
import { openBytes, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

const columns =
  'Book Id|Title|Primary Author|Secondary Author|Date|Review|Rating|Comment|Collections|Date Started|Date Read|ISBN|ISBNs|Tags|Media|Entry Date'
const rows = [
  '101|The Hobbit|Tolkien, J. R. R.||1937|Good <i>fun</i>.|4.5|Lent to Bo|Your library, Currently reading|2024-02-01||[0547928227]|0547928227, 9780547928227|fantasy|Paper Book|2024-01-05',
  '102|Dracula|Stoker, Bram||1897||||To read|||||||2024-01-06',
  '103|Beloved|Morrison, Toni||1987||3||Read but unowned|2023-01-01|2023-02-01|||||2024-01-06',
  '104|"A" Is for Alibi|Grafton, Sue||c1982|||On loan|Your library, Kitchen|||[054792822X]||||2024-01-06',
  '105|The Little Prince|Saint-Exupéry, Antoine de|Woods, Katherine\tOther, Ann||||||||||||'.replace(
    '\t',
    '; ',
  ),
  '106|Dune|Herbert, Frank||1965||||Your library, Wishlist|2024-03-01|2020-05-01|[9780547928228]||||',
  '107|A Film|Some, One||2001||||Your library||||||DVD|',
]
const file = (lines: readonly string[]) =>
  Buffer.from(`\ufeff${lines.map((each) => `${each.replaceAll('|', '\t')}\n`).join('')}`, 'utf16le')

test('LibraryThing: collections, dates, authors and ISBNs of its tab-delimited text in UTF-16', async () => {
  const tsv = await read(await openBytes(file([columns, ...rows])))
  expect([tsv.service, tsv.unreadable]).toEqual(['librarything', []])
  expect(shortly(tsv)).toEqual({
    'The Hobbit': {
      rating: '5←4.5/5',
      review: 'Good fun.',
      entries: ['started from 2024-02-01 “Lent to Bo”'],
    },
    Dracula: { entries: ['want'] },
    Beloved: { rating: '3←3/5', entries: ['finished from 2023-01-01 2023-02-01'] },
    '"A" Is for Alibi': {},
    'The Little Prince': {},
    Dune: { entries: ['finished 2020-05-01', 'started from 2024-03-01 again'] },
  })
  expect(tsv.records.get('The Hobbit')).toMatchObject({
    year: 1937,
    authors: ['J. R. R. Tolkien'],
    ids: [
      { source: 'isbn13', id: '9780547928227' },
      { source: 'librarything', id: '101' },
    ],
    notes: [],
  })
  expect(tsv.records.get('"A" Is for Alibi')).toMatchObject({ year: 1982, authors: ['Sue Grafton'] })
  expect(tsv.records.get('The Little Prince')!.authors).toEqual([
    'Antoine de Saint-Exupéry',
    'Katherine Woods',
    'Ann Other',
  ])
  expect(tsv.records.get('Dune')!.notes).toEqual(['The ISBN has a wrong check digit.'])
  expect(tsv.notKept).toEqual({
    tags: 1,
    comments: 1,
    shelves: 1,
    'owned copies': 3,
    'other media': 1,
    'unreadable ISBNs': 1,
  })
  const again = await read(await openBytes(file([columns, ...rows])), { shelfLists: true })
  expect(again.records.get('"A" Is for Alibi')!.listItems).toMatchObject([{ name: 'Kitchen' }])
})

test('LibraryThing: dates and ISBNs in brackets, in Latin-1', async () => {
  const tsv = await read(await openFixture('librarything/latin1.tsv'), { halfStars: true })
  expect([tsv.service, tsv.unreadable]).toEqual(['librarything', []])
  expect(shortly(tsv)).toEqual({
    'Grey Bells': { rating: '4.5←4.5/5', entries: ['finished 2021-03-04'] },
    'Été à l’eau': { rating: '1←0.5/5', entries: ['want'] },
    'A "Quoted" Name': { entries: ['finished 2007-05-08'] },
  })
  expect(tsv.records.get('Grey Bells')!.ids).toContainEqual({ source: 'isbn13', id: '9780547928227' })
  expect(tsv.records.get('Été à l’eau')!.authors).toEqual(['Zoé Lefèvre'])
})

test('LibraryThing: JSON, whose ISBNs are a list or an object', async () => {
  const json = await read(await openFixture('librarything/librarything.json'), { halfStars: true })
  expect([json.service, json.unreadable]).toEqual([
    'librarything',
    [{ file: '', line: 4, problem: 'This item has an unexpected form.' }],
  ])
  expect(shortly(json)).toEqual({
    'Grey Bells': { rating: '3.5←3.5/5', entries: ['finished 2021-03-04'] },
    'The Hobbit': { rating: '5←5/5', entries: ['started from 2024-02-01 “Lent to Bo”'] },
  })
  expect(json.records.get('Grey Bells')).toMatchObject({ year: 2011, authors: ['Ann Hale', 'Bo Lind'] })
  expect(json.records.get('The Hobbit')!.ids).toEqual([
    { source: 'isbn13', id: '9780547928227' },
    { source: 'librarything', id: '8' },
  ])
  expect(json.notKept).toEqual({ tags: 1, 'owned copies': 1, 'other media': 1 })
  const cut = await read(await openBytes('{"7":{"books_id":"7","title":"Grey Bells"},"8":{"books_id"'))
  expect([cut.records.size, cut.unreadable]).toMatchObject([1, [{ problem: 'This is not valid JSON.' }]])
})
