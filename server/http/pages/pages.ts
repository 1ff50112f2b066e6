import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/open.ts'
import type { AppRouter } from '#server/router.ts'
import type { Context } from '#server/calls/context.ts'
import { TooManyRequests } from '#server/calls/errors.ts'
import { negotiate } from '#server/http/negotiate.ts'
import {
  type Computed,
  type PreparedResponse,
  prepareResponse,
  type ResponseCache,
  tagOf,
  watchLimits,
} from '#server/http/doors/response-cache.ts'
import { readSettings } from '#server/members/settings.ts'
import { shownAnnouncement } from '#server/site/rules.ts'
import type { Site } from '#shared/contracts/site.ts'
import { defaultSite, publicSite } from '#shared/domain/site-defaults.ts'
import { previewTags } from '#server/share/preview.ts'
import { dressed, withAttributes } from './dress.ts'
import { escaped } from '#server/text/escape.ts'
import type { Page, Web } from './web.ts'

/** How long browsers show the app shell of a member’s page from their cache, in seconds. Each visit checks whether it is current. */
const shellAgeMax = 7 * 24 * 60 * 60

type Shell = { version: string | undefined; response: PreparedResponse }

export type Pages = {
  /** Returns whether a path is a page of the web app. */
  isPage: Web['isPage']
  /** Sends the app shell, which the browser fills. */
  sendShell: (request: FastifyRequest, reply: FastifyReply, status: number) => Promise<FastifyReply>
  /** Returns the version of a member’s app shell, which its `data-shell` contains; undefined for other pages. */
  shellVersion: (url: string) => Promise<string | undefined>
  /** Sends the rendered page, or the app shell if rendering fails, takes too long or exceeds the rate limit. */
  sendPage: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * Opens the pages of the web app. Loaders call procedures in a visitor’s context, because rendered pages are shared. `policy`
 * is the content security policy, to which pages add their inline scripts and styles.
 */
export function openPages(
  web: Web,
  {
    router,
    origin,
    policy,
    cache,
    db,
  }: { router: AppRouter; origin: string; policy: string; cache: ResponseCache; db: Db },
  createVisitorContext: (request: FastifyRequest) => Promise<Context>,
): Pages {
  const { isDev, renderTimeoutMs } = web
  function prepare(
    { status, html, trusted = html }: Page,
    caching: Record<string, string> = {},
  ): PreparedResponse {
    const any = "'self' 'unsafe-inline'"
    const { scripts, styles } = isDev
      ? { scripts: any, styles: any }
      : { scripts: sourcesOf(trusted, 'script'), styles: sourcesOf(trusted, 'style') }
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy
        .replace("script-src 'self'", `script-src ${scripts}`)
        .replace("style-src 'self'", `style-src ${styles}`),
      ...caching,
    }
    return prepareResponse(status, headers, html)
  }
  /** Prepares an app shell. Browsers keep that of a member’s page, and compare its version at each visit (member-pages.ts). */
  function prepareShell({ html, isMembers }: Page, site: Site, status: number, tags = ''): Shell {
    const page = dressed(html, site)
    const tagged = page.replace('<!--/page-head-->', (end) => tags + end)
    if (!isMembers || status !== 200 || isDev)
      return { version: undefined, response: prepare({ status, html: tagged, trusted: html }) }
    const version = tagOf(page)
    const versioned = withAttributes(tagged, ` data-shell="${escaped(version)}"`)
    const caching = { 'cache-control': `private, max-age=${shellAgeMax}` }
    return { version, response: prepare({ status, html: versioned, trusted: html }, caching) }
  }
  const shells = new WeakMap<Page, Shell & { of: string }>()
  function findShell(page: Page, site: Site, status: number): Shell {
    // What a page shows of the settings changes with their version, and when the announcement ends.
    const of = `${status} ${site.version} ${site.announcement === null}`
    const known = shells.get(page)
    if (known?.of === of) return known
    const shell = prepareShell(page, site, status)
    shells.set(page, { ...shell, of })
    return shell
  }
  // Without the database, such as while Postgres restarts, the shell is still sent.
  const openShell = async (url: string, status = 200) =>
    findShell(await web.shell(url), await readSite(db).catch(() => defaultSite), status)

  async function compute(request: FastifyRequest): Promise<Computed> {
    const context = await createVisitorContext(request)
    await context.limit('render')
    const { ctx, hasCounted } = watchLimits(context)
    const procedures = { router, createContext: async () => ctx }
    const site = await readSite(db)
    const page = await web.page(request.url, { origin, procedures, site })
    const shell = await web.shell(request.url)
    if (page.html === shell.html) {
      const tags = await previewTags(request.url, { origin, siteName: site.name }, ctx, router)
      // Not cached per URL: the shell is the same for all URLs of a route.
      if (tags === undefined)
        return { response: findShell(shell, site, page.status).response, isShareable: false }
      return { response: prepareShell(shell, site, page.status, tags).response, isShareable: !hasCounted() }
    }
    const trusted = page.trusted ?? page.html
    return {
      response: prepare({ ...page, html: dressed(page.html, site), trusted }),
      isShareable: !hasCounted(),
    }
  }
  async function render(request: FastifyRequest): Promise<PreparedResponse | undefined> {
    // Only members see the rest, whose pages the browser renders.
    const settings = await readSettings(db).catch(() => undefined)
    if (settings?.visitorsMayRead === false) return undefined
    const key = pageKey(web, request)
    const found = cache.find(key)
    if (found) return found
    return renderInTime(request, renderTimeoutMs, () =>
      isDev ? compute(request).then(({ response }) => response) : cache.read(key, () => compute(request)),
    )
  }
  return {
    isPage: web.isPage,
    sendShell: async (request, reply, status) =>
      cache.send(request, reply, (await openShell(request.url, status)).response),
    shellVersion: async (url) => (await openShell(url)).version,
    sendPage: async (request, reply) =>
      cache.send(request, reply, (await render(request)) ?? (await openShell(request.url)).response),
  }
}

