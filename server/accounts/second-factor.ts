import { Secret, TOTP } from 'otpauth'
import { recoveryCodesCount } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import * as credentials from './credentials-store.ts'
import { queueNotice } from './notices.ts'
import { type Confirm, countGuess } from './reauthenticate.ts'
import { hashToken } from './rules.ts'
import type { SignInChange } from '#server/members/tables.ts'

/** The parameters that all authenticator apps support: SHA-1, six digits, 30 seconds. */
const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })

/** Returns a new secret of 160 bits in base32, and the URL that apps read from a QR code. */
export function newTotp(issuer: string, label: string): { secret: string; url: string } {
  const secret = new Secret({ size: 20 }).base32
  // In the label, a colon separates the issuer from the name.
  const names = { issuer: issuer.replaceAll(':', ' '), label: label.replaceAll(':', ' ') }
  return { secret, url: totpOf(secret, names).toString() }
}

/** Apps show a code in groups, such as `123 456`. */
const digitsOf = (code: string): string => code.replaceAll(/[\s-]/g, '')

/** Returns the time step of a code: the current, previous or next one, because clocks differ. Undefined if the code is wrong. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const totp = totpOf(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: digitsOf(code), timestamp, window: 1 })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

/** Replaces the recovery codes of a member by new ones of 80 bits: `abcd-efgh-ijkl-mnop`. The account must be locked. */
export async function renewRecoveryCodes(trx: Db, userId: number, now: Date): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesCount }, () =>
    new Secret({ size: 10 }).base32.toLowerCase().replaceAll(/.{4}(?=.)/g, '$&-'),
  )
  const hashes = codes.map((code) => recoveryHash(userId, code))
  await credentials.setRecoveryCodes(trx, userId, hashes, now)
  return codes
}

/** Returns the hash of a recovery code as the database stores it. Base32 has neither 0 nor 1. */
function recoveryHash(userId: number, code: string): string {
  const letters = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return hashToken(`${userId} ${letters.replaceAll('0', 'O').replaceAll('1', 'I')}`)
}

/**
 * Verifies a TOTP code or a recovery code. Guesses are rate-limited like password guesses. Throws CODE_WRONG with the given status. The
 * returned function consumes the code in a transaction that has locked the account, and throws CODE_WRONG if another call has consumed it.
 */
export async function guessCode(
  ctx: Context,
  userId: number,
  code: string,
  status: 'UNAUTHORIZED' | 'FORBIDDEN',
): Promise<Confirm> {
  const wrong = () => new ReasonedError(status, 'CODE_WRONG', messages.codeWrong)
  await countGuess(ctx, factorAccount(userId))
  const totp = await credentials.findTotp(ctx.db, userId)
  if (!totp?.secret) throw wrong()
  if (/^\d{6}$/.test(digitsOf(code))) {
    const step = stepOf(totp.secret, code, ctx.now)
    if (step === undefined || step <= lastStep(totp.details)) throw wrong()
    return async (trx) => {
      const current = await credentials.findTotp(trx, userId)
      const isUnused = current?.id === totp.id && step > lastStep(current.details)
      if (!isUnused || !(await credentials.replaceDetails(trx, current, JSON.stringify({ step }), ctx.now)))
        throw wrong()
    }
  }
  const hash = recoveryHash(userId, code)
  if (!(await credentials.hasRecoveryCode(ctx.db, userId, hash))) throw wrong()
  return async (trx) => {
    if (!(await credentials.takeRecoveryCode(trx, userId, hash))) throw wrong()
    const owner = await credentials.lockOwner(trx, userId)
    if (owner) await tellOwner(trx, owner.email, 'code-used', ctx.now)
  }
}

export function factorAccount(userId: number): string {
  return `factor ${userId}`
}

function lastStep(details: string): number {
  return (JSON.parse(details) as { step: number }).step
}

/** Queues the email about a change of sign-in methods. Call `ctx.mailer.flush()` after the transaction. */
export async function tellOwner(trx: Db, email: string, change: SignInChange, now: Date): Promise<void> {
  await queueNotice(trx, 'sign-in-notice', { to: email, mail: 'sign-in', change }, now)
}
