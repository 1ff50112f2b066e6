import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { TRPCError } from '@trpc/server'
import { importFileBytesMax, importGzipRatioMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'

/** The first bytes of a file that is compressed itself, in hexadecimal. */
const isPacked = (head: string) => /^(1f8b|504b0304|504b0506)/.test(head)

/**
 * The only file of a gzip. Throws BAD_REQUEST for a damaged or cut one, for one that holds another archive, and for one that inflates to
 * more than the ratio allows; PAYLOAD_TOO_LARGE above the limit of files. Bytes are counted while they are inflated.
 */
export async function readGzip(file: { path: string; bytes: number }): Promise<Buffer> {
  const refused = (cause?: unknown) =>
    new TRPCError({ code: 'BAD_REQUEST', message: messages.importGzip, cause })
  const ratioMax = file.bytes * importGzipRatioMax
  // Joining chunks would take twice the memory. Pages that are not written take none.
  const content = Buffer.allocUnsafe(Math.min(importFileBytesMax, ratioMax))
  let bytes = 0
  try {
    await pipeline(createReadStream(file.path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        if (bytes + chunk.length > ratioMax) throw refused()
        if (bytes + chunk.length > content.length)
          throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.importTooLarge })
        bytes += chunk.copy(content, bytes)
      }
    })
  } catch (error) {
    throw error instanceof TRPCError ? error : refused(error)
  }
  const inflated = content.subarray(0, bytes)
  if (isPacked(inflated.toString('hex', 0, 4))) throw refused()
  return inflated
}
