import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type {
  isPage as IsPage,
  PageScripts,
  pageUrl as PageUrl,
  Procedures,
  renderPage as Render,
  routeFileOf as RouteFileOf,
} from '#client/server.tsx'

import type { Site } from '#shared/contracts/site.ts'
import { directionOf, languageCodes, sourceLanguage } from '#shared/domain/languages.ts'
import { withAttributes } from './site-look.ts'
import type { ReaderLocale } from './page-cookie.ts'

const clientFolder = join(import.meta.dirname, '../../../client')
const builtFolder = join(import.meta.dirname, '../../../dist/client')
const serverModule = join(import.meta.dirname, '../../../dist/server/server.js')
const languagesFolder = join(import.meta.dirname, '../../../dist/languages')

/** `readerLocale`: the page is for the member as whom `procedures` are called. */
type PageOptions = {
  origin: string
  procedures: Procedures
  site: Site
  readerLocale?: ReaderLocale
  language?: string
}

export type Web = {
  isDev: boolean
  languages: readonly string[]
  renderTimeoutMs: number
  /** Rendered, or the app shell. Throws if rendering fails. */
  page: (url: string, options: PageOptions) => Promise<Page>
  isPage: (url: string) => Promise<boolean>
  urlOf: (url: string) => string
  shell: (url: string, options?: { language?: string }) => Promise<Page>
  look: () => Promise<string>
  register: (app: FastifyInstance) => Promise<void>
}

/**
 * `trusted` is the page without members’ texts: the content security policy allows only its inline scripts and styles, not a script that
 * was injected through a text.
 */
export type Page = { status: number; html: string; trusted?: string }

type Renderer = {
  renderPage: typeof Render
  isPage: typeof IsPage
  pageUrl: typeof PageUrl
  routeFileOf: typeof RouteFileOf
}

/** Throws if the client has not been built. The languages beside English are files of their own (scripts/dev/messages/write.ts). */
export async function builtWeb(
  codes: readonly string[] = languageCodes,
  folder = languagesFolder,
): Promise<Web> {
  const others = codes.filter((code) => code !== sourceLanguage)
  const english = await readBuilt(sourceLanguage, serverModule)
  const assets = new Map(await Promise.all(others.map(async (code) => [code, await assetsOf(code)] as const)))
  // A language that nobody reads takes no memory.
  const built = new Map<string, Promise<Built>>()
  async function of(language = sourceLanguage): Promise<Built> {
    const known = built.get(language)
    const folderOfAssets = assets.get(language)
    if (known || folderOfAssets === undefined) return known ?? english
    const read = readBuilt(language, join(folder, language, 'server/server.js'), folderOfAssets)
    built.set(language, read)
    read.catch(() => built.delete(language))
    return read
  }
  async function assetsOf(code: string): Promise<string> {
    const file = await readFile(join(folder, code, 'language.json'), 'utf8')
    return (JSON.parse(file) as { assets: string }).assets
  }
  return {
    isDev: false,
    languages: [sourceLanguage, ...others],
    renderTimeoutMs: 1_000,
    shell: async (url, options) => (await of(options?.language)).shell(url),
    look: async () => lookOf(english.html),
    isPage: async (url) => (await english.renderer()).isPage(url),
    urlOf: (url) => english.urlOf(url),
    page: async (url, options) => (await of(options.language)).page(url, options),
    async register(app) {
      const files = {
        decorateReply: false,
        index: false as const,
        preCompressed: true,
        setHeaders(response: { header: (name: string, value: string) => void }, path: string) {
          const isHashed = path.includes('/assets/')
          response.header(
            'cache-control',
            isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
          )
        },
      }
      await app.register(serveFiles, {
        root: builtFolder,
        wildcard: false,
        globIgnore: ['index.html', '.vite/**', '**/*.{br,gz}'],
        ...files,
      })
      // One route per language: a route per file takes a megabyte.
      for (const [code, path] of assets)
        await app.register(serveFiles, {
          root: join(folder, code, 'client', path),
          prefix: `/${path}`,
          allowedPath: (file) => !/\.(br|gz)$/.test(file),
          ...files,
        })
    },
  }
}

type Built = Awaited<ReturnType<typeof readBuilt>>

/** `assets`: where the scripts of the language are. */
async function readBuilt(language: string, module: string, assets = 'assets/') {
  const source = await readFile(join(builtFolder, 'index.html'), 'utf8')
  const html = inLanguage(
    source.replaceAll(/"\/assets\/([\w-]+\.js)"/g, (_, file: string) => `"/${assets}${file}"`),
    language,
  )
  const scripts = JSON.parse(
    (await readFile(join(builtFolder, '.vite/pages.json'), 'utf8')).replaceAll('"assets/', `"${assets}`),
  ) as Scripts
  const template = await inlineStylesheet(html)
  // A server used only for the API does not need the renderer’s memory.
  let loaded: Renderer | undefined
  const renderer = async () => (loaded ??= (await import(module)) as Renderer)
  const shells = new Map<string, Page>()
  const shell = async (url: string) => {
    const route = (await renderer()).routeFileOf(url) ?? ''
    const page = scripts[route]
    const known = shells.get(route)
    const made = known ?? { status: 200, html: page === undefined ? html : withScripts(template, page) }
    shells.set(route, made)
    return made
  }
  return {
    html,
    renderer,
    shell,
    urlOf: (url: string) => loaded?.pageUrl(url) ?? url,
    async page(url: string, options: PageOptions): Promise<Page> {
      const page = await (await renderer()).renderPage({ url, ...options })
      if (page === undefined) return shell(url)
      const isMembers = page.owner !== undefined
      const inline = [page.script, loadScripts(scripts[page.route]!, isMembers)]
      const filled = (head: string, body: string) =>
        withOwner(fillTemplate(template, { head, body, scripts: inline }), page.owner)
      return {
        status: page.status,
        html: filled(page.head, page.body),
        trusted: filled('', page.bodyScripts.map(inlineScript).join('')),
      }
    },
  }
}

