import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { isPage as IsPage, Procedures, RenderedPage, renderPage as Render } from '#client/server.tsx'

const clientFolder = join(import.meta.dirname, '../../client')
const builtFolder = join(import.meta.dirname, '../../dist/client')
const serverModule = join(import.meta.dirname, '../../dist/server/server.js')

/** The source of the web app’s pages: the build, Vite’s dev server, or nothing (in tests). */
export type Web = {
  isDev: boolean
  /** After this time (ms) the app shell is sent instead of the rendered page. */
  renderTimeoutMs: number
  /** Returns the page of a URL: rendered (server-side rendering), or the app shell. Throws if rendering fails. */
  page: (url: string, options: { origin: string; procedures: Procedures }) => Promise<Page>
  /** Returns whether a URL (path and query) is a page of the web app, rendered or not. */
  isPage: (url: string) => Promise<boolean>
  /** Returns the app shell: the page without content, which the browser renders. */
  shell: (url: string) => Promise<Page>
  register: (app: FastifyInstance) => Promise<void>
}

/**
 * `trusted` is the page without texts that members wrote, if `html` has any: the content security policy allows the inline
 * scripts and styles of `trusted`. A script injected through a member’s text is thus not allowed by its own hash.
 */
export type Page = { status: number; html: string; trusted?: string }

type Renderer = { renderPage: typeof Render; isPage: typeof IsPage }

/** Opens the built client. Throws if it has not been built. */
export async function builtWeb(): Promise<Web> {
  const html = await readFile(join(builtFolder, 'index.html'), 'utf8')
  const manifest = JSON.parse(await readFile(join(builtFolder, '.vite/manifest.json'), 'utf8')) as Manifest
  const template = await inlineStylesheet(html)
  const shell = async () => ({ status: 200, html })
  // Lazy-loaded with the first page: an API-only server never needs the renderer’s memory.
  const renderer = () => import(serverModule) as Promise<Renderer>
  return {
    isDev: false,
    renderTimeoutMs: 1_000,
    shell,
    isPage: async (url) => (await renderer()).isPage(url),
    async page(url, options) {
      const { renderPage } = await renderer()
      const page = await renderPage({ url, ...options })
      return page
        ? {
            status: page.status,
            html: fillTemplate(template, { ...page, head: page.head + preloads(manifest, page.route) }),
            trusted: fillTemplate(template, {
              ...page,
              head: '',
              body: page.bodyScripts.map(inlineScript).join(''),
            }),
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

/** Opens Vite’s dev server as middleware in this process. */
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
  const renderer = () => vite.ssrLoadModule('/server.tsx') as Promise<Renderer>
  return {
    isDev: true,
    renderTimeoutMs: 30_000,
    shell,
    isPage: async (url) => (await renderer()).isPage(url),
    async page(url, options) {
      const { renderPage } = await renderer()
      const page = await renderPage({ url, ...options })
      const { html } = await shell(url)
      return page ? { status: page.status, html: fillTemplate(html, page) } : { status: 200, html }
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

const blankPage = async () => ({ status: 200, html: '<!doctype html><title>Medley</title>' })

/** No web app, for tests of the transports. */
export const noWeb: Web = {
  isDev: false,
  renderTimeoutMs: 1_000,
  page: blankPage,
  shell: blankPage,
  isPage: async () => false,
  async register() {},
}

/** Returns index.html for rendered pages: with the stylesheet inline, to paint before any other file arrives, and scripts at low priority, after pictures and fonts. */
async function inlineStylesheet(html: string): Promise<string> {
  const [link, file] = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/.exec(html)!
  const css = await readFile(join(builtFolder, file!), 'utf8')
  return html
    .replace(link, () => `<style>${css}</style>`)
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
}

/** Returns index.html with its placeholders replaced by a rendered page. */
function fillTemplate(html: string, page: Pick<RenderedPage, 'head' | 'body' | 'script'>): string {
  // Functions, because a replacement string would interpret `$&`.
  return html
    .replace(/<!--page-head-->[\s\S]*?<!--\/page-head-->/, () => page.head)
    .replace(/<div id="root">[\s\S]*?<!--\/page-->\s*<\/div>/, () => `<div id="root">${page.body}</div>`)
    .replace(/<!--page-data-->[\s\S]*?<!--\/page-data-->/, () => inlineScript(page.script))
}

function inlineScript(text: string): string {
  return `<script>${text}</script>`
}

type Manifest = Record<string, { file: string; imports?: string[] }>

/** Returns preload links for the modules that a route needs beyond those of index.html. */
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
