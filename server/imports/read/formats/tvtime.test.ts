import { expect, test } from 'vitest'
import { openBytes, openFixture, playsOf, read, shortly } from '#scripts/testing/import-file.ts'
import { zipOf } from '#scripts/testing/zip.ts'

const v2 = [
  'ep_id,s_id,series_name,created_at,key,season_number,episode_number,s_no,ep_no,rewatch_count,is_archived,is_for_later,is_unitary,movie_name',
  '1,900,Doctor Harbour (2023),2024-05-17 18:50:05,watch-episode-aa,1,1,,,1,,,,',
  '1,900,Doctor Harbour (2023),2024-06-17 18:50:05,rewatch-episode-ab,1,1,,,,,,,',
  '2,900,Doctor Harbour (2023),1970-01-01 00:00:00,watch-episode-ac,,,1,2,,,,,',
  '3,900,Doctor Harbour (2023),2024-05-19 18:50:05,watch-episode-ad,,,,,,,,,',
  ',900,Doctor Harbour (2023),2024-05-01 00:00:00,user-series-a,,,,,,true,,,',
  ',901,Later Quay,2024-05-01 00:00:00,user-series-b,,,,,,false,true,,',
  '9,902,Some TV Movie,2024-08-08 00:17:56,watch-episode-ae,1,1,,,,,,true,',
  ',,,,tracking-stats,,,,,,,,,',
].join('\n')
const movies = [
  'type,movie_name,release_date,created_at,uuid,entity_type',
  'watch,Arrival,2016-11-11 00:00:00,2020-05-05 21:00:00,u1,movie',
  'rewatch,Arrival,2016-11-11 00:00:00,2021-05-05 21:00:00,u1,movie',
  'towatch,Stalker,1979-05-25 00:00:00,2020-06-06 21:00:00,u2,movie',
].join('\n')
const seen = [
  'tv_show_name,episode_season_number,episode_number,episode_id,created_at',
  'Later Quay,1,1,11,2019-01-02 20:00:00',
  'Nowhere Quay,2,3,,2019-01-03 20:00:00',
].join('\n')
const followed = [
  'tv_show_name,tv_show_id,archived,created_at',
  'Later Quay,901,0,2018-01-01 00:00:00',
  'Old Quay,903,1,2018-01-01 00:00:00',
].join('\n')
/** Its data are not what the directory says, so a zip in which it is opened is refused. */
function withSecret(files: Record<string, string>): Buffer {
  const zip = zipOf({ ...files, 'access_token.csv': 'key,s_id,created_at\nSECRET' })
  const at = zip.indexOf('access_token.csv')
  zip.fill(0xff, at + 'access_token.csv'.length, at + 'access_token.csv'.length + 8)
  return zip
}

test('TV Time: episodes, again, in all, unknown dates, dropped and wanted shows, movies', async () => {
  const zip = await read(
    await openBytes(
      withSecret({
        'data/tracking-prod-records-v2.csv': v2,
        'data/tracking-prod-records.csv': movies,
        'data/seen_episode_source.csv': seen,
      }),
    ),
  )
  expect(zip.service).toBe('tvtime')
  expect(playsOf(zip)).toEqual({
    'Doctor Harbour': ['1×1 2024-05-17 (2)', '1×1 2024-06-17', '1×2 unknown'],
  })
  expect(shortly(zip)).toEqual({
    'Doctor Harbour': { entries: ['dropped from 2024-05-17 2024-06-17'] },
    'Later Quay': { entries: ['want'] },
    'Some TV Movie': { entries: ['finished 2024-08-08'] },
    Arrival: { entries: ['finished 2020-05-05', 'finished 2021-05-05 again'] },
    Stalker: { entries: ['want'] },
  })
  expect(zip.records.get('Doctor Harbour')).toMatchObject({
    year: 2023,
    ids: [
      { source: 'tvtime', id: '900' },
      { source: 'tvdb', id: '900' },
    ],
  })
  expect(zip.notKept).toEqual({ statistics: 1, episodes: 1 })
})

test('TV Time: an older file names shows, whose ids are in another one', async () => {
  const zip = await read(
    await openBytes(withSecret({ 'seen_episode_source.csv': seen, 'followed_tv_show.csv': followed })),
  )
  expect(playsOf(zip)).toEqual({ 'Later Quay': ['1×1 2019-01-02'], 'Nowhere Quay': ['2×3 2019-01-03'] })
  expect(zip.records.get('Later Quay')!.ids).toContainEqual({ source: 'tvdb', id: '901' })
  expect(shortly(zip)).toMatchObject({ 'Old Quay': { entries: ['dropped'] } })
})

test('TV Time: the file of a program has the times in all', async () => {
  const episodes = [
    'series_tvdb_id,title,season,episode,is_watched,watched_at,rewatch_count,tvdb_id',
    '42,Severance,1,1,true,2025-02-14 20:30:00,2,7',
    '42,Severance,1,2,false,,0,8',
    '42,Severance,1,3,true,,0,9',
  ].join('\n')
  for (const file of [episodes, withSecret({ 'tvtime-series-episodes-2026-07-07.csv': episodes })]) {
    const opened = await read(await openBytes(file))
    expect([opened.service, playsOf(opened)]).toEqual([
      'tvtime',
      { Severance: ['1×1 2025-02-14 (3)', '1×3 unknown'] },
    ])
    expect(opened.notKept).toEqual({ 'episodes that were not watched': 1 })
  }
})

test('TV Time: the sample', async () => {
  const zip = await read(await openFixture('tvtime/gdpr-data.zip'))
  expect(playsOf(zip)).toEqual({ 'Breaking Bad': ['1×1 2019-03-03', '1×2 2019-03-04 (2)'] })
  expect(shortly(zip)).toEqual({
    'Breaking Bad': { entries: ['started from 2019-03-03'] },
    'Twin Peaks': { entries: ['want'] },
    'The Matrix': { entries: ['finished 2020-05-05'] },
    Stalker: { entries: ['want'] },
  })
  expect(zip.unreadable).toEqual([])
})
