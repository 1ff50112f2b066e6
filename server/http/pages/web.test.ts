import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { aServer } from '#server/testing.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { languages } from '#shared/domain/languages.ts'
import { renderInTime } from './pages.ts'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { writeLanguage } from '#scripts/dev/messages/write.ts'
import { builtWeb, noWeb, type Web } from './web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const browser = { accept: 'text/html,*/*;q=0.8' }
const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

/** Builds an app whose pages come from `page`. */
async function appWith(page: Web['page'], web: Partial<Web> = {}, config: Partial<Config> = {}) {
  const shell = async () => ({ status: 200, html: 'the app shell' })
  const isPage = async (url: string) => url === '/'
  const services = { ...server.services, config: { ...server.config, ...config } }
  const app = await buildApp(services, {
    web: { ...noWeb, renderTimeoutMs: 60_000, page, shell, isPage, ...web },
  })
  closers.push(() => app.close())
  return (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    app.inject({ url, headers: { ...browser, ...headers }, remoteAddress })
}

test('the app shell is sent if rendering fails', async () => {
  const get = await appWith(() => Promise.reject(new Error('nothing works')))
  const response = await get('/')
  expect([response.statusCode, response.body]).toEqual([200, 'the app shell'])
})

test('the app shell is sent if rendering takes too long, and the late page is cached for the next request', async () => {
  let finish: (() => void) | undefined
  const get = await appWith(
    async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      return { status: 200, html: 'the rendered page' }
    },
    { renderTimeoutMs: 100 },
  )
  expect((await get('/search')).body).toBe('the app shell')
  finish!()
  await vi.waitFor(async () => expect((await get('/search')).body).toBe('the rendered page'))
})

test('concurrent and closely following requests share one rendering per URL', async () => {
  const page = vi.fn<Web['page']>(async (url) => {
    await delay(20)
    return { status: 200, html: `the page of ${url}` }
  })
  const get = await appWith(page)
  const responses = await Promise.all([
    get('/movies/1'),
    get('/movies/1'),
    get('/movies/1'),
    get('/movies/2'),
  ])
  responses.push(await get('/movies/1'))
  expect(responses.map(({ body }) => body.at(-1)).join('')).toBe('11121')
  expect(page).toHaveBeenCalledTimes(2)
})

test('URLs of the same page share one rendering', async () => {
  const page = vi.fn<Web['page']>(async () => ({ status: 200, html: 'the page' }))
  const get = await appWith(page, { urlOf: (url) => url.replace(/[?&]utm_source=[^&]*/, '') })
  for (const url of ['/search?utm_source=1', '/search?utm_source=2', '/search'])
    expect((await get(url)).body).toBe('the page')
  expect(page).toHaveBeenCalledTimes(1)
})

test('an address that requests many pages that are not in the cache gets the app shell, and others get pages', async () => {
  const page = vi.fn<Web['page']>(async () => ({ status: 200, html: 'the page' }))
  const get = await appWith(page, {}, { hasRateLimits: true })
  for (let count = 0; count < 300; count++) expect((await get(`/movies/${count}`)).body).toBe('the page')
  const beyond = await get('/movies/300')
  expect([beyond.statusCode, beyond.body]).toEqual([200, 'the app shell'])
  expect((await get('/movies/299')).body).toBe('the page')
  expect((await get('/movies/300', {}, '10.0.0.1')).body).toBe('the page')
})

test('pages are rendered for a visitor, whatever their token', async () => {
  const members: unknown[] = []
  const get = await appWith(async (_url, { procedures }) => {
    members.push((await procedures.createContext()).member)
    return { status: 200, html: '' }
  })
  await get('/', { authorization: 'Bearer of-a-member' })
  expect(members).toEqual([null])
})

const html = 'text/html; charset=utf-8'
const json = 'application/json; charset=utf-8'
const previewAgents = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'WhatsApp/2.23.20.0 A',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0)',
  'Mastodon/4.5.0 (http.rb/5.3.1; +https://social.example/)',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
]

const vary = 'Accept, Accept-Encoding, Authorization'
const pageVary = `${vary}, Cookie`

