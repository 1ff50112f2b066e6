import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/open.ts'
import type { Member } from '#server/calls/context.ts'
import { withTimeout } from '#server/calls/errors.ts'
import { readSettings, type SiteSettings } from '#server/members/settings.ts'
import { languageHeader, sourceLanguage } from '#shared/domain/languages.ts'
import { defaultSettings } from '#shared/domain/site-defaults.ts'
import {
  askedLanguage,
  acceptedCountry,
  chooseLanguage,
  type LanguageChoice,
  offeredAmong,
} from '#server/text/choose-language.ts'
import { type Translator, type Translators, translatorsOf } from '#server/text/translator.ts'
import { varyHeader } from '#server/http/negotiate.ts'
import { cookieValues } from './page-cookie.ts'
import type { Web } from './web.ts'

declare module 'fastify' {
  interface FastifyInstance {
    translators?: Translators
  }
}

type Chosen = {
  choice: LanguageChoice
  offered: readonly string[]
  language?: string
}

const chosen = new WeakMap<FastifyRequest, Chosen>()
const used = new WeakSet<FastifyRequest>()
const englishOnly = translatorsOf([])
type Languages = Pick<SiteSettings, 'languages'>
const settingsMaxMs = 1_000

/** Collects what the language of each request is chosen from, before anything asks for it. A site with English only has nothing to choose. */
export function registerLanguages(
  app: FastifyInstance,
  web: Pick<Web, 'languages'>,
  { db, translators }: { db: Db; translators: Translators },
): void {
  app.decorate('translators', translators)
  if (web.languages.length === 1) return
  let last: Languages = defaultSettings
  /** While the database does not respond, those that it returned last. */
  const settingsInTime = () =>
    withTimeout(() => readSettings(db), settingsMaxMs).then(
      (settings) => (last = settings),
      () => last,
    )
  app.addHook('onRequest', async (request) => {
    const settings = await settingsInTime()
    const { default: byDefault, offer } = settings.languages
    const offered = offeredAmong(web.languages, offer)
    const [cookie] = cookieValues(request, 'language')
    const query = pageLanguageOf(request)
    const choice = { query, cookie, accepted: request.headers['accept-language'], byDefault }
    chosen.set(request, { choice, offered })
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (used.has(request)) {
      const named = String(reply.getHeader('vary') ?? varyHeader).split(/, */)
      reply.header('vary', [...new Set([...named, 'Accept-Language', 'Cookie'])].join(', '))
    }
    done()
  })
}

/** That the address names, or a REST call of the web app. */
function pageLanguageOf({ url, headers }: FastifyRequest): string | undefined {
  const named = headers[languageHeader]
  if (typeof named === 'string') return named
  return new URLSearchParams(url.split('?')[1]).get('lang') ?? undefined
}

export function isTrpc({ url }: Pick<FastifyRequest, 'url'>): boolean {
  return url.startsWith('/trpc/')
}

/** Of a response to the web app; undefined for other clients, because REST is in English (docs/api.md). */
export function textsOf(request: FastifyRequest): Translator | undefined {
  const isOfApp = isTrpc(request) || request.headers[languageHeader] !== undefined
  return isOfApp ? pageTextsOf(request) : undefined
}

export function pageTextsOf(request: FastifyRequest): Translator {
  return (request.server.translators ?? englishOnly).of(languageOf(request))
}

/** Of the page from which the web app sends a call: it adds the language to the address. */
export function languageOfCall(query: unknown): string {
  const [code] = [(query as { lang?: unknown } | undefined)?.lang].flat()
  return typeof code === 'string' && /^[a-z]{2,3}(-[a-z\d]{2,8}){0,2}$/i.test(code) ? code : sourceLanguage
}

/** Records that the response depends on the language. */
export function languageOf(request: FastifyRequest): string {
  used.add(request)
  const found = chosen.get(request)
  return found ? languageIn(found) : sourceLanguage
}

function languageIn(found: Chosen): string {
  return (found.language ??= chooseLanguage(found.choice, found.offered))
}

/** What the request may choose from; undefined on a site with English only. */
export function offeredTo(
  request: FastifyRequest,
): { codes: readonly string[]; language: string; setting: string | null | undefined } | undefined {
  const found = chosen.get(request)
  return found && { codes: found.offered, language: languageIn(found), setting: found.choice.setting }
}

export function chooseForMember(
  request: FastifyRequest,
  { language: setting }: Pick<Member, 'language'>,
): void {
  const before = chosen.get(request)
  if (before === undefined) return
  chosen.set(request, { choice: { ...before.choice, setting }, offered: before.offered })
}

/** That the browser asks for, and the site offers. */
export function browserLanguageOf(request: FastifyRequest): string | undefined {
  const found = chosen.get(request)
  return (
    found && askedLanguage({ cookie: found.choice.cookie, accepted: found.choice.accepted }, found.offered)
  )
}

/** Of the language that the browser asks for first. The response depends on it. */
export function browserCountryOf(request: FastifyRequest): string | undefined {
  used.add(request)
  return acceptedCountry(request.headers['accept-language'] ?? '')
}

/** Of a response that depends on its address only. */
export function pinnedLanguageOf(request: FastifyRequest): string {
  const found = chosen.get(request)
  return found && isPinned(found) ? languageIn(found) : sourceLanguage
}

/** Distinguishes the pages of one URL in the cache: empty for English. */
export function languageKey(request: FastifyRequest): string {
  used.add(request)
  const found = chosen.get(request)
  if (found === undefined) return ''
  return ` ${languageIn(found)}${isPinned(found) ? ' pinned' : ''}`
}

function isPinned(found: Chosen): boolean {
  return found.choice.query?.toLowerCase() === languageIn(found).toLowerCase()
}

export function languageHeaders(request: FastifyRequest): Record<string, string> {
  const found = chosen.get(request)
  return found === undefined ? {} : { 'content-language': languageIn(found) }
}

/** Names the page in each offered language. Its own address keeps `?lang=`. */
export function withAlternates(html: string, request: FastifyRequest): string {
  const found = chosen.get(request)
  if (found === undefined) return html
  return withLocale(html, found).replace(/<link rel="canonical" href="([^"]*)"\/>/, (_tag, href: string) => {
    const url = (code?: string) =>
      code === undefined ? href : `${href}${href.includes('?') ? '&amp;' : '?'}lang=${code}`
    const alternates = [...found.offered, undefined].map(
      (code) => `<link rel="alternate" hreflang="${code ?? 'x-default'}" href="${url(code)}"/>`,
    )
    const own = url(isPinned(found) ? languageIn(found) : undefined)
    return `<link rel="canonical" href="${own}"/>${alternates.join('')}`
  })
}

/** https://ogp.me/#optional: a language and a territory. */
function withLocale(html: string, found: Chosen): string {
  const { offered } = found
  const language = languageIn(found)
  const localeOf = (code: string) => {
    const { language, region } = new Intl.Locale(code).maximize()
    return `${language}_${region}`
  }
  const others = offered.filter((code) => code !== language)
  const tags = [
    `<meta property="og:locale" content="${localeOf(language)}"/>`,
    ...others.map((code) => `<meta property="og:locale:alternate" content="${localeOf(code)}"/>`),
  ]
  const named = html.replace('<meta property="og:site_name"', (tag) => tags.join('') + tag)
  if (language === sourceLanguage) return named
  // A picture of ours has texts.
  return named.replaceAll(
    /<meta (?:property|name)="(?:og|twitter):image" content="[^"]*\/share\.jpg\?[^"]*/g,
    (tag) => `${tag}&amp;lang=${language}`,
  )
}
