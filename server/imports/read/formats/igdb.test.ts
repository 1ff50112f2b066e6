import { expect, test } from 'vitest'
import { inShort, openFixture, read } from '#scripts/testing/import-file.ts'

test('IGDB: the status is chosen once for the file, and the average at IGDB is no rating', async () => {
  const file = 'igdb/played.csv'
  const asked = await read(await openFixture(file))
  expect(asked.summary.shelves).toEqual([{ name: 'IGDB list', count: 1 }])
  expect(asked.records.get('Portal 2')).toMatchObject({
    kind: 'game',
    year: 2011,
    ids: [{ source: 'igdb', id: '72' }],
  })
  expect(inShort(asked.records.get('Portal 2')!)).toEqual({})
  const played = await read(await openFixture(file), { shelves: { 'IGDB list': 'finished' } })
  expect(inShort(played.records.get('Portal 2')!)).toEqual({ entries: ['finished'] })
})