test('a page that is no REST path is sent to every client that accepts HTML', async () => {
  const get = await appWith(async () => ({ status: 200, html: 'the page' }))
  for (const accept of ['*/*', '', 'text/*', 'text/html', 'image/png,*/*;q=0.1']) {
    const response = await get('/', { accept })
    expect([accept, response.statusCode, response.headers['content-type']]).toEqual([accept, 200, html])
    expect(response.headers.vary).toBe(pageVary)
  }
  for (const accept of ['application/json', 'application/json, text/plain, */*', 'image/png', '*/*;q=0']) {
    const response = await get('/', { accept })
    expect([accept, response.statusCode, response.json().code]).toEqual([accept, 404, 'NOT_FOUND'])
    expect(response.headers.vary).toBe(vary)
  }
})

test('a path that is neither a page nor a REST path is a 404 in JSON unless the client asks for HTML', async () => {
  const get = await appWith(async () => ({ status: 200, html: 'the page' }))
  expect((await get('/moviez', { accept: '*/*' })).json()).toMatchObject({ code: 'NOT_FOUND' })
  expect((await get('/moviez', { accept: 'text/html' })).headers['content-type']).toBe(html)
})

test('a link preview gets the page on a REST path, and other clients without a preference get JSON', async () => {
  const get = await appWith(async () => ({ status: 200, html: 'the page' }))
  const typeFor = async (headers: Record<string, string>) => {
    const { headers: sent } = await get('/movies/popular', headers)
    return [sent['content-type'], sent.vary]
  }
  for (const agent of previewAgents) {
    const byAgent = [html, `${vary}, User-Agent, Cookie`]
    expect(await typeFor({ accept: '*/*', 'user-agent': agent }), agent).toEqual(byAgent)
    expect(await typeFor({ accept: '', 'user-agent': agent }), agent).toEqual(byAgent)
    const asked = { accept: 'application/json', 'user-agent': agent }
    expect(await typeFor(asked), agent).toEqual([json, vary])
  }
  expect(await typeFor({ accept: '*/*', 'user-agent': 'curl/8.5.0' })).toEqual([json, `${vary}, User-Agent`])
})

/** Returns the sources of a directive of a page’s content security policy. */
const allowed = (response: Awaited<ReturnType<Awaited<ReturnType<typeof appWith>>>>, directive: string) =>
  new RegExp(`(?:^|;)${directive} ([^;]*)`).exec(String(response.headers['content-security-policy']))?.[1]
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the content security policy allows the inline scripts and styles of the page by hash, and no others', async () => {
  const get = await appWith(async () => ({
    status: 200,
    html: '<script>one()</script><script type="application/ld+json">{}</script><script>two()</script><style>a{}</style>',
  }))
  const page = await get('/')
  expect(allowed(page, 'script-src')).toBe(`'self' ${hash('one()')} ${hash('two()')}`)
  expect(allowed(page, 'style-src')).toBe(`'self' ${hash('a{}')}`)
  const data = await get('/movies/popular', { accept: 'application/json' })
  expect([allowed(data, 'script-src'), allowed(data, 'style-src')]).toEqual(["'self'", "'self'"])
})

test('the content security policy blocks a script that was injected through a text', async () => {
  const get = await appWith(async () => ({
    status: 200,
    html: '<script>ours()</script><p><script>theirs()</script><style>theirs{}</style></p>',
    trusted: '<script>ours()</script>',
  }))
  const page = await get('/')
  expect(page.body).toContain('theirs()')
  expect(allowed(page, 'script-src')).toBe(`'self' ${hash('ours()')}`)
  expect(allowed(page, 'style-src')).toBe("'self'")
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  ['identity', (body: Buffer) => body],
] as const)('a page is sent as %s to clients that accept it', async (encoding, decode) => {
  const html = 'wörds '.repeat(200)
  const get = await appWith(async () => ({ status: 404, html }))
  const response = await get('/movies/1', { 'accept-encoding': encoding })
  expect(response.statusCode).toBe(404)
  expect(response.headers['content-encoding'] ?? 'identity').toBe(encoding)
  expect(response.headers['vary']).toBe(pageVary)
  expect(decode(response.rawPayload).toString()).toBe(html)
})

