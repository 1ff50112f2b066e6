import { TRPCError } from '@trpc/server'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { aServer } from '#server/testing.ts'
import { callProcedure } from './run.ts'
import { logError } from './errors.ts'
import type { Context } from './context.ts'
import { loggedIn, memberProcedure, publicProcedure, router } from './procedures.ts'

const member = {
  id: 7,
  username: 'seven',
  sessionHash: '',
  scopes: null,
  role: 'member' as const,
  standing: 'active' as const,
}
// The settings of the site decide what a visitor may read.
const { db } = await aServer()
const silent = { error() {}, warn() {} }
const contextOf = (more: Partial<Context> = {}) =>
  ({ db, member: null, limit: async () => {}, response: {}, log: silent, ...more }) as unknown as Context

const output = z.object({ sum: z.number(), by: z.string() })
const addsAsMember = memberProcedure
  .input(z.object({ a: z.number(), b: z.number().default(1) }))
  .output(output)
  .query(({ ctx, input }) => ({ sum: input.a + input.b, by: ctx.member.username, secret: true }))
const fails = publicProcedure.output(output).query(() => {
  throw new TRPCError({ code: 'NOT_FOUND', message: 'Gone.' })
})
const breaks = publicProcedure.output(output).query(() => {
  throw new Error('A bug.')
})
const returnsNonsense = publicProcedure.output(output).query(() => ({ sum: 'one' }) as never)
const tellsPath = publicProcedure
  .output(z.string())
  .query(({ ctx, path }) => `${path} ${ctx.member ? loggedIn(ctx).username : 'visitor'}`)
const readsOwn = memberProcedure
  .meta({ scope: 'diary:write' })
  .input(z.object({ text: z.string().trim() }))
  .output(z.object({ entry: z.object({ id: z.number(), text: z.string(), note: z.string() }) }))
  .mutation(({ input: { text } }) => ({ entry: { id: 7, text, note: 'Private.' } }))
const aRouter = router({ addsAsMember, fails, breaks, returnsNonsense, tellsPath, readsOwn })

/** Returns the output, or the error as data. */
async function outcome(work: Promise<unknown>) {
  try {
    return { output: await work }
  } catch (error) {
    const { name, code, message, cause } = error as TRPCError
    return { error: { name, code, message, cause: cause && { name: cause.name, message: cause.message } } }
  }
}

type Path = keyof typeof aRouter._def.record
const writer = contextOf({ member: { ...member, scopes: ['diary:write'] } })

describe('callProcedure', () => {
  test.each<[string, Path, unknown, Context, object]>([
    ['a member', 'addsAsMember', { a: 1, b: 2 }, contextOf({ member }), { output: { sum: 3, by: 'seven' } }],
    ['a default', 'addsAsMember', { a: 1 }, contextOf({ member }), { output: { sum: 2, by: 'seven' } }],
    ['a visitor', 'addsAsMember', { a: 1 }, contextOf(), { error: { code: 'UNAUTHORIZED' } }],
    ['bad input', 'addsAsMember', { a: 'x' }, contextOf({ member }), { error: { code: 'BAD_REQUEST' } }],
    ['no input', 'addsAsMember', undefined, contextOf({ member }), { error: { code: 'BAD_REQUEST' } }],
    ['an error', 'fails', undefined, contextOf(), { error: { code: 'NOT_FOUND', message: 'Gone.' } }],
    ['a bug', 'breaks', undefined, contextOf(), { error: { code: 'INTERNAL_SERVER_ERROR' } }],
    [
      'bad output',
      'returnsNonsense',
      undefined,
      contextOf(),
      { error: { message: 'Output validation failed' } },
    ],
    ['the path', 'tellsPath', undefined, contextOf({ member }), { output: 'tellsPath seven' }],
  ])('returns or throws what the procedure does: %s', async (_case, path, input, ctx, expected) => {
    const call = { ctx, path, type: 'query', readInput: async () => input } as const
    expect(await outcome(callProcedure(aRouter, call))).toMatchObject(expected)
  })

  test('returns to a token without read only what the call has written, as validated', async () => {
    const call = {
      ctx: writer,
      path: 'readsOwn',
      type: 'mutation',
      readInput: async () => ({ text: ' Mine. ' }),
    } as const
    expect(await callProcedure(aRouter, call)).toEqual({ entry: { id: 7, text: 'Mine.' } })
    const all = contextOf({ member: { ...member, scopes: ['diary:write', 'read'] } })
    expect(await callProcedure(aRouter, { ...call, ctx: all })).toMatchObject({ entry: { note: 'Private.' } })
  })

  test('logs an error that concerns the operator once, with the path of the call', async () => {
    const error = vi.fn<() => void>()
    const log = { error } as unknown as Context['log']
    const call = {
      ctx: contextOf({ log }),
      path: 'breaks',
      type: 'query',
      readInput: async () => {},
    } as const
    const thrown = await callProcedure(aRouter, call).catch((cause: unknown) => cause)
    logError(log, thrown as TRPCError)
    expect(error.mock.calls).toEqual([
      [{ err: expect.objectContaining({ message: 'A bug.' }), path: 'breaks' }, 'request failed'],
    ])
  })
})
