import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { proxyVariables } from '#server/process/outgoing.ts'
import type { PictureStorage } from './pictures.ts'
import { tagsOf } from '#server/calls/etag.ts'
import { busy } from '#server/calls/errors.ts'

/** File names are the same as in URLs. */
const prefix = 'uploads/'
const immutable = 'public, max-age=31536000, immutable'
const bucketTimeoutMs = 10_000
/** Far larger than any stored picture. */
const pictureBytesMax = 10_000_000
export type Bucket = PictureStorage & {
  /** Or a range of it, with the headers from S3; undefined if missing. */
  get: (
    name: string,
    options: { isHead: boolean; range?: string | undefined; ifNoneMatch?: string | undefined },
  ) => Promise<BucketResponse | undefined>
}

type BucketResponse =
  | { status: 200 | 206; headers: Record<string, string | number | undefined>; body: Buffer | undefined }
  | { status: 304 | 416 }

/**
 * If the bucket is down or refuses a request, the call throws SERVICE_UNAVAILABLE and logs the reason. No state is kept: the next call
 * tries again.
 */
export function openBucket(
  s3: NonNullable<Config['s3']>,
  log: Pick<FastifyBaseLogger, 'error'>,
  proxy?: Config['proxy'],
): Bucket {
  const agentOptions = { keepAlive: true, maxSockets: 50, ...(proxy && { proxyEnv: proxyVariables(proxy) }) }
  // Loading the package blocks the event loop for a tenth of a second, so it happens before the server listens; a server without a bucket
  // does not load it.
  const loading = import('@aws-sdk/client-s3').then((sdk) => ({
    sdk,
    client: new sdk.S3Client({
      region: s3.region,
      ...(s3.credentials && { credentials: s3.credentials }),
      // Services other than Amazon's lack a host name per bucket, and not all support its newer checksums.
      ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 2,
      requestHandler: {
        ...(proxy && { httpAgent: new HttpAgent(agentOptions), httpsAgent: new HttpsAgent(agentOptions) }),
        connectionTimeout: 3_000,
        requestTimeout: bucketTimeoutMs,
        socketTimeout: bucketTimeoutMs,
        throwOnRequestTimeout: true,
      },
    }),
  }))
  // Each use rejects too.
  loading.catch(() => {})
  const at = (name: string) => ({ Bucket: s3.bucket, Key: prefix + name })

  async function withClient<T>(work: (sdk: typeof Sdk, client: Sdk.S3Client) => Promise<T>): Promise<T> {
    const { sdk, client } = await loading
    try {
      return await work(sdk, client)
    } catch (error) {
      log.error({ err: error }, 'request to the bucket failed')
      throw busy()
    }
  }

  return {
    // A bucket has no fixed size; the upload quotas limit its growth.
    hasFreeSpace: async () => true,
    async put(name, bytes) {
      await withClient((sdk, client) =>
        client.send(
          new sdk.PutObjectCommand({
            ...at(name),
            Body: bytes,
            ContentType: 'image/webp',
            CacheControl: immutable,
          }),
        ),
      )
    },
    async *list() {
      let token: string | undefined
      do {
        const page = await withClient((sdk, client) =>
          client.send(
            new sdk.ListObjectsV2Command({ Bucket: s3.bucket, Prefix: prefix, ContinuationToken: token }),
          ),
        )
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (!Key || !LastModified) continue
          yield { name: Key.slice(prefix.length), isOlder: async (than) => LastModified < than }
        }
        token = page.NextContinuationToken
      } while (token)
    },
    async remove(name) {
      await withClient((sdk, client) => client.send(new sdk.DeleteObjectCommand(at(name))))
      return true
    },
    async get(name, { isHead, range, ifNoneMatch }) {
      return withClient(async (sdk, client) => {
        const request = { ...at(name), IfNoneMatch: ifNoneMatch }
        try {
          const response = isHead
            ? await client.send(new sdk.HeadObjectCommand(request))
            : await client.send(new sdk.GetObjectCommand({ ...request, Range: range }))
          return {
            status: response.ContentRange ? 206 : 200,
            headers: {
              'content-length': response.ContentLength,
              'content-range': response.ContentRange,
              etag: response.ETag,
              'last-modified': response.LastModified?.toUTCString(),
            },
            body:
              'Body' in response
                ? await readWhole(response.Body as Readable, response.ContentLength)
                : undefined,
          }
        } catch (error) {
          const { name: code, $metadata } = error as Partial<Sdk.S3ServiceException>
          const status = $metadata?.httpStatusCode
          if (status === 304 || status === 416) return { status }
          // A missing bucket is a 404 too, but an error in the configuration.
          if (status === 404 && code !== 'NoSuchBucket') return undefined
          throw error
        }
      })
    },
  }
}

/** At the speed of the bucket: a slow client would hold one of the few connections to it. */
async function readWhole(body: Readable, length: number | undefined): Promise<Buffer> {
  const timer = setTimeout(
    () => body.destroy(new Error('Reading the picture from the bucket timed out.')),
    bucketTimeoutMs,
  )
  try {
    if (length === undefined || length > pictureBytesMax) {
      body.destroy()
      throw new Error('The object is larger than a picture can be.')
    }
    return await buffer(body)
  } finally {
    clearTimeout(timer)
  }
}

/** At the same URLs and with the same headers as from a folder. */
export function serveBucket(app: FastifyInstance, bucket: Bucket): void {
  // Only file names that `POST /upload` creates.
  app.route<{ Params: { file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/uploads/:file(^[0-9a-f]{24}-\\d+\\.webp$)',
    async handler(request, reply) {
      const { range } = request.headers
      const response = await bucket.get(request.params.file, {
        isHead: request.method === 'HEAD',
        // The content of a file name never changes, so If-Range always matches. Multipart ranges are not supported.
        range: range && /^bytes=(\d+-\d*|-\d+)$/.test(range) ? range : undefined,
        ifNoneMatch: strongTags(request.headers['if-none-match']),
      })
      if (!response) return reply.callNotFound()
      reply.headers({ 'cache-control': immutable, 'accept-ranges': 'bytes' })
      if (!('headers' in response)) return reply.status(response.status).send()
      for (const [name, value] of Object.entries(response.headers))
        if (value !== undefined) reply.header(name, value)
      return reply.status(response.status).type('image/webp').send(response.body)
    },
  })
}

/** S3 knows strong tags only. */
function strongTags(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  return tagsOf(header)
    .map((tag) => (tag === '*' ? tag : `"${tag}"`))
    .join(', ')
}
