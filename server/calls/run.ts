import type { AnyProcedure } from '@trpc/server'
import { getTRPCErrorFromUnknown } from '@trpc/server'
import type { Context } from './context.ts'
import { mayRead, type Meta, returnsStored } from './procedures.ts'
import { writtenOf } from './written.ts'

type Options = {
  ctx: Context
  /** The procedure’s path in the router. */
  path: string
  /** Returns the input as sent by the client; it is read when the procedure validates it. */
  readInput: () => Promise<unknown>
  /** The position in a batch. */
  batchIndex?: number
}
type Result = { ok: true; data: unknown } | { ok: false; error: Error }
type State = { ctx: Context; input: unknown; readInput: () => Promise<unknown> }
type NextOptions = { ctx?: object; input?: unknown; getRawInput?: () => Promise<unknown> } | undefined
type Middleware = (options: object) => Promise<Result | undefined>

/**
 * Runs a query or a mutation: its middlewares, the validation of its input and output, and the procedure. Returns the output, to an
 * access token without `read` only what the call has written. Throws a `TRPCError`. Takes a third of the time of tRPC's own call,
 * which copies all options twice per step, property by property, because its package is compiled for runtimes without object spread
 * (docs/decisions/0030).
 *
 * `_def.middlewares` is semi-internal, hence the exact pin of tRPC’s version and the tests in run.test.ts.
 */
export async function callProcedure(procedure: AnyProcedure, options: Options): Promise<unknown> {
  const { ctx, path, readInput, batchIndex = 0 } = options
  const { middlewares, meta, type } = procedure._def as unknown as {
    middlewares: Middleware[]
    meta: Meta | undefined
    type: 'query' | 'mutation'
  }
  let parsedInput: unknown
  const result = await step(0, { ctx, input: undefined, readInput })
  if (!result) throw new Error('A middleware did not return the result of next().')
  if (!result.ok) throw result.error
  return mayRead(ctx) || !returnsStored(type, meta) ? result.data : writtenOf(result.data, parsedInput)

  async function step(index: number, state: State): Promise<Result | undefined> {
    // The last middleware is the procedure; those before it have validated the input.
    if (index === middlewares.length - 1) parsedInput = state.input
    try {
      return await middlewares[index]!({
        ctx: state.ctx,
        input: state.input,
        getRawInput: state.readInput,
        type,
        path,
        meta,
        signal: undefined,
        batchIndex,
        next: (changes: NextOptions) =>
          step(index + 1, {
            ctx: changes?.ctx ? { ...state.ctx, ...changes.ctx } : state.ctx,
            input: changes && 'input' in changes ? changes.input : state.input,
            readInput: changes?.getRawInput ?? state.readInput,
          }),
      })
    } catch (cause) {
      return { ok: false, error: getTRPCErrorFromUnknown(cause) }
    }
  }
}
