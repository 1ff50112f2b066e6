import { type AnyRouter, callTRPCProcedure } from '@trpc/server'
import type { Context } from './context.ts'
import { definitionOf, inputOf, proceduresOf } from './described.ts'
import { logError, toTrpcError, withTimeout } from './errors.ts'
import { mayRead, returnsStored } from './procedures.ts'
import { writtenOf } from './written.ts'

type ProcedureCall = {
  ctx: Context
  path: string
  type: 'query' | 'mutation'
  /** Returns the input as it was sent. Called when the procedure validates it. */
  readInput: () => Promise<unknown>
  batchIndex?: number
}

/**
 * Returns the output of a procedure; to an access token without `read` only what the call has written. Throws a `TRPCError` for any error,
 * and logs it if it concerns the operator: NOT_FOUND for an unknown path, SERVICE_UNAVAILABLE after the time limit.
 */
export async function callProcedure(router: AnyRouter, call: ProcedureCall): Promise<unknown> {
  const { ctx, path, type, readInput, batchIndex = 0 } = call
  const procedure = Object.hasOwn(proceduresOf(router), path) ? proceduresOf(router)[path] : undefined
  try {
    const output = await withTimeout(() =>
      callTRPCProcedure({
        router,
        path,
        type,
        ctx,
        getRawInput: readInput,
        signal: undefined,
        batchIndex,
      }),
    )
    if (mayRead(ctx) || !procedure || !returnsStored(type, definitionOf(procedure).meta)) return output
    // The call has validated it. Only for such tokens.
    return writtenOf(output, inputOf(procedure)?.parse(await readInput()))
  } catch (cause) {
    const error = toTrpcError(cause)
    logError(ctx.log, error, path)
    throw error
  }
}
