import type { AnyProcedure } from '@trpc/server'
import { TRPCError } from '@trpc/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aServer } from '#server/testing.ts'
import { callProcedure } from './run.ts'
import type { Context } from './context.ts'
import { loggedIn, memberProcedure, publicProcedure } from './procedures.ts'

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
const contextOf = (more: Partial<Context> = {}) =>
  ({ db, member: null, limit: async () => {}, response: {}, ...more }) as unknown as Context

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
const mergesInputs = publicProcedure
  .input(z.object({ a: z.number() }))
  .input(z.object({ b: z.number() }))
  .output(z.number())
  .query(({ input }) => input.a - input.b)

/** Returns the output, or the error as data. */
async function outcome(work: Promise<unknown>) {
  try {
    return { output: await work }
  } catch (error) {
    const { name, code, message, cause } = error as TRPCError
    return { error: { name, code, message, cause: cause && { name: cause.name, message: cause.message } } }
  }
}

describe('callProcedure returns or throws what calling the procedure does', () => {
  test.each<[string, AnyProcedure, unknown, Context, object]>([
    ['a member', addsAsMember, { a: 1, b: 2 }, contextOf({ member }), { output: { sum: 3, by: 'seven' } }],
    ['a default', addsAsMember, { a: 1 }, contextOf({ member }), { output: { sum: 2, by: 'seven' } }],
    ['a visitor', addsAsMember, { a: 1 }, contextOf(), { error: { code: 'UNAUTHORIZED' } }],
    ['bad input', addsAsMember, { a: 'x' }, contextOf({ member }), { error: { code: 'BAD_REQUEST' } }],
    ['no input', addsAsMember, undefined, contextOf({ member }), { error: { code: 'BAD_REQUEST' } }],
    ['an error', fails, undefined, contextOf(), { error: { code: 'NOT_FOUND', message: 'Gone.' } }],
    ['a bug', breaks, undefined, contextOf(), { error: { code: 'INTERNAL_SERVER_ERROR' } }],
    [
      'bad output',
      returnsNonsense,
      undefined,
      contextOf(),
      { error: { message: 'Output validation failed' } },
    ],
    ['the path', tellsPath, undefined, contextOf({ member }), { output: 'a.b seven' }],
    ['two inputs', mergesInputs, { a: 5, b: 3 }, contextOf(), { output: 2 }],
  ])('for %s', async (_case, procedure, input, ctx, expected) => {
    const readInput = async () => input
    const ours = await outcome(callProcedure(procedure, { ctx, path: 'a.b', readInput }))
    expect(ours).toMatchObject(expected)
    const call = { ctx, path: 'a.b', type: 'query', getRawInput: readInput, signal: undefined, batchIndex: 0 }
    expect(ours).toEqual(await outcome(procedure(call as never)))
  })
})
