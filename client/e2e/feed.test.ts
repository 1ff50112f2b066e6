import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { allKinds, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  call,
  logIn,
  logInAs,
  stubError,
  navigate,
  holdResponse,
  newPage,
  pathOf,
  post,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

/** Opens a page without the data of Home in its cache. */
async function elsewhere(): Promise<Page> {
  const page = await newPage()
  await page.goto('/login')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}
/** Returns the number of elements that Tab reaches. */
function countTabStops(root: Element): number {
  const candidates = root.querySelectorAll<HTMLElement>('a[href], button, input, [tabindex="0"]')
  return [...candidates].filter((element) => element.tabIndex >= 0 && element.offsetParent !== null).length
}
const tab = (page: Page, name: string) =>
  page.getByRole('tab', { name: new RegExp(`^${RegExp.escape(name)}`) })
const panel = (page: Page) => page.getByRole('tabpanel')

variation('Home filters popular titles by kind, and links to the search and the sign-up', async () => {
  const page = await elsewhere()
  const loading = await holdResponse(page, 'movies.popular')
  await navigate(page, '/')
  await panel(page).getByRole('status', { name: messages.loading }).waitFor()
  loading.release()
  await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)
  for (const { words, path, kind } of allKinds) {
    await tab(page, words.many).click()
    await expect.poll(() => pathOf(page)).toBe(`/?tab=${kind}`)
    await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)
    await expect.poll(() => panel(page).locator(`a[href^="/${path}/"]`).count()).toBe(6)
  }
  await page.getByRole('link', { name: specified('Explore more') }).click()
  await page.waitForURL((url) => url.pathname === '/search')
  await page.goBack()
  await expect.poll(() => pathOf(page)).toBe(`/?tab=${allKinds.at(-1)!.kind}`)
  await page.getByRole('link', { name: specified('Create your account') }).click()
  await page.waitForURL((url) => url.pathname === '/signup')
})

variation(
  'a failed query shows an error in its tab, and in All only if all queries failed; an empty tab says so',
  async () => {
    const page = await elsewhere()
    const restore = await stubError(page, 'games.popular')
    await navigate(page, '/?tab=game')
    await panel(page).getByText(messages.popularFailed).waitFor()
    await tab(page, specified('All')).click()
    await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)
    restore()
    await tab(page, specified('Games')).click()
    await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)

    const other = await elsewhere()
    const restores = await Promise.all(allKinds.map(({ router }) => stubError(other, `${router}.popular`)))
    await navigate(other, '/')
    await panel(other).getByText(messages.popularFailed).waitFor()
    for (const restore of restores) restore()
    await other.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => panel(other).getByRole('article').count()).toBe(6)

    const third = await elsewhere()
    for (const { router } of allKinds)
      (await holdResponse(third, `${router}.popular`)).respond({ popular: [] })
    await navigate(third, '/')
    await panel(third).getByText(messages.popularEmpty).waitFor()
    for (const { words } of allKinds) {
      await tab(third, words.many).click()
      await panel(third).getByText(words.popularEmpty).waitFor()
    }
  },
)

test('For You shows titles rated by friends, filters them, and falls back to All if a tab is empty', async () => {
  const reader = await aMember('feed.member')
  const friend = await aMember('feed.friend')
  const page = await newPage()
  await logInAs(page, reader)
  await page.goto('/for-you')
  await page.getByText(messages.feedEmpty).waitFor()
  await page.getByRole('link', { name: specified('Search movies') }).waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: specified('Popular'), exact: true })
    .click()
  await page.waitForURL((url) => url.pathname === '/')

  const { popular } = (await call<{ popular: { id: number; title: string }[] }>('/books/popular')).body
  const { id, title } = popular[0]!
  await post('/reviews', { bookId: id, rating: 4 }, friend.token)
  await post('/users/follow', { userIdToFollow: friend.user.id }, reader.token)
  await page.goto('/for-you?tab=games')
  // The URL keeps the chosen tab; the page shows the first tab with entries.
  await expect.poll(() => tab(page, specified('All')).getAttribute('aria-selected')).toBe('true')
  await page.getByText(new RegExp(`^${specified('No game picks yet')}`)).waitFor()
  const card = page
    .getByRole('article', { name: title })
    .or(page.getByRole('article').filter({ hasText: title }))
  await card.getByText('4.00').first().waitFor()
  await card.getByText('1 rating · Book').waitFor()
  await card.getByRole('img', { name: friend.user.username }).waitFor()
  expect(await card.getByRole('link').count()).toBe(1)
  await tab(page, specified('Books')).click()
  await expect.poll(() => pathOf(page)).toBe('/for-you?tab=books')

  await page.getByRole('radio', { name: '2+ friends' }).click()
  await page.getByText(specified('No book picks yet')).waitFor()
  await page.getByText(messages.feedHint).waitFor()
  await expect.poll(() => pathOf(page)).toBe('/for-you?tab=books&friends=2')
  await page.getByRole('radio', { name: specified('All friends') }).click()
  await card.getByRole('link', { name: new RegExp(`^${kinds.book.words.open}`) }).click()
  await page.waitForURL((url) => url.pathname === `/books/${id}`)

  // A title that is rated in the list stays in its place until the list is opened again.
  await page.goto('/for-you')
  await card.getByRole('button', { name: `Actions for ${title}` }).press('Enter')
  const menu = page.getByRole('dialog', { name: title, exact: true })
  await menu.getByRole('radio', { name: /^4 stars/ }).click()
  await card.getByRole('img', { name: 'You gave 4 stars' }).waitFor()
  await expect
    .poll(async () => (await call(`/reviews/mine?bookId=${id}`, { token: reader.token })).status)
    .toBe(200)
  await page.keyboard.press('Escape')
  await card.getByRole('link').click()
  await page.waitForURL((url) => url.pathname === `/books/${id}`)
  await navigate(page, '/for-you')
  await page.getByText(messages.feedEmpty).waitFor()
})

