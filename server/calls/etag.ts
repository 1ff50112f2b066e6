import { hash } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'

/**
 * Returns the first part of a resource’s tag, which changes only when the author changes the resource: the tag is `W/"<version>.<hash>"`. The
 * time of the change would not do: imports keep the time of the file, and two changes may have the same time.
 */
export function versionTag(written: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(written), 'base64url').slice(0, 12)
}

/**
 * Throws PRECONDITION_FAILED if a call has an `If-Match` without the version of these values. Call it in the transaction of the change.
 * Ignores the hash in the tag, so that a like or a comment does not refuse the author’s edit.
 */
export function checkIfMatch(
  { ifMatch }: { ifMatch?: string | undefined },
  written: readonly unknown[],
): void {
  if (ifMatch === undefined) return
  const version = versionTag(written)
  const isMatch = tagsOf(ifMatch).some((tag) => tag === '*' || tag.startsWith(`${version}.`))
  if (!isMatch) throw new TRPCError({ code: 'PRECONDITION_FAILED', message: messages.preconditionFailed })
}

export function includesTag(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false
  if (header === etag) return true
  const opaque = /"(.*)"/.exec(etag)?.[1]
  return tagsOf(header).some((tag) => tag === '*' || tag === opaque)
}

/** Of proxies: `-gzip` (Apache, Caddy), `--gzip` (Jetty), `;gzip`. */
const encodingSuffix = /([-;:+]?)[-;:+](?:x-)?(?:gzip|br|brotli|zstd|deflate|compress|df)$/i
/** Two proxies may append one each. */
const suffixesMax = 3

/**
 * Returns the tags of a header without `W/` and quotes, and `*` for any. A tag with the suffix of an encoding is followed by the tag without
 * it, because our hashes may end like a suffix.
 */
export function tagsOf(header: string): string[] {
  // Some servers have put the suffix behind the quotes.
  const written = header.matchAll(/(?:W\/)?"([^"]*)"([-;:+]+[\w-]+)?|(?<=^|,)\s*(\*)\s*(?=,|$)/gi)
  return Array.from(written, ([, tag, suffix = '', any]) => any ?? variantsOf(`${tag}${suffix}`)).flat()
}

/** The first of two separators may be the last character of our hash, so both readings count. */
function variantsOf(tag: string, suffixesLeft = suffixesMax): string[] {
  const suffix = suffixesLeft > 0 ? encodingSuffix.exec(tag) : null
  if (!suffix) return [tag]
  const base = tag.slice(0, suffix.index)
  const [, separator] = suffix
  const bases = separator ? [base, base + separator] : [base]
  return [tag, ...bases.flatMap((each) => variantsOf(each, suffixesLeft - 1))]
}
