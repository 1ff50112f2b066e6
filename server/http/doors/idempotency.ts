import { hash, randomUUID } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { idempotencyHours } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { isForeignKeyViolation } from '#server/db/dialect.ts'
import { type Db, sameDatabase } from '#server/db/open.ts'
import { removeInBatches } from '#server/process/scheduler.ts'
import type { Context } from '#server/calls/context.ts'
import { badRequest, conflict, statusOf, toErrorBody, toTrpcError } from '#server/calls/errors.ts'
import { mayRead } from '#server/calls/procedures.ts'
import {
  claimKey,
  type ClaimedKey,
  dropLongResponses,
  findKey,
  type KeyRow,
  longBytes,
  markApplied,
  releaseKey,
  removeKeysBefore,
  removeSurplusKeys,
  storeResponse,
} from './idempotency-store.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/
const keptForMs = idempotencyHours * 60 * 60_000
/** Then a request without a response counts as crashed. Longer than the time limit of a call: it can no longer commit. */
const leaseMs = 60_000
const runningRetrySeconds = 1
const keysMax = 5_000
/** In UTF-16 units; no response to a POST is that long. */
const bodyLengthMax = 256 * 1024
/** Above a kilobyte, per member; older ones cannot be repeated. A member’s responses take at most 12 MB. */
const longMax = 200
const batchSize = 500

type Answer = { status: number; body: string }

/** Thrown so that the procedure does not run again. */
class Replay extends TRPCError {
  readonly answer: Answer
  constructor(answer: Answer) {
    super({ code: 'CONFLICT' })
    this.answer = answer
  }
}

/**
 * See docs/decisions/0038-idempotency-keys.md. The procedure claims the key after checking the member and the rate limits; earlier failures
 * are not stored. `content` identifies the request. With `hasSecret`, the response is not stored.
 */
export async function runOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Context,
  { content, hasSecret = false }: { content: () => string; hasSecret?: boolean },
  run: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return run(ctx)
  let key: ClaimedKey | undefined
  const claim = async ({ id }: { id: number }) => {
    const given = checkedKey(header)
    // A response to a token with `read` must not be repeated to a token without it.
    const sent = mayRead(ctx) ? content() : `without read ${content()}`
    // With the key, of which no more than a hash is stored: from a hash of the body alone, a password in it could be guessed.
    key = await claimOrThrow(ctx, { userId: id, keyHash: sha256(given) }, sha256(`${given} ${sent}`))
    return markingDb(ctx.db, key)
  }
  try {
    const answer = await run({ ...ctx, claimKey: claim })
    if (key) await settle(ctx, key, { ...answer, body: hasSecret ? null : answer.body })
    return answer
  } catch (error) {
    if (error instanceof Replay) {
      reply.header('idempotency-replayed', 'true')
      return error.answer
    }
    if (error instanceof KeyRunning) reply.header('retry-after', runningRetrySeconds)
    else if (key) await settleError(ctx, key, error)
    throw error
  }
}

const sha256 = (text: string) => hash('sha256', text, 'base64url')

class KeyRunning extends TRPCError {
  constructor() {
    super({ code: 'CONFLICT', message: messages.idempotencyKeyRunning })
  }
}

function checkedKey(header: string | string[]): string {
  const key = String(header)
  if (keyPattern.test(key)) return key
  throw badRequest(messages.idempotencyKeyInvalid)
}

async function claimOrThrow(
  { db, now, log }: Context,
  { userId, keyHash }: Pick<ClaimedKey, 'userId' | 'keyHash'>,
  requestHash: string,
): Promise<ClaimedKey> {
  const key = { userId, keyHash, attempt: randomUUID() }
  const before = (ms: number) => new Date(now.getTime() - ms)
  const times = { now, abandonedBefore: before(leaseMs), expiredBefore: before(keptForMs) }
  const isClaimed = await claimKey(db, key, requestHash, times).catch((error: unknown) => {
    // The account was deleted since the session was read.
    if (!isForeignKeyViolation(error)) throw error
    throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
  })
  if (isClaimed) {
    // The claim is valid even if this fails; the next claim tries again.
    await removeSurplusKeys(db, userId, keysMax).catch((error: unknown) =>
      log.warn({ err: error }, 'old idempotency keys were not removed'),
    )
    return key
  }
  const row = await findKey(db, key)
  throw row ? outcomeOf(row, requestHash, times.abandonedBefore) : new KeyRunning()
}

function outcomeOf(
  { request_hash, status, body, claimed_at }: KeyRow,
  requestHash: string,
  abandonedBefore: Date,
) {
  if (request_hash !== requestHash)
    return new TRPCError({ code: 'UNPROCESSABLE_CONTENT', message: messages.idempotencyKeyReused })
  if (status !== null && body !== null) return new Replay({ status, body })
  const isRunning = status === null && claimed_at >= abandonedBefore.toISOString()
  return isRunning ? new KeyRunning() : conflict(messages.idempotencyKeySpent)
}

/**
 * Its transactions record that the request has changed something, and roll back if the claim is lost: of two requests with one key, only
 * one commits.
 */
function markingDb(db: Db, key: ClaimedKey): Db {
  return sameDatabase(db, {
    async beforeCommit(connection) {
      if (!(await markApplied(db, connection, key))) throw new KeyRunning()
    },
  })
}

async function settle(
  { db, log }: Context,
  key: ClaimedKey,
  { status, body }: { status: number; body: string | null },
) {
  const isKept = body !== null && body.length <= bodyLengthMax
  // The request has succeeded: its response is sent even if it cannot be stored.
  try {
    await storeResponse(db, key, { status, body: isKept ? body : null })
    if (isKept && Buffer.byteLength(body) > longBytes) await dropLongResponses(db, key.userId, longMax)
  } catch (error) {
    log.warn({ err: error }, 'the response of an idempotency key was not stored')
  }
}

async function settleError(ctx: Context, key: ClaimedKey, cause: unknown): Promise<void> {
  const error = toTrpcError(cause)
  const status = statusOf(error)
  const isOwn = status < 500 && !['UNAUTHORIZED', 'TIMEOUT', 'TOO_MANY_REQUESTS'].includes(error.code)
  if (isOwn) return settle(ctx, key, { status, body: JSON.stringify(toErrorBody(error)) })
  await releaseKey(ctx.db, key).catch((failure: unknown) =>
    ctx.log.warn({ err: failure }, 'an idempotency key was not released'),
  )
}

export async function removeExpiredKeys(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - keptForMs)
  await removeInBatches((limit) => removeKeysBefore(db, before, limit), batchSize, signal)
}
