import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  waitForHydration,
  aMember,
  aMovie,
  takeBrowserErrors,
  logInAs,
  navigate,
  type Member,
  newPage,
  pathOf,
  post,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

let reader: Member
let reviewed: number
beforeAll(async () => {
  reader = await aMember('addresses.reader')
  for (const userIdToFollow of [1, 2, 3, 4, 5, 6])
    await post('/users/follow', { userIdToFollow }, reader.token)
  reviewed = await aMovie(reader, 'With two pages of reviews')
  for (let n = 1; n <= 6; n++) {
    const { token } = await aMember(`addresses.${n}`)
    await post('/reviews', { movieId: reviewed, rating: (n % 5) + 1, text: `Review ${n}.` }, token)
  }
})

async function openAsMember(): Promise<Page> {
  const page = await newPage()
  await logInAs(page, reader)
  return page
}

/** Returns the texts of the selected tabs, radio buttons and options, and of the current page number. */
async function selections(page: Page): Promise<string[]> {
  await expect.poll(() => page.getByRole('status', { name: messages.loading }).count()).toBe(0)
  const words = (locator: string) => page.getByRole('main').locator(locator).allInnerTexts()
  return (
    await Promise.all(
      [
        '[role=tab][aria-selected=true]',
        'label:has([type=radio]:checked)',
        '[role=combobox]',
        'nav [aria-current=page]',
      ].map(words),
    )
  )
    .flat()
    .map((text) => text.replace(/\s+/g, ' ').replace(/ \d+$/, ''))
}

test('the URL holds sort, order and page of the reviews, and back and forward restore them', async () => {
  const page = await openAsMember()
  const title = `/movies/${reviewed}`
  await page.goto(title)
  await waitForHydration(page)
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await choose('Sort by', 'Rating')
  await expect.poll(() => pathOf(page)).toBe(`${title}?sortBy=rating`)
  await choose('Order', 'Lowest first')
  await expect.poll(() => pathOf(page)).toBe(`${title}?sortBy=rating&order=asc`)
  await page
    .getByRole('article', { name: /^Review by/ })
    .first()
    .getByText('1 out of 5')
    .or(page.getByText('Review 5.'))
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => pathOf(page)).toBe(`${title}?sortBy=rating&order=asc&page=2`)
  await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^User Reviews/)

  await page
    .getByRole('article', { name: /^Review by/ })
    .getByRole('link')
    .first()
    .click()
  await page.waitForURL(/\/user\/\d+$/)
  await page.goBack()
  await expect.poll(() => pathOf(page)).toBe(`${title}?sortBy=rating&order=asc&page=2`)
  await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)
  await page.goBack()
  await expect.poll(() => pathOf(page)).toBe(`${title}?sortBy=rating&order=asc`)
  await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(5)
  await page.goForward()
  await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)
})

variation('the same URL opens the same view, by navigation and by a full page load', async () => {
  const views = [
    `/movies/${reviewed}?scope=network&reviews=network`,
    `/movies/${reviewed}?sortBy=rating&order=asc&page=2`,
    '/?tab=book',
    '/search?q=the&tab=games',
    '/for-you?tab=books&friends=2',
    '/items?category=game&page=2',
    '/settings?tab=account',
    '/diary?list=want&kind=book',
  ]
  const [one, other] = [await openAsMember(), await openAsMember()]
  await one.goto('/favorites')
  for (const view of views) {
    await navigate(one, view)
    await other.goto(view)
    await other.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => pathOf(one)).toBe(view)
    expect(pathOf(other)).toBe(view)
    await expect
      .poll(async () => [await selections(one), await selections(other)])
      .toSatisfy(([a, b]) => a!.join() === b!.join())
    expect((await selections(other)).length, view).toBeGreaterThan(0)
  }
})

variation('a missing title shows the message of its kind and a link to the search', async () => {
  const page = await openAsMember()
  for (const { path, words } of Object.values(kinds)) {
    for (const id of ['999999', '0', 'junk']) {
      await page.goto(`/${path}/${id}`)
      await page.getByRole('heading', { level: 1, name: words.notFound }).waitFor()
    }
    await page.getByRole('main').getByRole('link', { name: 'Search for another' }).click()
    await page.waitForURL((url) => url.pathname === '/search')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: words.notFound }).waitFor()
  }
  await navigate(page, '/nowhere/at/all')
  await page.getByRole('heading', { name: specified('Popular this week') }).waitFor()
  await expect.poll(() => pathOf(page)).toBe('/')
})

variation('navigating away before a page has loaded causes no error', async () => {
  const page = await openAsMember()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/items')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const path of ['/for-you', '/favorites', '/settings', '/search', `/movies/${reviewed}`, '/'])
    await navigate(page, path)
  await page.getByRole('heading', { name: specified('Popular this week') }).waitFor()
  await page.goBack()
  await page.goBack()
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'With two pages of reviews' }).waitFor()
  expect(takeBrowserErrors()).toEqual([])
})
