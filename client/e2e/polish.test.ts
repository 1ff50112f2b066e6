import { AxeBuilder } from '@axe-core/playwright'
import { expect, inject, test } from 'vitest'
import { alive, expectAccessible, logIn, newReader, sizes, useBrowser } from './site.ts'

useBrowser()

const phone = sizes[1]

/** Titles that the demo member has neither rated nor reviewed. */
const [unrated, other] = ['/movies/2', '/movies/5']

test('? and a link in the footer list the keys there are, and nobody who types is disturbed', async () => {
  const page = await newReader()
  await page.goto('/')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await alive(page)
  await page.keyboard.press('?')
  await dialog.waitFor()
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.keyboard.press('/')
  await page.keyboard.type('who?')
  const search = page
    .getByRole('banner')
    .getByRole('combobox')
    .or(page.getByRole('banner').getByRole('searchbox'))
  await expect.poll(() => search.first().inputValue()).toBe('who?')
  expect(await dialog.count()).toBe(0)

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await dialog.waitFor()
})

test('the text of a review outlives leaving, a reload and a closed tab, and goes with the logout', async () => {
  const page = await newReader()
  await logIn(page)
  await page.goto(unrated)
  const area = page.getByRole('textbox', { name: 'Your review' })
  await area.fill('Half a thought')
  await page.getByRole('link', { name: 'For You' }).click()
  await page.getByRole('heading', { level: 1, name: 'For You' }).waitFor()
  await page.goBack()
  await expect.poll(() => area.inputValue()).toBe('Half a thought')
  await page.reload()
  await expect.poll(() => area.inputValue()).toBe('Half a thought')

  const tab = await page.context().newPage()
  await page.close()
  await logIn(tab)
  await tab.goto(unrated)
  await expect
    .poll(() => tab.getByRole('textbox', { name: 'Your review' }).inputValue())
    .toBe('Half a thought')
  await tab.goto('/items')
  await tab.goto(other)
  await expect.poll(() => tab.getByRole('textbox', { name: 'Your review' }).inputValue()).toBe('')

  await tab.getByRole('button', { name: 'Logout' }).click()
  await tab.getByRole('heading', { name: 'Popular this week' }).waitFor()
  await expect
    .poll(() => tab.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft'))))
    .toEqual([])
})

test('an unsent comment is still there when the comments are opened again, and gone once it is posted', async () => {
  const page = await newReader()
  await logIn(page)
  await page.goto('/movies/1')
  await alive(page)
  const review = page.getByRole('article', { name: /^Review by/ }).first()
  const toggle = review.getByRole('button', { name: /^Comments/ })
  const area = review.getByRole('textbox', { name: 'Your comment' })
  await toggle.click()
  await area.fill('Well said.')
  await toggle.click()
  await area.waitFor({ state: 'detached' })
  await toggle.click()
  expect(await area.inputValue()).toBe('Well said.')
  await review.getByRole('button', { name: 'Post comment' }).click()
  await review.getByText('Your comment is posted.').waitFor()
  expect(await area.inputValue()).toBe('')
})

test('of very many comments the earlier ones are a press away', async () => {
  const page = await newReader()
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
  await alive(page)
  const review = page.getByRole('article', { name: /^Review by/ }).first()
  await review.getByRole('button', { name: /^Comments/ }).click()
  await review.getByText('The last 50 of 53.').waitFor()
  await review.getByRole('button', { name: 'Show earlier comments' }).click()
  await review.getByText('Number 1.', { exact: true }).waitFor()
  expect(await review.getByRole('list', { name: 'Comments' }).getByRole('article').count()).toBe(53)
  expect(await review.getByRole('button', { name: 'Show earlier comments' }).count()).toBe(0)
})

test('people can be followed where they are listed, and one call brings whom the reader follows', async () => {
  const page = await newReader(phone)
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
  await follow.click()
  const unfollow = list.getByRole('button', { name: `Unfollow ${name}`, exact: true })
  await unfollow.waitFor()
  await list.getByText(`You follow ${name}.`).waitFor()
  await unfollow.click()
  await list.getByRole('button', { name: `Follow ${name}`, exact: true }).waitFor()
  expect(statuses).toEqual([])
})

test('the app can be installed', async () => {
  const page = await newReader()
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
  // A private window is what tests are made in.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const manifest = await fetch(`${inject('site').url}/manifest.webmanifest`)
  expect(manifest.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
  expect(refused).toEqual([])
})

test('the colour of the browser’s bars is that of the chosen theme, from the first page on', async () => {
  const page = await newReader(sizes[0], 'light')
  const colours = () =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll((all) => all.map((one) => (one as HTMLMetaElement).content))
  await page.goto('/')
  await alive(page)
  await page.getByRole('button', { name: /^Theme: system/ }).click()
  await expect.poll(colours).toEqual(['#0f0e17', '#0f0e17'])
  await page.reload()
  await page.getByRole('button', { name: /^Theme: dark/ }).waitFor()
  await expect.poll(colours).toEqual(['#0f0e17', '#0f0e17'])
})

test('whatever an address asks for that cannot be, its page is there', async () => {
  const page = await newReader()
  await logIn(page)
  const junk =
    'page=-1&sortBy=%00&order=sideways&scope=moon&reviews[]=1&tab=%F0%9F%A6%84&friends=many&category=cheese&q=%20&q=x'
  const headings: [path: string, heading: string | RegExp][] = [
    ['/', /Everything you watch/],
    ['/movies/1', 'The Matrix'],
    ['/search', 'What are you looking for?'],
    ['/for-you', 'For You'],
    ['/items', 'Items'],
    ['/favorites', 'My Favourite Movies'],
    ['/settings', 'Settings'],
    ['/user/2', 'lantern_moth'],
    ['/user/2/following', /^Following/],
    ['/create-item', 'Create something'],
  ]
  for (const [path, name] of headings) {
    for (const query of [junk, 'page=999999999999', 'page=1e99&tab=', '%']) {
      await page.goto(`${path}?${query}`)
      await page.getByRole('heading', { level: 1, name }).first().waitFor()
      expect(await page.getByText('did not load').count(), `${path}?${query}`).toBe(0)
    }
  }
})

test('a link is followed before it is pressed: pointing at it asks for its page', async () => {
  const page = await newReader()
  await logIn(page)
  await page.goto('/items')
  const asked = page.waitForRequest((request) => request.url().includes('forYou'))
  await page.getByRole('banner').getByRole('link', { name: 'For You' }).hover()
  await asked
  expect(new URL(page.url()).pathname).toBe('/items')
})

test('back and forward go through the searches and the places on their pages', async () => {
  const page = await newReader()
  await page.goto('/search?q=the')
  await alive(page)
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .waitFor()
  await page.mouse.wheel(0, 900)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
  const place = await page.evaluate(() => scrollY)
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
  await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThan(40)
  await page.goForward()
  await page.getByRole('heading', { name: 'User Reviews' }).waitFor()
})

test('without a network the page says so, stays, and is read anew when it comes back', async () => {
  const page = await newReader()
  await logIn(page)
  await page.goto('/for-you')
  await page.getByRole('list', { name: /^Picks/ }).waitFor()
  const words = page.getByText('You are offline.')
  await page.context().setOffline(true)
  await words.waitFor()
  expect(await page.getByRole('list', { name: /^Picks/ }).isVisible()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('banner').getByRole('link', { name: 'Items' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.context().setOffline(false)
  await words.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('list', { name: 'Items' }).waitFor()
})

test('figures and dates are written as the reader writes them, and say so', async () => {
  const reader = await newReader(sizes[0], 'light', { locale: 'de-DE' })
  await reader.goto('/movies/1')
  await reader.getByText('31. März 1999').waitFor()
  expect(await reader.locator('time[lang|=de]').count()).toBeGreaterThan(1)
  await expect.poll(() => reader.getByText(/^\d,\d$/).count()).toBeGreaterThan(0)
  const page = await newReader()
  await page.goto('/movies/1')
  await page.getByText('31 March 1999').waitFor()
  expect(await page.locator('time[lang]').count()).toBe(0)
})

test.each([320, 640, 1920])('no page is wider than a window of %i', async (width) => {
  const page = await newReader(phone, 'light', { viewport: { width, height: 844 } })
  await logIn(page)
  for (const path of [
    '/',
    '/movies/1',
    '/search?q=the',
    '/for-you',
    '/items',
    '/user/2',
    '/user/2/followers',
    '/settings',
    '/create-item/movies',
  ]) {
    await page.goto(path, { waitUntil: 'networkidle' })
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([path, beyond]).toEqual([path, 0])
  }
})

test('with forced colours what is chosen is still told apart', async () => {
  const page = await newReader()
  await page.emulateMedia({ forcedColors: 'active' })
  await logIn(page)
  await page.goto('/movies/1')
  await page.getByRole('radio', { name: 'Everyone' }).first().waitFor()
  const look = (name: string) =>
    page
      .getByRole('radio', { name })
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor)
  expect(await look('Everyone')).not.toBe(await look('Following'))
  const star = (part: string) =>
    page
      .locator(`article .${part}`)
      .first()
      .evaluate((one) => getComputedStyle(one).fill)
  expect(await star('stars-on')).not.toBe(await star('stars-off'))
})

test('the first fault of a form gets the focus and is read with its field', async () => {
  const page = await newReader()
  await page.goto('/signup')
  await page.getByRole('button', { name: 'Create account' }).click()
  const name = page.getByRole('textbox', { name: 'Username' })
  await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true)
  const described = await name.evaluate((one) =>
    (one.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  )
  expect(described).not.toBe('')
  expect(await name.getAttribute('aria-invalid')).toBe('true')
})

test('a picture that this browser cannot show says so, and can be exchanged', async () => {
  const page = await newReader()
  await page.goto('/signup')
  await page
    .getByLabel('Profile picture')
    .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText(/^No preview/).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText(/^No preview/).waitFor({ state: 'detached' })
})

test('every page has a title of its own', async () => {
  const page = await newReader()
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
