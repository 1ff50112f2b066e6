import { initTRPC, TRPCError, type TRPCProcedureType as ProcedureType } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { livePingMs, liveSilenceMs } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { includesRole, type Role } from '#shared/domain/roles.ts'
import type { RequiredScope } from '#shared/domain/scopes.ts'
import { markWrote } from '#server/members/store.ts'
import { readSettings } from '#server/members/settings.ts'
import { english } from '#server/text/translator.ts'
import type { ReturnedData } from '#server/privacy/policy.ts'
import type { Context, LimitName, Member } from './context.ts'
import { forbidden, InsufficientScope, notFound, ReasonedError, toAppError, toTrpcError } from './errors.ts'
import { configureZod } from './zod.ts'

configureZod()

/** `openapi` adds a REST route; `limit` is a rate limit by address. */
export type Meta = OpenApiMeta & {
  status?: number
  otherStatus?: { status: number; description: string }
  aliases?: { path: `/${string}`; operationId: string }[]
  /** The token is optional and changes the response. */
  readsToken?: boolean
  /** Mutations of members specify it. See `requiredScope`. */
  scope?: RequiredScope
  /** Names of `rules` and `otherReads` in server/privacy/policy.ts. */
  returnsData?: ReturnedData | readonly ReturnedData[]
  /** Visitors may read the whole response, except for the written values. See `returnsStored`. */
  returnsPublic?: boolean
  limit?: LimitName
  /** Counts as so many calls: about its processor time in the worst case, in units of 5 ms. A response from the cache counts once. */
  cost?: number
  isForSuspended?: true
  isAlwaysOpen?: boolean
  requiresMember?: boolean
  role?: Exclude<Role, 'member'>
  /** Of a 201, for the `Location` header: `/reviews/{review.id}`. Of several paths, the first whose ids are in the output applies. */
  location?: `/${string}` | readonly `/${string}`[]
  /** What the author of the resource writes: `['review.rating', …]`. See `versionTag`. */
  version?: readonly string[]
  /** Works or is shown only once: neither the server nor a cache stores the response. */
  hasSecret?: boolean
}

type HttpMethod = NonNullable<Meta['openapi']>['method']
type Route = `${HttpMethod} /${string}`

/** `errors` are the statuses that only some calls have; `success` describes the successful response. */
export type Documented = Omit<Meta, 'openapi'> & {
  summary: string
  description?: string | undefined
  errors?: number[]
  success?: string
}

function rest(
  section: string,
  route: Route,
  operationId: string,
  { summary, description, errors, success, ...meta }: Documented,
): Meta {
  const [method, path] = route.split(' ') as [HttpMethod, `/${string}`]
  const documented = {
    summary,
    ...(description !== undefined && { description }),
    ...(errors && { errorResponses: errors }),
    ...(success !== undefined && { successDescription: success }),
  }
  return { openapi: { method, path, operationId, tags: [section], ...documented }, ...meta }
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    // Pings keep proxies from closing idle streams; a client that receives none reconnects.
    sse: {
      ping: { enabled: true, intervalMs: livePingMs },
      client: { reconnectAfterInactivityMs: liveSilenceMs },
    },
    errorFormatter({ shape, error, ctx }) {
      const { message, reason, ticket, email, provider, issues, key, values } = toAppError(
        error,
        ctx?.texts ?? english,
        ctx?.requestId,
      )
      const { code, httpStatus, path } = shape.data
      return {
        ...shape,
        message,
        data: {
          code,
          httpStatus,
          path,
          key,
          values,
          reason,
          ticket,
          email,
          provider,
          issues,
          requestId: code === 'INTERNAL_SERVER_ERROR' ? ctx?.requestId : undefined,
        },
      }
    },
  })

export const { router, mergeRouters } = t

// One middleware: each step costs about 7 µs.
export const publicProcedure = t.procedure.use(async ({ ctx, meta, type, path, next: proceed }) => {
  const { db, replica, member } = ctx
  const next = (async (change?: { ctx?: Partial<Context> }) => {
    const result = await (proceed as (change: object | undefined) => ReturnType<typeof proceed>)(change)
    if (result.ok && type !== 'subscription')
      await ctx.showNames?.({ ...ctx, ...change?.ctx }, path, result.data)
    return result
  }) as typeof proceed
  // tRPC itself sends the errors of streams; the transports convert the errors of other calls.
  if (!ctx.isAdmitted)
    await admit(ctx, type, meta).catch((error: unknown) => {
      throw toTrpcError(error)
    })
  if (type === 'subscription') {
    const result = await next()
    if (!result.ok) throw toTrpcError(result.error)
    return result
  }
  if (readsAsVisitor(ctx, meta)) return next({ ctx: { member: null as Context['member'] } })
  if (!replica) return next()
  if (type === 'query') {
    const reader = replica.readerFor(member && (member.wroteAt ?? ''))
    const result = await next({ ctx: { db: reader, primary: db } })
    // Replica lag: the primary may have the row.
    const isMissing = !result.ok && result.error.code === 'NOT_FOUND' && reader !== db
    return isMissing ? next({ ctx: { db } }) : result
  }
  const result = await next()
  if (type === 'mutation' && member)
    await markWrote(db, member.id).catch((error: unknown) =>
      ctx.log.warn(
        { err: error },
        'read-your-writes is not guaranteed for a member: the time of the write was not stored',
      ),
    )
  return result
})

