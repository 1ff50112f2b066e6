import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messages } from '#shared/messages.ts'

const hashes = new WeakMap<FastifyRequest, string>()

/** Returns the SHA-256 of the body of a request with an `Idempotency-Key`; empty if it has no body. */
export function bodyHashOf(request: FastifyRequest): string {
  return hashes.get(request) ?? ''
}

/** Accepts JSON bodies in UTF-8, and empty bodies with any content type. Other bodies are 400 or 415. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.headers['idempotency-key'] !== undefined) hashes.set(request, hash('sha256', body))
    if (body.length === 0) done(null, undefined)
    // Invalid UTF-8 would be stored as replacement characters.
    else if (isUtf8(body)) void parseJson(request, body.toString(), done)
    else done(new TRPCError({ code: 'BAD_REQUEST', message: messages.invalidJson }))
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else done(new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.wrongContentType }))
  })
}
