import { expect, test } from 'vitest'
import { openBytes, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

test('Calibre: the status is chosen once for the library, and the description is no review', async () => {
  const file = 'calibre/catalog.csv'
  const asked = await read(await openFixture(file), { halfStars: true })
  expect([asked.service, asked.summary.shelves]).toEqual(['calibre', [{ name: 'Calibre library', count: 4 }]])
  expect(shortly(asked)).toEqual({
    Dune: { rating: '4.5←4.5/5' },
    'Grey Bells': { rating: '3.5←3.5/5' },
    'Low Tide, High Tide': {},
    Dracula: {},
  })
  expect([...asked.records.values()].map(({ authors, year }) => [authors, year])).toEqual([
    [['Frank Herbert'], null],
    [['Ann Hale'], null],
    [['Bo Lind', 'Ann Hale'], null],
    [['Bram Stoker'], null],
  ])
  const isbnsOf = (name: string) => asked.records.get(name)!.ids.filter(({ source }) => source === 'isbn13')
  expect(['Dune', 'Low Tide, High Tide', 'Dracula'].map(isbnsOf)).toEqual([
    [{ source: 'isbn13', id: '9780441013593' }],
    [],
    [{ source: 'isbn13', id: '9780141439846' }],
  ])
  expect(asked.notKept).toEqual({ descriptions: 1, tags: 1 })
  const owned = await read(await openFixture(file), { shelves: { 'Calibre library': 'want' } })
  expect(shortly(owned)['Dracula']).toEqual({ entries: ['want'] })
})

test('a catalogue of Calibre without ratings says so', async () => {
  const csv = await read(
    await openBytes('author_sort,uuid,title,authors\n"Hale, Ann",u-1,Grey Bells,Ann Hale\n'),
  )
  expect(csv.unreadable).toEqual([{ file: '', line: 1, problem: 'The file has no column “rating”.' }])
})
