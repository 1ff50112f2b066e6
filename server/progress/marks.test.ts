import { describe, expect, test } from 'vitest'
import { type Days, saveSeasons } from '#scripts/testing/episodes.ts'
import { seeded } from '#scripts/testing/random.ts'
import type { Member } from '#server/calls/context.ts'
import { writeCursor } from '#server/calls/cursors.ts'
import { features } from '#server/router.ts'
import { aMember, aServer, aTitle, findCounterFaults, recountAll } from '#server/testing.ts'
import { moveTitle } from '#server/titles/move.ts'
import { insertBatch, insertPlays } from './plays-store.ts'
import { settleDue, settleShow } from './settle.ts'
import { messages } from '#shared/texts/messages.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const now = new Date('2026-05-04T12:00:00.000Z')
const past = (count: number) =>
  Array.from({ length: count }, (_, at) => `2020-01-${String(at + 1).padStart(2, '0')}`)

async function aShow(seasons: Days = { 0: ['2020-02-01'], 1: past(3), 2: past(2), 3: ['2027-01-01'] }) {
  const ada = await aMember(db)
  const id = await aTitle(db, 'tvShow')
  const episodes = await saveSeasons(db, id, seasons)
  return { ada, id, episodes, call: as(ada, { now }).progress, diary: as(ada, { now }).diary }
}
const entriesOf = async (ada: Member, tvShowId: number) =>
  (await as(ada, { now }).diary.mine({ tvShowId })).entries.map(
    ({ status, startedOn, finishedOn, isAgain }) => [status, startedOn, finishedOn, isAgain],
  )

describe('marking', () => {
  test('up to an episode adds what has aired, once, without specials, and says what is next', async () => {
    const { ada, id, episodes, call } = await aShow()
    const { progress, batch } = await call.mark({ id, upTo: episodes[2]! })
    expect(progress).toMatchObject({
      status: 'started',
      pass: 1,
      playedCount: 2,
      airedCount: 5,
      episodeCount: 6,
      percent: 40,
      next: { id: episodes[3] },
      newSeason: null,
    })
    expect(batch).toMatchObject({ addedCount: 2, skippedCount: 0 })
    expect((await call.mark({ id, upTo: episodes[2]! })).batch).toBeNull()
    expect((await call.mark({ id, upTo: episodes[6]! })).batch).toMatchObject({
      addedCount: 3,
      skippedCount: 3,
    })
    expect(await entriesOf(ada, id)).toEqual([['finished', '2026-05-04', '2026-05-04', false]])
    // One that has not aired is marked alone only.
    expect((await call.mark({ id, season: 3 })).batch).toBeNull()
    expect((await call.mark({ id, episodeIds: [episodes[6]!] })).batch).toMatchObject({ addedCount: 1 })
    expect((await call.mark({ id, upTo: episodes[0]! })).progress.playedCount).toBe(6)
    const { episodes: specials } = await call.season({ id, number: 0 })
    expect(specials[0]!.mine).toEqual({ isPlayed: true, playCount: 1, watchedOn: '2026-05-04', rating: null })
  })

  test('again begins a pass, a named pass is safe to repeat, and the older one is over', async () => {
    const { ada, id, episodes, call } = await aShow()
    await call.mark({ id, season: 1, watchedOn: 'airDate' })
    await call.mark({ id, season: 1, pass: 2, watchedOn: 'unknown' })
    expect((await call.mark({ id, season: 1, pass: 2 })).batch).toBeNull()
    await call.mark({ id, episodeIds: [episodes[1]!], again: true, watchedOn: '2026-05-01' })
    expect(await entriesOf(ada, id)).toEqual([
      ['started', '2026-05-01', null, true],
      ['finished', '2020-01-01', '2020-01-03', false],
      ['finished', null, null, true],
    ])
    await expect(call.mark({ id, season: 1, pass: 5 })).rejects.toThrow(messages.passUnknown)
    expect((await call.unmark({ id, pass: 3 })).progress).toMatchObject({
      pass: 2,
      playedCount: 3,
      status: 'started',
    })
  })

  test('a season that begins later continues a finished show', async () => {
    const { ada, id, call } = await aShow({ 1: past(2), 2: ['2026-06-01', '2026-06-08'] })
    expect((await call.mark({ id, season: 1 })).progress).toMatchObject({
      status: 'finished',
      percent: 100,
      next: null,
    })
    const later = as(ada, { now: new Date('2026-06-02T12:00:00.000Z') }).progress
    expect((await later.seasons({ id })).progress).toMatchObject({
      status: 'started',
      newSeason: 2,
      next: { season: 2, number: 1 },
    })
  })

  test('names one selection of known episodes of the show, and days that have begun', async () => {
    const { id, episodes, call } = await aShow()
    const other = await aShow()
    const refused = (input: object) => expect(call.mark({ id, ...input })).rejects
    await refused({}).toMatchObject({ code: 'BAD_REQUEST' })
    await refused({ season: 1, upTo: episodes[1] }).toMatchObject({ code: 'BAD_REQUEST' })
    await refused({ season: 1, again: true, pass: 1 }).toMatchObject({ code: 'BAD_REQUEST' })
    await refused({ season: 1, watchedOn: '2026-05-06' }).toMatchObject({ code: 'BAD_REQUEST' })
    await refused({ season: 1, watchedOn: '2026-02-30' }).toMatchObject({ code: 'BAD_REQUEST' })
    await refused({ season: 9 }).toThrow(messages.seasonNotFound)
    await refused({ episodeIds: [episodes[1], other.episodes[1]] }).toThrow(messages.episodeNotFound)
    expect((await call.plays({ id })).plays).toEqual([])
    const unknown = await aTitle(db, 'tvShow')
    await expect(call.mark({ id: unknown, season: 1 })).rejects.toMatchObject({ reason: 'EPISODES_UNKNOWN' })
  })
})