test('a page that may not be seen is logged once, at debug, and one that fails as a warning', async () => {
  const lines: string[] = []
  const log = { debug: () => lines.push('debug'), warn: () => lines.push('warn') }
  const render = (error: object) =>
    renderInTime({ log } as never, 1_000, async () => {
      throw error
    })
  for (const httpStatus of [401, 403, 404])
    expect(await render(Object.assign(new Error('Refused.'), { data: { httpStatus } }))).toBeUndefined()
  expect(lines).toEqual(['debug', 'debug', 'debug'])
  for (const error of [
    new Error('Broken.'),
    Object.assign(new Error('Broken.'), { data: { httpStatus: 500 } }),
  ])
    await render(error)
  expect(lines.slice(3)).toEqual(['warn', 'warn'])
})

test('500 requests in six languages, interleaved over cached pages, each get a page in their own language', async () => {
  const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar']
  const page = vi.fn<Web['page']>(async (url, { language }) => {
    await delay(Math.random() * 5)
    const head = [
      '<meta property="og:site_name" content="Medley"/><link rel="canonical" href="https://medley.example/"/>',
      '<meta property="og:image" content="https://medley.example/users/1/share.jpg?shape=wide"/>',
    ].join('')
    return { status: 200, html: `<html lang="${language}">${head}${url}` }
  })
  const shell: Web['shell'] = async (_url, options) => ({ status: 200, html: `shell ${options?.language}` })
  const get = await appWith(page, { languages, shell, urlOf: (url) => url.replace(/\?.*/, '') })
  const ways = [
    (code: string) => ({ headers: { 'accept-language': `${code}-XX, en;q=0.1` }, query: '' }),
    (code: string) => ({ headers: { 'accept-language': 'ja', cookie: `language=${code}` }, query: '' }),
    (code: string) => ({
      headers: { 'accept-language': 'ar', cookie: 'language=fr' },
      query: `?lang=${code}`,
    }),
  ]
  const requests = Array.from({ length: 500 }, (_, at) => {
    const code = languages[(at * 7) % 6]!
    const { headers, query } = ways[at % 3]!(code)
    return get(`/movies/${at % 5}${query}`, headers).then((response) => ({ code, query, response }))
  })
  for (const { code, query, response } of await Promise.all(requests)) {
    expect(response.body).toContain(`<html lang="${code}">`)
    expect(response.headers['content-language']).toBe(code)
    expect(response.headers['vary']).toContain('Accept-Language')
    expect(response.headers['vary']).toContain('Cookie')
    expect(response.body).toContain(`<link rel="canonical" href="https://medley.example/${query}"/>`)
    expect(response.body).toMatch(new RegExp(`<meta property="og:locale" content="${code}_[A-Z]{2}"/>`))
    expect(response.body.match(/og:locale:alternate/g)).toHaveLength(5)
    const picture = code === 'en' ? 'shape=wide"' : `shape=wide&amp;lang=${code}"`
    expect(response.body).toContain(picture)
    expect(response.body).toContain('hreflang="x-default" href="https://medley.example/"')
    expect(response.body).toContain('hreflang="ja" href="https://medley.example/?lang=ja"')
  }
  // Five pages in six languages, with and without `?lang=`.
  expect(page.mock.calls.length).toBeLessThanOrEqual(60)
})

test('the menu of languages is in each page, and its links choose by a cookie and lead back', async () => {
  const html = '<main></main><!--languages-->'
  const get = await appWith(async () => ({ status: 200, html }), { languages: ['en', 'ja'] })
  const { body } = await get('/lists', { 'accept-language': 'ja' })
  expect(body).toMatch(
    /<nav id="languages"[^>]*>.*<a href="\/language\/en".*>English<.*<li [^>]*aria-current="true"/,
  )
  expect(body).toContain('(machine-made)')
  const choose = async (code: string, headers: Record<string, string>) => {
    const response = await get(`/language/${code}`, { host: 'medley.example', ...headers })
    return [response.statusCode, response.headers['location'], response.headers['set-cookie']]
  }
  const referer = 'https://medley.example/lists?tab=new&lang=ja'
  const cookie = 'language=en; Path=/; SameSite=Lax; Max-Age=31536000'
  expect(await choose('en', { referer })).toEqual([303, '/lists?tab=new', cookie])
  expect(await choose('en', { referer: 'https://medley.example//evil.example/a' })).toEqual([
    303,
    '/evil.example/a',
    cookie,
  ])
  expect(await choose('en', { referer: 'https://evil.example/a' })).toEqual([303, '/', cookie])
  expect(await choose('xx', { referer })).toEqual([303, '/lists?tab=new', undefined])
  expect(await choose('en', { referer, 'sec-fetch-site': 'cross-site' })).toEqual([
    303,
    '/lists?tab=new',
    undefined,
  ])
})

