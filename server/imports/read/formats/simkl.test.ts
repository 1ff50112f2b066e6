import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixtures, openBytes, openFixture, playsOf, read, shortly } from '#scripts/testing/import-file.ts'
import { zipOf } from '#scripts/testing/zip.ts'

test('Simkl: dates with the day first, private memos, episodes that are counted', async () => {
  const csv = await read(await openFixture('simkl/SimklBackup.csv'), { halfStars: true })
  expect(csv.service).toBe('simkl')
  expect(shortly(csv)).toEqual({
    'The Matrix': { rating: '3.5←7/10', entries: ['finished 2023-12-05 “Seen with Bo, twice”'] },
    'Low Tide': { rating: '4.5←9/10', entries: ['started'] },
    'Breaking Bad': { entries: ['want “Ask Ann”'] },
    'Kumo no Machi': { rating: '1←1/10', entries: ['paused'] },
    Stalker: { entries: ['dropped'] },
    'Salt Roads': {},
  })
  expect(csv.records.get('Low Tide')!.ids).toEqual([
    { source: 'simkl', id: '2' },
    { source: 'tvdb', id: '777001' },
    { source: 'imdb', id: 'tt7770012' },
  ])
  expect(csv.records.get('The Matrix')!.ids).toContainEqual({ source: 'tmdb-movie', id: '603' })
  expect(csv.records.get('Salt Roads')!.notes).toEqual([
    'The status “notinteresting” is not known; choose what it means.',
    '“11” is not a rating from 1 to 10.',
  ])
  expect(csv.notKept).toEqual({ episodes: 2, 'other media': 1 })
})

test('Simkl: a backup in JSON, alone or zipped, with rewatches and the episodes', async () => {
  const json = readFileSync(join(fixtures, 'simkl/SimklBackup.json'))
  for (const file of [json, zipOf({ 'backup/SimklBackup.json': json })]) {
    const backup = await read(await openBytes(file), { halfStars: true })
    expect(backup.service).toBe('simkl')
    expect(shortly(backup)).toEqual({
      'Kumo no Machi': { rating: '5←10/10', entries: ['finished 2023-03-04'] },
      'Low Tide': { rating: '4.5←9/10', entries: ['paused'] },
      'Breaking Bad': { entries: ['started from 2024-02-09 “On Fridays”'] },
      'The Matrix': { rating: '3.5←7/10', entries: ['finished 2023-12-18', 'finished 2024-05-01 again'] },
    })
    expect(backup.records.get('Kumo no Machi')!.kind).toBe('movie')
    expect(backup.records.get('Breaking Bad')!.ids.map(({ source }) => source)).toEqual([
      'simkl',
      'tmdb-tv',
      'tvdb',
      'imdb',
    ])
    expect(backup.notKept).toEqual({})
    expect(playsOf(backup)).toEqual({ 'Breaking Bad': ['1×1 2024-02-09', '1×2 2024-02-19'] })
    expect(backup.unreadable).toEqual([
      { file: 'movies', line: 3, problem: 'This item has an unexpected form.' },
    ])
  }
  const broken = await read(await openBytes(json.subarray(0, json.length - 40)))
  expect(broken.unreadable.at(-1)).toMatchObject({ problem: 'This is not valid JSON.' })
})
