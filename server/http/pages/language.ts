import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/open.ts'
import { negotiate } from '#server/http/negotiate.ts'
import { readSettings } from '#server/members/settings.ts'
import { languages, sourceLanguage } from '#shared/domain/languages.ts'
import { defaultSettings } from '#shared/domain/site-defaults.ts'
import { cookieValues } from './page-cookie.ts'
import type { Web } from './web.ts'

type Chosen = { language: string; choice: LanguageChoice; offered: readonly string[] }

const chosen = new WeakMap<FastifyRequest, Chosen>()

/** Chooses the language of each page, before anything asks for it. A site with English only has nothing to choose. */
export function registerLanguages(app: FastifyInstance, web: Pick<Web, 'languages'>, db: Db): void {
  if (web.languages.length === 1) return
  app.addHook('onRequest', async (request) => {
    if (negotiate(request).representation !== 'page') return
    const settings = await readSettings(db).catch(() => defaultSettings)
    const { default: byDefault, offer } = settings.languages
    const unread = new Set(languages.flatMap(({ code, isReviewed }) => (isReviewed ? [] : [code])))
    const offered = web.languages.filter((code) => offer === 'all' || !unread.has(code))
    const [cookie] = cookieValues(request, 'language')
    const query = new URLSearchParams(request.url.split('?')[1]).get('lang') ?? undefined
    const choice = { query, cookie, accepted: request.headers['accept-language'], byDefault }
    chosen.set(request, { language: chooseLanguage(choice, offered), choice, offered })
  })
}

export function languageOf(request: FastifyRequest): string {
  return chosen.get(request)?.language ?? sourceLanguage
}

/** After it is known who reads the page. `findSetting` is asked only if there is a choice. */
export async function chooseForMember(
  request: FastifyRequest,
  findSetting: () => Promise<string | null>,
): Promise<void> {
  const before = chosen.get(request)
  if (before === undefined) return
  const choice = { ...before.choice, setting: await findSetting() }
  chosen.set(request, { ...before, language: chooseLanguage(choice, before.offered) })
}

/** Distinguishes the pages of one URL in the cache: empty for English. */
export function languageKey(request: FastifyRequest): string {
  const found = chosen.get(request)
  if (found === undefined) return ''
  return ` ${found.language}${isPinned(found) ? ' pinned' : ''}`
}

/** `?lang=` names the language. */
function isPinned({ language, choice }: Chosen): boolean {
  return choice.query?.toLowerCase() === language.toLowerCase()
}

export function languageHeaders(request: FastifyRequest): Record<string, string> {
  const found = chosen.get(request)
  return found === undefined ? {} : { 'content-language': found.language }
}

/** Names the page in each offered language. Its own address keeps `?lang=`. */
export function withAlternates(html: string, request: FastifyRequest): string {
  const found = chosen.get(request)
  if (found === undefined) return html
  return html.replace(/<link rel="canonical" href="([^"]*)"\/>/, (_tag, href: string) => {
    const url = (code?: string) =>
      code === undefined ? href : `${href}${href.includes('?') ? '&amp;' : '?'}lang=${code}`
    const alternates = [...found.offered, undefined].map(
      (code) => `<link rel="alternate" hreflang="${code ?? 'x-default'}" href="${url(code)}"/>`,
    )
    const own = url(isPinned(found) ? found.language : undefined)
    return `<link rel="canonical" href="${own}"/>${alternates.join('')}`
  })
}

export type LanguageChoice = {
  /** `?lang=`: for one page. */
  query?: string | undefined
  /** Of the member. */
  setting?: string | null | undefined
  cookie?: string | undefined
  /** The header `Accept-Language`. */
  accepted?: string | undefined
  /** Of the site. */
  byDefault: string
}

const rangesMax = 20
const acceptedLengthMax = 1_000

/** The first choice that the site offers; the source language if it offers none of them. */
export function chooseLanguage(choice: LanguageChoice, offered: readonly string[]): string {
  const known = new Map(offered.map((code) => [code.toLowerCase(), code]))
  const exactly = (code: string | null | undefined) => (code ? known.get(code.toLowerCase()) : undefined)
  return (
    exactly(choice.query) ??
    exactly(choice.setting) ??
    exactly(choice.cookie) ??
    acceptedOf(choice.accepted ?? '', known) ??
    exactly(choice.byDefault) ??
    sourceLanguage
  )
}

/** By quality (RFC 9110, 12.5.4), then by order. A range also matches without its last subtags: `de-AT` is `de` (RFC 4647, 3.4). */
function acceptedOf(header: string, known: ReadonlyMap<string, string>): string | undefined {
  const ranges = header
    .slice(0, acceptedLengthMax)
    .split(',', rangesMax)
    .flatMap((range) => {
      const found =
        /^\s*([a-z]{1,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*$/i.exec(
          range,
        )
      return found ? [{ tag: found[1]!.toLowerCase(), quality: Number(found[2] ?? 1) }] : []
    })
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag))
  const wanted = ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { tag } of wanted)
    for (let range = tag; range !== ''; range = range.slice(0, Math.max(0, range.lastIndexOf('-')))) {
      const code = known.get(range)
      if (code !== undefined && !refused.has(range)) return code
    }
  return undefined
}
