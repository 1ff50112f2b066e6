import { getTRPCErrorFromUnknown, TRPCError } from '@trpc/server'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { ErrorReason } from '#shared/contracts/errors.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Scope } from '#shared/domain/scopes.ts'
import type { Described, Translator } from '#server/text/translator.ts'
import { describeIssue } from './zod.ts'
import { classifyDatabaseError } from '#server/db/dialect.ts'

export { getHTTPStatusCodeFromError as statusOf } from '@trpc/server/http'

/**
 * The body of an error response, the same on both transports. A BAD_REQUEST has `issues`, an unknown error its `requestId`.
 */
export type ErrorBody = {
  message: string
  code: TRPCError['code']
  reason?: ErrorReason
  ticket?: string
  email?: string
  provider?: string
  issues?: { path: (string | number)[]; message: string }[]
  requestId?: string
}

export class TooManyRequests extends TRPCError {
  readonly retryAfter: number
  constructor(retryAfter: number, message: string = messages.tooManyRequests) {
    super({ code: 'TOO_MANY_REQUESTS', message })
    this.retryAfter = retryAfter
  }
}

/** Clients can branch on `reason`. */
export class ReasonedError extends TRPCError {
  readonly reason: ErrorReason
  constructor(code: TRPCError['code'], reason: ErrorReason, message: string) {
    super({ code, message })
    this.reason = reason
  }
}

/** A login needs another step. `next` is what the body of the error adds. */
export class StepRequired extends ReasonedError {
  readonly next: Pick<ErrorBody, 'email' | 'provider'> & { ticket: string }
  constructor(reason: ErrorReason, message: string, next: StepRequired['next']) {
    super('UNAUTHORIZED', reason, message)
    this.next = next
  }
}

export class SecondFactorRequired extends StepRequired {
  constructor(ticket: string) {
    super('SECOND_FACTOR_REQUIRED', messages.factorRequired, { ticket })
  }
}

export const badRequest = (message: string) => new TRPCError({ code: 'BAD_REQUEST', message })
export const forbidden = (message: string) => new TRPCError({ code: 'FORBIDDEN', message })
export const conflict = (message: string) => new TRPCError({ code: 'CONFLICT', message })
export const notFound = (message: string = messages.notFound) => new TRPCError({ code: 'NOT_FOUND', message })

/** Returns a BAD_REQUEST for a field of the input, as if the schema had refused it. */
export function invalidField(name: string, message: string): TRPCError {
  const issue = { code: 'custom' as const, path: [name], message, input: undefined }
  return new TRPCError({ code: 'BAD_REQUEST', message, cause: new z.ZodRealError([issue]) })
}

/** `scope` is the one that the token lacks; null if the call requires a login session. */
export class InsufficientScope extends ReasonedError {
  readonly scope: Scope | null
  constructor(scope: Scope | null) {
    if (scope) super('FORBIDDEN', 'INSUFFICIENT_SCOPE', messages.scopeMissing(scope))
    else super('FORBIDDEN', 'SESSION_REQUIRED', messages.sessionRequired)
    this.scope = scope
  }
}

/** Returns a SERVICE_UNAVAILABLE for a temporary overload. `cause` is logged. */
export function busy(cause?: unknown): TRPCError {
  return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.busy, cause })
}

/** Shorter than the timeout of clients (`requestTimeoutMs`), so that they receive a message. */
const callTimeoutMs = 25_000

/**
 * Returns what `work` returns. Throws SERVICE_UNAVAILABLE after `ms`, 25 seconds by default; the work may still complete. The timeout of cockatiel would
 * create an AbortController and an exception for every call that succeeds.
 */
export async function withTimeout<T>(work: () => Promise<T>, ms = callTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(busy(new Error(`The call took longer than ${ms} ms.`))), ms)
  })
  try {
    return await Promise.race([work(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns any error as a `TRPCError`. Errors of the database or the disk become SERVICE_UNAVAILABLE, other unknown ones
 * INTERNAL_SERVER_ERROR.
 */
export function toTrpcError(error: unknown): TRPCError {
  const known = getTRPCErrorFromUnknown(error)
  if (known.code !== 'INTERNAL_SERVER_ERROR') return known
  const reason = classifyDatabaseError(known.cause)
  if (!reason) return known
  if (reason === 'busy') return busy(known.cause)
  return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.cannotSave, cause: known.cause })
}

/** The sender of an error does not know whether the call has logged it. */
const logged = new WeakSet<TRPCError>()

/** Logs an error once, if it concerns the operator. `path` is the procedure’s. */
export function logError(log: FastifyBaseLogger, error: TRPCError, path?: string): void {
  if (logged.has(error)) return
  logged.add(error)
  const fields = { err: error.cause ?? error, path }
  if (error.code === 'INTERNAL_SERVER_ERROR') log.error(fields, 'request failed')
  else if (classifyDatabaseError(error.cause) === 'unwritable')
    log.error(fields, 'nothing can be saved: the disk is full, read-only or broken')
  else if (error.code === 'SERVICE_UNAVAILABLE' && error.cause) log.warn(fields, 'service unavailable')
}

/**
 * As `toErrorBody`, to the web app: in the language of its reader. `key` and `values` are what the message was made of: the English text in
 * the catalogues, and its values.
 */
export function toAppError(
  error: TRPCError,
  texts: Translator,
  requestId?: string,
): ErrorBody & Omit<Described, 'text'> {
  const { issues, ...body } = toErrorBody(error, requestId)
  if (issues === undefined || !(error.cause instanceof z.ZodError)) {
    const { text, ...described } = texts.describe(body.message)
    return { ...body, message: text, ...described }
  }
  const described = error.cause.issues.map((issue) => describeIssue(issue, texts))
  const { text, ...first } = described[0] ?? texts.describe(body.message)
  const shown = issues.map((issue, at) => ({ ...issue, message: described[at]!.text }))
  return { ...body, message: text, ...first, issues: shown }
}

/** An unknown error has no details but the request id. */
export function toErrorBody(error: TRPCError, requestId?: string): ErrorBody {
  if (error.code === 'INTERNAL_SERVER_ERROR') {
    return { message: messages.somethingWentWrong, code: error.code, ...(requestId ? { requestId } : {}) }
  }
  if (error.code === 'BAD_REQUEST' && error.cause instanceof z.ZodError) {
    const issues = error.cause.issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message: issue.message,
    }))
    return { message: issues[0]?.message ?? messages.invalidRequest, code: error.code, issues }
  }
  const reason = error instanceof ReasonedError && error.reason
  const next = error instanceof StepRequired && error.next
  return { message: error.message, code: error.code, ...(reason && { reason }), ...next }
}
