import { expect, test } from 'vitest'
import { openBytes, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

test('Backloggd: a table, whose ratings are of five', async () => {
  const csv = await read(await openFixture('backloggd/backloggd.csv'), { halfStars: true })
  expect([csv.service, csv.summary.shelves]).toEqual(['backloggd', []])
  expect(shortly(csv)).toEqual({
    'Tin Harbour': { rating: '3.5←3.5/5', entries: ['paused'] },
    'Portal 2': { rating: '5←5/5', entries: ['finished', 'want'] },
    Tetris: { rating: '1←0.5/5', entries: ['finished'] },
    Doom: { entries: ['dropped'] },
    Myst: { entries: ['want'] },
    'Ferry Manager': { entries: ['finished'] },
  })
  expect(csv.records.get('Ferry Manager')!.notes).toEqual(['“6” is not a rating from 0.5 to 5.'])
})

test('Backloggd: the JSON of the community, whose ratings are of ten, with several times of one game', async () => {
  const json = await read(await openFixture('backloggd/backloggd-transfer.json'), { halfStars: true })
  expect(json.service).toBe('backloggd')
  expect(shortly(json)).toEqual({
    'Tin Harbour': { rating: '3.5←7/10' },
    'Portal 2': {
      rating: '4.5←9/10',
      review: 'Still *the* cake.',
      entries: ['want', 'finished from 2020-01-02 2020-01-09 10/10', 'finished 2024-03-04 again'],
    },
    Myst: { entries: ['want'] },
    Doom: { rating: '1.5←3/10', entries: ['dropped from 2021-05-06'] },
    Tetris: { entries: ['paused from 2022-02-02'] },
  })
  expect(json.records.get('Portal 2')!.review!.hasSpoilers).toBe(true)
  expect(json.notKept).toEqual({ likes: 1, tags: 1, 'play sessions': 1, 'play time': 1 })
  expect(json.unreadable).toEqual([
    { file: 'entries', line: 6, problem: 'This item has an unexpected form.' },
  ])
  const liked = await read(await openFixture('backloggd/backloggd-transfer.json'), { likes: true })
  expect(shortly(liked)['Portal 2']).toMatchObject({ isFavorite: true })
  expect(liked.notKept).not.toHaveProperty('likes')
  await expect(openBytes('{"format":"backloggd","entries":[]}')).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
})
