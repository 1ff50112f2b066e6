import { TRPCError } from '@trpc/server'
import { expect, test } from 'vitest'
import type { Member } from '#server/calls/context.ts'
import { listEpisodes, listEpisodesById } from '#server/progress/episodes-store.ts'
import { settleDue } from '#server/progress/settle.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { insertExternalIds } from './external-ids-store.ts'
import { openRefresh } from './refresh.ts'
import type { EpisodeSource, FoundPart } from './sources/source.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const now = new Date('2026-05-04T12:00:00.000Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
const { signal } = new AbortController()

const ada = await aMember(db)
let count = 0

type Given = Record<number, readonly (number | [id: number, day: string | null])[]>

/** Seasons by number, with the ids of their episodes at TVmaze, in their order. */
function seasonsOf(given: Given): FoundPart[] {
  return Object.entries(given).map(([number, episodes]) => ({
    type: 'season',
    number: Number(number),
    name: null,
    releaseDate: null,
    runtime: null,
    ids: [],
    parts: episodes.map((one, at) => {
      const [id, day] = typeof one === 'number' ? [one, '2020-01-01'] : one
      return {
        type: 'episode',
        number: at + 1,
        name: `Part ${id}`,
        releaseDate: day,
        runtime: null,
        ids: [{ source: 'tvmaze-episode', external_id: String(id) }],
      }
    }),
  }))
}

type Answer = Given | undefined | TRPCError

/** A source with one show for each member of `answers`, by its TVDB id. Returns what it was asked. */
function aSource(answers: Map<string, Answer>, name = 'tvmaze') {
  const asked: string[] = []
  const source: EpisodeSource = {
    name,
    async findEpisodes(ids) {
      const key = ids.find(({ source }) => source === 'tvdb')?.external_id ?? ''
      asked.push(key)
      const answer = answers.get(key)
      if (answer instanceof TRPCError) throw answer
      return answer && seasonsOf(answer)
    },
  }
  return { source, asked }
}

/** A show that a member wants to watch. */
async function aShow(member: Member = ada, status: 'want' | 'dropped' | null = 'want') {
  const id = await aTitle(db, 'tvShow')
  const key = String(++count)
  await insertExternalIds(db, [{ source: 'tvdb', external_id: key, media_id: id }])
  if (status) await as(member, { now }).diary.create({ tvShowId: id, status })
  return { id, key }
}

async function namesOf(id: number) {
  const ids = (await listEpisodes(db, id)).map((episode) => episode.id)
  return (await listEpisodesById(db, ids)).map(({ season, number, name }) => `${season}x${number} ${name}`)
}

/** Runs the job once, as a process that has just started. */
const refresh = (sources: EpisodeSource[], at = now) => openRefresh(db, { episodes: sources })(at, signal)

test('the episodes of shows in diaries are refreshed once a day, others are not asked for', async () => {
  const [show, dropped, unknown] = [await aShow(), await aShow(ada, 'dropped'), await aShow(ada, null)]
  const answers = new Map<string, Answer>([[show.key, { 1: [11, 12] }]])
  const { source, asked } = aSource(answers)
  await refresh([source])
  expect(asked).toContain(show.key)
  expect(asked).not.toContain(dropped.key)
  expect(asked).not.toContain(unknown.key)
  expect(await namesOf(show.id)).toEqual(['1x1 Part 11', '1x2 Part 12'])
  answers.set(show.key, { 1: [11, 12, 13] })
  asked.length = 0
  await refresh([source], hours(23))
  expect(asked).toEqual([])
  await refresh([source], hours(25))
  expect(await namesOf(show.id)).toHaveLength(3)
})

