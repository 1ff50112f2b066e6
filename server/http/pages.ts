import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Procedures } from '#client/server.tsx'
import { appRouter } from '#server/router.ts'
import type { Context } from '#server/trpc/context.ts'
import { type Encoding, encoders, encodingOf } from './compression.ts'
import type { Page, Web } from './web.ts'

/** A page ready to be sent. */
type PreparedPage = {
  status: number
  scripts: string
  styles: string
  bytes: number
  /** Encodes the page on first use. */
  body: (encoding: Encoding) => Promise<Buffer>
}

function prepare({ status, html, trusted = html }: Page): PreparedPage {
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return {
    status,
    scripts: sourcesOf(trusted, 'script'),
    styles: sourcesOf(trusted, 'style'),
    bytes: html.length * 2,
    body(encoding) {
      const body = bodies.get(encoding) ?? encoders[encoding](html)
      bodies.set(encoding, body)
      return body
    },
  }
}

const pagesBytesMax = 32 * 1024 * 1024

export type Pages = {
  /** Whether a request is a browser’s navigation: its `Accept` header names `text/html` and does not prefer JSON. */
  wantsPage: (request: FastifyRequest) => boolean
  /** Sends the app shell, which the browser fills, with the status of the reply. */
  sendShell: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Sends the rendered page, or the app shell if rendering fails or takes too long. */
  sendPage: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/** Opens the pages of the web app. Loaders call procedures in a visitor’s context, because rendered pages are shared. */
export function openPages(
  web: Web,
  origin: string,
  createVisitorContext: (request: FastifyRequest) => Promise<Context>,
): Pages {
  const { cacheMs, renderTimeoutMs } = web
  type RenderContext = { procedures: Procedures; log: FastifyBaseLogger }
  const pages = new LRUCache<string, PreparedPage, RenderContext>({
    maxSize: pagesBytesMax,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: cacheMs,
    fetchMethod: async (url, _before, { context: { procedures } }) =>
      prepare(await web.page(url, { origin, procedures })),
  })
  async function render(url: string, context: RenderContext): Promise<PreparedPage | undefined> {
    const finished = new AbortController()
    try {
      return await Promise.race([
        cacheMs > 0
          ? pages.fetch(url, { context })
          : web.page(url, { origin, procedures: context.procedures }).then(prepare),
        delay(renderTimeoutMs, undefined, { ref: false, signal: finished.signal }),
      ])
    } catch (error) {
      context.log.warn({ err: error }, 'rendering a page failed')
      return undefined
    } finally {
      finished.abort()
    }
  }
  let shell: { html: string; page: PreparedPage } | undefined
  async function openShell(url: string): Promise<PreparedPage> {
    const page = await web.shell(url)
    if (shell?.html !== page.html) shell = { html: page.html, page: prepare(page) }
    return shell.page
  }
  async function send(request: FastifyRequest, reply: FastifyReply, page: PreparedPage) {
    const encoding = encodingOf(request)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    const any = "'self' 'unsafe-inline'"
    const { scripts, styles } = web.isDev ? { scripts: any, styles: any } : page
    const policy = String(reply.getHeader('content-security-policy'))
      .replace("script-src 'self'", `script-src ${scripts}`)
      .replace("style-src 'self'", `style-src ${styles}`)
    return reply
      .headers({
        vary: 'Accept, Accept-Encoding',
        'cache-control': 'no-cache',
        'content-security-policy': policy,
      })
      .type('text/html; charset=utf-8')
      .send(await page.body(encoding))
  }
  return {
    wantsPage,
    sendShell: async (request, reply) => send(request, reply, await openShell(request.url)),
    async sendPage(request, reply) {
      const { url, log } = request
      const procedures = { router: appRouter, createContext: () => createVisitorContext(request) }
      const page = (await render(url, { procedures, log })) ?? (await openShell(url))
      return send(request, reply.status(page.status), page)
    },
  }
}

/** On paths that are REST paths and pages, sends the page to browsers. */
export function preferPages(app: FastifyInstance, pages: Pages): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Accept')
    if (pages.wantsPage(request)) return pages.sendPage(request, reply)
  })
}

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const accept = request.headers.accept ?? ''
  if (!/text\/html/i.test(accept)) return false
  return weight(accept, 'text/html') > 0 && weight(accept, 'text/html') >= weight(accept, 'application/json')
}

/**
 * Returns the quality that an Accept header gives to a type it names, otherwise 0. By hand, because negotiation libraries
 * resolve equal qualities by order, and a header that names HTML and JSON alike gets the page.
 */
function weight(accept: string, type: string): number {
  for (const part of accept.split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q ? Number(q.slice(2)) || 0 : 1
  }
  return 0
}

/** Returns the sources of scripts or styles for the content security policy: files of this host, and the hashes of inline ones. */
function sourcesOf(html: string, element: 'script' | 'style'): string {
  const inline = [...html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))]
  const hashes = inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
  return ["'self'", ...hashes].join(' ')
}
