import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { serveBucket } from '#server/uploads/bucket.ts'
import type { Services } from '#server/trpc/context.ts'

/** Serves pictures: uploads from the data folder or the bucket, and the pictures of the starter catalogue. */
export async function registerFiles(
  app: FastifyInstance,
  { config, storage }: Pick<Services, 'config' | 'storage'>,
): Promise<void> {
  if (storage.bucket) serveBucket(app, storage.bucket)
  for (const [prefix, root] of [
    ['/uploads/', join(config.dataDir, 'uploads')],
    ['/starter/', join(import.meta.dirname, '../../starter/pictures')],
  ] as const)
    await app.register(serveFiles, {
      root,
      prefix,
      decorateReply: false,
      index: false,
      dotfiles: 'ignore',
      immutable: true,
      maxAge: '365d',
    })
}
