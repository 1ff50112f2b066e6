import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type {
  isPage as IsPage,
  PageScripts,
  pageUrl as PageUrl,
  Procedures,
  renderForMember as RenderForMember,
  renderPage as Render,
  startOf as StartOf,
} from '#client/server.tsx'

import type { Site } from '#shared/contracts/site.ts'
import { withAttributes } from './dress.ts'
import { escaped } from '#server/text/escape.ts'

const clientFolder = join(import.meta.dirname, '../../../client')
const builtFolder = join(import.meta.dirname, '../../../dist/client')
const serverModule = join(import.meta.dirname, '../../../dist/server/server.js')

type PageOptions = { origin: string; procedures: Procedures; site: Site }

/** The source of the web app’s pages: the build, Vite’s dev server, or nothing (in tests). */
export type Web = {
  isDev: boolean
  /** After this time (ms) the app shell is sent instead of the rendered page. */
  renderTimeoutMs: number
  /** Returns the page of a URL: rendered (server-side rendering), or the app shell. Throws if rendering fails. */
  page: (url: string, options: PageOptions) => Promise<Page>
  /** Returns the markup of a member’s page; undefined for other pages. Throws if rendering fails. */
  memberPage: (url: string, options: PageOptions) => Promise<string | undefined>
  /** Returns whether a URL (path and query) is a page of the web app, rendered or not. */
  isPage: (url: string) => Promise<boolean>
  /** Returns the canonical URL of a page; the URL itself until a page has been rendered. */
  urlOf: (url: string) => string
  /** Returns the app shell: the page without content, which the browser renders. The same object for all URLs of a route. */
  shell: (url: string) => Promise<Page>
  /** Returns the icon, the colours and the styles of the web app, as elements for the head of a page without it. */
  look: () => Promise<string>
  register: (app: FastifyInstance) => Promise<void>
}

/**
 * `trusted` is the page without members’ texts, if `html` contains any. The content security policy allows only the inline scripts
 * and styles of `trusted`, so it does not allow a script that was injected through a member’s text. `isMembers`: it is the app shell of
 * a page that only members open.
 */
export type Page = { status: number; html: string; trusted?: string; isMembers?: boolean }

type Renderer = {
  renderPage: typeof Render
  renderForMember: typeof RenderForMember
  isPage: typeof IsPage
  pageUrl: typeof PageUrl
  startOf: typeof StartOf
}