variation(
  'For You shows 24 titles at first and the rest on scroll, in three orders, and going back keeps the place',
  async () => {
    const page = await newPage()
    await logIn(page)
    await page.goto('/for-you')
    const cards = page.getByRole('tabpanel').getByRole('article')
    await expect.poll(() => cards.count()).toBe(24)
    expect(await page.getByRole('main').evaluate(countTabStops)).toBeLessThan(60)
    // The panel itself is no stop, because its cards are.
    await page.getByRole('tab', { selected: true }).press('Tab')
    expect(await page.getByRole('tabpanel').evaluate((one) => one.tabIndex)).toBe(-1)

    await cards.nth(23).scrollIntoViewIfNeeded()
    await expect.poll(() => cards.count()).toBe(48)
    const link = cards.nth(30).getByRole('link')
    const name = await link.innerText()
    await link.click()
    await page.waitForURL((url) => url.pathname !== '/for-you')
    await page.goBack()
    await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(48)
    await expect.poll(() => page.locator(':focus').innerText()).toBe(name)

    for (const [label, order] of [
      ['By most friends', 'friends'],
      ['By match', 'match'],
    ]) {
      await page.getByRole('combobox', { name: 'Order' }).click()
      await page.getByRole('option', { name: label! }).click()
      await expect.poll(() => pathOf(page)).toBe(`/for-you?by=${order}`)
      await expect.poll(() => cards.count()).toBe(24)
    }
    await cards.first().getByText('% your taste').waitFor()
  },
)

test('a title names its book, film or game, and what comes next for a member who has rated only one of them', async () => {
  const reader = await aMember('feed.reader')
  const idOf = async (path: string) =>
    (await call<{ results: { id: number }[] }>(`/items/search?q=dune&category=${path}`)).body.results[0]!.id
  const [bookId, movieId] = [await idOf('book'), await idOf('movie')]
  await post('/reviews', { bookId, rating: 5 }, reader.token)
  const page = await newPage()
  await logInAs(page, reader)
  await page.goto(`/movies/${movieId}`)
  const others = page.getByRole('list', { name: 'The same story' })
  await others.getByText('Also a book').waitFor()
  await others.getByText('You read it; now see it.').waitFor()
  await others.getByRole('link', { name: 'Dune' }).click()
  await page.waitForURL((url) => url.pathname === `/books/${bookId}`)
  await others.getByText('Also a film').waitFor()
  await others.getByText('You read it; now see it.').waitFor()
})

variation(
  'For You shows ten skeletons, fails only with the feed of movies, and shows other failed feeds as empty',
  async () => {
    const page = await newPage()
    const reader = await aMember('feed.failing')
    await logInAs(page, reader)
    await page.goto('/settings')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const loading = await holdResponse(page, 'movies.forYou')
    await navigate(page, '/for-you')
    const status = page.getByRole('status', { name: messages.loading })
    await status.waitFor()
    expect(
      await status.getByRole('list').or(status.locator(':scope > *')).first().locator(':scope > *').count(),
    ).toBe(10)
    loading.fail()
    await page.getByText(messages.feedFailed).waitFor()
    await page.getByText(messages.feedHttp(500)).waitFor()
    loading.restore()
    const restores = await Promise.all(
      ['tvShows', 'books', 'games'].map((router) => stubError(page, `${router}.forYou`)),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(messages.feedEmpty).waitFor()
    for (const restore of restores) restore()
  },
)
