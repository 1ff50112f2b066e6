import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip as gzipCompress,
  gzipSync as gzipCompressSync,
} from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'

export type Encoding = 'br' | 'gzip' | 'identity'
type Content = string | Buffer

// The default quality, 11, takes a hundred times as long for a tenth fewer bytes.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const brotli = promisify(brotliCompress)
const gzip = promisify(gzipCompress)

export const encoders: Record<Encoding, (content: Content) => Promise<Buffer>> = {
  br: (content) => brotli(content, brotliOptions),
  gzip: (content) => gzip(content),
  identity: async (content) => Buffer.from(content as string),
}

/** Returns the encoding that the `Accept-Encoding` header of a request prefers. */
export function encodingOf(request: FastifyRequest): Encoding {
  return (request.accepts().encoding(['br', 'gzip', 'identity']) || 'identity') as Encoding
}

const bytesMin = 1_024
/** Compressing this much takes a tenth of a millisecond, less than a trip to the thread pool. */
const synchronousBytesMax = 8_192
/** Half of the thread pool; the other half reads files. */
const compressorsMax = 2
const queueMax = 16
const waitMaxMs = 1_000

/**
 * Compresses JSON and XML responses above 1 KB. Streams, files and pages are not affected.
 *
 * Not by @fastify/compress: it opens a compressor of about a megabyte per response, without a limit on their number
 * (docs/decisions/0025-json-compression.md).
 */
export function registerCompression(app: FastifyInstance): void {
  const withCompressor = openConcurrencyLimit({ concurrency: compressorsMax, queueMax, waitMaxMs })
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (!/^application\/(json|xml)/.test(String(reply.getHeader('content-type')))) return payload
    const bytes = Buffer.byteLength(payload)
    if (bytes < bytesMin || reply.hasHeader('content-encoding')) return payload
    const vary = reply.getHeader('vary')
    reply.header('vary', vary ? `${String(vary)}, Accept-Encoding` : 'Accept-Encoding')
    const encoding = encodingOf(request)
    if (encoding === 'identity') return payload
    const encoded =
      bytes > synchronousBytesMax
        ? await withCompressor(() => encoders[encoding](payload)).catch(() => payload)
        : encoding === 'br'
          ? brotliCompressSync(payload, brotliOptions)
          : gzipCompressSync(payload)
    if (encoded !== payload) reply.header('content-encoding', encoding)
    return encoded
  })
}
