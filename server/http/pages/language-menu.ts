import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Member } from '#server/calls/context.ts'
import type { Config } from '#server/config.ts'
import type { Translators } from '#server/text/translator.ts'
import { languages } from '#shared/domain/languages.ts'
import { offeredTo } from './language.ts'
import { cookieValues } from './page-cookie.ts'
import type { Web } from './web.ts'

const maxAgeSeconds = 365 * 24 * 60 * 60

/**
 * A link of the menu sets the cookie, and leads back to the page with the menu. Only links of the site do: another site cannot choose. A
 * site with English only has no menu.
 */
export function registerLanguageChoice(
  app: FastifyInstance,
  web: Pick<Web, 'languages'>,
  config: Pick<Config, 'publicUrl'>,
): void {
  if (web.languages.length === 1) return
  app.get<{ Params: { code: string } }>('/language/:code', async (request, reply) => {
    const { code } = request.params
    const isOwnLink = /^(same-origin|none)$/.test(String(request.headers['sec-fetch-site'] ?? 'same-origin'))
    if (isOwnLink && offeredTo(request)?.codes.includes(code))
      reply.header('set-cookie', cookieOf(code, config))
    return reply.header('cache-control', 'no-store').redirect(pathBack(request), 303)
  })
}

/** The member’s setting becomes the browser’s choice, which stays after the logout. */
export function keepLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  { language }: Pick<Member, 'language'>,
  config: Pick<Config, 'publicUrl'>,
): void {
  if (!language || !offeredTo(request)?.codes.includes(language)) return
  if (cookieValues(request, 'language')[0] !== language)
    reply.header('set-cookie', cookieOf(language, config))
}

function cookieOf(code: string, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `language=${code}; Path=/; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`
}

/** Returns the path of the page that had the link, without `?lang=`, which would win over the choice. Never leads to another site. */
function pathBack({ headers, host }: FastifyRequest): string {
  const from = URL.parse(headers.referer ?? '')
  if (from === null || from.host !== host) return '/'
  from.searchParams.delete('lang')
  return `/${from.pathname.replace(/^\/+/, '')}${from.search}`
}

/** Adds the links after the footer of every page. They work without scripts. Members who have set a language get none: the setting overrides the links. */
export function withLanguageMenu(html: string, request: FastifyRequest, translators: Translators): string {
  const offered = offeredTo(request)
  if (offered === undefined || offered.codes.length < 2 || (offered.setting ?? null) !== null) return html
  const { t } = translators.of(offered.language)
  const items = offered.codes.map((code) => {
    const { name, isReviewed } = languages.find((one) => one.code === code) ?? {
      name: code,
      isReviewed: false,
    }
    const text = `<span lang="${code}">${name}</span>${isReviewed ? '' : ` <span class="text-tiny">${t`(machine-made)`}</span>`}`
    return code === offered.language
      ? `<li class="inline-flex min-h-6 items-center gap-1 font-semibold text-ink" aria-current="true">${text}</li>`
      : `<li><a href="/language/${code}" hreflang="${code}" rel="nofollow" referrerpolicy="same-origin" class="link inline-flex min-h-6 items-center gap-1">${text}</a></li>`
  })
  const menu = `<nav id="languages" aria-label="${t`Language`}" class="page text-meta text-muted"><ul class="flex flex-wrap gap-x-4 gap-y-1 py-5">${items.join('')}</ul></nav>`
  return html.replace('<!--languages-->', () => menu)
}
