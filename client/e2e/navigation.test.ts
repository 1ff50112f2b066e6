import { expect, inject, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { waitForHydration, expectAccessible, logIn, newPage, sizes, useBrowser } from './site.ts'

useBrowser()

variation('the app can be installed', async () => {
  const page = await newPage()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url())
  })
  await page.goto('/')
  const browser = await page.context().newCDPSession(page)
  const { errors, data } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { icons } = JSON.parse(data!) as { icons: { src: string; sizes: string }[] }
  for (const { src, sizes: size } of [...icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const measured = await page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    expect([src, measured]).toEqual([src, size])
  }
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // Playwright’s contexts are incognito.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const manifest = await fetch(`${inject('site').url}/manifest.webmanifest`)
  expect(manifest.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
  expect(refused).toEqual([])
})

variation('the theme-color is the chosen theme’s, before the first paint of later pages too', async () => {
  const page = await newPage(sizes[0], 'light')
  const colours = () =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll((all) => all.map((one) => (one as HTMLMetaElement).content))
  await page.goto('/')
  await waitForHydration(page)
  await page.getByRole('button', { name: /^Theme: system/ }).click()
  await expect.poll(colours).toEqual(['#0f0e17', '#0f0e17'])
  await page.reload()
  await page.getByRole('button', { name: /^Theme: dark/ }).waitFor()
  await expect.poll(colours).toEqual(['#0f0e17', '#0f0e17'])
})

variation('hovering a link preloads its page', async () => {
  const page = await newPage()
  await logIn(page)
  await page.goto('/items')
  const asked = page.waitForRequest((request) => request.url().includes('forYou'))
  await page.getByRole('banner').getByRole('link', { name: 'For You' }).hover()
  await asked
  expect(new URL(page.url()).pathname).toBe('/items')
})

test('back and forward restore the scroll position', async () => {
  const page = await newPage()
  await page.goto('/search?q=the')
  await waitForHydration(page)
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .waitFor()
  await page.mouse.wheel(0, 900)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
  const scrolledTo = await page.evaluate(() => scrollY)
  await page
    .getByRole('link', { name: /^Open / })
    .nth(6)
    .click()
  await page.getByRole('heading', { name: 'User Reviews' }).waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .waitFor()
  await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - scrolledTo)).toBeLessThan(40)
  await page.goForward()
  await page.getByRole('heading', { name: 'User Reviews' }).waitFor()
})

variation(
  'a page that goes offline says so, keeps its content, and can be retried once it is online again',
  async () => {
    // With the code of Items in the browser's cache, only the data would be missing, and the page fetches it again by itself.
    const page = await newPage(sizes[0], 'light', { isFirstVisit: true })
    await logIn(page)
    await page.goto('/movies/1')
    const opened = (await page.getByRole('heading', { level: 1 }).textContent())!
    await page.getByRole('banner').getByRole('link', { name: 'For You' }).click()
    await page.getByRole('list', { name: /^Picks/ }).waitFor()
    const items = page.getByRole('banner').getByRole('link', { name: 'Items' })
    await items.waitFor()
    const notice = page.getByText('You are offline.')
    await page.context().setOffline(true)
    await notice.waitFor()
    await expect.poll(() => page.getByRole('list', { name: /^Picks/ }).isVisible()).toBe(true)
    await expectAccessible(page)
    await items.click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    const kept = page.getByRole('region', { name: 'These titles still open' })
    await kept.getByRole('link', { name: opened }).click()
    await page.getByRole('heading', { level: 1, name: opened }).waitFor()
    await items.click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.context().setOffline(false)
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('list', { name: 'Items' }).waitFor()
  },
)

variation('numbers and dates are in the user’s locale, and dates have its lang attribute', async () => {
  const italian = await newPage(sizes[0], 'light', { locale: 'it-IT' })
  await italian.goto('/movies/1')
  await italian.getByText('31 marzo 1999').waitFor()
  await expect.poll(() => italian.locator('time[lang|=it]').count()).toBeGreaterThan(1)
  await expect.poll(() => italian.getByText(/^\d,\d$/).count()).toBeGreaterThan(0)
  // A page in the language of its dates names the language once.
  for (const [locale, day] of [
    ['de-DE', '31. März 1999'],
    ['en-GB', '31 March 1999'],
  ] as const) {
    const page = await newPage(sizes[0], 'light', { locale })
    await page.goto('/movies/1')
    await page.getByText(day).waitFor()
    await expect.poll(() => page.locator('time[lang]').count()).toBe(0)
  }
})

variation(
  'the first load has no view transition; transitions of a navigation let clicks through',
  async () => {
    const page = await newPage()
    await page.addInitScript(() => {
      const start = document.startViewTransition.bind(document)
      Object.assign(globalThis, { transitions: 0 })
      document.startViewTransition = (update) => {
        Object.assign(globalThis, { transitions: Reflect.get(globalThis, 'transitions') + 1 })
        return start(update)
      }
    })
    const transitions = () => page.evaluate(() => Reflect.get(globalThis, 'transitions') as number)
    for (const path of ['/movies/1', '/login']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await waitForHydration(page)
      await page.waitForLoadState('networkidle')
      expect([path, await transitions()]).toEqual([path, 0])
    }
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL((url) => url.pathname === '/signup')
    await expect.poll(transitions).toBe(1)
    const pointerEvents = () =>
      page.evaluate(() => getComputedStyle(document.documentElement, '::view-transition').pointerEvents)
    expect(await pointerEvents()).toBe('none')
  },
)

variation('every page has its own document title', async () => {
  const page = await newPage()
  await logIn(page)
  const titles = new Set<string>()
  const paths = [
    '/for-you',
    '/up-next',
    '/calendar',
    '/items',
    '/favorites',
    '/settings',
    '/user/2',
    '/user/2/followers',
    '/user/2/following',
    '/create-item',
    '/create-item/movies',
    '/create-item/games',
    '/movies/1',
    '/search',
    '/search?q=the',
    '/verify-email',
    '/forgot-password',
    '/reset-password',
  ]
  for (const path of paths) {
    await page.goto(path)
    await expect.poll(() => page.title(), { message: path }).toMatch(/.+ · Medley$/)
    titles.add(await page.title())
  }
  expect(titles.size).toBe(paths.length)
})
