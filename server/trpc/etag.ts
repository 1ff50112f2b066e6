import { hash } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { messages } from '#shared/messages.ts'
import type { Context } from './context.ts'

/**
 * Returns the part of an `ETag` that changes only when the author changes the resource: the tag is `W/"<version>.<hash>"`. `written`
 * contains the values that the author writes. The time of the change would not do: imports keep the time of the file, and two changes
 * may have the same time.
 */
export function versionTag(written: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(written), 'base64url').slice(0, 12)
}

/**
 * Throws PRECONDITION_FAILED if the call has an `If-Match` header without a tag of this version. Call it in the transaction of the
 * change. The hash in the tag is ignored, so that a like or a comment does not refuse the author’s edit.
 */
export function checkIfMatch({ ifMatch }: Pick<Context, 'ifMatch'>, written: readonly unknown[]): void {
  if (ifMatch === undefined) return
  const version = versionTag(written)
  const isMatch = ifMatch.split(',').some((part) => {
    const tag = part.trim()
    return tag === '*' || /^(?:W\/)?"([^".]*)\.[^"]*"$/.exec(tag)?.[1] === version
  })
  if (!isMatch) throw new TRPCError({ code: 'PRECONDITION_FAILED', message: messages.preconditionFailed })
}