describe('Up next', () => {
  const shown = async (ada: Member, input: object = {}, at = now) => {
    const { entries, nextCursor } = await as(ada, { now: at }).progress.upNext(input)
    return {
      nextCursor,
      list: entries.map((one) => [one.title.id, one.episode.id, one.leftCount, one.newSeason]),
    }
  }

  test('lists what is started, the last played or aired first, in pages, without what has no aired episode', async () => {
    const { ada, id, episodes, call, diary } = await aShow()
    const others = await Promise.all(
      [1, 2, 3].map(async (show) => {
        const other = await aTitle(db, 'tvShow')
        const days = show === 3 ? ['2026-05-02', '2026-05-03', '2026-05-10'] : past(3)
        return { id: other, episodes: await saveSeasons(db, other, { 1: days }) }
      }),
    )
    const [older, paused, airing] = others as [(typeof others)[0], (typeof others)[0], (typeof others)[0]]
    await call.mark({ id, upTo: episodes[2]! })
    await call.mark({ id: older.id, upTo: older.episodes[0]!, watchedOn: '2026-01-01' })
    await call.mark({ id: airing.id, upTo: airing.episodes[0]!, watchedOn: '2026-05-02' })
    await call.mark({ id: paused.id, upTo: paused.episodes[0]! })
    const { entries } = await diary.mine({ tvShowId: paused.id })
    await diary.edit({ id: entries[0]!.id, status: 'paused' })
    const all = [
      [id, episodes[3], 3, null],
      [airing.id, airing.episodes[1], 1, null],
      [older.id, older.episodes[1], 2, null],
    ]
    expect((await shown(ada)).list).toEqual(all)
    const pages: unknown[] = []
    for (let cursor: string | undefined | null; cursor !== null;) {
      const { list, nextCursor } = await shown(ada, { limit: 1, ...(cursor && { cursor }) })
      pages.push(...list)
      cursor = nextCursor
    }
    expect(pages).toEqual(all)
    await call.mark({ id: airing.id, upTo: airing.episodes[1]! })
    expect((await shown(ada)).list.map(([show]) => show)).toEqual([id, older.id])
    // The next one has aired.
    expect((await shown(ada, {}, new Date('2026-05-10T12:00:00.000Z'))).list[0]).toEqual([
      airing.id,
      airing.episodes[2],
      1,
      null,
    ])
    await expect(shown(ada, { cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect((await shown(await aMember(db))).list).toEqual([])
  })

  test('has a started show without plays, and a finished one once its next season has begun', async () => {
    const { ada, id, episodes, call } = await aShow({ 1: past(2), 2: ['2026-05-05'] })
    await call.mark({ id, season: 1 })
    const stated = await aShow()
    const unknown = await aTitle(db, 'tvShow')
    for (const tvShowId of [stated.id, unknown])
      await as(ada, { now }).diary.create({ tvShowId, status: 'started' })
    const first = [stated.id, stated.episodes[1], 5, null]
    expect((await shown(ada)).list).toEqual([first])
    const later = await shown(ada, {}, new Date('2026-05-05T12:00:00.000Z'))
    expect(later.list).toEqual([[id, episodes[2], 1, 2], first])
    // The day has begun in another time zone only.
    expect((await shown(ada, {}, new Date('2026-05-04T12:00:00.000Z'))).list).toEqual([first])
  })
})

describe('the diary', () => {
  test('a wanted show becomes the pass, whose undo gives it back', async () => {
    const { ada, id, call, diary } = await aShow()
    await diary.create({ tvShowId: id, status: 'want' })
    const { batch } = await call.mark({ id, season: 1 })
    expect(await entriesOf(ada, id)).toEqual([['started', '2026-05-04', null, false]])
    await call.undo({ id: batch!.id })
    expect(await entriesOf(ada, id)).toEqual([['want', null, null, false]])
    await expect(call.undo({ id: batch!.id })).rejects.toMatchObject({ reason: 'BATCH_UNDONE' })
    await call.mark({ id, season: 1 })
    expect((await call.unmark({ id, season: 1 })).removedCount).toBe(3)
    expect(await entriesOf(ada, id)).toEqual([])
  })

  test('a play continues what was paused or dropped, and a show is finished only by its plays', async () => {
    const { ada, id, episodes, call, diary } = await aShow()
    await call.mark({ id, season: 1 })
    const { entries } = await diary.mine({ tvShowId: id })
    const edit = (status: 'finished' | 'dropped' | 'paused' | 'started' | 'want') =>
      diary.edit({ id: entries[0]!.id, status })
    await expect(edit('finished')).rejects.toMatchObject({ code: 'CONFLICT', reason: 'EPISODES_MISSING' })
    await expect(edit('want')).rejects.toThrow(messages.passIsNotWanted)
    expect((await edit('dropped')).entry).toMatchObject({ status: 'dropped', finishedOn: '2026-05-04' })
    expect((await call.seasons({ id })).progress!.status).toBe('dropped')
    await call.mark({ id, episodeIds: [episodes[4]!] })
    expect(await entriesOf(ada, id)).toEqual([['started', '2026-05-04', null, false]])
    await edit('paused')
    expect((await edit('started')).entry.status).toBe('started')
    await call.mark({ id, season: 2 })
    expect((await edit('finished')).entry.status).toBe('finished')
    await diary.remove({ id: entries[0]!.id })
    expect((await call.plays({ id })).plays).toEqual([])
    const { batches } = await call.batches({})
    await call.undo({ id: batches[0]!.id })
    expect((await call.seasons({ id })).progress).toMatchObject({ status: 'finished', playedCount: 5 })
  })

  test('an entry under way without plays gets the next ones as its own pass', async () => {
    const { ada, id, call, diary } = await aShow()
    await call.mark({ id, season: 1 })
    await call.mark({ id, season: 2 })
    await diary.create({ tvShowId: id, status: 'started', isAgain: true })
    expect((await call.mark({ id, season: 1 })).progress).toMatchObject({ pass: 2, playedCount: 3 })
    expect((await entriesOf(ada, id)).map(([status]) => status)).toEqual(['started', 'finished'])
  })
})

test('cursors that no page has given are refused, or find nothing', async () => {
  const { call } = await aShow()
  for (const activity of ['\0', 'a\0'])
    await expect(call.upNext({ cursor: writeCursor([activity, 1]) })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  for (const activity of ['', '\ud800', '9999', '\\u0000'])
    expect((await call.upNext({ cursor: writeCursor([activity, 1]) })).entries).toEqual([])
})

test('a play that changed stays when its batch is undone, and belongs to its member', async () => {
  const { id, call } = await aShow()
  const { batch } = await call.mark({ id, season: 1 })
  const { plays } = await call.plays({ id, limit: 2 })
  expect(plays).toMatchObject([{ pass: 1, watchedOn: '2026-05-04', source: 'member', batch: batch!.id }, {}])
  const play = plays[0]!
  expect((await call.editPlay({ id: play.id, watchedOn: '2026-05-01' })).play.watchedOn).toBe('2026-05-01')
  const bob = as(await aMember(db), { now }).progress
  await expect(bob.editPlay({ id: play.id, watchedOn: 'unknown' })).rejects.toThrow(messages.playNotFound)
  await expect(bob.removePlay({ id: play.id })).rejects.toThrow(messages.playNotFound)
  await expect(bob.undo({ id: batch!.id })).rejects.toThrow(messages.batchNotFound)
  await expect(bob.batch({ id: batch!.id })).rejects.toThrow(messages.batchNotFound)
  expect((await call.undo({ id: batch!.id })).batch).toMatchObject({
    type: 'mark',
    count: 3,
    undoneAt: now.toISOString(),
  })
  expect((await call.plays({ id })).plays.map((one) => one.id)).toEqual([play.id])
  // Its removal can be undone too.
  const { batchId } = await call.unmark({ id, pass: 1 })
  expect((await call.plays({ id })).plays).toEqual([])
  await call.undo({ id: batchId! })
  expect((await call.plays({ id })).plays).toMatchObject([{ watchedOn: '2026-05-01', batch: batch!.id }])
  const [again] = (await call.plays({ id })).plays
  expect((await call.removePlay({ id: again!.id })).progress).toMatchObject({ status: null, pass: 0 })
})

test('an episode that the source has no longer keeps its plays and does not count; two titles that become one keep all', async () => {
  const { ada, id, call } = await aShow({ 1: past(3) })
  await call.mark({ id, season: 1 })
  await saveSeasons(db, id, { 1: past(2) })
  expect((await call.plays({ id })).plays).toHaveLength(3)
  expect((await call.seasons({ id })).progress).toMatchObject({ playedCount: 2, episodeCount: 2 })
  const to = await aTitle(db, 'tvShow')
  const [first] = await saveSeasons(db, to, { 1: past(2), 2: past(1) })
  await call.mark({ id: to, episodeIds: [first!] })
  await db.transaction().execute((trx) => moveTitle(features, trx, id, to))
  expect((await call.seasons({ id: to })).progress).toMatchObject({
    pass: 1,
    playedCount: 2,
    episodeCount: 3,
  })
  expect((await call.plays({ id: to })).plays).toHaveLength(3)
  expect(await entriesOf(ada, to)).toEqual([['started', '2026-05-04', null, false]])
})

test('a show continues in the diary once its next season has begun, or its source lost what was not played', async () => {
  const { ada, id, call } = await aShow({ 1: past(2), 2: ['2026-06-01'] })
  await call.mark({ id, season: 1 })
  const statusAt = async (time: string) => {
    await settleDue(db, new Date(time))
    return (await entriesOf(ada, id)).map(([status]) => status)
  }
  expect(await statusAt('2026-05-31T12:00:00.000Z')).toEqual(['finished'])
  expect(await statusAt('2026-06-01T00:00:00.000Z')).toEqual(['started'])
  await saveSeasons(db, id, { 1: past(2) })
  expect(await statusAt('2026-06-01T00:00:00.000Z')).toEqual(['finished'])
})

test('a refresh settles the older passes too, also beside a newest one that is paused or not under way', async () => {
  const shows = { paused: await aShow({ 1: past(2) }), left: await aShow({ 1: past(2) }) }
  const newest = async ({ id, episodes, call, diary }: typeof shows.paused) => {
    await call.mark({ id, season: 1 })
    await call.mark({ id, episodeIds: [episodes[0]!], again: true })
    return (await diary.mine({ tvShowId: id })).entries.find(({ status }) => status === 'started')!.id
  }
  const { entry } = await shows.paused.diary.edit({ id: await newest(shows.paused), status: 'paused' })
  await shows.left.diary.edit({ id: await newest(shows.left), status: 'dropped' })
  await shows.left.diary.create({ tvShowId: shows.left.id, status: 'started' })
  for (const { id } of Object.values(shows)) await saveSeasons(db, id, { 1: past(3) })
  await settleDue(db, new Date('2026-05-05T12:00:00.000Z'))
  const statusesOf = async ({ ada, id }: typeof shows.paused) =>
    (await entriesOf(ada, id)).map(([status]) => status).sort()
  expect(await statusesOf(shows.paused)).toEqual(['dropped', 'paused'])
  expect(await statusesOf(shows.left)).toEqual(['dropped', 'dropped', 'started'])
  // Members see nothing of the mark.
  const { entries } = await shows.paused.diary.mine({ tvShowId: shows.paused.id })
  expect(entries).toContainEqual(entry)
  expect(await findCounterFaults(db)).toEqual([])
})

test('two titles that become one: the passes of the one count the episodes that it gets from the other', async () => {
  const [from, to] = [await aShow({ 1: past(3) }), await aShow({ 1: past(2) })]
  await from.call.mark({ id: from.id, season: 1 })
  await to.call.mark({ id: to.id, season: 1 })
  await db.transaction().execute((trx) => moveTitle(features, trx, from.id, to.id))
  await settleDue(db, now)
  for (const [{ ada }, status] of [
    [from, 'finished'],
    [to, 'started'],
  ] as const)
    expect((await entriesOf(ada, to.id)).map(([is]) => is)).toEqual([status])
  expect(await findCounterFaults(db)).toEqual([])
})

test('a pass that does not say what its plays say is a fault, and is mended', async () => {
  const { ada, id, call } = await aShow({ 1: past(2) })
  await call.mark({ id, season: 1 })
  const other = await aShow({ 1: past(2) })
  await other.call.mark({ id: other.id, upTo: other.episodes[0]! })
  const entries = () => db.selectFrom('diary_entries').selectAll().where('pass', 'is not', null).execute()
  const before = await entries()
  expect(await findCounterFaults(db)).toEqual([])
  await db
    .updateTable('diary_entries')
    .set({ status: 'started', finished_on: null })
    .where('user_id', '=', ada.id)
    .execute()
  await db.deleteFrom('diary_entries').where('user_id', '=', other.ada.id).execute()
  const faults = (await findCounterFaults(db)).map(({ column, is, counted }) => [column, is, counted])
  expect(faults).toEqual([
    ['status', 'started', 'finished'],
    ['finished_on', null, '2026-05-04'],
    ['pass', null, 1],
  ])
  await db.transaction().execute(recountAll)
  expect(await findCounterFaults(db)).toEqual([])
  const valuesOf = ({
    user_id,
    pass,
    status,
    started_on,
    finished_on,
    played_at,
    next_on,
  }: (typeof before)[0]) => [user_id, pass, status, started_on, finished_on, played_at, next_on].join(' ')
  expect((await entries()).map(valuesOf).sort()).toEqual(before.map(valuesOf).sort())
})

/** What plays and ratings say, counted again in the plainest way. */
async function recount(ada: Member, id: number) {
  const parts = await db.selectFrom('parts').selectAll().where('media_id', '=', id).orderBy('id').execute()
  const plays = await db.selectFrom('plays').selectAll().where('user_id', '=', ada.id).execute()
  const given = await db.selectFrom('reviews').selectAll().where('user_id', '=', ada.id).execute()
  const newest = Math.max(0, ...plays.map(({ pass }) => pass))
  const counted = parts.filter((one) => one.type === 'episode' && one.is_gone === 0 && one.season! > 0)
  const isPlayed = (part: number) => plays.some((one) => one.episode_id === part && one.pass === newest)
  const isPast = (one: (typeof parts)[0]) => one.release_date !== null && one.release_date <= '2026-05-04'
  const isAfter = (one: (typeof parts)[0], other: (typeof parts)[0]) =>
    one.season! * 1_000 + one.number > other.season! * 1_000 + other.number
  const aired = counted.filter(
    (one) =>
      isPast(one) ||
      (one.release_date === null && counted.some((later) => isAfter(later, one) && isPast(later))),
  )
  const begun = new Set(aired.map(({ season }) => season))
  const isFinished = begun.size > 0 && counted.every((one) => !begun.has(one.season) || isPlayed(one.id))
  const airedPlayed = aired.filter((one) => isPlayed(one.id)).length
  const ofSeason = (number: number) => counted.filter(({ season }) => season === number)
  const ratingsOf = (part: number) => given.flatMap(({ part_id, rating }) => (part_id === part ? rating : []))
  return {
    passes: [...new Set(plays.map(({ pass }) => pass))].sort((a, b) => a - b),
    derived: isFinished ? 'finished' : 'started',
    progress: {
      pass: newest,
      playedCount: counted.filter((one) => isPlayed(one.id)).length,
      airedCount: aired.length,
      episodeCount: counted.length,
      percent: aired.length === 0 ? 0 : Math.floor((100 * airedPlayed) / aired.length),
    },
    seasons: parts
      .filter((one) => one.type === 'season' && one.is_gone === 0 && one.number > 0)
      .sort((a, b) => a.number - b.number)
      .map((one) => ({
        number: one.number,
        episodeCount: ofSeason(one.number).length,
        airedCount: ofSeason(one.number).filter((episode) => aired.includes(episode)).length,
        playedCount: ofSeason(one.number).filter((episode) => isPlayed(episode.id)).length,
        count: ratingsOf(one.id).length,
        rating: ratingsOf(one.id)[0] === undefined ? null : ratingsOf(one.id)[0]! / 10,
      })),
    ratings: parts.map((one) => [one.id, ratingsOf(one.id).length, ratingsOf(one.id)[0] ?? 0]),
    plays: plays.map((one) => `${one.episode_id} ${one.pass} ${one.watched_on}`).sort(),
  }
}

/** 20,000 acts with `npm run test:full`. */
const [histories, acts] = import.meta.env.MODE === 'full' ? [100, 200] : [2, 60]

test.each(Array.from({ length: histories }, (_, at) => at + 1))(
  'after any acts, the diary, the progress and the averages say what the plays and ratings say (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const upTo = (count: number) => Math.floor(random() * count)
    const oneOf = <T>(list: readonly T[]): T => list[upTo(list.length)]!
    const { ada, id, call, diary } = await aShow({ 1: past(4), 2: past(3) })
    const { reviews } = as(ada, { now })
    const partsOf = async (type: 'season' | 'episode') => {
      const parts = db.selectFrom('parts').select('id').where('media_id', '=', id).where('type', '=', type)
      return (await parts.where('is_gone', '=', 0).orderBy('id').execute()).map((one) => one.id)
    }
    const anEpisode = async () => oneOf(await partsOf('episode'))
    const aPlay = async () => oneOf((await call.plays({ id, limit: 20 })).plays)
    let imported = 0
    const kinds: (() => Promise<unknown>)[] = [
      () => call.mark({ id, season: 1 + upTo(2) }),
      async () => call.mark({ id, upTo: await anEpisode() }),
      async () => call.mark({ id, episodeIds: [await anEpisode()], again: random() < 0.3 }),
      async () => call.unmark({ id, episodeIds: String(await anEpisode()) }),
      () => call.unmark({ id, season: 1 }),
      () => call.unmark({ id, pass: 1 + upTo(3) }),
      async () => call.editPlay({ id: (await aPlay()).id, watchedOn: oneOf(['unknown', '2026-05-01']) }),
      async () => call.removePlay({ id: (await aPlay()).id }),
      async () => {
        const entry = (await diary.mine({ tvShowId: id })).entries[0]
        const status = oneOf(['paused', 'dropped', 'started', 'finished'] as const)
        if (entry) await diary.edit({ id: entry.id, status })
      },
      async () => diary.remove({ id: oneOf((await diary.mine({ tvShowId: id })).entries).id }),
      () => diary.create({ tvShowId: id, status: random() < 0.5 ? 'want' : 'started' }),
      async () => call.undo({ id: oneOf((await call.batches({ limit: 5 })).batches).id }),
      async () => {
        const days = [...past(upTo(3)), ...(random() < 0.3 ? [null, '2026-05-05'] : [])]
        const season = [...past(1), random() < 0.3 ? null : '2020-01-02', ...past(upTo(3))]
        await saveSeasons(db, id, { 1: past(4), 2: season, 3: days })
        await settleDue(db, now)
      },
      async () => {
        const type = oneOf(['season', 'episode'] as const)
        const part = oneOf(await partsOf(type))
        const about = type === 'season' ? { seasonId: part } : { episodeId: part }
        await reviews.save({ ...about, rating: 1 + upTo(9) / 2, text: random() < 0.3 ? 'Good.' : '' })
      },
      async () => {
        const given = await db.selectFrom('reviews').select('id').where('user_id', '=', ada.id).execute()
        await reviews.remove({ id: oneOf(given).id })
      },
      // As an import writes them.
      async () => {
        const pass = 1 + upTo(2)
        const known = await db
          .selectFrom('plays')
          .select(['episode_id', 'pass'])
          .where('user_id', '=', ada.id)
          .execute()
        const isPlayed = (episode: number) =>
          known.some((one) => one.episode_id === episode && one.pass === pass)
        const episodes = (await partsOf('episode')).filter((one) => random() < 0.5 && !isPlayed(one))
        const batch = { user_id: ada.id, media_id: null, type: 'import', source: 'trakt' } as const
        const at = now.toISOString()
        const batch_id = await insertBatch(db, { ...batch, count: episodes.length, created_at: at })
        const play = {
          user_id: ada.id,
          media_id: id,
          pass,
          watched_on: '2021-01-01',
          watched_at: null,
          batch_id,
        }
        const rows = episodes.map((episode_id) => ({ ...play, episode_id, origin: `trakt:${++imported}` }))
        await insertPlays(
          db,
          rows.map((row) => ({ ...row, source: 'trakt', created_at: at })),
        )
        await settleShow(db, ada.id, id, now)
      },
    ]
    for (let act = 0; act < acts; act++) {
      const isChecked = act % 4 === 3
      const before = isChecked ? await recount(ada, id) : undefined
      const { batches: known } = await call.batches({ limit: 1 })
      try {
        await oneOf(kinds)()
      } catch (error) {
        expect(['CONFLICT', 'NOT_FOUND', 'BAD_REQUEST', 'TypeError']).toContain(
          (error as { code?: string }).code ?? (error as Error).name,
        )
      }
      if (!before) continue
      const { batches } = await call.batches({ limit: 1 })
      if (batches[0] && batches[0].id !== known[0]?.id && random() < 0.3) {
        await call.undo({ id: batches[0].id })
        expect((await recount(ada, id)).plays).toEqual(before.plays)
      }
      const counted = await recount(ada, id)
      const { progress, seasons } = await call.seasons({ id })
      const entries = await db.selectFrom('diary_entries').selectAll().where('user_id', '=', ada.id).execute()
      const passes = entries.flatMap(({ pass }) => pass ?? []).sort((a, b) => a - b)
      expect(passes).toEqual(counted.passes)
      expect(progress).toMatchObject(counted.progress)
      const shown = seasons.filter(({ number }) => number > 0)
      expect(
        shown.map(({ number, episodeCount, airedCount, count, mine }) => {
          const { playedCount, rating } = mine!
          return { number, episodeCount, airedCount, playedCount, count, rating }
        }),
      ).toEqual(counted.seasons)
      const parts = db
        .selectFrom('parts')
        .select(['id', 'rating_count', 'rating_sum'])
        .where('media_id', '=', id)
        .orderBy('id')
      expect((await parts.execute()).map((one) => [one.id, one.rating_count, one.rating_sum])).toEqual(
        counted.ratings,
      )
      const current = entries.find(({ pass }) => pass !== null && pass === counted.passes.at(-1))
      const hasOther = entries.some(
        ({ pass, status }) => pass === null && ['started', 'paused'].includes(status),
      )
      if (current && !hasOther) expect(current.status).toBe(current.stated ?? counted.derived)
      if (current && !hasOther) expect(progress!.status).toBe(current.status)
    }
    expect(await findCounterFaults(db)).toEqual([])
  },
)
