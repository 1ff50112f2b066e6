import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionDays } from '#shared/domain/limits.ts'
import type { Config } from '#server/config.ts'
import { sessionTokenPattern } from '#server/accounts/rules.ts'
import { keepByHeader } from '#server/http/negotiate.ts'
import { dayMs } from '#server/db/spans.ts'
import type { Context } from '#server/calls/context.ts'

/** Calls of a request share one response, which can set or remove the cookie. */
const responses = new WeakMap<FastifyRequest, Context['response']>()

export function responseOf(request: FastifyRequest): Context['response'] {
  const response = responses.get(request) ?? {}
  responses.set(request, response)
  return response
}

/** Only pages read it. Under https the prefix `__Host-` keeps other hosts of the domain from setting it. */
function cookieOf({ publicUrl }: Pick<Config, 'publicUrl'>): { name: string; attributes: string } {
  const isHttps = publicUrl.startsWith('https:')
  return {
    name: isHttps ? '__Host-medley-pages' : 'medley-pages',
    attributes: `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
  }
}

export function registerPageCookie(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const { name, attributes } = cookieOf(config)
  const maxAge = (sessionDays * dayMs) / 1_000
  app.addHook('onSend', (request, reply, _payload, done) => {
    const key = responses.get(request)?.pageKey
    if (key !== undefined)
      reply.header('set-cookie', `${name}=${key ?? ''}; ${attributes}; Max-Age=${key === null ? 0 : maxAge}`)
    done()
  })
}

/** Of several cookies of its name one is of another host, so none counts. */
export function pageCookieReader(
  config: Pick<Config, 'publicUrl'>,
): (request: FastifyRequest) => string | undefined {
  const { name } = cookieOf(config)
  return (request) => {
    const values = cookieValues(request, name)
    return values.length === 1 && sessionTokenPattern.test(values[0]!) ? values[0] : undefined
  }
}

export type ReaderLocale = { languages: string[]; timeZone: string }
const keptPlaces = keepByHeader<ReaderLocale>(300)
const languagesMax = 5

/** The web app’s cookie `place` (`de-DE,en|Europe/Berlin`), or `Accept-Language` and UTC. */
export function readerLocaleOf(request: FastifyRequest): ReaderLocale {
  const [stored] = cookieValues(request, 'place')
  const accepted = request.headers['accept-language'] ?? ''
  return keptPlaces(stored ?? `accepted ${accepted}`, () => {
    const [languages = '', timeZone = ''] =
      stored === undefined ? [accepted.replaceAll(/;[^,]*/g, '')] : decoded(stored).split('|')
    return {
      languages: languages
        .split(',')
        .map((language) => language.trim())
        .filter((language) => isKnown(() => new Intl.Locale(language)))
        .slice(0, languagesMax),
      timeZone: isKnown(() => new Intl.DateTimeFormat('en', { timeZone })) ? timeZone : 'UTC',
    }
  })
}

function isKnown(create: () => unknown): boolean {
  try {
    return Boolean(create())
  } catch {
    return false
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

function cookieValues({ headers }: FastifyRequest, name: string): string[] {
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
