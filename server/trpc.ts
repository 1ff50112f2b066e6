import { initTRPC, TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { getTRPCErrorFromUnknown } from '@trpc/server/unstable-core-do-not-import'
import type { FastifyBaseLogger } from 'fastify'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { livePingMs, liveSilenceMs } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { markWrote } from '#server/accounts/store.ts'
import type { Mailer } from '#server/accounts/mailer.ts'
import type { Sources } from '#server/catalogue/sources/source.ts'
import type { Config } from '#server/config.ts'
import { classifyDatabaseError } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Replica } from '#server/db/replica.ts'
import type { LimitName } from '#server/limits.ts'
import type { Live } from '#server/reviews/live.ts'
import type { UploadStorage } from '#server/uploads/storage.ts'
import { busy } from './turns.ts'

// Schemas that bring no words of their own get zod's, with the field named in front.
const inEnglish = z.locales.en().localeError
z.config({
  customError: (issue) => {
    const words = inEnglish(issue)
    const text = typeof words === 'string' ? words : words?.message
    return issue.path?.length ? `${issue.path.join('.')}: ${text}` : text
  },
})

// tRPC asks for `parseAsync`, which takes four times as long: it goes round what zod compiles of a schema. Nothing of ours waits.
z.ZodObject.prototype.parseAsync = async function parse(this: z.ZodObject, data: unknown) {
  return this.parse(data)
} as never

/** Who calls. */
export type Member = {
  id: number
  username: string
  sessionHash: string
  /** See `users.wrote_at`. */
  wroteAt?: string | null
}

/** What the process holds for every call. */
export type Services = {
  config: Config
  db: Db
  replica?: Replica | undefined
  mailer: Mailer
  sources: Sources
  live: Live
  storage: UploadStorage
}

export type Context = Services & {
  now: Date
  member: Member | null
  log: FastifyBaseLogger
  requestId: string
  userAgent: string | null
  /** The caller's IP address. */
  address: string
  /** A member called from this address lately, with this call or another. */
  isFromMember?: boolean | undefined
  /** Counts a call against a limit; throws TOO_MANY_REQUESTS. `account` narrows it to a member or an e-mail. */
  limit: (name: LimitName, account?: string) => Promise<void>
  /** The caller proved to be the account's owner: its guesses are theirs from this address, whoever else guesses. */
  trust: (account: string) => void
  /**
   * What the procedure says of its REST answer: the status where it knows better than its meta (a sync that found the
   * title there). An object, since middlewares hand on copies of the context.
   */
  answer: { status?: number }
}

/** `openapi` places a procedure at the REST door; `limit` counts its calls by address. */
export type Meta = OpenApiMeta & {
  /** The status of success where it is not 200. */
  status?: number
  /** Another status of success that the procedure can set, and when it does. */
  otherStatus?: { status: number; description: string }
  /** Further REST paths of the same call. */
  aliases?: { path: `/${string}`; operationId: string }[]
  /** No token is needed, and one changes the answer. */
  readsToken?: boolean
  limit?: LimitName
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    // A sign of life well within what proxies wait for; who hears none for long calls again.
    sse: {
      ping: { enabled: true, intervalMs: livePingMs },
      client: { reconnectAfterInactivityMs: liveSilenceMs },
    },
    errorFormatter({ shape, error, ctx }) {
      const { message, issues } = errorAnswer(error, ctx?.requestId)
      const { code, httpStatus, path } = shape.data
      return {
        ...shape,
        message,
        data: {
          code,
          httpStatus,
          path,
          issues,
          requestId: code === 'INTERNAL_SERVER_ERROR' ? ctx?.requestId : undefined,
        },
      }
    },
  })

export const { router, mergeRouters } = t

// One middleware, not one for each thing: what tRPC makes of a step costs more than what is in it.
export const publicProcedure = t.procedure.use(async ({ ctx, meta, type, next }) => {
  const { db, replica, member } = ctx
  if (meta?.limit) await ctx.limit(meta.limit)
  if (type === 'subscription') {
    // Of calls the doors say in words why they failed; a stream is answered by tRPC itself.
    const result = await next()
    if (!result.ok) throw foreseen(result.error)
    return result
  }
  if (!replica) return next()
  if (type === 'query') {
    const reader = replica.readerFor(member && (member.wroteAt ?? ''))
    const result = await next({ ctx: { db: reader } })
    // It may only be too new to be there: somebody who follows a link to it shall not be told that it is nothing.
    const isMissing = !result.ok && result.error.code === 'NOT_FOUND' && reader !== db
    return isMissing ? next({ ctx: { db } }) : result
  }
  const result = await next()
  if (type === 'mutation' && member)
    await markWrote(db, member.id).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a member may not see at once what they wrote'),
    )
  return result
})

/** For members; what they change counts against their own limit, from whatever address. */
export const memberProcedure = publicProcedure.use(async ({ ctx, type, next }) => {
  const member = loggedIn(ctx)
  if (type === 'mutation') await ctx.limit('write', String(member.id))
  return next({ ctx: { member } })
})

/** The calling member; throws UNAUTHORIZED where there is none. */
export function loggedIn(ctx: Context): Member {
  if (!ctx.member) throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
  return ctx.member
}

/** The value itself; throws NOT_FOUND for undefined, null and false. */
export function found<T>(value: T | undefined | null | false, message: string = messages.notFound): T {
  if (value === undefined || value === null || value === false)
    throw new TRPCError({ code: 'NOT_FOUND', message })
  return value
}

/** Less than clients wait (`requestTimeoutMs`): they hear in words that they waited in vain. */
const answerMs = 25_000

/** The work's outcome; throws SERVICE_UNAVAILABLE where that takes too long. What was begun may still be done then. */
export async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(busy(new Error('The answer took too long.'))), answerMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** What a failure is answered with. Where database or disk are the reason, it says so in words, and that it may pass. */
export function foreseen(error: unknown): TRPCError {
  const known = getTRPCErrorFromUnknown(error)
  if (known.code !== 'INTERNAL_SERVER_ERROR') return known
  const trouble = classifyDatabaseError(known.cause)
  if (!trouble) return known
  if (trouble === 'busy') return busy(known.cause)
  return new TRPCError({
    code: 'SERVICE_UNAVAILABLE',
    message: messages.cannotSave,
    cause: known.cause,
  })
}

/** Logs what whoever runs the server should know of. Other refusals are the caller's business. */
export function logFailure(log: FastifyBaseLogger, error: TRPCError, path?: string): void {
  const told = { err: error.cause ?? error, path }
  if (error.code === 'INTERNAL_SERVER_ERROR') log.error(told, 'request failed')
  else if (error.code === 'SERVICE_UNAVAILABLE' && error.cause) log.warn(told, 'request put off')
}

export type ErrorAnswer = {
  message: string
  code: TRPCError['code']
  issues?: { path: (string | number)[]; message: string }[]
  requestId?: string
}

/** What a client may know of an error, the same on both doors. Unknown errors show nothing but the request's id. */
export function errorAnswer(error: TRPCError, requestId?: string): ErrorAnswer {
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
  return { message: error.message, code: error.code }
}

export { getHTTPStatusCodeFromError as statusOf }
