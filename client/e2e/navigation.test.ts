import { expect, inject, test } from 'vitest'
import { waitForHydration, expectAccessible, logIn, newPage, sizes, useBrowser } from './site.ts'

useBrowser()

const phone = sizes[1]

test('? and a link in the footer open the keyboard shortcuts, but not while typing', async () => {
  const page = await newPage()
  await page.goto('/')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await waitForHydration(page)
  await page.keyboard.press('?')
  await dialog.waitFor()
  await expectAccessible(page, { inBothThemes: false, within: '[role=dialog]' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.keyboard.press('/')
  await page.keyboard.type('who?')
  const search = page
    .getByRole('banner')
    .getByRole('combobox')
    .or(page.getByRole('banner').getByRole('searchbox'))
  await expect.poll(() => search.first().inputValue()).toBe('who?')
  await expect.poll(() => dialog.count()).toBe(0)

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await dialog.waitFor()
})

test('a button loads the comments before the last 50', async () => {
  const page = await newPage()
  const comment = (id: number) => ({
    id,
    text: `Number ${id}.`,
    createdAt: '2026-05-04T12:30:00.000Z',
    author: { id: 2, username: 'lantern_moth', profilePicture: null },
  })
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => comment(first + index))
  await page.route('**/trpc/reviews.comments**', (route) => {
    const { before } = (
      JSON.parse(new URL(route.request().url()).searchParams.get('input')!) as Record<
        string,
        { before?: number }
      >
    )['0']!
    const comments = before === undefined ? from(4, 53) : from(1, before - 1)
    return route.fulfill({ json: [{ result: { data: { comments, total: 53 } } }] })
  })
  await page.goto('/movies/1')
  await waitForHydration(page)
  const review = page.getByRole('article', { name: /^Review by/ }).first()
  await review.getByRole('button', { name: /^Comments/ }).click()
  await review.getByText('The last 50 of 53.').waitFor()
  await review.getByRole('button', { name: 'Show earlier comments' }).click()
  await review.getByText('Number 1.', { exact: true }).waitFor()
  await expect
    .poll(() => review.getByRole('list', { name: 'Comments' }).getByRole('article').count())
    .toBe(53)
  await expect.poll(() => review.getByRole('button', { name: 'Show earlier comments' }).count()).toBe(0)
})

test('members can be followed from a list, without a query for each follow status', async () => {
  const page = await newPage(phone)
  await logIn(page)
  const statuses: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('social.followStatus')) statuses.push(request.url())
  })
  await page.goto('/user/2/followers')
  const list = page.getByRole('list', { name: 'Followers' })
  const follow = list.getByRole('button', { name: /^Follow / }).first()
  await follow.waitFor()
  await expectAccessible(page)
  const name = (await follow.textContent())!.replace('Follow ', '')
  await list.getByRole('button', { name: `Follow ${name}`, exact: true }).click()
  const unfollow = list.getByRole('button', { name: `Unfollow ${name}`, exact: true })
  await unfollow.waitFor()
  await list.getByText(`You follow ${name}.`).waitFor()
  await unfollow.click()
  await list.getByRole('button', { name: `Follow ${name}`, exact: true }).waitFor()
  expect(statuses).toEqual([])
})

test('the app can be installed', async () => {
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

test('the theme-color is that of the chosen theme, before the first paint of later pages too', async () => {
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
    ['/user/2', 'lantern_moth'],
    ['/user/2/following', /^Following/, pages],
    ['/create-item', 'Create something'],
  ]
  for (const [path, name, queries = []] of headings) {
    for (const query of [junk, '%', ...queries]) {
      await page.goto(`${path}?${query}`)
      await page.getByRole('heading', { level: 1, name }).first().waitFor()
      await expect.poll(() => page.getByText('did not load').count(), { message: `${path}?${query}` }).toBe(0)
    }
  }
})

test('hovering a link preloads its page', async () => {
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

test('a page that goes offline says so, keeps its content, and can be retried once it is online again', async () => {
  // With the code of Items in the browser's cache, only the data would be missing, and the page fetches it again by itself.
  const page = await newPage(sizes[0], 'light', { isFirstVisit: true })
  await logIn(page)
  await page.goto('/for-you')
  await page.getByRole('list', { name: /^Picks/ }).waitFor()
  const notice = page.getByText('You are offline.')
  await page.context().setOffline(true)
  await notice.waitFor()
  await expect.poll(() => page.getByRole('list', { name: /^Picks/ }).isVisible()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('banner').getByRole('link', { name: 'Items' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.context().setOffline(false)
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('list', { name: 'Items' }).waitFor()
})

test('numbers and dates are in the user’s locale, and dates have its lang attribute', async () => {
  const german = await newPage(sizes[0], 'light', { locale: 'de-DE' })
  await german.goto('/movies/1')
  await german.getByText('31. März 1999').waitFor()
  await expect.poll(() => german.locator('time[lang|=de]').count()).toBeGreaterThan(1)
  await expect.poll(() => german.getByText(/^\d,\d$/).count()).toBeGreaterThan(0)
  const page = await newPage()
  await page.goto('/movies/1')
  await page.getByText('31 March 1999').waitFor()
  await expect.poll(() => page.locator('time[lang]').count()).toBe(0)
})

test('the first load has no view transition; those of navigation let clicks through', async () => {
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
})

test('every page has its own document title', async () => {
  const page = await newPage()
  await logIn(page)
  const titles = new Set<string>()
  const paths = [
    '/for-you',
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
