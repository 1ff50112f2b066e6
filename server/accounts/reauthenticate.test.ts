import { expect, test } from 'vitest'
import type { Context, LimitName } from '#server/calls/context.ts'
import { TooManyRequests } from '#server/calls/errors.ts'
import { guessPassword } from './reauthenticate.ts'
import { hashPassword, isPassword } from './passwords.ts'

const password = 'six-or-more'
const passwordHash = await hashPassword(password)
const credential = { id: 1, secret: passwordHash }

/** A caller whose counts are recorded. */
function aCaller(address: string, limit: (name: LimitName) => void = () => {}) {
  const counted: LimitName[] = []
  const ctx = {
    address,
    limit: async (name: LimitName) => {
      counted.push(name)
      limit(name)
    },
  } as unknown as Context
  return { counted, guess: async () => guessPassword(ctx, 'email a@b', { password, credential }) }
}

/** Blocks the verification of passwords. Returns a function that ends this. */
function holdAll() {
  let release!: () => void
  const held = new Promise<void>((resolve) => (release = resolve))
  // The maximum number of concurrent verifications, so that further ones wait.
  const holds = [1, 2].map((at) =>
    isPassword('x', undefined, { address: `192.0.2.${at}`, count: () => held }),
  )
  return async () => {
    release()
    await Promise.all(holds)
  }
}

test('a guess counts when the password is verified, not if the queue is full', async () => {
  const release = holdAll()
  const [flood, owner] = [aCaller('2001:db8:1::1'), aCaller('198.51.100.1')]
  const guesses = Array.from({ length: 120 }, () => flood.guess().catch((error: unknown) => error))
  const own = owner.guess()
  expect([flood.counted, owner.counted]).toEqual([[], []])
  await release()
  // The queue refused other guesses, but not the owner’s.
  expect(await own).toBe(true)
  const outcomes = await Promise.all(guesses)
  const verified = outcomes.filter((outcome) => outcome === true).length
  expect(verified).toBeLessThan(100)
  expect(outcomes.filter((outcome) => outcome !== true)).toMatchObject(
    Array.from({ length: 120 - verified }, () => ({ code: 'SERVICE_UNAVAILABLE' })),
  )
  expect(flood.counted).toHaveLength(verified * 2)
  expect(owner.counted).toEqual(['guessFromAddress', 'guessFromAnywhere'])
})

test('a guess that the limit of its address refuses is not counted for the account, and no password is verified', async () => {
  const caller = aCaller('198.51.100.2', () => {
    throw new TooManyRequests(60)
  })
  await expect(caller.guess()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(caller.counted).toEqual(['guessFromAddress'])
})

test('an owner’s password is verified soon, however many logins a /48 has waiting', async () => {
  const release = holdAll()
  const order: string[] = []
  const from = async (address: string, name: string) =>
    isPassword(password, passwordHash, { address, count: async () => void order.push(name) })
  const flood = Array.from({ length: 60 }, (_, at) => from(`2001:db8:2:${at.toString(16)}::1`, 'flood'))
  const own = from('198.51.100.3', 'owner')
  await release()
  expect(await own).toBe(true)
  await Promise.all(flood)
  expect(order.indexOf('owner')).toBeLessThanOrEqual(2)
})