test('a host that offers reviewed languages only has no other in the menu, and none is chosen', async () => {
  const { db } = server
  const value = JSON.stringify({ default: 'en', offer: 'reviewed' })
  const row = { key: 'languages', value, version: 1, updated_at: '2026-01-01T00:00:00.000Z' }
  await db.insertInto('settings').values(row).execute()
  forgetSettings(db)
  closers.push(async () => {
    await db.deleteFrom('settings').where('key', '=', 'languages').execute()
    forgetSettings(db)
  })
  const page: Web['page'] = async (_url, { language }) => ({
    status: 200,
    html: `${language}<!--languages-->`,
  })
  const unread = languages.filter(({ isReviewed }) => !isReviewed).map(({ code }) => code)
  expect(unread.length).toBeGreaterThan(0)
  const get = await appWith(page, { languages: languages.map(({ code }) => code) })
  for (const code of unread) {
    const { body } = await get(`/lists?lang=${code}`, { 'accept-language': code, cookie: `language=${code}` })
    expect(body).toMatch(/^en/)
    expect(body).not.toContain(`/language/${code}`)
    expect(body).not.toContain('(machine-made)')
    expect((await get(`/language/${code}`)).headers).not.toHaveProperty('set-cookie')
  }
})

test('a site with English only says nothing of languages', async () => {
  const get = await appWith(async (url, { language }) => ({ status: 200, html: `${url} ${language}` }))
  const german = await get('/search?lang=de', { 'accept-language': 'de', cookie: 'language=de' })
  expect(german.body).toBe('/search?lang=de en')
  expect((await get('/language/en')).headers).not.toHaveProperty('set-cookie')
  expect(german.headers).not.toHaveProperty('content-language')
  expect(german.headers['vary']).not.toContain('Accept-Language')
})

test('another language is rendered by its own copy of the app, whose scripts it loads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'languages-'))
  closers.push(() => rm(folder, { recursive: true }))
  await writeLanguage(process.cwd(), pseudoCatalogue, folder)
  const web = { ...(await builtWeb(['en', 'en-XA'], folder)), renderTimeoutMs: 60_000 }
  const app = await buildApp(server.services, { web })
  closers.push(() => app.close())
  const get = (url: string, language: string) =>
    app.inject({ url, headers: { ...browser, 'accept-language': language } })
  for (const language of ['en', 'en-XA', 'en']) {
    const { body, statusCode } = await get('/login', language)
    expect([statusCode, /<html lang="([\w-]+)"/.exec(body)?.[1]]).toEqual([200, language])
    const manifest = language === 'en' ? '/manifest.webmanifest' : '/manifest.webmanifest?lang=en-XA'
    expect(body).toContain(`href="${manifest}"`)
    const lists = (await get('/lists', language)).body
    expect(/⟦[^⟧]*ẽ[^⟧]*∼⟧/.test(lists)).toBe(language === 'en-XA')
    const files = [...new Set(body.match(/assets\/[\w/-]+\.js/g))]
    expect(files.length).toBeGreaterThan(5)
    expect(files.every((file) => file.startsWith('assets/en-XA-') === (language === 'en-XA'))).toBe(true)
    for (const file of files) {
      const script = await app.inject(`/${file}`)
      expect([script.statusCode, /__VITE_\w+__/.exec(script.body)]).toEqual([200, null])
      const isHidden = (await app.inject(`/${file}.br`)).statusCode === 404
      expect([file, isHidden]).toEqual([file, true])
    }
  }
})
