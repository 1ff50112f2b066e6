import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionDays, signInStepMinutes } from '#shared/domain/limits.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Config } from '#server/config.ts'
import { sessionTokenPattern } from '#server/accounts/rules.ts'
import { keepByHeader } from '#server/http/negotiate.ts'
import type { Context } from '#server/calls/context.ts'

/** Calls of a request share one response, which can set or remove the cookie. */
const responses = new WeakMap<FastifyRequest, Context['response']>()

export function responseOf(request: FastifyRequest): Context['response'] {
  const response = responses.get(request) ?? {}
  responses.set(request, response)
  return response
}

type CookieName = 'medley-pages' | 'medley-login'

/** Under https the prefix `__Host-` keeps other hosts of the domain from setting it. */
function cookieOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  name: CookieName,
): { name: string; attributes: string } {
  const isHttps = publicUrl.startsWith('https:')
  return {
    name: isHttps ? `__Host-${name}` : name,
    attributes: `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
  }
}

export function registerPageCookie(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const pages = cookieOf(config, 'medley-pages')
  const login = cookieOf(config, 'medley-login')
  const maxAge = (sessionDays * dayMs) / 1_000
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { pageKey, browserKey } = responses.get(request) ?? {}
    const set = ({ name, attributes }: typeof pages, value: string, seconds: number) =>
      reply.header('set-cookie', `${name}=${value}; ${attributes}; Max-Age=${seconds}`)
    if (pageKey !== undefined) set(pages, pageKey ?? '', pageKey === null ? 0 : maxAge)
    // A login is at the provider, and then waits for a password, for at most as long each.
    if (browserKey !== undefined) set(login, browserKey, 3 * signInStepMinutes * 60)
    done()
  })
}

/** Of several cookies with its name, one is of another host, so none counts. */
export function cookieReader(
  config: Pick<Config, 'publicUrl'>,
  cookie: CookieName,
): (request: FastifyRequest) => string | undefined {
  const { name } = cookieOf(config, cookie)
  return (request) => {
    const values = cookieValues(request, name)
    return values.length === 1 && sessionTokenPattern.test(values[0]!) ? values[0] : undefined
  }
}

export type ReaderLocale = { languages: string[]; timeZone: string }
const keptPlaces = keepByHeader<ReaderLocale>(300)
const languagesMax = 5
/** At most so many values are looked up: thousands fit in a header. */
const readMax = 20

/** The web app’s cookie `place` (`de-DE,en|Europe/Berlin`), or `Accept-Language` and UTC. */
export function readerLocaleOf(request: FastifyRequest): ReaderLocale {
  const [stored] = cookieValues(request, 'place')
  const accepted = request.headers['accept-language'] ?? ''
  return keptPlaces(stored ?? `accepted ${accepted}`, () => {
    const [languages = '', timeZone = ''] =
      stored === undefined ? [accepted.replaceAll(/;[^,]*/g, '')] : decoded(stored).split('|')
    return {
      languages: languages
        .split(',', readMax)
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

export function cookieValues({ headers }: FastifyRequest, name: string): string[] {
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
