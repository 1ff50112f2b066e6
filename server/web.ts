import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const clientFolder = join(import.meta.dirname, '../client')
const builtFolder = join(import.meta.dirname, '../dist/client')

/** Where the pages of the web app come from. */
export type Web = {
  isDev: boolean
  /** For the content security policy: the inline scripts of the page, as `'sha256-…'`. */
  scriptHashes: string[]
  /** The page for an address. */
  page: (url: string) => Promise<string>
  register: (app: FastifyInstance) => Promise<void>
}

/** The built client. Throws where there is none. */
export async function builtWeb(): Promise<Web> {
  const html = await readFile(join(builtFolder, 'index.html'), 'utf8')
  return {
    isDev: false,
    scriptHashes: inlineScripts(html).map(
      (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    ),
    page: async () => html,
    async register(app) {
      await app.register(serveFiles, {
        root: builtFolder,
        wildcard: false,
        index: false,
        globIgnore: ['index.html', '.vite/**', '**/*.{br,gz}'],
        preCompressed: true,
        setHeaders(response, path) {
          const isHashed = path.includes('/assets/')
          response.header(
            'cache-control',
            isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
          )
        },
      })
    },
  }
}

/** Vite as middleware in the same process: sources as they are, reloaded as they change. */
export async function devWeb(): Promise<Web> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: join(clientFolder, 'vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true },
  })
  return {
    isDev: true,
    scriptHashes: ["'unsafe-inline'"],
    page: async (url) =>
      vite.transformIndexHtml(url, await readFile(join(clientFolder, 'index.html'), 'utf8')),
    async register(app) {
      app.addHook('onClose', () => vite.close())
      app.addHook('onRequest', (request, reply, done) => {
        const isSource = /^\/(@|node_modules\/|client\/|shared\/|ui\/)|\.(tsx?|css|svg|map)(\?|$)/.test(
          request.raw.url ?? '',
        )
        if (!isSource || request.raw.url?.startsWith('/docs/')) return done()
        reply.hijack()
        vite.middlewares(request.raw, reply.raw, () => {
          reply.raw.statusCode = 404
          reply.raw.end()
        })
      })
    },
  }
}

/** No web app: for tests of the doors. */
export const noWeb: Web = {
  isDev: false,
  scriptHashes: [],
  page: async () => '<!doctype html><title>Medley</title>',
  async register() {},
}

export async function registerWeb(app: FastifyInstance, web: Web) {
  await web.register(app)
  return {
    wantsPage,
    async sendPage(request: FastifyRequest, reply: FastifyReply) {
      const html = await web.page(request.url)
      return reply.status(200).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html)
    },
  }
}

/** A browser that opens an address names `text/html`, and no JSON before it. */
function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const accept = request.headers.accept ?? ''
  return weight(accept, 'text/html') > 0 && weight(accept, 'text/html') >= weight(accept, 'application/json')
}

/** The weight that an Accept header gives a type by name; 0 where it does not name it. */
function weight(accept: string, type: string): number {
  for (const part of accept.split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q ? Number(q.slice(2)) || 0 : 1
  }
  return 0
}

function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]!)
}
