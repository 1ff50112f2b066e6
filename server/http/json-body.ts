import { isUtf8 } from 'node:buffer'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import { messages } from '#shared/messages.ts'

/** Accepts JSON bodies in UTF-8, and empty bodies with any content type. Other bodies are 400 or 415. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
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
