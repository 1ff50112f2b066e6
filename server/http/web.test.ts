import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { aServer } from '#server/testing.ts'
import { noWeb, type Web } from './web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const browser = { accept: 'text/html,*/*;q=0.8' }
const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

/** An app whose pages come from `page`. */
async function appWith(page: Web['page']) {
  const shell = async () => ({ status: 200, html: 'the plain page' })
  const app = await buildApp(server.services, {
    web: { ...noWeb, freshMs: 5_000, renderMs: 100, page, shell },
  })
  closers.push(() => app.close())
  return (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { ...browser, ...headers } })
}

test('a page that cannot be rendered goes out as the plain one', async () => {
  const get = await appWith(() => Promise.reject(new Error('nothing works')))
  const answer = await get('/')
  expect([answer.statusCode, answer.body]).toEqual([200, 'the plain page'])
})

test('a page that takes too long goes out as the plain one, and is there for the next reader', async () => {
  let finish: (() => void) | undefined
  const get = await appWith(async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    return { status: 200, html: 'the rendered page' }
  })
  expect((await get('/search')).body).toBe('the plain page')
  finish!()
  await vi.waitFor(async () => expect((await get('/search')).body).toBe('the rendered page'))
})

test('readers who come at once, and soon after, share one rendering; another address has its own', async () => {
  const page = vi.fn<Web['page']>(async (url) => {
    await delay(20)
    return { status: 200, html: `the page of ${url}` }
  })
  const get = await appWith(page)
  const answers = await Promise.all([get('/movies/1'), get('/movies/1'), get('/movies/1'), get('/movies/2')])
  answers.push(await get('/movies/1'))
  expect(answers.map(({ body }) => body.at(-1)).join('')).toBe('11121')
  expect(page).toHaveBeenCalledTimes(2)
})

test('whoever asks, it is rendered as for a visitor', async () => {
  const members: unknown[] = []
  const get = await appWith(async (_url, { procedures }) => {
    members.push((await procedures.createContext()).member)
    return { status: 200, html: '' }
  })
  await get('/', { authorization: 'Bearer of-somebody' })
  expect(members).toEqual([null])
})

/** The values of a directive of a page's policy. */
const allowed = (answer: Awaited<ReturnType<Awaited<ReturnType<typeof appWith>>>>, directive: string) =>
  new RegExp(`(?:^|;)${directive} ([^;]*)`).exec(String(answer.headers['content-security-policy']))?.[1]
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the policy allows the inline scripts and styles of the page by their hashes, and no others', async () => {
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

test('a script that got into a page through a text is refused by its policy', async () => {
  const get = await appWith(async () => ({
    status: 200,
    html: '<script>ours()</script><p><script>theirs()</script><style>theirs{}</style></p>',
    own: '<script>ours()</script>',
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
] as const)('a page goes out as %s to who understands that', async (encoding, decode) => {
  const get = await appWith(async () => ({ status: 404, html: 'wörds' }))
  const answer = await get('/movies/1', { 'accept-encoding': encoding })
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding)
  expect(answer.headers['vary']).toBe('Accept, Accept-Encoding')
  expect(decode(answer.rawPayload).toString()).toBe('wörds')
})
