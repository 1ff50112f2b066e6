import { expect, test } from 'vitest'
import {
  aMember,
  createSession,
  expectAccessible,
  logIn,
  logInAs,
  newPage,
  sizes,
  takeBrowserErrors,
  useBrowser,
  waitForHydration,
} from './site.ts'
import { rememberNames } from './untranslated.ts'

useBrowser()

test.each(['/user/3', '/user/3/followers', '/user/3/following', '/items/1'])(
  '%s shows the top bar and a skeleton while its first data loads',
  async (path) => {
    const page = await newPage(sizes[1])
    await logIn(page)
    await page.route(/\/trpc\//, () => {})
    await page.goto(path)
    await page.getByRole('banner').waitFor()
    await page.locator('main .skeleton').first().waitFor()
    await expectAccessible(page)
  },
)

test.each([
  ['/user/3', 'the demo member'],
  ['/items', 'the demo member'],
  ['/for-you', 'the demo member'],
  ['/up-next', 'the demo member'],
  ['/calendar?month=2025-02', 'the demo member'],
  ['/favorites', 'a new member'],
  ['/user/me/followers', 'a new member'],
  ['/user/me/year/2026', 'a new member'],
])(
  '%s of %s shows the app shell before any script arrives, and shifts no layout on a phone afterwards',
  async (path, who) => {
    const page = await newPage(sizes[1])
    const member =
      who === 'a new member'
        ? await aMember('waiting')
        : await createSession('demo@medley.example', 'medley-demo')
    await logInAs(page, member)
    await page.addInitScript(() => {
      Object.assign(globalThis, { shift: 0 })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { hadRecentInput, value } = entry as unknown as { hadRecentInput: boolean; value: number }
          if (!hadRecentInput) Object.assign(globalThis, { shift: Reflect.get(globalThis, 'shift') + value })
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const scripts = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await scripts.promise
      return route.fallback()
    })
    await page.goto(path.replace('me', String(member.user.id)), { waitUntil: 'commit' })
    await page.locator('.skeleton').first().waitFor()
    expect(await page.locator('#root').evaluate((root) => root.clientHeight)).toBeGreaterThan(800)
    scripts.resolve()
    await page.locator('main h1').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => Reflect.get(globalThis, 'shift') as number)).toBeLessThan(0.05)
  },
)

test('a title’s page that failed to load has one main heading, and can be retried', async () => {
  const page = await newPage()
  await page.goto('/login')
  await waitForHydration(page)
  await page.route(/\/trpc\//, (route) => route.fulfill({ status: 500, body: 'Broken.' }))
  await page.evaluate(() => {
    history.pushState({}, '', '/movies/1')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await page.getByRole('heading', { level: 1, name: 'This page did not load' }).waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
  await page.unroute(/\/trpc\//)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Share Your Take' }).waitFor()
  // The failed calls log errors.
  takeBrowserErrors()
})

test('an invalid email shows our message instead of the browser’s', async () => {
  const page = await newPage()
  await page.goto('/forgot-password')
  await page.getByRole('textbox', { name: 'Email' }).fill('nonsense')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('Please enter a valid email address.').waitFor()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Email' }).evaluate((field) => field.matches(':focus')))
    .toBe(true)
})

test('the open tab of the settings is highlighted on a phone', async () => {
  const page = await newPage(sizes[1])
  await logIn(page)
  await page.goto('/settings?tab=account')
  const ground = (name: string) =>
    page.getByRole('tab', { name }).evaluate((tab) => getComputedStyle(tab).backgroundColor)
  await page.getByRole('heading', { name: 'Change password' }).waitFor()
  await expect.poll(async () => (await ground('Account')) !== (await ground('Profile'))).toBe(true)
  // The parts of the long page are named in the first screen.
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'Your data' })
    .click()
  const deletion = page.getByRole('button', { name: 'Delete my account' })
  await expect
    .poll(async () => (await deletion.boundingBox())?.y ?? Infinity)
    .toBeLessThan(page.viewportSize()!.height)
})

test('a long name wraps within the column of a phone', async () => {
  const name = 'Featherstonehaugh_Featherstone'
  rememberNames(name)
  const page = await newPage(sizes[1])
  await logIn(page)
  await page.route(/accounts\.profile/, async (route) => {
    const text = await (await route.fetch()).text()
    await route.fulfill({
      body: text.replaceAll('lantern_moth', name),
      contentType: 'application/json',
    })
  })
  const { results } = (await (await page.request.get('/users/search?q=lantern')).json()) as {
    results: { id: number }[]
  }
  await page.goto(`/user/${results[0]!.id}`)
  const heading = page.getByRole('heading', { level: 1, name })
  await heading.waitFor()
  const right = async () => {
    const { x, width } = (await heading.boundingBox())!
    return x + width
  }
  await expect.poll(right).toBeLessThanOrEqual(390 - 16)
})

test('a select that is clicked before its code is loaded opens in place, without scrolling the page', async () => {
  const page = await newPage()
  // Held until the click.
  let release = () => {}
  const clicked = new Promise<void>((resolve) => (release = resolve))
  await page.route(/select-box/, async (route) => {
    await clicked
    await route.continue()
  })
  await page.goto('/movies/1')
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
  )
  const select = page.getByRole('combobox', { name: 'Sort by' })
  await select.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  await select.click()
  release()
  await page.getByRole('option', { name: 'Rating' }).waitFor()
  expect(before).toBeGreaterThan(0)
  expect(await page.evaluate(() => scrollY)).toBe(before)
})
