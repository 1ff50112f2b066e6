import { hash, randomBytes } from 'node:crypto'
import multipart from '@fastify/multipart'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymousUploadWidth, uploadBytesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { openNetworkQuotas } from '#server/http/addresses.ts'
import { withBodyTimeout } from '#server/http/body-timeout.ts'
import { runOnce } from '#server/http/idempotency.ts'
import { TooManyRequests } from '#server/trpc/errors.ts'
import { requireScope } from '#server/trpc/procedures.ts'
import type { Context, Services } from '#server/trpc/context.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { busy } from '#server/trpc/errors.ts'
import { dayMs } from '#server/db/spans.ts'
import { sniff } from './bytes.ts'
import { resizeInChild } from './decoder.ts'
import { anonymousUnusedMaxMs } from './orphans.ts'
import { inspectPicture, type Picture, storePicture } from './pictures.ts'
import { findAnonymousUsage, findMemberUsage, insertUpload, type Usage } from './store.ts'

/** Concurrent uploads. Each holds its file in memory, up to five megabytes. */
const inFlightMax = 24
/** Concurrent uploads per IPv4 address or IPv6 /64, and per IPv6 /48. */
const inFlightShares = [4, 12]
/** `Retry-After` of a caller with too many concurrent uploads. */
const addressBusySeconds = 5
/** Concurrent decoders. One can take more than a hundred megabytes; a heavy picture takes both slots. */
const decodersMax = 2
const waitMaxMs = 10_000

/** Quota of a member for 24 hours, in bytes as stored. */
const memberDayMax = { count: 200, bytes: 100_000_000 }
/** Quota of all anonymous uploads together that no account uses yet. */
const anonymousMax = { count: 2_000, bytes: 200_000_000 }
/** Older anonymous uploads are in use, or about to be removed. */
const anonymousWindowMs = 2 * anonymousUnusedMaxMs

/** Registers `POST /upload`, which is not a procedure since its body is a file. */
export async function registerUploads(
  app: FastifyInstance,
  { db, storage }: Services,
  createContext: (request: FastifyRequest) => Promise<Context>,
): Promise<void> {
  const withSlot = openConcurrencyLimit({ concurrency: decodersMax, waitMaxMs })
  const withHeavyLock = openConcurrencyLimit({ concurrency: 1, waitMaxMs })
  /** Lets only one heavy picture at a time acquire both slots: two with one slot each would deadlock. */
  const withBothSlots = <T>(work: () => Promise<T>) => withHeavyLock(() => withSlot(() => withSlot(work)))
  const quotas = openNetworkQuotas(inFlightShares)
  let inFlight = 0

  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: uploadBytesMax, files: 1, fields: 4, parts: 5, fieldSize: 1_000 },
    })
    scope.post('/upload', { bodyLimit: uploadBytesMax + 100_000 }, async (request, reply) => {
      const ctx = await createContext(request)
      requireScope(ctx, 'account')
      await ctx.limit('upload')
      if (ctx.member) await ctx.limit('upload', String(ctx.member.id))
      if (quotas.wouldExceed(ctx.address)) throw new TooManyRequests(addressBusySeconds)
      if (inFlight >= inFlightMax) throw busy()
      const release = quotas.take(ctx.address)
      inFlight++
      try {
        await checkQuotas(ctx)
        const original = await readImage(request, reply)
        const content = () => `upload ${hash('sha256', original)}`
        const { status, body } = await runOnce(
          request,
          reply,
          ctx,
          { content },
          async ({ member, claimKey }) => {
            if (member) await claimKey?.(member)
            const imageUrl = await save(original, ctx)
            return { status: 201, body: JSON.stringify({ imageUrl }) }
          },
        )
        const { imageUrl } = JSON.parse(body) as { imageUrl?: string }
        if (imageUrl) reply.header('location', imageUrl)
        return await reply.status(status).type('application/json; charset=utf-8').send(body)
      } finally {
        inFlight--
        release()
      }
    })
  })

  /** Returns the path of the stored picture. */
  async function save(original: Buffer, { member }: Context): Promise<string> {
    const picture = await reencode(original, member ? 1280 : anonymousUploadWidth)
    await insertUpload(db, {
      ...picture,
      owner_id: member?.id ?? null,
      created_at: new Date().toISOString(),
    })
    return picture.path
  }

  /** Throws if the disk or a quota is full. Uploads in flight are not counted, so that they can exceed a quota. */
  async function checkQuotas({ member, now }: Context): Promise<void> {
    if (!(await storage.hasFreeSpace()))
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.uploadsNoRoom })
    if (member) {
      const usage = await findMemberUsage(db, member.id, new Date(now.getTime() - dayMs))
      if (!isExceeded(usage, memberDayMax)) return
      const seconds = Math.ceil((Date.parse(usage.oldest!) + dayMs - now.getTime()) / 1_000)
      throw new TooManyRequests(Math.max(1, seconds), messages.uploadQuotaUsed)
    }
    const usage = await findAnonymousUsage(db, new Date(now.getTime() - anonymousWindowMs))
    if (isExceeded(usage, anonymousMax))
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.uploadsFull })
  }

  async function reencode(original: Buffer, widest: 320 | 1280): Promise<Picture> {
    try {
      const { bytes, isHeavy } = await withSlot(() => inspectPicture(original))
      const decode = isHeavy ? withBothSlots : withSlot
      return await decode(() =>
        storePicture(storage, randomBytes(12).toString('hex'), bytes, widest, resizeInChild),
      )
    } catch (error) {
      // Errors of the disk have a code and those of the bucket are TRPCErrors; the rest mean that the file is invalid.
      if (error instanceof TRPCError || (error as NodeJS.ErrnoException).code) throw error
      throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadNotAPicture })
    }
  }
}

function isExceeded({ count, bytes }: Usage, max: { count: number; bytes: number }): boolean {
  return count >= max.count || bytes >= max.bytes
}

async function readImage(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  if (!request.isMultipart())
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.uploadMissing })
  const bytes = await withBodyTimeout(request, reply, readFile(request))
  if (!bytes?.length) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadMissing })
  if (!sniff(bytes))
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.uploadNotAPicture })
  return bytes
}

async function readFile(request: FastifyRequest): Promise<Buffer | undefined> {
  let bytes: Buffer | undefined
  try {
    for await (const part of request.files()) {
      const content = await part.toBuffer()
      if (part.fieldname === 'image') bytes = content
    }
    return bytes
  } catch (error) {
    if (error instanceof TRPCError) throw error
    // The plugin also uses 413 for too many files or fields, which are a bad request here.
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
      throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.uploadTooLarge })
    throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadMissing })
  }
}
