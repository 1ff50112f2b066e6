import { expect, test } from 'vitest'
import { saveSeasons, type Days } from '#scripts/testing/episodes.ts'
import { slowness, threadCpuMs } from '#scripts/testing/event-loop.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const aShow = async (seasons: Days) => {
  const id = await aTitle(db, 'tvShow')
  return { id, episodes: await saveSeasons(db, id, seasons) }
}
const callAt = (day: string, member: Member) => as(member, { now: new Date(`${day}T12:00:00.000Z`) }).progress

test('an episode airs and is watched on a leap day, which other years do not have', async () => {
  const ada = await aMember(db)
  const { id, episodes } = await aShow({ 1: ['2024-02-29'] })
  const on = (watchedOn: string) => callAt('2024-03-01', ada).mark({ id, episodeIds: episodes, watchedOn })
  expect((await callAt('2024-02-28', ada).seasons({ id })).progress?.airedCount).toBe(0)
  expect((await callAt('2024-02-29', ada).seasons({ id })).progress?.airedCount).toBe(1)
  await expect(on('2023-02-29')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await on('2024-02-29')
  const { plays } = await callAt('2024-03-01', ada).plays({ id })
  expect(plays).toMatchObject([{ watchedOn: '2024-02-29' }])
  expect(
    (await callAt('2024-02-29', ada).calendar({ from: '2024-02-29', to: '2024-02-29' })).entries,
  ).toMatchObject([{ date: '2024-02-29', episode: { id: episodes[0] }, isPlayed: true }])
  // A year of 366 days.
  await callAt('2024-01-01', ada).calendar({ from: '2024-01-01', to: '2024-12-31' })
})

test('a show without a known end waits for its next episode after the last one that has aired, and goes on with it', async () => {
  const ada = await aMember(db)
  const days = (count: number) =>
    Array.from({ length: 20 }, (_, at) => (at < count ? `2026-05-0${at + 1}` : null))
  const { id, episodes } = await aShow({ 1: days(3) })
  const { progress } = await callAt('2026-05-03', ada).mark({ id, upTo: episodes[2]! })
  expect(progress).toMatchObject({
    status: 'started',
    percent: 100,
    airedCount: 3,
    episodeCount: 20,
    next: null,
  })
  const upNext = async (day: string) => (await callAt(day, ada).upNext({})).entries
  expect(await upNext('2026-05-03')).toEqual([])
  await saveSeasons(db, id, { 1: days(4) })
  expect(await upNext('2026-05-03')).toEqual([])
  expect(await upNext('2026-05-04')).toMatchObject([{ episode: { id: episodes[3] }, leftCount: 1 }])
})

test('two episodes that one file shows are two plays of the same time, which one undo takes back', async () => {
  const ada = await aMember(db)
  const { id, episodes } = await aShow({ 1: ['2026-05-01', '2026-05-01', '2026-05-08'] })
  const both = episodes.slice(0, 2)
  const { batch, progress } = await callAt('2026-05-02', ada).mark({ id, episodeIds: both })
  expect(progress).toMatchObject({ playedCount: 2, airedCount: 2, percent: 100 })
  const rows = await db.selectFrom('plays').selectAll().where('user_id', '=', ada.id).execute()
  expect(new Set(rows.map(({ watched_at }) => watched_at))).toEqual(new Set(['2026-05-02T12:00:00.000Z']))
  await callAt('2026-05-02', ada).undo({ id: batch!.id })
  expect((await callAt('2026-05-02', ada).plays({ id })).plays).toEqual([])
})

test.runIf(isSqlite(db))('5,000 episodes are marked in 100 ms of CPU time', async () => {
  const { id, episodes } = await aShow(
    Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [at + 1, Array.from({ length: 100 }, () => '2020-01-01')]),
    ),
  )
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    const member = await aMember(db)
    const from = threadCpuMs()
    await callAt('2026-05-01', member).mark({ id, upTo: episodes.at(-1)! })
    times.push(threadCpuMs() - from)
  }
  expect(Math.min(...times)).toBeLessThan(100 * slowness())
})