/** Opens the built client. Throws if it has not been built. */
export async function builtWeb(): Promise<Web> {
  const html = await readFile(join(builtFolder, 'index.html'), 'utf8')
  const scripts = JSON.parse(await readFile(join(builtFolder, '.vite/pages.json'), 'utf8')) as Scripts
  const template = await inlineStylesheet(html)
  // Lazy-loaded with the first page, so that a server used only for the API does not need the renderer’s memory.
  let loaded: Renderer | undefined
  const renderer = async () => (loaded ??= (await import(serverModule)) as Renderer)
  // By what the first response contains, for as many routes as there are.
  const shells = new Map<string, Page>()
  const shell = async (url: string) => {
    const start = (await renderer()).startOf(url)
    const key = `${start.route} ${start.start}`
    const known = shells.get(key)
    if (known) return known
    const page = scripts[start.route ?? '']
    const filled = page === undefined ? html : withScripts(template, page)
    const made = { status: 200, html: withStart(filled, start), isMembers: page?.isMembers ?? false }
    shells.set(key, made)
    return made
  }
  return {
    isDev: false,
    renderTimeoutMs: 1_000,
    shell,
    look: async () => lookOf(html),
    memberPage: async (url, options) => (await renderer()).renderForMember({ url, ...options }),
    isPage: async (url) => (await renderer()).isPage(url),
    urlOf: (url) => loaded?.pageUrl(url) ?? url,
    async page(url, options) {
      const { renderPage, startOf } = await renderer()
      const page = await renderPage({ url, ...options })
      if (page === undefined) return shell(url)
      const inline = [page.script, loadScripts(scripts[page.route]!)]
      return {
        status: page.status,
        html: withStart(fillTemplate(template, { ...page, scripts: inline }), startOf(url)),
        trusted: fillTemplate(template, {
          head: '',
          body: page.bodyScripts.map(inlineScript).join(''),
          scripts: inline,
        }),
      }
    },
    async register(app) {
      await app.register(serveFiles, {
        root: builtFolder,
        decorateReply: false,
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

/** Styles and scripts of pages that the server renders without the web app. */
const isOwnFile = /^\/(docs\/|site-pages\.css)/

/** Returns the icon, the colours and the styles of index.html as elements. */
function lookOf(html: string): string {
  const links = html.match(/<link [^>]*rel="(stylesheet|icon)"[^>]*>|<meta name="theme-color"[^>]*>/g) ?? []
  return links.join('\n')
}

/** Opens Vite’s dev server as middleware in this process. */
export async function devWeb(): Promise<Web> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: join(clientFolder, 'vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true },
  })
  const renderer = () => vite.ssrLoadModule('/server.tsx') as Promise<Renderer>
  const shell = async (url: string) => {
    const html = await vite.transformIndexHtml(url, await readFile(join(clientFolder, 'index.html'), 'utf8'))
    return { status: 200, html: withStart(html, (await renderer()).startOf(url)) }
  }
  return {
    isDev: true,
    renderTimeoutMs: 30_000,
    shell,
    // Vite adds styles by a script.
    look: async () => `${lookOf((await shell('/')).html)}\n<link rel="stylesheet" href="/styles.css?direct">`,
    memberPage: async (url, options) => (await renderer()).renderForMember({ url, ...options }),
    isPage: async (url) => (await renderer()).isPage(url),
    urlOf: (url) => url,
    async page(url, options) {
      const { renderPage } = await renderer()
      const page = await renderPage({ url, ...options })
      const { html } = await shell(url)
      return page
        ? { status: page.status, html: fillTemplate(html, { ...page, scripts: [page.script] }) }
        : { status: 200, html }
    },
    async register(app) {
      app.addHook('onClose', () => vite.close())
      app.addHook('onRequest', (request, reply, done) => {
        const isSource = /^\/(@|node_modules\/|client\/|shared\/|ui\/)|\.(tsx?|css|svg|map|woff2)(\?|$)/.test(
          request.raw.url ?? '',
        )
        if (!isSource || isOwnFile.test(request.raw.url ?? '')) return done()
        reply.hijack()
        vite.middlewares(request.raw, reply.raw, () => {
          reply.raw.statusCode = 404
          reply.raw.end()
        })
      })
    },
  }
}

const moduleTags = /<script type="module"[^>]*><\/script>\s*|<link rel="modulepreload"[^>]*>\s*/g

const blankPage = async () => ({ status: 200, html: '<!doctype html><title>Medley</title>' })

/** No web app, for tests of the transports. */
export const noWeb: Web = {
  isDev: false,
  renderTimeoutMs: 1_000,
  page: blankPage,
  shell: blankPage,
  look: async () => '',
  memberPage: async () => undefined,
  isPage: async () => false,
  urlOf: (url) => url,
  async register() {},
}

/**
 * Returns index.html with an inline stylesheet, so that a page paints before any other file arrives, and without the scripts, which
 * `loadScripts` adds to rendered pages and `withScripts` to app shells.
 */
async function inlineStylesheet(html: string): Promise<string> {
  const [link, file] = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/.exec(html)!
  const css = await readFile(join(builtFolder, file!), 'utf8')
  return html.replace(link, () => `<style>${css}</style>`).replaceAll(moduleTags, '')
}

/**
 * Returns the app shell with the scripts of a page. They load at once, or after what the server renders for the member. On pages that
 * only members open, what members need besides is preloaded with them.
 */
function withScripts(template: string, { files, memberFiles, isMembers }: PageScripts): string {
  const script = `(${loadModules(files, isMembers ? preloadEach(memberFiles) : '')})()`
  return template.replace('</body>', (end) => inlineScript(script) + end)
}

/**
 * Returns a page with its first calls in an attribute, which a script of index.html reads, and the app shell with the heading and
 * the text below it in place of their skeletons.
 */
function withStart(html: string, { start, heading, lead }: ReturnType<typeof StartOf>): string {
  const texts = [
    heading === undefined ? '' : `<h1 class="text-h1">${escaped(heading)}</h1>`,
    lead === undefined ? '' : `<p class="-mt-1 text-lead text-muted">${escaped(lead)}</p>`,
  ].join('')
  const started = start === undefined ? html : withAttributes(html, ` data-start="${escaped(start)}"`)
  return texts === '' ? started : started.replace(/<!--start-->[\s\S]*?<!--\/start-->/, () => texts)
}

/** Returns index.html with its placeholders replaced by a rendered page. `scripts` are the texts of inline scripts. */
function fillTemplate(html: string, page: { head: string; body: string; scripts: string[] }): string {
  // Functions, because a replacement string would interpret `$&`.
  return html
    .replace(/<!--page-head-->[\s\S]*?<!--\/page-head-->/, () => page.head)
    .replace(/<div id="root">[\s\S]*?<!--\/page-->\s*<\/div>/, () => `<div id="root">${page.body}</div>`)
    .replace(/<!--page-data-->[\s\S]*?<!--\/page-data-->/, () => page.scripts.map(inlineScript).join(''))
}

function inlineScript(text: string): string {
  return `<script>${text}</script>`
}

/**
 * Returns the text of an inline script that loads modules after the page has painted with its fonts and the pictures above the fold,
 * or a second after the first paint if these take longer. Loaded earlier, the modules would compete with them for the connection and
 * with the layout for the processor. What members need besides is only preloaded. A hidden page does not paint. For members the modules
 * load after the first paint and what the server renders for the member: they show what is the member’s own.
 */
function loadScripts({ files, memberFiles }: PageScripts): string {
  const once = `()=>{load=()=>{};(${loadModules(files, `if(isMember)${preloadEach(memberFiles)}`)})()}`
  const painted = `(then,ms)=>requestAnimationFrame(()=>setTimeout(then,ms))`
  return `{const isMember='member'in document.documentElement.dataset;let load=${once},painted=${painted};if(document.hidden)load();else{painted(()=>load(),isMember?0:1000);addEventListener('load',()=>painted(()=>painted(()=>load())))}}`
}

/**
 * Returns a function, as text, that loads modules and evaluates each in a separate task, in this order. It waits until what the server
 * renders for the member has been shown with the pictures above the fold (`shown` of index.html), for a second at most: modules compete
 * with the pictures for the connection, and each task delays them. `preload` are the statements that preload others.
 */
function loadModules(files: string[], preload: string): string {
  const shown = `Promise.race([window.shown,window.shown&&new Promise((then)=>setTimeout(then,1000))])`
  return `()=>${shown}.then(()=>{for(const file of ${JSON.stringify(files)})${add('script', `type:'module',async:false,src:'/'+file`)};${preload}})`
}

function preloadEach(files: string[]): string {
  return `for(const file of ${JSON.stringify(files)})${add('link', `rel:'modulepreload',href:'/'+file`)}`
}

function add(tag: string, properties: string): string {
  return `document.head.append(Object.assign(document.createElement('${tag}'),{crossOrigin:'',fetchPriority:'low',${properties}}))`
}

type Scripts = Record<string, PageScripts>
