import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { anonymousUploadWidth, uploadBytesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { dayMs } from '#shared/domain/days.ts'
import { openNetworkQuotas, ownersOf } from '#server/process/addresses.ts'
import { runOnce } from '#server/http/doors/idempotency.ts'
import type { Calls } from '#server/http/doors/calls.ts'
import { serveFile } from '#server/http/doors/file.ts'
import { acceptForms, receiveFile, requireForm } from '#server/http/doors/multipart.ts'
import { badRequest, ReasonedError, TooManyRequests } from '#server/calls/errors.ts'
import { checkVisitors, requireStanding } from '#server/calls/procedures.ts'
import type { Context, Services } from '#server/calls/context.ts'
import { busy } from '#server/calls/errors.ts'
import type { Db } from '#server/db/open.ts'
import { readSettings } from '#server/members/settings.ts'
import { sniff } from '#server/uploads/bytes.ts'
import { resizeInChild } from '#server/uploads/decoder.ts'
import { anonymousUnusedMaxMs } from '#server/uploads/orphans.ts'
import { decodeInTurn } from '#server/uploads/turns.ts'
import { type Picture, storePicture } from '#server/uploads/pictures.ts'
import { findAnonymousUsage, findMemberUsage, insertUpload, type Usage } from '#server/uploads/store.ts'

const bodyBytesMax = uploadBytesMax + 100_000
/** Each holds up to five megabytes in memory. The last quarter is reserved for members. */
const inFlightMax = { member: 24, anonymous: 18 }
/** Per IPv4 address or IPv6 /64, and per IPv6 /48. */
const inFlightShares = [4, 12]
const addressBusySeconds = 5
const decodingMs = 2_000

/** In 24 hours; bytes as stored. */
const memberDayMax = { count: 200, bytes: 100_000_000 }
const anonymousMax = { count: 2_000, bytes: 200_000_000 }
/** Older uploads without an owner are in use, or about to be removed. */
const anonymousWindowMs = 2 * anonymousUnusedMaxMs

export async function registerUploads(
  app: FastifyInstance,
  { db, storage }: Services,
  calls: Calls,
): Promise<void> {
  const quotas = openNetworkQuotas(inFlightShares)
  let inFlight = 0

  await app.register(async (scope) => {
    await acceptForms(scope, uploadBytesMax)
    const meta = { scope: 'account', cost: 5 } as const
    const route = { method: 'POST', url: '/upload', meta, bodyLimit: bodyBytesMax } as const
    serveFile(scope, calls, route, async ({ ctx, request, reply }) => {
      requireStanding(ctx, true)
      if (!ctx.member) await checkSignUp(db)
      await countUpload(ctx)
      if (quotas.wouldExceed(ctx.address)) throw new TooManyRequests(addressBusySeconds)
      if (inFlight >= inFlightMax[ctx.member ? 'member' : 'anonymous']) throw busy()
      const release = quotas.take(ctx.address)
      inFlight++
      try {
        await checkQuotas(ctx)
        const { bytes: original, hash } = await readImage(request)
        const content = () => `upload ${hash}`
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

  async function save(original: Buffer, ctx: Context): Promise<string> {
    const picture = await reencode(original, ctx)
    await insertUpload(db, {
      ...picture,
      owner_id: ctx.member?.id ?? null,
      created_at: new Date().toISOString(),
    })
    return picture.path
  }

  /** Uploads in flight are not counted, so that they can exceed a quota. */
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

  async function reencode(original: Buffer, ctx: Context): Promise<Picture> {
    const decode = async (isAlone: boolean) => {
      const startedAt = performance.now()
      try {
        return await resizeInChild(original, ctx.member ? 1280 : anonymousUploadWidth, isAlone)
      } finally {
        const more = Math.floor((performance.now() - startedAt) / decodingMs)
        await countUpload(ctx, more).catch(() => {})
      }
    }
    try {
      const resized = await decodeInTurn(original, ownersOf(ctx.address), decode)
      return await storePicture(storage, randomBytes(12).toString('hex'), resized)
    } catch (error) {
      // Errors of the disk have a code and errors of the bucket are TRPCErrors; the rest mean that the file is invalid.
      if (error instanceof TRPCError || (error as NodeJS.ErrnoException).code) throw error
      throw badRequest(messages.uploadNotAPicture)
    }
  }
}

/** Visitors upload only the picture of a new account. */
async function checkSignUp(db: Db): Promise<void> {
  if ((await readSettings(db)).registration.mode !== 'closed') return
  await checkVisitors(db)
  throw new ReasonedError('FORBIDDEN', 'REGISTRATION_CLOSED', messages.registrationClosed)
}

async function countUpload({ limit, member }: Context, count = 1): Promise<void> {
  for (let counted = 0; counted < count; counted++) {
    await limit('upload')
    if (member) await limit('upload', String(member.id))
  }
}

function isExceeded({ count, bytes }: Usage, max: { count: number; bytes: number }): boolean {
  return count >= max.count || bytes >= max.bytes
}

async function readImage(request: FastifyRequest): Promise<{ bytes: Buffer; hash: string }> {
  const [tooLarge, missing] = [messages.uploadTooLarge, messages.uploadMissing]
  requireForm(request, missing)
  if (Number(request.headers['content-length']) > bodyBytesMax)
    throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: tooLarge })
  const file = await receiveFile(request, 'image', { tooLarge, missing }, buffer)
  if (file.bytes === 0) throw badRequest(missing)
  if (!sniff(file.content))
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.uploadNotAPicture })
  return { bytes: file.content, hash: file.hash }
}
