import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type * as signIn from '#shared/contracts/sign-in.ts'
import { signInStepMinutes } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { findSecret, insertUsedChallenge } from './challenge-store.ts'
import * as credentials from './credentials-store.ts'
import type { Confirm } from './reauthenticate.ts'

type Assertion = z.infer<typeof signIn.passkeyLogin.input>
type Attestation = z.infer<typeof signIn.addPasskey.input>['response']
/** The purpose of a challenge: a login or a confirmation, or a new passkey of a session. */
type Purpose = 'assert' | `add ${string}`

/**
 * Loads the library, when a passkey is first used, because it takes several megabytes. Its large dependencies are loaded first, each in a turn
 * of the event loop of its own: all at once hold it for 100 ms.
 */
async function library() {
  const { resolve } = createRequire(import.meta.url)
  const require = createRequire(resolve('@simplewebauthn/server'))
  for (const name of ['reflect-metadata', '@peculiar/asn1-schema', '@peculiar/asn1-x509', '@peculiar/x509']) {
    require(name)
    await setImmediate()
  }
  return import('@simplewebauthn/server')
}

/** Browsers refuse passkeys for a host that is an IP address, and the web app hides them there. */
export function siteOf({ publicUrl }: Pick<Config, 'publicUrl'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

/** The user handle. It is the same for all passkeys of a member, so that an authenticator keeps one per account, and contains no personal data. */
export const handleOf = (userId: number): string => Buffer.from(`member ${userId}`).toString('base64url')

/**
 * A challenge is stored only once it is used. It consists of 128 random bits and its expiry, signed with a site key for its purpose, and can be
 * used once.
 */
export async function newChallenge(db: Db, purpose: Purpose, now: Date): Promise<string> {
  const bytes = Buffer.alloc(24)
  randomBytes(16).copy(bytes)
  bytes.writeBigUInt64BE(BigInt(now.getTime() + signInStepMinutes * 60_000), 16)
  return Buffer.concat([bytes, await signed(db, purpose, bytes)]).toString('base64url')
}

async function signed(db: Db, purpose: Purpose, bytes: Buffer): Promise<Buffer> {
  const key = await findSecret(db, 'passkeys', randomBytes(32).toString('hex'))
  return createHmac('sha256', key).update(`${purpose} `).update(bytes).digest()
}

/** Returns the expiry of a challenge; undefined if it was issued for another purpose or by another site, or has expired. */
async function endOf(db: Db, purpose: Purpose, challenge: string, now: Date): Promise<Date | undefined> {
  const all = Buffer.from(challenge, 'base64url')
  if (all.length !== 56) return undefined
  const bytes = all.subarray(0, 24)
  if (!timingSafeEqual(all.subarray(24), await signed(db, purpose, bytes))) return undefined
  const end = Number(bytes.readBigUInt64BE(16))
  return end > now.getTime() ? new Date(end) : undefined
}

/** Returns the callback that the library verifies a challenge with, and a function that consumes the challenge in a transaction. */
function challengeOf({ primary, db, now }: Context, purpose: Purpose) {
  let known: { challenge: string; end: Date } | undefined
  return {
    async isExpected(challenge: string) {
      const end = await endOf(primary ?? db, purpose, challenge, now)
      known = end && { challenge, end }
      return end !== undefined
    },
    take: async (trx: Db) => known !== undefined && insertUsedChallenge(trx, known.challenge, known.end),
  }
}

const refused = () => new ReasonedError('FORBIDDEN', 'PASSKEY_REFUSED', messages.passkeyRefused)
const unknown = () => new ReasonedError('FORBIDDEN', 'PASSKEY_UNKNOWN', messages.passkeyUnknown)

/**
 * Verifies the signature of a passkey. Throws PASSKEY_UNKNOWN if no member has the passkey. Throws PASSKEY_REFUSED for another site, an
 * expired or used challenge, missing user verification, or a signature counter that has not increased. The returned function consumes the
 * challenge and stores the counter, in a transaction that has locked the account.
 */
export async function checkPasskey(
  ctx: Context,
  given: Assertion,
): Promise<{ userId: number; confirm: Confirm }> {
  const site = siteOf(ctx.config)
  const passkey = await credentials.findCredential(ctx.db, 'passkey', given.id)
  if (!passkey?.secret) throw unknown()
  const details = JSON.parse(passkey.details) as { counter: number }
  const challenge = challengeOf(ctx, 'assert')
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: given as never,
    expectedChallenge: (value) => challenge.isExpected(value),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: given.id,
      publicKey: new Uint8Array(Buffer.from(passkey.secret, 'base64url')),
      counter: details.counter,
    },
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'a passkey was refused')
    throw refused()
  })
  const { userHandle } = given.response
  if (!verified || (userHandle !== undefined && userHandle !== handleOf(passkey.user_id))) throw refused()
  const confirm = async (trx: Db) => {
    const used = JSON.stringify({ ...details, counter: authenticationInfo.newCounter })
    if (!(await challenge.take(trx)) || !(await credentials.replaceDetails(trx, passkey, used, ctx.now)))
      throw refused()
  }
  return { userId: passkey.user_id, confirm }
}

/** Verifies a new passkey. Throws PASSKEY_REFUSED. The returned function adds it in a transaction that has locked the account. */
export async function checkNewPasskey(
  ctx: Context & { member: { id: number; sessionHash: string } },
  name: string,
  given: Attestation,
) {
  const site = siteOf(ctx.config)
  const challenge = challengeOf(ctx, `add ${ctx.member.sessionHash}`)
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: given as never,
    expectedChallenge: (value) => challenge.isExpected(value),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'a passkey was refused')
    throw refused()
  })
  // A passkey that is not discoverable requires a username first.
  if (!verified || !registrationInfo || given.clientExtensionResults?.credProps?.rk === false) throw refused()
  const { credential } = registrationInfo
  return async (trx: Db) => {
    if (!(await challenge.take(trx))) throw refused()
    const passkey = {
      user_id: ctx.member.id,
      kind: 'passkey' as const,
      identifier: credential.id,
      name,
      secret: Buffer.from(credential.publicKey).toString('base64url'),
      details: JSON.stringify({ counter: credential.counter }),
    }
    return credentials.insertCredential(trx, passkey, ctx.now)
  }
}
