import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messages } from '#shared/texts/messages.ts'
import { type BodyLimit, isTooComplex, leastBody } from '#server/http/limits/body-limits.ts'
import { badRequest } from '#server/calls/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyLimit?: (request: FastifyRequest) => BodyLimit
  }
}

type Done<Result> = (error: Error | null, result?: Result) => void

const hashes = new WeakMap<FastifyRequest, string>()

/** SHA-256, only with an `Idempotency-Key`; empty without a body. */
export function bodyHashOf(request: FastifyRequest): string {
  return hashes.get(request) ?? ''
}

/** In UTF-8. Empty bodies may have any content type. Other bodies are 400, 413 or 415. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', (request, payload, done) =>
    readJson(request, payload, (error, text) => {
      if (error || text === '') done(error)
      else void parseJson(request, text!, done)
    }),
  )
  app.addContentTypeParser('*', (request, payload, done) =>
    readBytes(request, payload, 0, (error) => {
      const isEmpty = (error as TRPCError | null)?.code !== 'PAYLOAD_TOO_LARGE'
      if (isEmpty) done(error)
      else done(new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.wrongContentType }))
    }),
  )
}

/** PAYLOAD_TOO_LARGE if it is larger or more complex than the route allows, BAD_REQUEST if it is not UTF-8. */
export function readJson(request: FastifyRequest, payload: IncomingMessage, done: Done<string>): void {
  const limit = request.routeOptions.config.bodyLimit?.(request) ?? leastBody
  readBytes(request, payload, limit.bytes, (error, bytes) => {
    if (error) return done(error)
    if (request.headers['idempotency-key'] !== undefined) hashes.set(request, hash('sha256', bytes!))
    // Invalid UTF-8 would be stored as replacement characters.
    if (!isUtf8(bytes!)) return done(badRequest(messages.invalidJson))
    const text = bytes!.toString()
    return isTooComplex(text, limit) ? done(tooLarge()) : done(null, text)
  })
}

/** Fastify’s reader has one limit per route, and keeps each chunk as an object, even the smallest. */
function readBytes(
  { headers }: FastifyRequest,
  payload: IncomingMessage,
  bytesMax: number,
  done: Done<Buffer>,
): void {
  if (Number(headers['content-length']) > bytesMax) return done(tooLarge())
  let read = Buffer.alloc(0)
  let length = 0
  const end = (error: Error | null) => {
    payload.off('data', add).off('end', finish).off('error', abort)
    if (error) done(error)
    else done(null, read.subarray(0, length))
  }
  const finish = () => end(null)
  // The client has disconnected.
  const abort = () => end(badRequest(messages.invalidRequest))
  const add = (chunk: Buffer) => {
    const total = length + chunk.length
    if (total > bytesMax) return end(tooLarge())
    if (total > read.length) {
      const larger = Buffer.allocUnsafe(Math.min(bytesMax, Math.max(total, 2 * read.length)))
      read.copy(larger)
      read = larger
    }
    chunk.copy(read, length)
    length = total
  }
  payload.on('data', add).on('end', finish).on('error', abort).resume()
}

export function tooLarge(): TRPCError {
  return new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.bodyTooLarge })
}