test('plays stay with their episodes when the source numbers them again, and vanished ones do not count', async () => {
  const show = await aShow()
  const answers = new Map<string, Answer>([[show.key, { 1: [21, 22, 23, 24] }]])
  const { source } = aSource(answers)
  await refresh([source], hours(200))
  const before = await listEpisodes(db, show.id)
  const call = as(ada, { now }).progress
  await call.mark({ id: show.id, upTo: before[2]!.id })
  // The second has vanished, the third is the first now, and there is a season more.
  answers.set(show.key, { 1: [23, 21], 2: [24, [25, '2027-01-01']] })
  await refresh([source], hours(230))
  expect(await namesOf(show.id)).toEqual(['1x1 Part 23', '1x2 Part 21', '2x1 Part 24', '2x2 Part 25'])
  await settleDue(db, now)
  const { progress } = await call.seasons({ id: show.id })
  expect(progress).toMatchObject({ playedCount: 2, airedCount: 3, episodeCount: 4, status: 'started' })
  const plays = await db.selectFrom('plays').selectAll().where('media_id', '=', show.id).execute()
  expect(plays).toHaveLength(3)
  // It is back: so is its play.
  answers.set(show.key, { 1: [21, 22, 23, 24] })
  await refresh([source], hours(260))
  expect((await listEpisodes(db, show.id)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect((await call.seasons({ id: show.id })).progress).toMatchObject({ playedCount: 3, episodeCount: 4 })
})

test('another source recognizes the episodes by their numbers, and is named instead', async () => {
  const show = await aShow()
  const answers = new Map<string, Answer>([[show.key, { 1: [31, 32] }]])
  const { source } = aSource(answers)
  await refresh([source], hours(300))
  const before = (await listEpisodes(db, show.id)).map(({ id }) => id)
  const named = async () => {
    const shown = (await as(null).progress.seasons({ id: show.id })).source
    expect((await as(null).progress.episode({ id: before[0]! })).source).toBe(shown)
    return shown
  }
  expect(await named()).toBe('tvmaze')
  const { source: other } = aSource(new Map([[show.key, { 1: [41, 42] }]]), 'tmdb')
  await refresh([other, source], hours(330))
  expect(await namesOf(show.id)).toEqual(['1x1 Part 41', '1x2 Part 42'])
  expect(await named()).toBe('tmdb')
  // Without the key of the first source, the second one takes over.
  await refresh([source], hours(360))
  expect(await namesOf(show.id)).toEqual(['1x1 Part 31', '1x2 Part 32'])
  expect((await listEpisodes(db, show.id)).map(({ id }) => id)).toEqual(before)
})

test('a source that is down, invalid or empty takes no episodes away', async () => {
  const show = await aShow()
  const answers = new Map<string, Answer>([[show.key, { 1: [51] }]])
  const { source: first } = aSource(answers, 'tmdb')
  const { source: second, asked } = aSource(new Map([[show.key, { 1: [61, 62] }]]))
  await refresh([first, second], hours(400))
  const down = new TRPCError({ code: 'SERVICE_UNAVAILABLE' })
  for (const [at, answer] of [down, new TRPCError({ code: 'BAD_GATEWAY' }), undefined].entries()) {
    answers.set(show.key, answer)
    await refresh([first, second], hours(430 + 30 * at))
    expect(await namesOf(show.id)).toEqual(['1x1 Part 51'])
  }
  expect(asked).not.toContain(show.key)
  // One that is down is asked again by the next run.
  answers.set(show.key, down)
  await refresh([first], hours(600))
  answers.set(show.key, { 1: [51, 52] })
  await refresh([first], hours(601))
  expect(await namesOf(show.id)).toHaveLength(2)
})

test('a show of 5,000 episodes in 60 seasons, with specials without dates, is refreshed', async () => {
  const show = await aShow()
  const given: Given = Object.fromEntries(
    Array.from({ length: 61 }, (_, season) => [
      season,
      season === 0
        ? [[100_000, null] as const, [100_001, null] as const].map(([id, day]) => [id, day] as [number, null])
        : Array.from({ length: 84 }, (_, at) => 100_000 + 100 * season + at),
    ]),
  )
  const { source } = aSource(new Map([[show.key, given]]))
  await refresh([source], hours(700))
  const first = await listEpisodes(db, show.id)
  expect(first).toHaveLength(5_042)
  expect(first[0]).toMatchObject({ season: 0, number: 1, release_date: null })
  await refresh([source], hours(730))
  expect(await listEpisodes(db, show.id)).toEqual(first)
})

test('a run asks for a bounded number of shows, and the next one goes on', async () => {
  const bo = await aMember(db)
  for (let n = 0; n < 30; n++) await aShow(bo)
  const { source, asked } = aSource(new Map())
  const run = openRefresh(db, { episodes: [source] })
  const at = hours(2_000)
  await run(at, signal)
  expect(asked).toHaveLength(20)
  const aborted = new AbortController()
  aborted.abort()
  expect(await run(at, aborted.signal)).toEqual({ shows: 0 })
  await run(at, signal)
  await run(at, signal)
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.length).toBeGreaterThanOrEqual(35)
})
