import { expect, test } from 'vitest'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { seeded } from '#scripts/testing/random.ts'
import { aMember, aServer, aTitle, findCounterFaults } from '#server/testing.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const random = seeded(71)
const rounds = 15
const callsAtOnce = 12
const days = [1, 2, 3, 4, 5, 6].map((day) => `2020-01-0${day}`)
const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!

/** On Postgres, a deadlock takes a second, and one of the calls fails. */
test('calls about the plays and the entries of one show at the same time wait for each other', async () => {
  for (let round = 0; round < rounds; round++) {
    const { progress, diary } = as(await aMember(db))
    const id = await aTitle(db, 'tvShow')
    const episodes = await saveSeasons(db, id, { 1: days, 2: days })
    const batches = [
      (await progress.mark({ id, upTo: episodes[5]! })).batch!.id,
      (await progress.mark({ id, upTo: episodes[9]!, again: random() < 0.5 })).batch!.id,
    ]
    const { plays } = await progress.plays({ id, limit: 100 })
    const { entries } = await diary.mine({ tvShowId: id })
    const calls: (() => Promise<unknown>)[] = [
      () => progress.mark({ id, season: 2, again: true }),
      () => progress.unmark({ id, season: 1 }),
      () => progress.editPlay({ id: oneOf(plays).id, watchedOn: '2020-02-01' }),
      () => progress.removePlay({ id: oneOf(plays).id }),
      () => progress.undo({ id: oneOf(batches) }),
      () => diary.create({ tvShowId: id, status: 'started' }),
      () => diary.edit({ id: oneOf(entries).id, status: 'dropped' }),
      () => diary.remove({ id: oneOf(entries).id }),
    ]
    const outcomes = await Promise.allSettled(Array.from({ length: callsAtOnce }, () => oneOf(calls)()))
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toHaveProperty('code', expect.stringMatching(/NOT_FOUND|CONFLICT/))
  }
  expect(await findCounterFaults(db)).toEqual([])
})
