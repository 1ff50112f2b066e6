import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashToken } from '#server/accounts/rules.ts'
import { findMemberByPage } from '#server/accounts/sessions-store.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import type { AppRouter } from '#server/router.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { TooManyRequests } from '#server/calls/errors.ts'
import type { Caller, Calls } from '#server/http/doors/calls.ts'
import { negotiate } from '#server/http/negotiate.ts'
import {
  type Computed,
  type PreparedResponse,
  prepareResponse,
  type ResponseCache,
} from '#server/http/doors/response-cache.ts'
import { readSettings } from '#server/members/settings.ts'
import { shownAnnouncement } from '#server/site/rules.ts'
import type { Site } from '#shared/contracts/site.ts'
import { defaultSite, publicSite } from '#shared/domain/site-defaults.ts'
import { previewTags } from '#server/share/preview.ts'
import type { Translators } from '#server/text/translator.ts'
import { keepLanguage, withLanguageMenu } from './language-menu.ts'
import {
  chooseForMember,
  languageHeaders,
  languageKey,
  languageOf,
  pageTextsOf,
  withAlternates,
} from './language.ts'
import { withSite } from './site-look.ts'
import { cookieReader, readerLocaleOf } from './page-cookie.ts'
import type { Page, Web } from './web.ts'

/** Sessions take turns. */
const memberPagesAtOnce = 2

export type Pages = {
  isPage: Web['isPage']
  sendShell: (request: FastifyRequest, reply: FastifyReply, status: number) => Promise<FastifyReply>
  sendPage: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * A member’s page is rendered for the session that the cookie names, and stored nowhere. All other pages are shared: their loaders call
 * procedures as a visitor. `policy` gets the inline scripts and styles of pages.
 */
export function openPages(
  web: Web,
  calls: Pick<Calls, 'share' | 'openAs' | 'namesFor'>,
  {
    router,
    origin,
    policy,
    cache,
    db,
    hasOffers,
    config,
    translators,
  }: {
    router: AppRouter
    origin: string
    policy: string
    cache: ResponseCache
    db: Db
    hasOffers: boolean
    config: Pick<Config, 'publicUrl'>
    translators: Translators
  },
): Pages {
  const { isDev, renderTimeoutMs } = web
  const readPageCookie = cookieReader(config, 'medley-pages')
  const inTurns = openConcurrencyLimit({ concurrency: memberPagesAtOnce, waitMaxMs: renderTimeoutMs })
  function prepare(
    request: FastifyRequest,
    { status, html }: Page,
    site: Site,
    trusted = html,
  ): PreparedResponse {
    const any = "'self' 'unsafe-inline'"
    const known = withSite(trusted, site)
    const { scripts, styles } = isDev
      ? { scripts: any, styles: any }
      : { scripts: sourcesOf(known, 'script'), styles: sourcesOf(known, 'style') }
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      ...languageHeaders(request),
      'content-security-policy': policy
        .replace("script-src 'self'", `script-src ${scripts}`)
        .replace("style-src 'self'", `style-src ${styles}`),
    }
    return prepareResponse(
      status,
      headers,
      withLanguageMenu(withAlternates(withSite(html, site), request), request, translators),
    )
  }
  function prepareShell(
    request: FastifyRequest,
    { html }: Page,
    site: Site,
    status: number,
    tags = '',
  ): PreparedResponse {
    const page = { status, html: html.replace('<!--/page-head-->', (end) => tags + end) }
    return prepare(request, page, site, html)
  }
  const shells = new WeakMap<Page, { of: string; response: PreparedResponse }>()
  function findShell(request: FastifyRequest, page: Page, site: Site, status: number): PreparedResponse {
    // What a page shows of the settings changes with their version, and when the announcement ends.
    const of = `${status} ${site.version} ${site.announcement === null} ${site.hasOffers}`
    const known = shells.get(page)
    if (known?.of === of) return known.response
    const response = prepareShell(request, page, site, status)
    shells.set(page, { of, response })
    return response
  }
  // Without the database, such as while Postgres restarts, the shell is still sent.
  const shellOf = (request: FastifyRequest) => web.shell(request.url, { language: languageOf(request) })
  const openShell = async (request: FastifyRequest, status = 200) =>
    findShell(request, await shellOf(request), await readSite(db, hasOffers).catch(() => defaultSite), status)

  async function compute(request: FastifyRequest, ctx: Context, call: Caller): Promise<Computed> {
    await ctx.limit('render')
    Object.assign(ctx, { showNames: calls.namesFor(request), texts: pageTextsOf(request) })
    const procedures = { router, createContext: async () => ctx }
    const site = await readSite(db, hasOffers)
    const language = languageOf(request)
    const page = await web.page(request.url, { origin, procedures, site, language })
    const shell = await shellOf(request)
    if (page.html === shell.html) {
      const tags = await previewTags(request.url, { origin, siteName: site.name }, ctx.db, call)
      // The shell is the same for all URLs of a route.
      if (tags === undefined)
        return { response: findShell(request, shell, site, page.status), isShareable: false }
      return { response: prepareShell(request, shell, site, page.status, tags) }
    }
    return { response: prepare(request, page, site, page.trusted) }
  }
  async function render(request: FastifyRequest): Promise<PreparedResponse | undefined> {
    // Only members see the rest, whose pages the browser renders.
    const settings = await readSettings(db).catch(() => undefined)
    if (settings?.visitorsMayRead === false) return undefined
    // During development, pages change without the database.
    const key = isDev ? request.id : pageKey(web, request)
    return renderInTime(request, renderTimeoutMs, () =>
      calls.share(request, key, (ctx, call) => compute(request, ctx, call)),
    )
  }
  /** Only a document that a browser opens is a member’s page. */
  async function findReader(request: FastifyRequest): Promise<Member | undefined> {
    const key = readPageCookie(request)
    const destination = request.headers['sec-fetch-dest'] ?? 'document'
    if (key === undefined || destination !== 'document' || !negotiate(request).isNamed) return undefined
    return findMemberByPage(db, hashToken(key), new Date()).catch(() => undefined)
  }
  async function renderForMember(
    request: FastifyRequest,
    member: Member,
  ): Promise<PreparedResponse | undefined> {
    return renderInTime(request, renderTimeoutMs, async () => {
      const context = await calls.openAs(request, member)
      await context.limit('render')
      await context.limit('memberPage', `session ${member.sessionHash}`)
      const procedures = { router, createContext: async () => context }
      const site = await readSite(db, hasOffers)
      const [language, readerLocale] = [languageOf(request), readerLocaleOf(request)]
      const page = await inTurns(
        () => web.page(request.url, { origin, procedures, site, readerLocale, language }),
        [member.sessionHash],
      )
      return prepare(request, page, site, page.trusted)
    })
  }
  return {
    isPage: web.isPage,
    sendShell: async (request, reply, status) => cache.send(request, reply, await openShell(request, status)),
    async sendPage(request, reply) {
      const member = await findReader(request)
      if (member) {
        chooseForMember(request, member)
        keepLanguage(request, reply, member, config)
      }
      const rendered = member ? await renderForMember(request, member) : await render(request)
      const response = rendered ?? (await openShell(request))
      return cache.send(request, reply, member ? unstored(response) : response)
    },
  }
}

