import { randomBytes } from 'node:crypto'
import multipart from '@fastify/multipart'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymousUploadWidth, uploadBytesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { openShares } from '#server/http/addresses.ts'
import { TooManyRequests } from '#server/trpc/errors.ts'
import type { Context, Services } from '#server/trpc/context.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { busy } from '#server/trpc/errors.ts'
import { sniff } from './bytes.ts'
import { resizeInChild } from './decoder.ts'
import { anonymousKeepMs } from './orphans.ts'
import { inspectPicture, type Picture, storePicture } from './pictures.ts'
import { findAnonymousUsage, findMemberUsage, insertUpload, type Usage } from './store.ts'

/** Each holds its file in memory, five megabytes at most. */
const inFlightMax = 24
/** Of an IPv4 address or a /64 of IPv6, and of a /48. */
const inFlightShares = [4, 12]
const addressBusySeconds = 5
/** A decoder can take a hundred megabytes and more; a heavy picture has both places. */
const decodersMax = 2
const waitMaxMs = 10_000
/** The longest pause between two reads of a body, and the longest time for all of it. */
const bodyIdleMs = 10_000
const bodyMaxMs = 30_000
const bodyCheckMs = 1_000

const dayMs = 24 * 60 * 60_000
/** What a member may upload in 24 hours, in bytes as they are stored. */
const memberDayMax = { count: 200, bytes: 100_000_000 }
/** What may wait for a sign-up, of all anonymous uploads together. */
const anonymousMax = { count: 2_000, bytes: 200_000_000 }
/** Older anonymous uploads are about to be removed, or stay since they are shown. */
const anonymousWindowMs = 2 * anonymousKeepMs

/** `POST /upload`: not a procedure, since its body is a file. */
export async function registerUploads(
  app: FastifyInstance,
  { db, storage }: Services,
  createContext: (request: FastifyRequest) => Promise<Context>,
): Promise<void> {
  const inTurn = openConcurrencyLimit({ concurrency: decodersMax, waitMaxMs })
  const heavyTurn = openConcurrencyLimit({ concurrency: 1, waitMaxMs })
  /** Only one heavy picture at a time waits for both places: two, each with one of them, would wait for each other. */
  const inHeavyTurn = <T>(work: () => Promise<T>) => heavyTurn(() => inTurn(() => inTurn(work)))
  const shares = openShares(inFlightShares)
  let inFlight = 0

  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: uploadBytesMax, files: 1, fields: 4, parts: 5, fieldSize: 1_000 },
    })
    scope.post('/upload', { bodyLimit: uploadBytesMax + 100_000 }, async (request, reply) => {
      const ctx = await createContext(request)
      await ctx.limit('upload')
      if (ctx.member) await ctx.limit('upload', String(ctx.member.id))
      if (shares.isUsedUp(ctx.address)) throw new TooManyRequests(addressBusySeconds)
      if (inFlight >= inFlightMax) throw busy()
      const giveBack = shares.take(ctx.address)
      inFlight++
      try {
        await checkRoom(ctx)
        const original = await readImage(request, reply)
        const picture = await reencode(original, ctx.member ? 1280 : anonymousUploadWidth)
        await insertUpload(db, {
          ...picture,
          owner_id: ctx.member?.id ?? null,
          created_at: new Date().toISOString(),
        })
        return await reply.status(201).send({ imageUrl: picture.path })
      } finally {
        inFlight--
        giveBack()
      }
    })
  })

  /** Uploads that are in flight already may exceed a quota, no others. */
  async function checkRoom({ member, now }: Context): Promise<void> {
    if (!(await storage.hasRoom()))
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.uploadsNoRoom })
    if (member) {
      const usage = await findMemberUsage(db, member.id, new Date(now.getTime() - dayMs))
      if (!isUsedUp(usage, memberDayMax)) return
      const seconds = Math.ceil((Date.parse(usage.oldest!) + dayMs - now.getTime()) / 1_000)
      throw new TooManyRequests(Math.max(1, seconds), messages.uploadQuotaUsed)
    }
    const usage = await findAnonymousUsage(db, new Date(now.getTime() - anonymousWindowMs))
    if (isUsedUp(usage, anonymousMax))
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.uploadsFull })
  }

  async function reencode(original: Buffer, widest: 320 | 1280): Promise<Picture> {
    try {
      const { bytes, isHeavy } = await inTurn(() => inspectPicture(original))
      const turn = isHeavy ? inHeavyTurn : inTurn
      return await turn(() =>
        storePicture(storage, randomBytes(12).toString('hex'), bytes, widest, resizeInChild),
      )
    } catch (error) {
      // Errors of the disk or the bucket have a code; those of the decoder are the file's fault.
      if (error instanceof TRPCError || (error as NodeJS.ErrnoException).code) throw error
      throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadNotAPicture })
    }
  }
}

function isUsedUp({ count, bytes }: Usage, max: { count: number; bytes: number }): boolean {
  return count >= max.count || bytes >= max.bytes
}

async function readImage(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  if (!request.isMultipart())
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.uploadMissing })
  const bytes = await inBodyTime(request, reply, readFile(request))
  if (!bytes?.length) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadMissing })
  if (!sniff(bytes))
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.uploadNotAPicture })
  return bytes
}

/** Throws TIMEOUT for a body that pauses or lasts for too long; the response then ends the connection. */
async function inBodyTime<T>(request: FastifyRequest, reply: FastifyReply, reading: Promise<T>): Promise<T> {
  const { socket } = request.raw
  let timer: NodeJS.Timeout | undefined
  let read = socket.bytesRead
  let idleMs = 0
  let totalMs = 0
  const tooSlow = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      totalMs += bodyCheckMs
      idleMs = socket.bytesRead === read ? idleMs + bodyCheckMs : 0
      read = socket.bytesRead
      if (idleMs < bodyIdleMs && totalMs < bodyMaxMs) return
      reply.header('connection', 'close')
      reject(new TRPCError({ code: 'TIMEOUT', message: messages.uploadTooSlow }))
    }, bodyCheckMs)
  })
  try {
    return await Promise.race([reading, tooSlow])
  } finally {
    clearInterval(timer)
  }
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
    // Too many files or fields are 413 as well, but not for their bytes.
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
      throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.uploadTooLarge })
    throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadMissing })
  }
}
