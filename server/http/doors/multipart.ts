import { createHash } from 'node:crypto'
import multipart from '@fastify/multipart'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest } from '#server/calls/errors.ts'

/** Bodies of other types are not read: the handler refuses them after checking the caller. */
export async function acceptForms(app: FastifyInstance, fileBytesMax: number): Promise<void> {
  app.removeContentTypeParser(['application/json', '*'])
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  await app.register(multipart, {
    limits: { fileSize: fileBytesMax, files: 1, fields: 4, parts: 5, fieldSize: 1_000 },
  })
}

export function requireForm(request: FastifyRequest, message: string): void {
  if (!request.isMultipart()) throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message })
}

type ReceivedFile<Content> = { content: Content; bytes: number; name: string; hash: string }

type Refusals = { tooLarge: string; missing: string }

/** `take` gets the file piece by piece. Throws BAD_REQUEST without a file in this field, and PAYLOAD_TOO_LARGE. */
export async function receiveFile<Content>(
  request: FastifyRequest,
  field: string,
  refusals: Refusals,
  take: (pieces: AsyncIterable<Buffer>) => Promise<Content>,
): Promise<ReceivedFile<Content>> {
  const { missing } = refusals
  const file = await readForm(request, field, refusals, take)
  if (!file) throw badRequest(missing)
  return file
}

async function readForm<Content>(
  request: FastifyRequest,
  field: string,
  { tooLarge, missing }: Refusals,
  take: (pieces: AsyncIterable<Buffer>) => Promise<Content>,
): Promise<ReceivedFile<Content> | undefined> {
  let file: ReceivedFile<Content> | undefined
  try {
    for await (const part of request.files()) {
      // Piece by piece: megabytes at once would block the event loop.
      const hash = createHash('sha256')
      let bytes = 0
      async function* pieces(): AsyncGenerator<Buffer> {
        for await (const piece of part.file as AsyncIterable<Buffer>) {
          hash.update(piece)
          bytes += piece.length
          yield piece
        }
      }
      const content = await take(pieces())
      if (part.file.truncated) throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: tooLarge })
      if (part.fieldname === field) file = { content, bytes, name: part.filename, hash: hash.digest('hex') }
    }
    return file
  } catch (error) {
    // Nothing parses the rest of the body.
    request.raw.unpipe()
    // The disk is full, for example.
    if (error instanceof TRPCError || (error as NodeJS.ErrnoException).syscall) throw error
    const isTooLarge = (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE'
    throw isTooLarge ? new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: tooLarge }) : badRequest(missing)
  }
}
