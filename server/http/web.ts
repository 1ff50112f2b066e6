import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Procedures, RenderedPage, renderPage as Render } from '#client/server.tsx'

const clientFolder = join(import.meta.dirname, '../../client')
const builtFolder = join(import.meta.dirname, '../../dist/client')
const serverModule = join(import.meta.dirname, '../../dist/server/server.js')

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
