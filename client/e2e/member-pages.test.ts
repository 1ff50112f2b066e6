import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  aMember,
  logIn,
  logInWithPages,
  newPage,
  pageCookie,
  password,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

const cookieOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === pageCookie)

/** Returns the id of the member for whom the server renders a page. */
async function ownerOf(page: Page, path = '/diary'): Promise<number | undefined> {
  const html = await (await page.goto(path, { waitUntil: 'commit' }))!.text()
  await waitForHydration(page)
  const id = /<html[^>]* data-member="(\d+)"/.exec(html)?.[1]
  return id === undefined ? undefined : Number(id)
}

const profileLink = (page: Page, name: string) => page.getByRole('link', { name: `Your profile, ${name}` })

test('a login opens the member’s pages, calls carry no cookie, and after a logout Back shows nothing of the member', async () => {
  const page = await newPage()
  const member = await aMember('leaving')
  const withCookie: string[] = []
  page.on('request', async (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/trpc\/accounts\.(login|logout)$/.test(pathname) || request.resourceType() !== 'fetch') return
    // Fails if the page is left meanwhile, as at the end of the test.
    const headers = await request.allHeaders().catch((): Record<string, string> => ({}))
    if (headers['cookie']) withCookie.push(pathname)
  })
  await page.goto('/login')
  await waitForHydration(page)
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await profileLink(page, member.user.username).waitFor()
  expect(await cookieOf(page)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })

  expect(await ownerOf(page, `/user/${member.user.id}`)).toBe(member.user.id)
  expect(await ownerOf(page, '/settings')).toBe(member.user.id)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('/')
  await page.getByRole('link', { name: 'Sign up' }).waitFor()
  expect(await cookieOf(page)).toBeUndefined()
  expect(await page.content()).not.toContain(member.user.username)
  for (let back = 0; back < 2; back++) {
    await page.goBack()
    await page.waitForURL(/\/login/)
    expect(await page.content()).not.toContain(member.email)
  }
  expect(withCookie).toEqual([])
})

test('a browser with a token and no cookie renders the page itself, and has the cookie for the next one', async () => {
  const page = await newPage()
  await logIn(page)
  let calls = 0
  page.on('request', (request) => (calls += Number(request.url().includes('accounts.openPages'))))
  for (const path of ['/diary', '/']) {
    await page.context().clearCookies({ name: pageCookie })
    expect(await ownerOf(page, path)).toBeUndefined()
    await profileLink(page, 'demo').waitFor()
    await expect.poll(() => cookieOf(page)).toBeDefined()
    expect(await ownerOf(page, path)).toBe(2)
    await profileLink(page, 'demo').waitFor()
  }
  expect(calls).toBe(2)
})

test.each(['/', '/settings', '/movies/1'])(
  'a browser with a cookie and no token never shows %s of the member, and drops the cookie',
  async (path) => {
    const page = await newPage()
    await logInWithPages(page)
    await page.goto(path)
    await waitForHydration(page)
    await page.evaluate(() => localStorage.clear())
    const scripts = Promise.withResolvers<void>()
    await page.route(/\.js$/, async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForLoadState('domcontentloaded')
    expect(await page.locator('html').evaluate((html) => html.hasAttribute('hidden'))).toBe(true)
    scripts.resolve()
    await page.getByRole('link', { name: 'Sign up' }).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/demo|Logout/)
    await expect.poll(() => cookieOf(page)).toBeUndefined()
    expect(await ownerOf(page, '/')).toBeUndefined()
  },
)

test('with two accounts in one browser, the page belongs to the account that is logged in, even if the cookie names the other', async () => {
  const page = await newPage()
  const [one, other] = [await aMember('first-of-two'), await aMember('second-of-two')]
  await logInWithPages(page, one.email, password)
  expect(await ownerOf(page)).toBe(one.user.id)
  // The other one logs in where the cookie is not stored.
  await page.evaluate(
    ([token, user]) => {
      localStorage.setItem('token', token!)
      localStorage.setItem('user', user!)
    },
    [other.token, JSON.stringify(other.user)],
  )
  expect(await ownerOf(page)).toBe(one.user.id)
  await profileLink(page, other.user.username).waitFor()
  expect(await page.locator('body').innerText()).not.toContain(one.user.username)
  await expect.poll(() => ownerOf(page)).toBe(other.user.id)
})
