import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { seeded } from '#scripts/testing/random.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aMember, aServer, aTitle, findCounterFaults } from '#server/testing.ts'
import { saveParts } from '#server/titles/parts.ts'
import { lockTitle } from '#server/titles/store.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const random = seeded(71)
const days = [1, 2, 3, 4, 5, 6].map((day) => `2020-01-0${day}`)
const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!

/** Makes so many of the calls at once. Returns the errors that are no refusals. On Postgres, a deadlock takes a second, and one of the calls fails. */
async function race(count: number, calls: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => oneOf(calls)()))
  const errors = outcomes.flatMap((outcome): { code?: string }[] =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  return errors.filter(({ code }) => !['NOT_FOUND', 'CONFLICT', 'BAD_REQUEST'].includes(code ?? ''))
}

test('calls about the plays and the entries of one show at the same time wait for each other', async () => {
  for (let round = 0; round < 15; round++) {
    const { progress, diary } = as(await aMember(db))
    const id = await aTitle(db, 'tvShow')
    const episodes = await saveSeasons(db, id, { 1: days, 2: days })
    const batches = [
      (await progress.mark({ id, upTo: episodes[5]! })).batch!.id,
      (await progress.mark({ id, upTo: episodes[9]!, again: random() < 0.5 })).batch!.id,
    ]
    const { plays } = await progress.plays({ id, limit: 100 })
    const { entries } = await diary.mine({ tvShowId: id })
    const faults = await race(12, [
      () => progress.mark({ id, season: 2, again: true }),
      () => progress.unmark({ id, season: 1 }),
      () => progress.editPlay({ id: oneOf(plays).id, watchedOn: '2020-02-01' }),
      () => progress.removePlay({ id: oneOf(plays).id }),
      () => progress.undo({ id: oneOf(batches) }),
      () => diary.create({ tvShowId: id, status: 'started' }),
      () => diary.edit({ id: oneOf(entries).id, status: 'dropped' }),
      () => diary.remove({ id: oneOf(entries).id }),
    ])
    expect(faults).toEqual([])
  }
  expect(await findCounterFaults(db)).toEqual([])
})

test('calls about a show whose source takes episodes away at the same time succeed, or do not find them', async () => {
  for (let round = 0; round < 10; round++) {
    const members = [await aMember(db), await aMember(db), await aMember(db)]
    const someone = () => as(oneOf(members))
    const id = await aTitle(db, 'tvShow')
    const episodes = await saveSeasons(db, id, { 1: days })
    const { review } = await someone().reviews.save({ tvShowId: id, rating: 4, text: 'Good.' })
    const refresh = () =>
      db.transaction().execute(async (trx) => {
        await lockTitle(trx, id)
        const left = 2 + Math.floor(random() * 4)
        const parts = days.slice(0, left).map((releaseDate, at) => ({
          type: 'episode' as const,
          number: at + 1,
          name: `Version ${random()}`,
          releaseDate,
          runtime: 42,
          ids: [],
        }))
        const season = {
          type: 'season' as const,
          number: 1,
          name: '',
          releaseDate: null,
          runtime: null,
          ids: [],
        }
        await saveParts(trx, { id, kind: 'tvShow' }, [{ ...season, parts }], 'tmdb')
      })
    const faults = await race(20, [
      refresh,
      refresh,
      () => someone().progress.mark({ id, season: 1, again: random() < 0.5 }),
      () => someone().progress.mark({ id, upTo: oneOf(episodes) }),
      () => someone().progress.unmark({ id, season: 1 }),
      () => someone().diary.create({ tvShowId: id, status: 'started' }),
      () => someone().reviews.save({ episodeId: oneOf(episodes), rating: 4, text: 'Good.' }),
      () => someone().reviews.save({ tvShowId: id, rating: 4, safeUpTo: { episodeId: oneOf(episodes) } }),
      () =>
        someone().reviews.addComment({
          id: review.id,
          text: 'So?',
          safeUpTo: { episodeId: oneOf(episodes) },
        }),
    ])
    expect(faults).toEqual([])
  }
})

test('a comment that names an episode waits for a refresh that takes it away, and is refused', async () => {
  const { reviews } = as(await aMember(db))
  const id = await aTitle(db, 'tvShow')
  const [episodeId = 0] = await saveSeasons(db, id, { 1: days })
  const { review } = await reviews.save({ tvShowId: id, rating: 4, text: 'Good.' })
  let outcome: Promise<unknown> | undefined
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('parts').where('id', '=', episodeId).execute()
    const comment = reviews.addComment({ id: review.id, text: 'So?', safeUpTo: { episodeId } })
    outcome = comment.catch((error: unknown) => error)
    const waiting = () => sql`select 1 from pg_locks where not granted`.execute(trx)
    if (!isSqlite(db)) await vi.waitUntil(async () => (await waiting()).rows.length > 0)
  })
  expect(await outcome).toMatchObject({ code: 'BAD_REQUEST' })
})