function inLanguage(html: string, code: string): string {
  if (code === sourceLanguage) return html
  return html
    .replace('<html lang="en"', `<html lang="${code}" dir="${directionOf(code)}"`)
    .replace('href="/manifest.webmanifest"', `href="/manifest.webmanifest?lang=${code}"`)
}

const isOwnFile = /^\/(docs\/|site-pages\.css)/

function lookOf(html: string): string {
  const links = html.match(/<link [^>]*rel="(stylesheet|icon)"[^>]*>|<meta name="theme-color"[^>]*>/g) ?? []
  return links.join('\n')
}

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
    return { status: 200, html }
  }
  return {
    isDev: true,
    languages: [sourceLanguage],
    renderTimeoutMs: 30_000,
    shell,
    look: async () => `${lookOf((await shell('/')).html)}\n<link rel="stylesheet" href="/styles.css?direct">`,
    isPage: async (url) => (await renderer()).isPage(url),
    urlOf: (url) => url,
    async page(url, options) {
      const { renderPage } = await renderer()
      const page = await renderPage({ url, ...options })
      const { html } = await shell(url)
      if (page === undefined) return { status: 200, html }
      const filled = fillTemplate(html, { ...page, scripts: [page.script] })
      return { status: page.status, html: withOwner(filled, page.owner) }
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

export const noWeb: Web = {
  isDev: false,
  languages: [sourceLanguage],
  renderTimeoutMs: 1_000,
  page: blankPage,
  shell: blankPage,
  look: async () => '',
  isPage: async () => false,
  urlOf: (url) => url,
  async register() {},
}

/** The styles are inline, so that a page paints before any other file arrives. `loadScripts` and `withScripts` add the scripts. */
async function inlineStylesheet(html: string): Promise<string> {
  const [link, file] = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/.exec(html)!
  const css = await readFile(join(builtFolder, file!), 'utf8')
  return html.replace(link, () => `<style>${css}</style>`).replaceAll(moduleTags, '')
}

/** They load at once. On pages that only members open, also the scripts for members. */
function withScripts(template: string, { files, memberFiles, isMembers }: PageScripts): string {
  const script = `(${loadModules(files, isMembers ? memberFiles : [])})()`
  return template.replace('</body>', (end) => inlineScript(script) + end)
}

/**
 * A browser in which another member, or nobody, is logged in hides the page before the first paint and renders it again: the cookie can be
 * older than the login, or than a logout without a network.
 */
function withOwner(html: string, owner: number | undefined): string {
  if (owner === undefined) return html
  const check = `try{if(!localStorage.token||JSON.parse(localStorage.user).id!==${owner})throw 0}catch{document.documentElement.hidden=true}`
  return withAttributes(html, ` data-member="${owner}"`).replace(
    '</head>',
    (end) => inlineScript(check) + end,
  )
}

function fillTemplate(html: string, page: { head: string; body: string; scripts: string[] }): string {
  // A replacement string would interpret `$&`.
  return html
    .replace(/<!--page-head-->[\s\S]*?<!--\/page-head-->/, () => page.head)
    .replace(/<div id="root">[\s\S]*?<!--\/page-->\s*<\/div>/, () => `<div id="root">${page.body}</div>`)
    .replace(/<!--page-data-->[\s\S]*?<!--\/page-data-->/, () => page.scripts.map(inlineScript).join(''))
}

function inlineScript(text: string): string {
  return `<script>${text}</script>`
}

/**
 * After the page has painted with its fonts and the pictures above the fold, or a second after the first paint: earlier, the modules would
 * compete with them. A hidden page does not paint.
 */
function loadScripts({ files, memberFiles }: PageScripts, isMembers: boolean): string {
  const once = `()=>{load=()=>{};(${loadModules(files, isMembers ? memberFiles : [])})()}`
  const painted = `(then,ms)=>requestAnimationFrame(()=>setTimeout(then,ms))`
  return `{let load=${once},painted=${painted};if(document.hidden||document.documentElement.hidden)load();else{painted(()=>load(),1000);addEventListener('load',()=>painted(()=>painted(()=>load())))}}`
}

/** Evaluates each module in a separate task, in order. `parts` are preloaded: the first render asks for them. */
function loadModules(files: string[], parts: string[]): string {
  return `()=>{for(const file of ${JSON.stringify(files)})${add('script', `type:'module',async:false,src:'/'+file`)};for(const file of ${JSON.stringify(parts)})${add('link', `rel:'modulepreload',href:'/'+file`)}}`
}

function add(tag: string, properties: string): string {
  return `document.head.append(Object.assign(document.createElement('${tag}'),{crossOrigin:'',fetchPriority:'low',${properties}}))`
}

type Scripts = Record<string, PageScripts>
