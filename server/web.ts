import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import serveFiles from '@fastify/static'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Procedures, RenderedPage, renderPage as Render } from '#client/server.tsx'

const clientFolder = join(import.meta.dirname, '../client')
const builtFolder = join(import.meta.dirname, '../dist/client')
const serverModule = join(import.meta.dirname, '../dist/server/server.js')
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzipCompress)

/** Where the pages of the web app come from. */
export type Web = {
  isDev: boolean
  /** A rendered page of this age (ms) is still shown to visitors: for so long many share the work of one. 0: each has their own. */
  freshMs: number
  /** A page that takes longer (ms) goes out as the plain one. */
  renderMs: number
  /** The page of an address: rendered, or as the plain one that the browser fills. Throws where rendering fails. */
  page: (url: string, options: { origin: string; procedures: Procedures }) => Promise<Page>
  /** The page that the browser fills. */
  shell: (url: string) => Promise<Page>
  register: (app: FastifyInstance) => Promise<void>
}

/**
 * `own` is the page without what people wrote, where that is not all of `html`: what stands inline in it may run. A
 * script that got into the page through a text is not made welcome by its own hash.
 */
export type Page = { status: number; html: string; own?: string }

/** The built client. Throws where there is none. */
export async function builtWeb(): Promise<Web> {
  const html = await readFile(join(builtFolder, 'index.html'), 'utf8')
  const manifest = JSON.parse(await readFile(join(builtFolder, '.vite/manifest.json'), 'utf8')) as Manifest
  const readable = await readableAtOnce(html)
  const shell = async () => ({ status: 200, html })
  return {
    isDev: false,
    freshMs: 5_000,
    renderMs: 1_000,
    shell,
    async page(url, options) {
      // With the first page: what renders takes memory that a server of calls alone never needs.
      const { renderPage } = (await import(serverModule)) as { renderPage: typeof Render }
      const page = await renderPage({ url, ...options })
      return page
        ? {
            status: page.status,
            html: filled(readable, { ...page, head: page.head + preloads(manifest, page.route) }),
            own: filled(readable, { ...page, head: '', body: page.bodyScripts.map(inScript).join('') }),
          }
        : shell()
    },
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
  const shell = async (url: string) => ({
    status: 200,
    html: await vite.transformIndexHtml(url, await readFile(join(clientFolder, 'index.html'), 'utf8')),
  })
  return {
    isDev: true,
    freshMs: 0,
    renderMs: 30_000,
    shell,
    async page(url, options) {
      const { renderPage } = (await vite.ssrLoadModule('/server.tsx')) as { renderPage: typeof Render }
      const page = await renderPage({ url, ...options })
      const { html } = await shell(url)
      return page ? { status: page.status, html: filled(html, page) } : { status: 200, html }
    },
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

const emptyPage = async () => ({ status: 200, html: '<!doctype html><title>Medley</title>' })

/** No web app: for tests of the doors. */
export const noWeb: Web = {
  isDev: false,
  freshMs: 0,
  renderMs: 1_000,
  page: emptyPage,
  shell: emptyPage,
  async register() {},
}

/** index.html for pages that are rendered: they show before any other file arrives, and pictures and fonts go before scripts. */
async function readableAtOnce(html: string): Promise<string> {
  const [link, file] = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/.exec(html)!
  const css = await readFile(join(builtFolder, file!), 'utf8')
  return html
    .replace(link, () => `<style>${css}</style>`)
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
}

/** Puts a rendered page into its places in index.html. */
function filled(html: string, page: Pick<RenderedPage, 'head' | 'body' | 'script'>): string {
  // As functions: in a text, `$&` would mean something.
  return html
    .replace(/<!--page-head-->[\s\S]*?<!--\/page-head-->/, () => page.head)
    .replace('<!--page-->', () => page.body)
    .replace(/<!--page-data-->[\s\S]*?<!--\/page-data-->/, () => inScript(page.script))
}

function inScript(text: string): string {
  return `<script>${text}</script>`
}

type Manifest = Record<string, { file: string; imports?: string[] }>

/** The modules that a route needs beyond those of index.html: asked for while the browser reads the page. */
function preloads(manifest: Manifest, route: string): string {
  const filesOf = (key: string, files = new Set<string>()) => {
    const { file, imports = [] } = manifest[key]!
    if (files.has(file)) return files
    files.add(file)
    for (const needed of imports) filesOf(needed, files)
    return files
  }
  const files = filesOf(`routes/${route}.tsx?tsr-split=component---errorComponent---notFoundComponent`)
  return [...files.difference(filesOf('index.html'))]
    .map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`)
    .join('')
}

/** A page as it goes out. */
type Answer = {
  status: number
  scripts: string
  styles: string
  bytes: number
  /** Encoded for the first who asks for that. */
  body: (encoding: Encoding) => Promise<Buffer>
}
type Encoding = keyof typeof encoders

const encoders = {
  br: (html: string) => brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (html: string) => gzipped(html),
  identity: async (html: string) => Buffer.from(html),
}

function answerOf({ status, html, own = html }: Page): Answer {
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return {
    status,
    scripts: sourcesOf(own, 'script'),
    styles: sourcesOf(own, 'style'),
    bytes: html.length * 2,
    body(encoding) {
      const body = bodies.get(encoding) ?? encoders[encoding](html)
      bodies.set(encoding, body)
      return body
    },
  }
}

const pagesBytesMax = 32 * 1024 * 1024

/** Sends pages. One that fails to render, or takes too long, goes out as the plain one, and the browser does the rest. */
export async function registerWeb(app: FastifyInstance, web: Web, origin: string) {
  const { freshMs, renderMs } = web
  await web.register(app)
  type Asked = { procedures: Procedures; log: FastifyBaseLogger }
  const pages = new LRUCache<string, Answer, Asked>({
    maxSize: pagesBytesMax,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: freshMs,
    fetchMethod: async (url, _before, { context: { procedures } }) =>
      answerOf(await web.page(url, { origin, procedures })),
  })
  async function rendered(url: string, asked: Asked): Promise<Answer | undefined> {
    const slow = new AbortController()
    try {
      return await Promise.race([
        freshMs > 0
          ? pages.fetch(url, { context: asked })
          : web.page(url, { origin, procedures: asked.procedures }).then(answerOf),
        delay(renderMs, undefined, { ref: false, signal: slow.signal }),
      ])
    } catch (error) {
      asked.log.warn({ err: error }, 'a page was not rendered')
      return undefined
    } finally {
      slow.abort()
    }
  }
  let plain: { html: string; answer: Answer } | undefined
  async function plainPage(url: string): Promise<Answer> {
    const page = await web.shell(url)
    if (plain?.html !== page.html) plain = { html: page.html, answer: answerOf(page) }
    return plain.answer
  }
  async function send(request: FastifyRequest, reply: FastifyReply, page: Answer) {
    const encoding = encodingFor(request)
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
    /** The page that the browser fills; with the status that the reply has. */
    sendPlainPage: async (request: FastifyRequest, reply: FastifyReply) =>
      send(request, reply, await plainPage(request.url)),
    /** `procedures` are called as a visitor, whoever asks: what is rendered is for all. */
    async sendPage(request: FastifyRequest, reply: FastifyReply, procedures: Procedures) {
      const { url, log } = request
      const page = (await rendered(url, { procedures, log })) ?? (await plainPage(url))
      return send(request, reply.status(page.status), page)
    },
  }
}

function encodingFor(request: FastifyRequest): Encoding {
  const accepted = request.headers['accept-encoding'] ?? ''
  const text = Array.isArray(accepted) ? accepted.join(',') : accepted
  return weight(text, 'br') > 0 ? 'br' : weight(text, 'gzip') > 0 ? 'gzip' : 'identity'
}

/** A browser that opens an address names `text/html`, and no JSON before it. */
function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const accept = request.headers.accept ?? ''
  if (!/text\/html/i.test(accept)) return false
  return weight(accept, 'text/html') > 0 && weight(accept, 'text/html') >= weight(accept, 'application/json')
}

/** The weight that an Accept or Accept-Encoding header gives a name; 0 where it does not name it. */
function weight(accept: string, type: string): number {
  for (const part of accept.split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q ? Number(q.slice(2)) || 0 : 1
  }
  return 0
}

/** The sources of scripts or styles as a content security policy names them: files of ours, and what stands in the page. */
function sourcesOf(html: string, element: 'script' | 'style'): string {
  const inline = [...html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))]
  const hashes = inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
  return ["'self'", ...hashes].join(' ')
}