/**
 * Refuses a call for reasons that do not depend on the input: FORBIDDEN for the scope, the standing or the role, UNAUTHORIZED without a
 * login, TOO_MANY_REQUESTS. The transports do so before they read a body, and set `ctx.isAdmitted`. Mutations count against the member’s
 * write limit, whatever the address.
 */
export async function admit(
  ctx: Pick<Context, 'member' | 'limit' | 'db' | 'isForPage'>,
  type: ProcedureType,
  meta: Meta | undefined,
): Promise<void> {
  if (ctx.isForPage && (type !== 'query' || meta?.hasSecret)) throw forbidden(messages.pageReadsOnly)
  if (ctx.member?.scopes) {
    const scope = requiredScope(type, meta)
    if (scope) requireScope(ctx, scope)
  }
  if (type !== 'mutation' && !meta?.isAlwaysOpen) {
    if (!ctx.member) await checkVisitors(ctx.db)
    else if (readsAsVisitor(ctx, meta)) await checkVisitors(ctx.db).catch(() => requireStanding(ctx, false))
  }
  if (meta?.limit) await ctx.limit(meta.limit)
  const cost = meta?.cost ?? 1
  // The transports have counted the call once.
  if (cost > 1) await ctx.limit('general', undefined, cost - 1)
  if (!meta?.requiresMember) return
  const { id } = loggedIn(ctx)
  if (!meta.isForSuspended) requireStanding(ctx, type === 'mutation' || meta.role !== undefined)
  if (meta.role) await requireFactor(ctx, requireRole(ctx, meta.role))
  if (type === 'mutation') await ctx.limit('write', String(id), cost)
}

/** Suspended callers see what visitors see. */
function readsAsVisitor({ member }: Pick<Context, 'member'>, meta: Meta | undefined): boolean {
  return member?.standing === 'suspended' && !meta?.requiresMember
}

/** Throws LOGIN_REQUIRED if the settings keep visitors out. */
export async function checkVisitors(db: Context['db']): Promise<void> {
  if (!(await readSettings(db)).visitorsMayRead)
    throw new ReasonedError('UNAUTHORIZED', 'LOGIN_REQUIRED', messages.loginRequired)
}

/**
 * Returns the scope that a call requires: by default `read` for a query or a stream, and a login session for a mutation of members. Null if
 * the call ignores the token.
 */
export function requiredScope(type: ProcedureType, meta: Meta | undefined): RequiredScope | null {
  if (meta?.scope) return meta.scope
  if (meta?.openapi && !meta.requiresMember && !meta.readsToken) return null
  return type === 'mutation' ? 'session' : 'read'
}

/** Throws FORBIDDEN. Visitors and login sessions pass. */
export function requireScope({ member }: Pick<Context, 'member'>, scope: RequiredScope): void {
  if (!member?.scopes) return
  if (scope === 'session') throw new InsufficientScope(null)
  if (!member.scopes.includes(scope)) throw new InsufficientScope(scope)
}

/** Throws FORBIDDEN for a suspended member, and for a frozen one if the call writes or requires a role. */
export function requireStanding({ member }: Pick<Context, 'member'>, isForActive: boolean): void {
  if (member?.standing === 'suspended')
    throw new ReasonedError('FORBIDDEN', 'ACCOUNT_SUSPENDED', messages.accountSuspended)
  if (member?.standing === 'frozen' && isForActive)
    throw new ReasonedError('FORBIDDEN', 'ACCOUNT_FROZEN', messages.accountFrozen)
}

/** Returns whether the caller may read their stored data: with a login session, or an access token with `read`. */
export function mayRead({ member }: Pick<Context, 'member'>): boolean {
  return !member?.scopes || member.scopes.includes('read')
}

/**
 * Then an access token without `read` gets only what the call has written: see `writtenOf`. By default, true for every call that does not
 * ignore the token.
 */
export function returnsStored(type: ProcedureType, meta: Meta | undefined): boolean {
  return !meta?.returnsPublic && requiredScope(type, meta) !== null
}

export const memberProcedure = publicProcedure
  .meta({ requiresMember: true })
  .use(async ({ ctx, type, next }) => {
    const member = loggedIn(ctx)
    const isKeyed = type === 'mutation' && ctx.claimKey !== undefined
    return next({ ctx: { member, db: isKeyed ? await ctx.claimKey!(member) : ctx.db } })
  })

