import { features } from '#server/router.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aServer, aSignedInMember } from '#server/testing.ts'
import { defaultSettings } from '#shared/domain/site-defaults.ts'
import { newChallenge } from './challenge.ts'
import { findSecret } from './challenge-store.ts'
import { removeStale } from './sweep.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const visitor = as()
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const admin = { ...(await aSignedInMember(db)), role: 'admin' as const }
await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
const set = (challenge: 'on' | 'off') =>
  as(admin).site.change({ registration: { ...defaultSettings.registration, challenge } })
await set('on')

type Challenge = Awaited<ReturnType<typeof newChallenge>>
const solve = async (challenge: Challenge) => (await solveChallenge({ challenge, deriveKey }))!
const encode = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64')
const aProof = async (challenge?: Challenge) => {
  const given = challenge ?? (await visitor.accounts.challenge()).challenge
  return encode({ challenge: given, solution: await solve(given) })
}

let count = 0
const fresh = () => ({
  username: `worker${++count}`,
  email: `worker${count}@example.org`,
  password: 'six-or-more',
})
const register = (proof: string | undefined, person = fresh()) =>
  visitor.accounts.register({ ...person, ...(proof !== undefined && { proof }) })
const refused = { code: 'FORBIDDEN', reason: 'CHALLENGE_REQUIRED' }

test('a registration requires a solution, which the challenge of the API and its own libraries produce', async () => {
  await expect(register(undefined)).rejects.toMatchObject(refused)
  const ask = async () => (await app.inject('/auth/challenge')).json<{ challenge: Challenge }>()
  const { challenge } = await ask()
  expect((await ask()).challenge).not.toEqual(challenge)
  const payload = { ...fresh(), proof: await aProof(challenge) }
  const registered = await app.inject({ method: 'POST', url: '/users/register', payload })
  expect(registered.statusCode).toBe(201)
  await set('off')
  expect(await register(undefined)).toBeTruthy()
  await set('on')
})

describe('a solution is refused', () => {
  test('that was used, also by many at once', async () => {
    const proof = await aProof()
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => register(proof)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(register(proof)).rejects.toMatchObject(refused)
  })

  test('whose challenge has expired, even if it was never used', async () => {
    const proof = await aProof(await newChallenge(db, new Date(Date.now() - 11 * 60_000)))
    await expect(register(proof)).rejects.toMatchObject(refused)
  })

  test.each<[string, (challenge: Challenge) => Promise<object>]>([
    [
      'for an easier challenge',
      async (challenge) => {
        const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } }
        return { challenge: easier, solution: await solve(easier) }
      },
    ],
    [
      'for a cheaper challenge',
      async (challenge) => {
        const cheaper = { ...challenge, parameters: { ...challenge.parameters, cost: 1, keyPrefix: '00' } }
        return { challenge: cheaper, solution: await solve(cheaper) }
      },
    ],
    [
      'for a challenge that lasts longer',
      async (challenge) => {
        const { parameters } = challenge
        const longer = { ...challenge, parameters: { ...parameters, expiresAt: parameters.expiresAt + 1e6 } }
        return { challenge: longer, solution: await solve(challenge) }
      },
    ],
    [
      'with a signature of its own',
      async (challenge) => {
        const forged = { ...challenge, signature: 'ab'.repeat(32) }
        return { challenge: forged, solution: await solve(challenge) }
      },
    ],
    [
      'with the key of another challenge',
      async (challenge) => ({
        challenge,
        solution: await solve((await visitor.accounts.challenge()).challenge),
      }),
    ],
    [
      'that only repeats the challenge',
      async (challenge) => ({
        challenge,
        solution: { counter: 0, derivedKey: challenge.parameters.keyPrefix },
      }),
    ],
    ['without a solution', async (challenge) => ({ challenge })],
    ['of another form', async () => [[[]]]],
  ])('%s', async (_, forge) => {
    const { challenge } = await visitor.accounts.challenge()
    await expect(register(encode(await forge(challenge)))).rejects.toMatchObject(refused)
  })

  test.each(['', '%%%', Buffer.from('{').toString('base64'), 'A'.repeat(2_000)])(
    'that is no JSON: %.20s',
    async (proof) => {
      await expect(register(proof)).rejects.toMatchObject(refused)
    },
  )
})

test('a registration that fails does not use up the solution', async () => {
  const proof = await aProof()
  const taken = { ...fresh(), username: admin.username }
  await expect(register(proof, taken)).rejects.toMatchObject({ reason: 'USERNAME_TAKEN' })
  expect(await register(proof)).toBeTruthy()
})

test('all processes sign with the same key, whichever asks first', async () => {
  const keys = await Promise.all(['a', 'b', 'c'].map((random) => findSecret(db, 'one', random)))
  expect(new Set(keys).size).toBe(1)
})

test('used solutions are forgotten once they have expired', async () => {
  await register(await aProof())
  await removeStale(db, features, new Date(Date.now() + 11 * 60_000))
  expect(await db.selectFrom('used_challenges').selectAll().execute()).toEqual([])
  forgetSettings(db)
})
