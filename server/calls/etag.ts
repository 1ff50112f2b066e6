import { hash } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'

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
export function checkIfMatch(
  { ifMatch }: { ifMatch?: string | undefined },
  written: readonly unknown[],
): void {
  if (ifMatch === undefined) return
  const version = versionTag(written)
  const isMatch = tagsOf(ifMatch).some((tag) => tag === '*' || tag.startsWith(`${version}.`))
  if (!isMatch) throw new TRPCError({ code: 'PRECONDITION_FAILED', message: messages.preconditionFailed })
}

/** Whether an `If-None-Match` header names a tag. Compares weakly. */
export function includesTag(header: string, etag: string): boolean {
  if (header === etag) return true
  const opaque = /"(.*)"/.exec(etag)?.[1]
  return tagsOf(header).some((tag) => tag === '*' || tag === opaque)
}

/** The suffixes by which proxies tell encodings of a response apart: `-gzip` (Apache, Caddy), `--gzip` (Jetty), `;gzip`. */
const encodingSuffix = /[-;:+]{1,2}(?:x-)?(?:gzip|br|brotli|zstd|deflate|compress|df)$/i
/** Two proxies may append one each. */
const suffixesMax = 3

/**
 * Returns the tags in an `If-Match` or `If-None-Match` header, without `W/` and quotes, and `*`. A tag with the suffix of an encoding
 * is followed by the tag without it, because our hashes may end like a suffix.
 */
export function tagsOf(header: string): string[] {
  // Some servers have put the suffix behind the quotes.
  const written = header.matchAll(/(?:W\/)?"([^"]*)"([-;:+]+[\w-]+)?|(?<=^|,)\s*(\*)\s*(?=,|$)/gi)
  return Array.from(written, ([, tag, suffix = '', any]) => any ?? variantsOf(`${tag}${suffix}`)).flat()
}

function variantsOf(tag: string): string[] {
  const variants = [tag]
  while (variants.length <= suffixesMax && encodingSuffix.test(variants.at(-1)!))
    variants.push(variants.at(-1)!.replace(encodingSuffix, ''))
  return variants
}