/** Neither browsers nor proxies store it, so that after a logout Back shows nothing of the member. */
function unstored(response: PreparedResponse): PreparedResponse {
  const { etag: _etag, ...headers } = response.headers
  return { ...response, etag: undefined, headers: { ...headers, 'cache-control': 'private, no-store' } }
}

/** Undefined if it fails, takes longer than `timeoutMs` or exceeds the rate limit. Logs failures. */
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
    const isBusy = error instanceof TRPCError && error.code === 'SERVICE_UNAVAILABLE'
    // A call that refuses the reader is no fault of the page: the app says so.
    if (isRefusal(error)) request.log.debug({ err: error }, 'a page was not rendered')
    else if (!(error instanceof TooManyRequests) && !isBusy)
      request.log.warn({ err: error }, 'rendering a page failed')
    return undefined
  } finally {
    finished.abort()
  }
}

function isRefusal(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null } | null)?.data?.httpStatus
  return status === 401 || status === 403 || status === 404
}

async function readSite(db: Db, hasOffers: boolean): Promise<Site> {
  const { version, changedAt: _, ...settings } = await readSettings(db)
  return version === 0 && !hasOffers
    ? defaultSite
    : publicSite(shownAnnouncement(settings, new Date()), version, hasOffers)
}

export function pageKey(web: Pick<Web, 'urlOf'>, request: FastifyRequest): string {
  return `page ${web.urlOf(request.url)}${languageKey(request)}`
}

export function preferPages(app: FastifyInstance, pages: Pages): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { representation, vary } = negotiate(request)
    reply.header('vary', vary)
    return representation === 'page' ? pages.sendPage(request, reply) : done()
  })
}

function sourcesOf(html: string, element: 'script' | 'style'): string {
  const inline = [...html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))]
  const hashes = inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
  return ["'self'", ...hashes].join(' ')
}
