import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'

/**
 * Lets the routes of a plugin read a form with one file of limited size. Bodies of other types are not read: the handler refuses them
 * after checking the caller.
 */
export async function acceptForms(app: FastifyInstance, fileBytesMax: number): Promise<void> {
  app.removeContentTypeParser(['application/json', '*'])
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  await app.register(multipart, {
    limits: { fileSize: fileBytesMax, files: 1, fields: 4, parts: 5, fieldSize: 1_000 },
  })
}
