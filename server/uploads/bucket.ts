import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import type { PictureStorage } from './pictures.ts'
import { busy } from '#server/trpc/errors.ts'

/** A folder of its own in the bucket, under the same names as at our address. */
const prefix = 'uploads/'
const immutable = 'public, max-age=31536000, immutable'
/** Connections to the bucket stay open for as long; a picture must have arrived whole by then. */
const bucketTimeoutMs = 10_000
/** No picture of ours is nearly as large. */
const pictureBytesMax = 10_000_000
export type Bucket = PictureStorage & {
  /** Returns a picture, or the range of it, with the headers that S3 gives; undefined if missing. */
  get: (
    name: string,
    asked: { isHead: boolean; range?: string | undefined; ifNoneMatch?: string | undefined },
  ) => Promise<BucketAnswer | undefined>
}

type BucketAnswer =
  | { status: 200 | 206; headers: Record<string, string | number | undefined>; body: Buffer | undefined }
  | { status: 304 | 416 }

/**
 * An S3-compatible bucket. Where it does not answer, or refuses us, everything throws SERVICE_UNAVAILABLE and the log has
 * the reason; the next call tries anew.
 */
export function openBucket(s3: NonNullable<Config['s3']>, log: Pick<FastifyBaseLogger, 'error'>): Bucket {
  let loading: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined
  // With the first picture: the package takes memory that a process without uploads does not need.
  const load = () => {
    loading ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        region: s3.region,
        ...(s3.credentials && { credentials: s3.credentials }),
        // Others than Amazon's have no host name for each bucket, and not all know its newer checksums.
        ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        maxAttempts: 2,
        requestHandler: {
          connectionTimeout: 3_000,
          requestTimeout: bucketTimeoutMs,
          socketTimeout: bucketTimeoutMs,
          throwOnRequestTimeout: true,
        },
      }),
    }))
    return loading
  }
  const at = (name: string) => ({ Bucket: s3.bucket, Key: prefix + name })

  async function ask<T>(work: (sdk: typeof Sdk, client: Sdk.S3Client) => Promise<T>): Promise<T> {
    const { sdk, client } = await load()
    try {
      return await work(sdk, client)
    } catch (error) {
      log.error({ err: error }, 'the bucket does not answer as it should')
      throw busy()
    }
  }

  return {
    // Its owner pays for what it holds; the quotas of uploads bound that.
    hasRoom: async () => true,
    async put(name, bytes) {
      await ask((sdk, client) =>
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
        const page = await ask((sdk, client) =>
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
      await ask((sdk, client) => client.send(new sdk.DeleteObjectCommand(at(name))))
      return true
    },
    async get(name, { isHead, range, ifNoneMatch }) {
      return ask(async (sdk, client) => {
        const asked = { ...at(name), IfNoneMatch: ifNoneMatch }
        try {
          const answer = isHead
            ? await client.send(new sdk.HeadObjectCommand(asked))
            : await client.send(new sdk.GetObjectCommand({ ...asked, Range: range }))
          return {
            status: answer.ContentRange ? 206 : 200,
            headers: {
              'content-length': answer.ContentLength,
              'content-range': answer.ContentRange,
              etag: answer.ETag,
              'last-modified': answer.LastModified?.toUTCString(),
            },
            body:
              'Body' in answer ? await readWhole(answer.Body as Readable, answer.ContentLength) : undefined,
          }
        } catch (error) {
          const { name: code, $metadata } = error as Partial<Sdk.S3ServiceException>
          const status = $metadata?.httpStatusCode
          if (status === 304 || status === 416) return { status }
          // A bucket that is not there is 404 as well, and a fault of ours.
          if (status === 404 && code !== 'NoSuchBucket') return undefined
          throw error
        }
      })
    },
  }
}

/**
 * Reads a picture at the speed of the bucket. Streamed to the client, it would hold one of the few connections to the
 * bucket for as long as the client likes.
 */
async function readWhole(body: Readable, length: number | undefined): Promise<Buffer> {
  const timer = setTimeout(
    () => body.destroy(new Error('The picture did not arrive in time.')),
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

/** Serves uploaded pictures from the bucket at the addresses and with the headers that they have from a folder. */
export function serveBucket(app: FastifyInstance, bucket: Bucket): void {
  // The names that POST /upload gives; any other name falls through to the folder.
  app.route<{ Params: { file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/uploads/:file(^[0-9a-f]{24}-\\d+\\.webp$)',
    async handler(request, reply) {
      const { range } = request.headers
      const answer = await bucket.get(request.params.file, {
        isHead: request.method === 'HEAD',
        // What is under a name never changes, so that If-Range always holds. Several parts in one answer are nothing we give.
        range: range && /^bytes=(\d+-\d*|-\d+)$/.test(range) ? range : undefined,
        ifNoneMatch: request.headers['if-none-match'],
      })
      if (!answer) return reply.callNotFound()
      reply.headers({ 'cache-control': immutable, 'accept-ranges': 'bytes' })
      if (!('headers' in answer)) return reply.status(answer.status).send()
      for (const [name, value] of Object.entries(answer.headers))
        if (value !== undefined) reply.header(name, value)
      return reply.status(answer.status).type('image/webp').send(answer.body)
    },
  })
}
