import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type MarkdownIt from 'markdown-it'
import type { Services } from '#server/calls/context.ts'
import { readSettings } from '#server/members/settings.ts'
import {
  type PreparedResponse,
  prepareFile,
  prepareResponse,
  type ResponseCache,
  servePrepared,
} from '#server/http/doors/response-cache.ts'
import { shownAnnouncement } from '#server/site/rules.ts'
import { type Settings } from '#shared/contracts/site.ts'
import { directionOf } from '#shared/domain/languages.ts'
import { type PageName, pageNames, pageTitles } from '#shared/domain/site-pages.ts'
import { accentStyle, withIcon } from './site-look.ts'
import { escaped } from '#server/text/escape.ts'
import type { Translator } from '#server/text/translator.ts'
import { languageHeaders, languageOf } from './language.ts'
import type { Web } from './web.ts'

let markdown: ReturnType<typeof openMarkdown> | undefined

async function renderMarkdown(text: string): Promise<string> {
  markdown ??= openMarkdown((await import('markdown-it')).default)
  return markdown.render(text)
}

function openMarkdown(Parser: typeof MarkdownIt) {
  // HTML is text, and markdown-it refuses schemes other than http, https and mailto. Pictures would tell other hosts who reads.
  const parser = new Parser({ html: false, linkify: true }).disable('image')
  // The name of the page is its only heading of the first level.
  parser.core.ruler.push('headings', ({ tokens }) => {
    if (!tokens.some(({ tag }) => tag === 'h1')) return
    for (const token of tokens)
      if (token.type.startsWith('heading_')) token.tag = `h${Math.min(Number(token.tag.slice(1)) + 1, 6)}`
  })
  return parser
}

/** Rendered here, so that they need no scripts; 404 if blank. */
export function registerSitePages(
  app: FastifyInstance,
  { db, translators }: Pick<Services, 'db' | 'translators'>,
  { web, cache, policy }: { web: Pick<Web, 'look'>; cache: ResponseCache; policy: string },
): void {
  let look: string | undefined
  servePrepared(app, cache, '/site-pages.css', async () =>
    prepareFile(
      'text/css; charset=utf-8',
      await readFile(join(import.meta.dirname, 'site-pages.css'), 'utf8'),
    ),
  )
  app.get('/manifest.webmanifest', async (request, reply) => {
    const { name, description, icon } = await readSettings(db)
    const manifest = {
      ...manifestOf(name, description, translators.of(languageOf(request))),
      ...(icon && { icons: [{ src: icon, type: 'image/webp', sizes: 'any' }] }),
    }
    return cache.send(
      request,
      reply,
      prepareResponse(
        200,
        { 'content-type': 'application/manifest+json', ...languageHeaders(request) },
        JSON.stringify(manifest),
      ),
    )
  })
  const rendered = new Map<string, { of: string; page: Promise<PreparedResponse> }>()
  const render = async (name: PageName, settings: Settings, texts: Translator) => {
    look ??= await web.look()
    const html = await pageHtml(name, settings, withIcon(look, settings.icon), texts)
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
    return prepareResponse(200, headers, html)
  }
  for (const name of pageNames)
    app.get(`/${name}`, async (request, reply) => {
      const stored = await readSettings(db)
      const settings = shownAnnouncement(stored, new Date())
      if (settings.pages[name] === '') return reply.callNotFound()
      // What a page shows of the settings changes with their version, and when the announcement ends.
      const of = `${stored.version} ${settings.announcement === null}`
      const texts = translators.of(languageOf(request))
      const key = `${name} ${texts.language}`
      let known = rendered.get(key)
      if (known?.of !== of) rendered.set(key, (known = { of, page: render(name, settings, texts) }))
      const page = await known.page.catch((error: unknown) => {
        rendered.delete(key)
        throw error
      })
      const headers = { ...page.headers, ...languageHeaders(request) }
      return cache.send(request, reply, { ...page, headers })
    })
}

async function pageHtml(
  page: PageName,
  { name: site, accent, pages, contact, announcement }: Settings,
  look: string,
  { language, t, translate }: Translator,
): Promise<string> {
  const announced =
    announcement === null
      ? ''
      : `<aside class="announcement" aria-label="${t`Announcement`}"><p>${escaped(announcement.text)}</p></aside>\n`
  const links = pageNames
    .filter((name) => pages[name] !== '')
    .map((name) => {
      const current = name === page ? ' aria-current="page"' : ''
      return `<li><a class="link" href="/${name}"${current}>${translate(pageTitles[name])}</a></li>`
    })
  const mail =
    contact === null ? '' : `<li><a class="link" href="mailto:${escaped(contact)}">${t`Contact`}</a></li>`
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"${accentStyle(accent)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${translate(pageTitles[page])} · ${escaped(site)}</title>
${look}
<link rel="stylesheet" href="/site-pages.css">
</head>
<body>
${announced}<div class="site-page">
<header><a href="/">${escaped(site)}</a></header>
<main><h1 class="text-h1">${translate(pageTitles[page])}</h1><div dir="auto">${await renderMarkdown(pages[page])}</div></main>
<footer><ul>${links.join('')}${mail}</ul></footer>
</div>
</body>
</html>
`
}

function manifestOf(name: string, description: string, { language, t }: Translator) {
  return {
    id: '/',
    name,
    short_name: name,
    description:
      description || t`Movies, TV shows, books and games: rate, review and see what your friends love.`,
    lang: language,
    dir: directionOf(language),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#0f0e17',
    theme_color: '#0f0e17',
    categories: ['entertainment', 'books', 'social'],
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: t`Search`, url: '/search' },
      { name: t`For You`, url: '/for-you' },
    ],
  }
}
