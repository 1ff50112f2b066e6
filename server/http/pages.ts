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
  /** Returns whether a path is a page of the web app. */
  isPage: Web['isPage']
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
        vary: `${reply.getHeader('vary') ?? 'Accept'}, Accept-Encoding`,
        'cache-control': 'no-cache',
        'content-security-policy': policy,
      })
      .type('text/html; charset=utf-8')
      .send(await page.body(encoding))
  }
  return {
    isPage: web.isPage,
    sendShell: async (request, reply) => send(request, reply, await openShell(request.url)),
    async sendPage(request, reply) {
      const { url, log } = request
      const procedures = { router: appRouter, createContext: () => createVisitorContext(request) }
      const page = (await render(url, { procedures, log })) ?? (await openShell(url))
      return send(request, reply.status(page.status), page)
    },
  }
}

/** On paths that are REST paths and pages, sends the page to browsers and link previews. */
export function preferPages(app: FastifyInstance, pages: Pages): void {
  app.addHook('onRequest', async (request, reply) => {
    const { representation, vary } = negotiate(request)
    reply.header('vary', vary)
    if (representation === 'page') return pages.sendPage(request, reply)
  })
}

/** Agents that fetch a link to show a preview of it. Some of them accept any type. */
const previewAgents =
  /facebookexternalhit|facebot|twitterbot|slackbot|discordbot|telegrambot|whatsapp|linkedinbot|mastodon|bluesky|redditbot|pinterest|skypeuripreview|vkshare|iframely/i

export type Negotiated = {
  representation: 'page' | 'json'
  /** Whether the `Accept` header names `text/html`. Otherwise the page is for link previews or clients that accept anything. */
  isNamed: boolean
  /** The request headers that this representation depends on, for the `Vary` header. */
  vary: 'Accept' | 'Accept, User-Agent'
}

/**
 * Decides between the page and the JSON of a path. A header that names `text/html` or `application/json` gets what it
 * prefers, the page if both are equal. A header that names neither gets JSON on REST paths, except that link previews get
 * the page, and the page elsewhere.
 */
export function negotiate({ method, headers, is404 }: FastifyRequest): Negotiated {
  const accept = headers.accept?.trim() || '*/*'
  const [html, json] = [weight(accept, 'text/html'), weight(accept, 'application/json')]
  const isNamed = html !== undefined
  const choose = (isPage: boolean, vary: Negotiated['vary'] = 'Accept'): Negotiated => ({
    representation: isPage ? 'page' : 'json',
    isNamed,
    vary,
  })
  if (method !== 'GET' && method !== 'HEAD') return choose(false)
  if (html !== undefined) return choose(html > 0 && html >= (json ?? 0))
  if (json !== undefined) return choose(false)
  const acceptsHtml = (weight(accept, 'text/*') ?? weight(accept, '*/*') ?? 0) > 0
  if (is404 || !acceptsHtml) return choose(acceptsHtml)
  return choose(previewAgents.test(headers['user-agent'] ?? ''), 'Accept, User-Agent')
}

/**
 * Returns the quality that an Accept header gives to a type it names, otherwise undefined. By hand, because negotiation libraries
 * resolve equal qualities by order, and a header that names HTML and JSON alike gets the page.
 */
function weight(accept: string, type: string): number | undefined {
  for (const part of accept.split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q ? Number(q.slice(2)) || 0 : 1
  }
  return undefined
}

/** Returns the sources of scripts or styles for the content security policy: files of this host, and the hashes of inline ones. */
function sourcesOf(html: string, element: 'script' | 'style'): string {
  const inline = [...html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))]
  const hashes = inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
  return ["'self'", ...hashes].join(' ')
}
