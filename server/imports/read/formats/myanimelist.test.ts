import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fixtures, openBytes, openFixture, read, shortly } from '#scripts/testing/import-file.ts'

test('MyAnimeList: anime and manga, with partial dates, numbers of states and private comments', async () => {
  const anime = await read(await openFixture('myanimelist/animelist.xml'), { halfStars: true })
  expect(anime.service).toBe('myanimelist')
  expect(shortly(anime)).toEqual({
    'Sen to Chihiro no Kamikakushi': { rating: '4.5←9/10', entries: ['finished 2012-05'] },
    'Cowboy Bebop': { entries: ['paused from 2020-01-02 “see <later>”'] },
  })
  expect(anime.notKept).toEqual({ episodes: 1, repeats: 1, tags: 1 })
  const manga = await read(await openFixture('myanimelist/mangalist.xml'), { halfStars: true })
  expect(shortly(manga)).toEqual({
    'Low Tide': { rating: '3.5←7/10', entries: ['finished from 2019-05 2019'] },
    'Salt & Paper': { entries: ['want'] },
  })
  expect([...manga.records.values()].map(({ kind }) => kind)).toEqual(['tvShow', 'book'])
})

test('MyAnimeList: its download, a gzip, is read like the file in it, in several parts too', async () => {
  const xml = readFileSync(join(fixtures, 'myanimelist/animelist.xml'))
  const unpacked = await read(await openBytes(xml))
  for (const file of [
    gzipSync(xml),
    Buffer.concat([gzipSync(xml.subarray(0, 99)), gzipSync(xml.subarray(99))]),
  ])
    expect(await read(await openBytes(file))).toEqual(unpacked)
})

const one = '<anime><series_title>A</series_title><my_score>7</my_score></anime>'
test.each([
  [
    'a document type',
    `<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><myanimelist>${one}</myanimelist>`,
    /document type/,
  ],
  [
    'an unknown entity',
    '<myanimelist><anime><series_title>&b;</series_title></anime></myanimelist>',
    /valid/,
  ],
  ['a cut file', `<myanimelist>${one}<anime><series_ti`, /valid XML/],
  ['deep nesting', `<myanimelist>${one}${'<a>'.repeat(90_000)}`, /nested/],
  ['Latin-1', Buffer.from(`<myanimelist>${one}<anime>é`, 'latin1'), /UTF-8/],
  ['a text of 10 MB', `<myanimelist>${one}<anime><a>${'x'.repeat(10_000_000)}`, /too long/],
])('MyAnimeList: %s is refused with a reason', async (_, file, problem) => {
  const { unreadable } = await read(await openBytes(file))
  expect(unreadable).toMatchObject([{ problem: expect.stringMatching(problem) }])
})
