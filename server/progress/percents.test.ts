import { expect, test } from 'vitest'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { seeded } from '#scripts/testing/random.ts'
import { aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import { countPasses } from './percents-store.ts'

const { db, as } = await aServer()
const now = new Date('2026-05-04T12:00:00.000Z')

test('the percent of marks is the one of each show, for undated episodes, exact times, specials and second passes too', async () => {
  const random = seeded(7)
  const ada = await aMember(db)
  const me = as(ada, { now })
  const days = ['2024-01-01', '2025', '2026-05', '2026-05-04', '2026-05-05', '2027-01-01', null]
  const ids: number[] = []
  for (let show = 0; show < 30; show++) {
    const id = await aTitle(db, 'tvShow')
    const season = () =>
      Array.from({ length: Math.ceil(random() * 6) }, () => days[Math.floor(random() * 7)]!)
    const episodes = await saveSeasons(db, id, { 0: season(), 1: season(), 2: season() })
    for (const episode of episodes)
      if (random() < 0.2)
        await db
          .updateTable('parts')
          .set({ airs_at: `2026-05-0${Math.ceil(random() * 8)}T12:00:00.000Z` })
          .where('id', '=', episode)
          .execute()
    for (const pass of random() < 0.3 ? [1, 2] : [1]) {
      const episodeIds = episodes.filter(() => random() < 0.6)
      if (episodeIds.length === 0) continue
      for (const one of episodeIds)
        await me.progress.mark({ id, episodeIds: [one], watchedOn: 'unknown', pass }).catch(() => {})
    }
    ids.push(id)
  }
  const { marks } = await me.diary.marks({ itemIds: ids.join(',') })
  expect(marks.length).toBeGreaterThan(20)
  const found = new Set<number | null>()
  for (const { itemId, status, percent } of marks) {
    const { progress } = await me.progress.seasons({ id: itemId })
    // The mark is about the entry under way, or else the last one that is over.
    if (progress!.status !== status) continue
    expect([itemId, percent]).toEqual([itemId, progress!.percent])
    found.add(percent)
  }
  expect(found.size).toBeGreaterThan(8)
})

test('one query counts several shows, by indexes', async () => {
  const ada = await aMember(db)
  const me = as(ada, { now })
  const ids = []
  for (let show = 0; show < 3; show++) {
    const id = await aTitle(db, 'tvShow')
    const [first] = await saveSeasons(db, id, { 1: ['2024-01-01', '2024-01-08'] })
    await me.progress.mark({ id, episodeIds: [first!] })
    ids.push(id)
  }
  const entries = await db.selectFrom('diary_entries').select('id').where('user_id', '=', ada.id).execute()
  const plans = await plansOf(db, (recorded) =>
    countPasses(
      recorded,
      entries.map(({ id }) => id),
      now.toISOString(),
      '2026-05-04',
    ),
  )
  expect(plans.filter((line) => /^SCAN (?!entries|newest|json_each)/.test(line))).toEqual([])
  const { marks } = await me.diary.marks({ itemIds: ids.join(',') })
  expect(marks.map(({ percent }) => percent)).toEqual([50, 50, 50])
})
