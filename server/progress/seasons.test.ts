import { expect, test } from 'vitest'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import { messages } from '#shared/texts/messages.ts'
import { listEpisodes, listSeasons } from './episodes-store.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const now = new Date('2026-05-04T22:30:00.000Z')
const call = (member?: Parameters<typeof as>[0]) => as(member, { now }).progress

test('seasons and their episodes are in their order, with the specials first', async () => {
  const id = await aTitle(db, 'tvShow')
  const episodes = await saveSeasons(db, id, {
    2: ['2026-06-01'],
    0: [null],
    1: ['2026-05-01', '2026-05-04'],
  })
  const { seasons, progress } = await call().seasons({ id })
  expect(progress).toBeNull()
  expect(seasons).toMatchObject([
    { number: 0, episodeCount: 1, airedCount: 0, mine: null },
    { number: 1, episodeCount: 2, airedCount: 2, airDate: '2026-05-01' },
    { number: 2, episodeCount: 1, airedCount: 0 },
  ])
  const { season, episodes: shown } = await call().season({ id, number: 1 })
  expect(season).toEqual(seasons[1])
  expect(shown).toMatchObject([
    { id: episodes[1], season: 1, number: 1, name: 'Part 1', airDate: '2026-05-01', runtime: 42, mine: null },
    { id: episodes[2], number: 2, isAired: true },
  ])
  expect(await call().episode({ id: episodes[3]! })).toMatchObject({
    episode: { season: 2, number: 1, isAired: false },
    title: { id, kind: 'tvShow' },
    previousId: episodes[2],
    nextId: null,
  })
})

test('a day begins in the member’s time zone, and undated episodes have aired before a later one that has', async () => {
  const ada = await aMember(db)
  const id = await aTitle(db, 'tvShow')
  await saveSeasons(db, id, { 0: [null, '2020-01-01'], 1: [null, '2026-05-05', null], 2: [null] })
  const aired = async (member?: Parameters<typeof as>[0]) =>
    (await call(member).seasons({ id })).seasons.map(({ airedCount }) => airedCount)
  expect(await aired(ada)).toEqual([2, 0, 0])
  await as(ada).notifications.changeSettings({ timeZone: 'Europe/Berlin' })
  expect(await aired(ada)).toEqual([2, 2, 0])
  expect(await aired()).toEqual([2, 0, 0])
  expect((await call(ada).seasons({ id })).progress).toEqual({
    status: null,
    pass: 0,
    playedCount: 0,
    airedCount: 2,
    episodeCount: 4,
    percent: 0,
    next: expect.objectContaining({ season: 1, number: 1 }),
    newSeason: null,
  })
})

test('titles of other kinds, and seasons and episodes that a show does not have, are not found', async () => {
  const id = await aTitle(db, 'tvShow')
  const [episode] = await saveSeasons(db, id, { 1: ['2020-01-01'] })
  await expect(call().seasons({ id: await aTitle(db) })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(call().season({ id, number: 2 })).rejects.toThrow(messages.seasonNotFound)
  await saveSeasons(db, id, { 2: ['2020-01-01'] })
  await expect(call().episode({ id: episode! })).rejects.toThrow(messages.episodeNotFound)
  expect((await call().seasons({ id })).seasons).toHaveLength(1)
})

test('an episode that the source does not have any longer is found while members have watched or rated it', async () => {
  const [ada, ben] = [await aMember(db), await aMember(db)]
  const id = await aTitle(db, 'tvShow')
  const days = ['2020-01-01', '2020-01-08', '2020-01-15', '2020-01-22']
  const episodes = await saveSeasons(db, id, { 1: days })
  const [watched, rated, unused] = episodes as [number, number, number]
  await call(ada).mark({ id, episodeIds: [watched], watchedOn: '2026-05-01' })
  const { review } = await as(ada).reviews.save({ episodeId: rated, rating: 4 })
  await saveSeasons(db, id, { 1: ['', '', '', '2020-01-22'] })

  const mine = { isPlayed: true, playCount: 1, watchedOn: '2026-05-01', rating: null }
  expect(await call(ada).episode({ id: watched })).toMatchObject({
    episode: { season: 1, number: 1, name: 'Part 1', isAired: true, mine },
    title: { id },
    isGone: true,
    previousId: null,
    nextId: null,
  })
  for (const reader of [ben, undefined])
    expect(await call(reader).episode({ id: rated })).toMatchObject({
      episode: { avg: 4, count: 1 },
      isGone: true,
    })
  expect(await call().episode({ id: episodes[3]! })).toMatchObject({ isGone: false, previousId: null })
  await expect(call(ben).mark({ id, episodeIds: [watched] })).rejects.toThrow(messages.episodeNotFound)

  // Nothing of anybody is left.
  const { plays } = await call(ada).plays({ id })
  await call(ada).removePlay({ id: plays[0]!.id })
  await as(ada).reviews.remove({ id: review.id })
  for (const gone of [watched, rated, unused])
    await expect(call(ada).episode({ id: gone })).rejects.toThrow(messages.episodeNotFound)
})

test.runIf(isSqlite(db))(
  'the episodes of a show are read in their order by an index, however many there are',
  async () => {
    const id = await aTitle(db, 'tvShow')
    for (const read of [listEpisodes, listSeasons]) {
      const plans = await plansOf(db, (recorded) => read(recorded, id))
      expect(plans.join()).toContain('USING INDEX parts_place (media_id=? AND type=?)')
      expect(plans.join()).not.toContain('TEMP B-TREE')
    }
  },
)
