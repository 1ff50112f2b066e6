import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { waitForHydration, horizontalOverflow, logIn, newPage, sizes, useBrowser } from './site.ts'

useBrowser()

const phone = sizes[1]

const everyPage = [
  '/',
  '/movies/1',
  '/search?q=the',
  '/for-you',
  '/items',
  '/user/3',
  '/user/3/followers',
  '/settings?tab=account',
  '/diary',
  '/create-item/movies',
]

/** Expects that a page does not scroll sideways. */
async function expectNoWider(page: Page, what: (string | number)[]) {
  await expect.poll(() => horizontalOverflow(page), { message: what.join(' at ') }).toBe(0)
}

/** Sets the size of text, as the setting of a browser does. */
async function enlargeText(page: Page, percent: number) {
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}%`
  }, percent)
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
    .toBe(`${(16 * percent) / 100}px`)
}

test('no page is wider than a window of 320, 640 or 1920, or than a phone with text at 150 or 200 %', async () => {
  const page = await newPage()
  await logIn(page)
  for (const path of everyPage) {
    await page.goto(path, { waitUntil: 'networkidle' })
    for (const width of [320, 640, 1920]) {
      await page.setViewportSize({ width, height: 844 })
      await expectNoWider(page, [path, width])
    }
    await page.setViewportSize(phone)
    for (const percent of [150, 200]) {
      await enlargeText(page, percent)
      await expectNoWider(page, [path, `${percent} %`])
    }
  }
})

test('with text at 200 % on a phone the search covers no button, and the words of a title stay whole', async () => {
  const page = await newPage(phone)
  await page.goto('/movies/1')
  await waitForHydration(page)
  await enlargeText(page, 200)
  const heading = page.getByRole('heading', { level: 1, name: 'The Matrix' })
  // Two words, two lines.
  const lines = await heading.evaluate(
    (one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight),
  )
  expect(Math.round(lines)).toBe(2)
  const search = (await page.getByRole('searchbox').or(page.getByRole('combobox')).first().boundingBox())!
  expect(search.width).toBeGreaterThan(150)
  await page.getByRole('button', { name: 'Menu' }).click({ trial: true })
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click({ trial: true })
})

test('at 400 % neither bars nor art fill the window: the heading of a page is in it, and nothing stays in place', async () => {
  const page = await newPage()
  await logIn(page)
  await page.setViewportSize({ width: 320, height: 256 })
  for (const path of ['/', '/movies/1', '/user/3', '/for-you', '/diary', '/list/1']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await waitForHydration(page)
    const inPlace = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('header, nav, main *')].filter((one) => {
            const { width, height } = one.getBoundingClientRect()
            const isFixed = ['sticky', 'fixed'].includes(getComputedStyle(one).position)
            return isFixed && one.checkVisibility() && width * height > 1_000
          }).length,
      )
    const top = () =>
      page
        .getByRole('heading', { level: 1 })
        .first()
        .evaluate((heading) => heading.getBoundingClientRect().top)
    await expect.poll(top, { message: path }).toBeLessThan(256)
    await expect.poll(inPlace, { message: path }).toBe(0)
  }
})

test('the title over the backdrop of Home is a link that can be clicked', async () => {
  const page = await newPage()
  await page.goto('/')
  await waitForHydration(page)
  const hero = page.getByRole('region', { name: /^Everything you watch/ })
  await hero
    .getByRole('link')
    .and(page.locator('[href^="/movies/"], [href^="/tv-shows/"], [href^="/books/"], [href^="/games/"]'))
    .click()
  await page.waitForURL(/\/\d+$/)
})

test('headings and their counts are separate words, and the names of authors are easy to press', async () => {
  const page = await newPage(phone)
  await page.goto('/movies/1')
  await page.getByRole('heading', { name: /^User Reviews \d+$/ }).waitFor()
  const author = page
    .getByRole('article', { name: /^Review by/ })
    .getByRole('link')
    .first()
  expect((await author.boundingBox())!.height).toBeGreaterThanOrEqual(40)
})

test('a printed page is dark on white, without the navigation', async () => {
  const page = await newPage(sizes[0], 'dark')
  await page.goto('/movies/1')
  await page.getByRole('article').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('banner').isVisible()).toBe(false)
  expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
  expect(await page.getByRole('heading', { level: 1, name: 'The Matrix' }).isVisible()).toBe(true)
  const root = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await root()).toBe('light')
})

test('selected options and stars stay distinguishable with forced colours', async () => {
  const page = await newPage()
  await page.emulateMedia({ forcedColors: 'active' })
  await logIn(page)
  await page.goto('/movies/1')
  await page.getByRole('radio', { name: 'Everyone' }).first().waitFor()
  const look = (name: string) =>
    page
      .getByRole('radio', { name })
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor)
  await expect.poll(async () => (await look('Everyone')) !== (await look('Following'))).toBe(true)
  const star = (part: string) =>
    page
      .locator(`article .${part}`)
      .first()
      .evaluate((one) => getComputedStyle(one).fill)
  await expect.poll(async () => (await star('stars-on')) !== (await star('stars-off'))).toBe(true)
})
