import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { setPassword } from '#server/accounts/credentials-store.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { fold, searchText } from '#server/db/fold.ts'
import { kindNames, kinds, type Kind } from '#shared/domain/kinds.ts'
import {
  call,
  expectAccessible,
  logIn,
  newPage,
  siteDatabase,
  sizes,
  takeBrowserErrors,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

/** Tries to break out of every context that a text can be in (element, attribute, script, comment, template) and to run a script. */
const hostile = [
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  "' onmouseover='alert(3)",
  '</title></style><svg/onload=alert(4)>',
  '<!--',
  '{{alert(5)}}${alert(6)}',
  'javascript:alert(7)',
  '&lt;b&gt;',
].join(' ')
const password = 'six-or-more'

const db = siteDatabase()
const titles = {} as Record<Kind, number>
let author: Member
let reader: Member

type Member = { id: number; email: string; token: string }

/** Inserts the member directly, because the API refuses such names. Output must be escaped even so. */
async function aMember(username: string, email: string): Promise<Member> {
  const now = new Date().toISOString()
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      username_folded: username.toLowerCase(),
      search_text: fold(username),
      email,
      email_folded: email,
      verified_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setPassword(db, id, await hashPassword(password), new Date())
  const login = await fetch(`${inject('site').url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': hostile },
    body: JSON.stringify({ email, password }),
  })
  return { id, email, token: ((await login.json()) as { token: string }).token }
}

const post = async <T>({ token }: Member, path: string, body: object) => {
  const { status, body: received } = await call<T>(path, {
    method: 'POST',
    body: JSON.stringify(body),
    token,
  })
  expect(status, JSON.stringify(received)).toBeLessThan(300)
  return received
}

/** Stores a hostile text in every text field of the database. */
beforeAll(async () => {
  author = await aMember(`author ${hostile}`, 'hostile.author@example.org')
  reader = await aMember(`reader ${hostile}`, 'hostile.reader@example.org')
  for (const kind of kindNames) {
    const name = `A ${kind} ${hostile}`
    const { id } = await db
      .insertInto('media')
      .values({
        kind,
        name,
        name_folded: fold(name),
        search_text: searchText(name),
        overview: `Overview ${hostile}`,
        tagline: `Tagline ${hostile}`,
        release_date: hostile,
        release_year: 1999,
        details: JSON.stringify({
          genres: [`Genre ${hostile}`],
          creators: [`Creator ${hostile}`],
          platforms: [`Platform ${hostile}`],
          rating: null,
        }),
        source: hostile,
        created_at: new Date().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    titles[kind] = id
    const { idKey, favorites } = kinds[kind]
    await post(author, `/${favorites.path}`, { [idKey]: id })
    const saved = { [idKey]: id, rating: 4, text: `Review ${hostile}` }
    const { review } = await post<{ review: { id: number } }>(author, '/reviews', saved)
    await post(reader, `/reviews/${review.id}/comments`, { text: `Comment ${hostile}` })
  }
  await post(reader, '/users/follow', { userIdToFollow: author.id })
  await post(author, '/users/follow', { userIdToFollow: reader.id })
  takeBrowserErrors()
})
// The other tests run on the same server.
afterAll(async () => {
  await db.deleteFrom('media').where('id', 'in', Object.values(titles)).execute()
  await db.deleteFrom('users').where('id', 'in', [author.id, reader.id]).execute()
})

/** Opens a page; expects these texts as text, no injected element or handler, and no error or policy violation, in every size. */
async function expectHarmless(page: Page, path: string, texts: string[]): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  for (const size of sizes) {
    // As high as the page: what is not near the viewport is not laid out, and has no `innerText`.
    await page.setViewportSize({ ...size, height: 10_000 })
    await expectTexts(page, path, texts)
  }
}

async function expectTexts(page: Page, path: string, texts: string[]): Promise<void> {
  for (const text of texts) {
    const shown = `${text} ${hostile}`
    await expect
      .poll(() => page.locator('body').innerText(), { message: `${path} shows ${text}` })
      .toContain(shown)
  }
  const injected = await page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => {
      const urls = ['href', 'src', 'action', 'formaction', 'data']
        .map((name) => element.getAttribute(name))
        .filter((url) => url !== null && /^\s*javascript:/i.test(url))
      const handlers = element.getAttributeNames().filter((name) => name.startsWith('on'))
      const isForeign = element.matches('img[src="x"], svg[onload]')
      return urls.length + handlers.length > 0 || isForeign ? [element.outerHTML.slice(0, 200)] : []
    }),
  )
  expect(injected, path).toEqual([])
  expect(takeBrowserErrors(), path).toEqual([])
}

const detail = (kind: Kind) => `/${kinds[kind].path}/${titles[kind]}`

test('a visitor sees hostile texts as plain text', async () => {
  const page = await newPage()
  for (const kind of kindNames) {
    // Descriptions of books are HTML at their source, so the page strips all tags.
    const overview = kind === 'book' ? [] : ['Overview']
    await expectHarmless(page, detail(kind), [`A ${kind}`, ...overview, 'Creator', 'Genre', 'Review'])
    await expect.poll(() => page.title()).toContain(hostile)
  }
  const query = encodeURIComponent(hostile)
  await expectHarmless(page, `/search?q=${query}`, [])
  await expectHarmless(page, `/login?redirect=${query}`, [])
  await expectHarmless(page, `/verify-email?token=${query}`, [])
  await expectHarmless(page, `/movies/${query}`, [])
  await expectHarmless(page, `/${query}`, [])
})

test('a member sees hostile texts as plain text', async () => {
  const page = await newPage()
  await logIn(page, reader.email, password)
  await expectHarmless(page, '/', [])
  await expectHarmless(page, '/for-you', ['A movie', 'A book'])
  for (const kind of kindNames) await expectHarmless(page, `/items/${titles[kind]}`, [`A ${kind}`, 'Review'])
  await expectHarmless(page, '/items', [])
  await expectHarmless(page, `/user/${author.id}`, ['author', 'A game'])
  await expectHarmless(page, `/user/${author.id}/followers`, ['reader'])
  await expectHarmless(page, `/user/${author.id}/following`, ['reader'])
  await expectHarmless(page, '/favorites', [])
  await expectHarmless(page, '/settings', [])
  // Comments load when they are opened.
  await page.goto(detail('movie'))
  await waitForHydration(page)
  await page
    .getByRole('button', { name: /comment/i })
    .first()
    .click()
  await page.getByText(`Comment ${hostile}`).waitFor()
  expect(takeBrowserErrors()).toEqual([])
})

test('server-rendered HTML escapes every text', async () => {
  const query = encodeURIComponent(hostile)
  for (const path of [...kindNames.map(detail), `/user/${author.id}`, `/search?q=${query}`, `/${query}`]) {
    const response = await fetch(inject('site').url + path, { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text(), path).not.toMatch(/<script>alert|<img src=x|<svg\/onload/)
  }
})

test('the page of the API documentation works under the same content security policy', async () => {
  const page = await newPage()
  await page.goto('/docs')
  await page.getByRole('heading', { name: 'Medley API' }).waitFor()
  await page.getByLabel('Find a call').fill('popular movies')
  await page.getByText('List popular movies').first().click()
  await page.getByRole('button', { name: 'Try it: List popular movies' }).click()
  await page.getByLabel('limit').fill('2')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Response headers').waitFor()
  await expectAccessible(page)
  expect(takeBrowserErrors()).toEqual([])
})

test('invalid query parameters do not break a page', async () => {
  const page = await newPage()
  await logIn(page)
  const junk =
    'page=-1&sortBy=%00&order=sideways&scope=moon&reviews[]=1&tab=%F0%9F%A6%84&friends=many&category=cheese&q=%20&q=x'
  const pages = ['page=999999999999', 'page=1e99&tab=']
  const headings: [path: string, heading: string | RegExp, queries?: string[]][] = [
    ['/', /Everything you watch/, ['tab=']],
    ['/movies/1', 'The Matrix', pages],
    ['/search', 'What are you looking for?', ['tab=']],
    ['/for-you', 'For You', ['tab=']],
    ['/items', 'Items', pages],
    ['/favorites', 'My Favourite Movies'],
    ['/settings', 'Settings', ['tab=']],
    ['/user/3', 'lantern_moth'],
    ['/user/3/following', /^Following/, pages],
    ['/create-item', 'Add a title'],
  ]
  for (const [path, name, queries = []] of headings) {
    for (const query of [junk, '%', ...queries]) {
      await page.goto(`${path}?${query}`)
      await page.getByRole('heading', { level: 1, name }).first().waitFor()
      await expect.poll(() => page.getByText('did not load').count(), { message: `${path}?${query}` }).toBe(0)
    }
  }
})
