import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import {
  alive,
  aMember,
  aMovie,
  complaintsSoFar,
  enter,
  go,
  type Member,
  newReader,
  place,
  post,
  sizes,
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

async function aReader(size: (typeof sizes)[number]): Promise<Page> {
  const page = await newReader(size)
  await enter(page, reader)
  return page
}

/** What is chosen on a page: its tabs, its rows of choices, its selects, its page. */
async function chosen(page: Page): Promise<string[]> {
  await expect.poll(() => page.getByRole('status', { name: messages.loading }).count()).toBe(0)
  const words = (locator: string) => page.getByRole('main').locator(locator).allInnerTexts()
  return (
    await Promise.all(
      [
        '[role=tab][aria-selected=true]',
        '[role=radio][aria-checked=true]',
        '[role=combobox]',
        'nav [aria-current=page]',
      ].map(words),
    )
  )
    .flat()
    .map((text) => text.replace(/\s+/g, ' ').replace(/ \d+$/, ''))
}

test.each(sizes)(
  'sort, order, page and scope are in the address, and stand again after back and forward ($name)',
  async (size) => {
    const page = await aReader(size)
    const title = `/movies/${reviewed}`
    await page.goto(title)
    await alive(page)
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option }).click()
    }
    await choose('Sort by', 'Rating')
    await expect.poll(() => place(page)).toBe(`${title}?sortBy=rating`)
    await choose('Order', 'Lowest first')
    await expect.poll(() => place(page)).toBe(`${title}?sortBy=rating&order=asc`)
    await page
      .getByRole('article', { name: /^Review by/ })
      .first()
      .getByText('1 out of 5')
      .or(page.getByText('Review 5.'))
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Page 2' }).click()
    await expect.poll(() => place(page)).toBe(`${title}?sortBy=rating&order=asc&page=2`)
    await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^User Reviews/)

    await page
      .getByRole('article', { name: /^Review by/ })
      .getByRole('link')
      .last()
      .click()
    await page.waitForURL(/\/user\/\d+$/)
    await page.goBack()
    await expect.poll(() => place(page)).toBe(`${title}?sortBy=rating&order=asc&page=2`)
    await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)
    await page.goBack()
    await expect.poll(() => place(page)).toBe(`${title}?sortBy=rating&order=asc`)
    await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(5)
    await page.goForward()
    await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)
  },
)

test('an address that is handed on opens the same view', async () => {
  const views = [
    `/movies/${reviewed}?scope=network&reviews=network`,
    `/movies/${reviewed}?sortBy=rating&order=asc&page=2`,
    '/?tab=book',
    '/search?q=the&tab=games',
    '/for-you?tab=books&friends=2',
    '/items?category=game&page=2',
    '/settings?tab=account',
  ]
  const [one, other] = [await aReader(sizes[0]), await aReader(sizes[0])]
  await one.goto('/favorites')
  for (const view of views) {
    // Gone to inside of the app, and loaded anew.
    await go(one, view)
    await other.goto(view)
    await other.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => place(one)).toBe(view)
    expect(place(other)).toBe(view)
    await expect
      .poll(async () => [await chosen(one), await chosen(other)])
      .toSatisfy(([a, b]) => a!.join() === b!.join())
    expect((await chosen(other)).length, view).toBeGreaterThan(0)
  }
})

test.each(sizes)(
  'what is not there is told in the words of its kind, with a way on ($name)',
  async (size) => {
    const page = await aReader(size)
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
    await go(page, '/nowhere/at/all')
    await page.getByRole('heading', { name: specified('Popular this week') }).waitFor()
    await expect.poll(() => place(page)).toBe('/')
  },
)

test('whoever goes on before a page is there makes no fault of it', async () => {
  const page = await aReader(sizes[0])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/items')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const path of ['/for-you', '/favorites', '/settings', '/search', `/movies/${reviewed}`, '/'])
    await go(page, path)
  await page.getByRole('heading', { name: specified('Popular this week') }).waitFor()
  await page.goBack()
  await page.goBack()
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'With two pages of reviews' }).waitFor()
  expect(complaintsSoFar()).toEqual([])
})