/** Returns what `render` returns; undefined if it fails, takes longer than `timeoutMs` or exceeds the rate limit. Logs failures. */
export async function renderInTime<Result>(
  request: FastifyRequest,
  timeoutMs: number,
  render: () => Promise<Result>,
): Promise<Result | undefined> {
  const finished = new AbortController()
  try {
    return await Promise.race([
      render(),
      delay(timeoutMs, undefined, { ref: false, signal: finished.signal }),
    ])
  } catch (error) {
    // A call that refuses the reader is no fault of the page: the app says so.
    if (isRefusal(error)) request.log.debug({ err: error }, 'a page was not rendered')
    else if (!(error instanceof TooManyRequests)) request.log.warn({ err: error }, 'rendering a page failed')
    return undefined
  } finally {
    finished.abort()
  }
}

/** Returns whether a call answered that the reader may not see this: 401, 403 or 404. */
function isRefusal(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null } | null)?.data?.httpStatus
  return status === 401 || status === 403 || status === 404
}

/** Returns what visitors see of the settings, which pages show without a call. */
export async function readSite(db: Db): Promise<Site> {
  const { version, changedAt: _, ...settings } = await readSettings(db)
  return version === 0 ? defaultSite : publicSite(shownAnnouncement(settings, new Date()), version)
}

/** Returns the key of a page in the cache, the same for all URLs of the page. */
export function pageKey(web: Pick<Web, 'urlOf'>, { url }: FastifyRequest): string {
  return `page ${web.urlOf(url)}`
}

/** On paths that are both REST paths and pages, sends the page to browsers and link previews. */
export function preferPages(app: FastifyInstance, pages: Pages): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { representation, vary } = negotiate(request)
    reply.header('vary', vary)
    return representation === 'page' ? pages.sendPage(request, reply) : done()
  })
}

/** Returns the sources of scripts or styles for the content security policy: files of this host, and the hashes of inline ones. */
function sourcesOf(html: string, element: 'script' | 'style'): string {
  const inline = [...html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))]
  const hashes = inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
  return ["'self'", ...hashes].join(' ')
}
