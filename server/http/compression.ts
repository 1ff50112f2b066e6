import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip as gzipCompress,
  gzipSync as gzipCompressSync,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { keepByHeader, weight } from './negotiate.ts'

export type Encoding = 'br' | 'gzip' | 'identity'
type Content = string | Buffer

// As fast as gzip, for 10 to 12 % fewer bytes. The default quality, 11, takes a hundred times as long for another tenth.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const brotli = promisify(brotliCompress)
const gzip = promisify(gzipCompress)

const encoders: Record<Exclude<Encoding, 'identity'>, (content: Content) => Promise<Buffer>> = {
  br: (content) => brotli(content, brotliOptions),
  gzip: (content) => gzip(content),
}

/** For a text that is sent many times: occupies the thread pool for some hundred milliseconds. */
export async function compressBest(content: Content): Promise<Map<Encoding, Buffer>> {
  return new Map([
    ['br', await brotli(content)],
    ['gzip', await gzip(content, { level: constants.Z_BEST_COMPRESSION })],
  ])
}

const keptEncodings = keepByHeader<Encoding>(100)

/** Brotli if several have the best quality, because it is smaller: browsers name all with the same quality, and gzip first. */
export function encodingOf(request: FastifyRequest): Encoding {
  const header = request.headers['accept-encoding']
  if (header === undefined) return 'identity'
  return keptEncodings(String(header), () => {
    const qualityOf = (encoding: string) => weight(String(header), encoding)
    const any = qualityOf('*') ?? 0
    const br = qualityOf('br') ?? any
    const gzip = qualityOf('gzip') ?? any
    const most = Math.max(br, gzip)
    if (most === 0 || most < (qualityOf('identity') ?? 0)) return 'identity'
    return br === most ? 'br' : 'gzip'
  })
}

export const compressedBytesMin = 1_024
/** Takes a tenth of a millisecond, less than using the thread pool. */
const synchronousBytesMax = 8_192
/** Half of the thread pool; the other half reads files. */
const compressorsMax = 2
const queueMax = 16
const waitMaxMs = 1_000

/** Cached responses that found no compressor free do not wait for one again. */
export const uncompressed = new WeakSet<FastifyReply>()

/** Undefined if too many others are being compressed. */
export type Compress = (
  encoding: Exclude<Encoding, 'identity'>,
  content: Content,
  bytes: number,
) => Buffer | Promise<Buffer | undefined>

/**
 * JSON and XML above 1 KB; not streams, files and responses of the cache. @fastify/compress would open a compressor of about a megabyte per
 * response, without a limit (docs/decisions/0025-json-compression.md).
 */
export function registerCompression(app: FastifyInstance): Compress {
  const withCompressor = openConcurrencyLimit({ concurrency: compressorsMax, queueMax, waitMaxMs })
  const compress: Compress = (encoding, content, bytes) => {
    if (bytes > synchronousBytesMax)
      return withCompressor(() => encoders[encoding](content)).catch(() => undefined)
    return encoding === 'br' ? brotliCompressSync(content, brotliOptions) : gzipCompressSync(content)
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done()
    // The cache has encoded it, or found no compressor free.
    if (reply.hasHeader('content-encoding') || uncompressed.has(reply)) return done()
    if (!/^application\/(json|xml)/.test(String(reply.getHeader('content-type')))) return done()
    const bytes = Buffer.byteLength(payload)
    if (bytes < compressedBytesMin) return done()
    const vary = reply.getHeader('vary')
    if (!/accept-encoding/i.test(String(vary)))
      reply.header('vary', vary ? `${String(vary)}, Accept-Encoding` : 'Accept-Encoding')
    const encoding = encodingOf(request)
    if (encoding === 'identity') return done()
    const send = (encoded: Buffer | undefined) => {
      if (encoded) reply.header('content-encoding', encoding)
      done(null, encoded ?? payload)
    }
    const encoded = compress(encoding, payload, bytes)
    if (Buffer.isBuffer(encoded)) send(encoded)
    else void encoded.then(send)
  })
  return compress
}
