import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { starterFolder } from '#server/starter/titles.ts'
import { serveBucket } from '#server/uploads/bucket.ts'
import { openStarterPictures } from '#server/uploads/starter-pictures.ts'
import type { Services } from '#server/calls/context.ts'

const standInMaxAge = '1m'

export async function registerFiles(
  app: FastifyInstance,
  { config, storage }: Pick<Services, 'config' | 'storage'>,
): Promise<void> {
  if (storage.bucket) serveBucket(app, storage.bucket)
  for (const [prefix, root] of [
    ['/uploads/', join(config.dataDir, 'uploads')],
    ['/starter/', starterFolder],
  ] as const)
    await app.register(serveFiles, {
      root,
      prefix,
      decorateReply: prefix === '/starter/',
      index: false,
      dotfiles: 'ignore',
      immutable: true,
      maxAge: '365d',
    })

  const starter = openStarterPictures(config, app.log)
  // Only the names that pictures can have.
  app.route<{ Params: { file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/starter/:file(^[a-z0-9-]+-\\d+\\.webp$)',
    async handler(request, reply) {
      const { folder, file, isStandIn } = await starter.find(request.params.file)
      return reply.sendFile(file, folder, isStandIn ? { maxAge: standInMaxAge, immutable: false } : {})
    },
  })
}
