import { expect, test } from 'vitest'
import { openFixture, read, shortly } from '#scripts/testing/import-file.ts'

test('StoryGraph: several reads, quarters, ids that are no ISBN and a line with tags alone', async () => {
  const csv = await read(await openFixture('storygraph/storygraph_export.csv'))
  expect(shortly(csv)).toEqual({
    'The Hobbit': {
      rating: '4←4.25/5',
      review: 'Cosy.',
      entries: ['finished 2021-09-14', 'finished from 2022-10-29 2022-11-28 again'],
    },
    Dune: { rating: '4←3.75/5', entries: ['finished from 2023-01-20 2023-02-02'] },
    Dracula: { rating: '5←4.5/5', entries: ['finished 2023-05'] },
    'Moby-Dick': { rating: '1←0.5/5', entries: ['finished'] },
    Frankenstein: { entries: ['started'] },
    'Don Quixote': { entries: ['want'] },
    'Crime and Punishment': { entries: ['dropped'] },
    'To Kill a Mockingbird': { entries: ['paused'] },
    'Only Tagged': {},
    'The Great Gatsby': {
      rating: '5←5/5',
      review: 'Line one\nline two, with a "quote"',
      entries: ['finished'],
    },
  })
  expect(csv.records.get('Dune')!.ids).toEqual([{ source: 'storygraph', id: 'B0851JCZYV' }])
  expect(csv.notKept).toEqual({ tags: 2 })
})
