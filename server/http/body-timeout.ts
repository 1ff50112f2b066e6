import { TRPCError } from '@trpc/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '#shared/messages.ts'

/** Timeouts for a pause within a request body, and for the whole body. */
const bodyIdleMs = 10_000
const bodyMaxMs = 30_000
const bodyCheckMs = 1_000

/** Throws TIMEOUT if the body pauses or takes too long; the response then closes the connection. */
export async function withBodyTimeout<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  reading: Promise<T>,
): Promise<T> {
  const { socket } = request.raw
  let timer: NodeJS.Timeout | undefined
  let read = socket.bytesRead
  let idleMs = 0
  let totalMs = 0
  const timedOut = new Promise<never>((_resolve, reject) => {
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
    return await Promise.race([reading, timedOut])
  } finally {
    clearInterval(timer)
  }
}
