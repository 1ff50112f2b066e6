import { expect, test } from 'vitest'
import { type Days, saveSeasons } from '#scripts/testing/episodes.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const now = new Date('2026-05-04T12:00:00.000Z')
const call = (member: Member) => as(member, { now })
const aShow = async (seasons: Days) => {
  const id = await aTitle(db, 'tvShow')
  return { id, episodes: await saveSeasons(db, id, seasons) }
}
const shown = async (member: Member, input: object = {}) =>
  (await call(member).progress.calendar(input)).entries.map(
    ({ date, title, episode, isPlayed, status }) =>
      [date, title.id, episode?.id ?? null, isPlayed, status] as const,
  )

test('the calendar has the episodes of shows in the diary that are not dropped, the first ones of wanted shows, and releases', async () => {
  const ada = await aMember(db)
  const { progress, diary } = call(ada)
  const seen = await aShow({ 0: ['2026-05-05'], 1: ['2026-05-01', '2026-05-04', '2026-06-03', '2026-06-04'] })
  const dropped = await aShow({ 1: ['2026-05-01', '2026-05-06'] })
  const wanted = await aShow({
    1: ['2026-05-05', '2026-05-06'],
    2: ['', '2026-05-07', '2026-05-08'],
    3: ['2026-05'],
  })
  const [movie, book, other] = [await aTitle(db), await aTitle(db, 'book'), await aTitle(db)]
  for (const [id, release_date] of [
    [movie, '2026-05-05'],
    [book, '2026-05-09'],
    [other, '2026-07-09'],
  ] as const)
    await db.updateTable('media').set({ release_date }).where('id', '=', id).execute()
  await progress.mark({ id: seen.id, upTo: seen.episodes[2]! })
  await progress.mark({ id: dropped.id, upTo: dropped.episodes[0]! })
  await diary.edit({ id: (await diary.mine({ tvShowId: dropped.id })).entries[0]!.id, status: 'dropped' })
  await diary.create({ tvShowId: wanted.id, status: 'want' })
  for (const movieId of [movie, other]) await diary.create({ movieId, status: 'want' })
  await diary.create({ bookId: book, status: 'want' })
  const all = [
    ['2026-05-04', seen.id, seen.episodes[2], true, 'started'],
    ['2026-05-05', wanted.id, wanted.episodes[0], false, 'want'],
    ['2026-05-05', movie, null, false, 'want'],
    ['2026-05-07', wanted.id, wanted.episodes[2], false, 'want'],
    ['2026-05-09', book, null, false, 'want'],
    ['2026-06-03', seen.id, seen.episodes[3], false, 'started'],
  ]
  expect(await shown(ada)).toEqual(all)
  expect(await shown(ada, { kind: 'movie' })).toEqual([all[2]])
  expect(await shown(ada, { status: 'started' })).toEqual([all[0], all[5]])
  expect(await shown(ada, { from: '2026-05-01', to: '2026-05-01' })).toEqual([
    ['2026-05-01', seen.id, seen.episodes[1], true, 'started'],
  ])
  expect(await shown(ada, { from: '2026-06-01', to: '2026-05-01' })).toEqual([])
  expect((await shown(ada, { from: '2024-02-29', to: '2025-03-01' })).length).toBe(0)
  await expect(shown(ada, { from: '2024-02-29', to: '2025-03-02' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    reason: 'RANGE_TOO_LONG',
  })
  await expect(shown(ada, { from: '2026-02-30' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(await shown(ada, { from: '9999-12-31' })).toEqual([])
  expect(await shown(await aMember(db))).toEqual([])
})

test('an episode with an exact time is on the day of the member’s time zone', async () => {
  const ada = await aMember(db)
  const show = await aShow({ 1: ['2026-05-01', '2026-05-10'] })
  await call(ada).progress.mark({ id: show.id, upTo: show.episodes[0]! })
  await db
    .updateTable('parts')
    .set({ airs_at: '2026-05-11T01:00:00.000Z' })
    .where('id', '=', show.episodes[1]!)
    .execute()
  const dayIn = async (timeZone: string, input: object = {}) => {
    const settings = JSON.stringify({ timeZone })
    await db.deleteFrom('inboxes').where('user_id', '=', ada.id).execute()
    await db.insertInto('inboxes').values({ user_id: ada.id, settings, last_at: '', read_to: '' }).execute()
    return (await shown(ada, input)).map(([date]) => date)
  }
  expect(await dayIn('UTC')).toEqual(['2026-05-11'])
  expect(await dayIn('America/New_York')).toEqual(['2026-05-10'])
  expect(await dayIn('America/New_York', { from: '2026-05-11' })).toEqual([])
  expect(await dayIn('UTC', { from: '2026-05-11', to: '2026-05-11' })).toEqual(['2026-05-11'])
})

test('whoever may read the diary reads the plays, the last watched first, without their batches; marks have the percent', async () => {
  const [ada, bob] = [await aMember(db), await aMember(db)]
  const show = await aShow({ 1: ['2026-05-01', '2026-05-02', '2026-05-03'] })
  const of = (episode: number) => ({ id: show.id, episodeIds: [show.episodes[episode]!] })
  await call(ada).progress.mark({ ...of(0), watchedOn: 'unknown' })
  await call(ada).progress.mark({ ...of(2), watchedOn: '2026-05-03' })
  await call(ada).progress.mark({ ...of(1), watchedOn: '2026-05-02' })
  await call(ada).diary.create({ tvShowId: (await aShow({})).id, status: 'started' })
  const plays = async (member: Member) => {
    const found: (readonly [number, boolean])[] = []
    for (let cursor: string | undefined | null; cursor !== null;) {
      const page = await call(member).progress.ofUser({ id: ada.id, limit: 1, ...(cursor && { cursor }) })
      found.push(...page.plays.map(({ episode, batch }) => [episode.id, batch !== null] as const))
      cursor = page.nextCursor
    }
    return found
  }
  const order = [show.episodes[2]!, show.episodes[1]!, show.episodes[0]!]
  expect(await plays(ada)).toEqual(order.map((id) => [id, true]))
  await expect(plays(bob)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await call(ada).diary.setVisibility({ visibility: 'public' })
  expect(await plays(bob)).toEqual(order.map((id) => [id, false]))
  await call(ada).progress.unmark({ id: show.id, episodeIds: String(show.episodes[1]!) })
  const movie = await aTitle(db)
  await call(ada).diary.create({ movieId: movie, status: 'want' })
  const { marks } = await call(ada).diary.marks({ itemIds: `${show.id},${movie}` })
  expect(marks.sort((a, b) => a.itemId - b.itemId)).toEqual([
    { itemId: show.id, status: 'started', percent: 66 },
    { itemId: movie, status: 'want', percent: null },
  ])
})