/** In bytes, after validation, so that only accepted input counts. Admins’ own calls are exempt: they write the pages of the site. */
export const countTexts = t.middleware(async ({ ctx, input, meta, type, next }) => {
  const bytes = type === 'mutation' && meta?.role !== 'admin' ? textBytesOf(input) : 0
  if (bytes > 0) await ctx.limit('text', String(loggedIn(ctx).id), bytes)
  return next()
})

function textBytesOf(input: unknown): number {
  if (typeof input === 'string') return Buffer.byteLength(input)
  if (typeof input !== 'object' || input === null) return 0
  return Object.values(input).reduce((sum: number, one) => sum + textBytesOf(one), 0)
}

/** Throws SERVICE_UNAVAILABLE if only the reserve of the disk is free. For work that adds many rows. */
export async function requireSpace(
  { disk }: Pick<Context, 'disk'>,
  message: string = messages.noRoom,
): Promise<void> {
  if (!(await disk.hasFreeSpace())) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message })
}

/**
 * tRPC prefers `parseAsync`, for which zod does not use its compiled parser: a page of reviews takes three times as long. A named schema
 * stays as it is, because zod knows the name by the object.
 */
function synchronous<Schema extends z.ZodType>(schema: Schema): Schema {
  if (z.globalRegistry.has(schema)) return schema
  return Object.create(schema, { parseAsync: { value: undefined } }) as Schema
}

/**
 * Begin a procedure with a REST route for all callers, members, moderators or admins; `.query` or `.mutation` completes it. The schemas are
 * an entry of `shared/`. Without an input, the type is the same as with `z.void()`.
 */
export function callsIn(section: string) {
  type Schemas<Input, Output> = { input?: Input; output: Output }

  function forAll<Output extends z.ZodType, Input extends z.ZodType = z.ZodVoid>(
    route: Route,
    operationId: string,
    { input, output }: Schemas<Input, Output>,
    documented: Documented,
  ) {
    const procedure = publicProcedure.meta(rest(section, route, operationId, documented))
    return (input ? procedure.input(synchronous(input)) : (procedure as never)).output(synchronous(output))
  }

  function forMembers<Output extends z.ZodType, Input extends z.ZodType = z.ZodVoid>(
    route: Route,
    operationId: string,
    { input, output }: Schemas<Input, Output>,
    documented: Documented,
  ) {
    const procedure = memberProcedure.meta(rest(section, route, operationId, documented))
    const withInput = () => procedure.input(synchronous(input!))
    const counted = () => withInput().use(countTexts as never) as unknown as ReturnType<typeof withInput>
    return (input ? counted() : (procedure as never)).output(synchronous(output))
  }

  const forModerators: typeof forMembers = (route, operationId, schemas, documented) =>
    forMembers(route, operationId, schemas, {
      role: 'moderator',
      scope: 'moderate',
      returnsData: 'staff',
      ...documented,
    })
  const forAdmins: typeof forMembers = (route, operationId, schemas, documented) =>
    forMembers(route, operationId, schemas, {
      role: 'admin',
      scope: 'admin',
      returnsData: 'staff',
      ...documented,
    })

  return { forAll, forMembers, forModerators, forAdmins }
}

function requireRole(ctx: Pick<Context, 'member'>, role: Role): Member {
  const member = loggedIn(ctx)
  if (!includesRole(member.role, role)) throw roleMissing()
  return member
}

/** Throws FORBIDDEN if the settings require a second factor of moderators and admins, and a login session belongs to one without. */
async function requireFactor({ db }: Pick<Context, 'db'>, { scopes, hasFactor }: Member): Promise<void> {
  if (scopes === null && !hasFactor && (await readSettings(db)).staffNeedsFactor)
    throw new ReasonedError('FORBIDDEN', 'SECOND_FACTOR_REQUIRED', messages.factorRequiredOfStaff)
}

export function roleMissing(): TRPCError {
  return forbidden(messages.roleMissing)
}

/** Returns the calling member. Throws UNAUTHORIZED for a visitor, and FORBIDDEN for the preview of a profile. */
export function loggedIn(ctx: Pick<Context, 'member'>): Member {
  if (!ctx.member) throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
  // The viewer of a preview is nobody.
  if (ctx.member.id < 0) throw forbidden(messages.previewOnly)
  return ctx.member
}

/** Throws UNAUTHORIZED if the session has ended since the call began, for example by a password change. */
export function checkSession({ hasSession }: { hasSession: boolean }): void {
  if (!hasSession) throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
}

/** Returns the value. Throws NOT_FOUND for undefined, null or false. */
export function found<T>(value: T | undefined | null | false, message: string = messages.notFound): T {
  if (value === undefined || value === null || value === false) throw notFound(message)
  return value
}
