import { describe, expect, inject, test } from 'vitest'
import { killRepeatedly } from '#scripts/bench/kill.ts'
import { ownPostgres } from '#scripts/testing/own-postgres.ts'
import { freshPostgres } from './testing.ts'

// Two hundred rounds: scripts/bench/kill.ts.
const right = { faults: [], rounds: 6 }

test('a server that is killed while members write loses nothing acknowledged, and leaves nothing by half', async () => {
  const databaseUrl = inject('postgresUrl') ? await freshPostgres() : undefined
  const found = await killRepeatedly({ rounds: 6, seed: 1, databaseUrl, victim: 'server' })
  expect(found).toMatchObject(right)
  expect(found.acknowledged).toBeGreaterThan(50)
}, 120_000)

describe.runIf(inject('postgresUrl'))('with Postgres', () => {
  test('killed while members write, it loses nothing acknowledged, and the server goes on when it is back', async () => {
    const postgres = await ownPostgres()
    try {
      const found = await killRepeatedly({
        rounds: 6,
        seed: 1,
        databaseUrl: postgres.url,
        victim: postgres,
      })
      expect(found).toMatchObject(right)
      expect(found.acknowledged).toBeGreaterThan(50)
      expect(Object.keys(found.statuses)).toEqual(['200', '201', '503'])
    } finally {
      await postgres.remove()
    }
  }, 120_000)
})
