import { hash } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { messages } from '#shared/messages.ts'
import type { Context } from './context.ts'

/**
 * Returns the part of an `ETag` that changes only when the author changes the resource: the tag is `W/"<version>.<hash>"`. `written`
 * is what the author writes. Not the time of the change: imports keep that of the file, and two changes may have the same.
 */
export function versionTag(written: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(written), 'base64url').slice(0, 12)
}

/**
 * Throws PRECONDITION_FAILED if the call has an `If-Match` header that names no tag of this version. Call it in the transaction of
 * the change. The hash in the tag is ignored: a like or a comment is no reason to refuse the author’s edit.
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
