import { describe, expect, inject, test } from 'vitest'
import { killImports } from '#scripts/bench/kill-imports.ts'
import { killPrivacy } from '#scripts/bench/kill-privacy.ts'
import { killTasks } from '#scripts/bench/kill-tasks.ts'
import { killWrites } from '#scripts/bench/kill-writes.ts'
import { ownPostgres } from '#scripts/testing/own-postgres.ts'
import { freshPostgres } from './testing.ts'

// scripts/bench/kill.ts runs two hundred rounds.
const rounds = 3
const expected = { faults: [], rounds }

test('a server that is killed during writes loses no acknowledged write and leaves no partial one', async () => {
  const databaseUrl = inject('postgresUrl') ? await freshPostgres() : undefined
  const result = await killWrites({ rounds, seed: 1, databaseUrl })
  expect(result).toMatchObject(expected)
  expect(result.acknowledged).toBeGreaterThan(50)
})

test('a server that is killed while it imports repeats and loses nothing', async () => {
  const databaseUrl = inject('postgresUrl') ? await freshPostgres() : undefined
  const result = await killImports({ rounds: 6, seed: 1, databaseUrl })
  expect(result).toMatchObject({ faults: [], rounds: 6 })
})

test('a server that is killed repeatedly sends each email and delivery, and removes each deleted account', async () => {
  const databaseUrl = inject('postgresUrl') ? await freshPostgres() : undefined
  const result = await killTasks({ rounds, seed: 1, databaseUrl })
  expect(result).toMatchObject({ ...expected, deletions: rounds })
  expect(result.emails).toBeGreaterThan(0)
  expect(result.deliveries).toBeGreaterThan(20)
})

test('a server that is killed while a member with many requests becomes public goes on, and tells each follower once', async () => {
  const databaseUrl = inject('postgresUrl') ? await freshPostgres() : undefined
  const result = await killPrivacy({ rounds, seed: 1, databaseUrl })
  expect(result).toMatchObject(expected)
  // At least one kill was between two transactions.
  expect(Math.min(...result.accepted)).toBeLessThan(result.requests)
})

describe.runIf(inject('postgresUrl'))('with Postgres', () => {
  test('killed during writes, Postgres loses no acknowledged write, and the server recovers when it is back', async () => {
    const postgres = await ownPostgres()
    try {
      const result = await killWrites({ rounds, seed: 1, databaseUrl: postgres.url, postgres })
      expect(result).toMatchObject(expected)
      expect(result.acknowledged).toBeGreaterThan(50)
      expect(Object.keys(result.statuses)).toEqual(['200', '201', '503'])
    } finally {
      await postgres.remove()
    }
  })
})
