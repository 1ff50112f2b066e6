import { randomBytes } from 'node:crypto'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { z } from 'zod'
import { type getChallenge, proofContent } from '#shared/contracts/accounts.ts'
import { challengeMinutes } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Db } from '#server/db/open.ts'
import type { SiteSettings } from '#server/members/settings.ts'
import type { Context } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { findSecret, insertUsedChallenge } from './challenge-store.ts'

/** Iterations of PBKDF2 per attempt, and attempts: together at most two seconds on a phone. */
const cost = 5_000
const attempts = { min: 100, max: 200 }

type Challenge = z.infer<typeof getChallenge.output>['challenge']
export type Solved = { signature: string; expiresAt: Date }

/** Valid for ten minutes. Nothing is stored until it is solved. */
export async function newChallenge(db: Db, now: Date): Promise<Challenge> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    counter: randomInt(attempts.min, attempts.max),
    deriveKey,
    expiresAt: new Date(now.getTime() + challengeMinutes * 60_000),
    ...(await keysOf(db)),
  })
  return challenge as Challenge
}

/** Throws CHALLENGE_REQUIRED; returns undefined if the settings require no proof. The solution must then be used: see `takeChallenge`. */
export async function checkProof(
  { db }: Pick<Context, 'db'>,
  { registration }: SiteSettings,
  proof: string | undefined,
): Promise<Solved | undefined> {
  if (registration.challenge === 'off') return undefined
  const given = proofContent.safeParse(parse(proof ?? ''))
  if (!given.success) throw refused()
  const { challenge, solution } = given.data
  const { verified } = await verifySolution({
    challenge,
    solution: { counter: solution.counter, derivedKey: solution.derivedKey },
    deriveKey,
    ...(await keysOf(db)),
  })
  if (!verified) throw refused()
  return { signature: challenge.signature, expiresAt: new Date(challenge.parameters.expiresAt * 1_000) }
}

/** In the transaction of the registration: one that fails does not use it up. Throws if it was used before. */
export async function takeChallenge(trx: Db, solved: Solved | undefined): Promise<void> {
  if (solved && !(await insertUsedChallenge(trx, solved.signature, solved.expiresAt))) throw refused()
}

const secrets = new WeakMap<Db, string>()

/** The keys that sign the challenges of all processes. */
async function keysOf(db: Db) {
  const secret = secrets.get(db) ?? (await findSecret(db, 'challenges', randomBytes(32).toString('hex')))
  secrets.set(db, secret)
  return { hmacSignatureSecret: `${secret} challenge`, hmacKeySignatureSecret: `${secret} key` }
}

function parse(proof: string): unknown {
  try {
    return JSON.parse(Buffer.from(proof, 'base64').toString())
  } catch {
    return undefined
  }
}

function refused(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'CHALLENGE_REQUIRED', messages.challengeRequired)
}
