import { TRPCError } from '@trpc/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '#shared/texts/messages.ts'

/**
 * The minimum throughput of a request body, and how long a client may fall behind it. A client on a slow phone (256 kbit/s) can
 * finish a file of any size; a client that sends only a byte now and then cannot.
 */
const bodyBytesPerSecond = 32 * 1024
const behindMaxMs = 10_000
const checkMs = 1_000

/** Throws TIMEOUT if the body arrives too slowly; the response then closes the connection. */
export async function withBodyTimeout<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  reading: Promise<T>,
): Promise<T> {
  const { socket } = request.raw
  // A request that a test injects has a socket without a count.
  const received = () => socket.bytesRead ?? 0
  let timer: NodeJS.Timeout | undefined
  let before = received()
  let behindMs = 0
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const now = received()
      behindMs = Math.max(0, behindMs + checkMs - ((now - before) / bodyBytesPerSecond) * 1_000)
      before = now
      if (behindMs < behindMaxMs) return
      reply.header('connection', 'close')
      reject(new TRPCError({ code: 'TIMEOUT', message: messages.uploadTooSlow }))
    }, checkMs)
  })
  try {
    return await Promise.race([reading, timedOut])
  } finally {
    clearInterval(timer)
  }
}
