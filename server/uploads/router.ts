import { randomBytes } from 'node:crypto'
import multipart from '@fastify/multipart'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { uploadBytesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import type { Context, Services } from '#server/trpc.ts'
import { busy, openTurns } from '#server/turns.ts'
import { type Picture, sniff, storePicture } from './pictures.ts'
import { insertUpload } from './store.ts'

/** Each holds its file in memory, five megabytes at most. */
const inFlightMax = 24
/** A decoder can take hundreds of megabytes. */
const decodersMax = 2
const waitMaxMs = 10_000

/** `POST /upload`: the one call that is no procedure, since its body is a file. */
export async function registerUploads(
  app: FastifyInstance,
  { db, storage }: Services,
  createContext: (request: FastifyRequest) => Promise<Context>,
): Promise<void> {
  const inTurn = openTurns({ atOnce: decodersMax, waitMaxMs })
  let inFlight = 0

  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: uploadBytesMax, files: 1, fields: 4, parts: 5, fieldSize: 1_000 },
    })
    scope.post('/upload', { bodyLimit: uploadBytesMax + 100_000 }, async (request, reply) => {
      const ctx = await createContext(request)
      await ctx.limit('upload')
      if (ctx.member) await ctx.limit('upload', String(ctx.member.id))
      if (inFlight >= inFlightMax) throw busy()
      inFlight++
      try {
        const bytes = await readImage(request)
        const picture = await inTurn(() => reencode(bytes))
        await insertUpload(db, {
          ...picture,
          owner_id: ctx.member?.id ?? null,
          created_at: new Date().toISOString(),
        })
        return await reply.status(201).send({ imageUrl: picture.path })
      } finally {
        inFlight--
      }
    })
  })

  async function reencode(bytes: Buffer): Promise<Picture> {
    try {
      return await storePicture(storage, randomBytes(12).toString('hex'), bytes)
    } catch (error) {
      // What the disk or the bucket says is ours to mend; what the decoder says is the file's fault.
      if (error instanceof TRPCError || (error as NodeJS.ErrnoException).code) throw error
      if ((error as Error).message.startsWith('timeout')) throw busy()
      throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadNotAPicture })
    }
  }
}

async function readImage(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart())
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.uploadMissing })
  let bytes: Buffer | undefined
  try {
    for await (const part of request.files()) {
      const content = await part.toBuffer()
      if (part.fieldname === 'image') bytes = content
    }
  } catch (error) {
    // Too many files or fields are 413 as well, but not for their bytes.
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') {
      throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.uploadTooLarge })
    }
    throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadMissing })
  }
  if (!bytes?.length) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.uploadMissing })
  if (!sniff(bytes))
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.uploadNotAPicture })
  return bytes
}
