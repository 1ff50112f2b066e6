import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allKinds, kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import {
  aMember,
  call,
  enter,
  fail,
  go,
  hold,
  newReader,
  place,
  post,
  sizes,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

/** A page from which Home has yet to be asked for. */
async function elsewhere(size: (typeof sizes)[number] = sizes[0]): Promise<Page> {
  const page = await newReader(size)
  await page.goto('/login')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}
const tab = (page: Page, name: string) =>
  page.getByRole('tab', { name: new RegExp(`^${RegExp.escape(name)}`) })
const panel = (page: Page) => page.getByRole('tabpanel')

test.each(sizes)('what is popular is looked at by kind, and leads on ($name)', async (size) => {
  const page = await elsewhere(size)
  const loading = await hold(page, 'movies.popular')
  await go(page, '/')
  await panel(page).getByRole('status', { name: messages.loading }).waitFor()
  loading.pass()
  await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)
  for (const { words, path, kind } of allKinds) {
    await tab(page, words.many).click()
    await expect.poll(() => place(page)).toBe(`/?tab=${kind}`)
    await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)
    expect(await panel(page).locator(`a[href^="/${path}/"]`).count()).toBe(6)
  }
  await page.getByRole('link', { name: specified('Explore more') }).click()
  await page.waitForURL((url) => url.pathname === '/search')
  await page.goBack()
  await expect.poll(() => place(page)).toBe(`/?tab=${allKinds.at(-1)!.kind}`)
  await page.getByRole('link', { name: specified('Create your account') }).click()
  await page.waitForURL((url) => url.pathname === '/signup')
})

test('a category that fails says so in its tab; all of them fail where each did; an empty one says that', async () => {
  const page = await elsewhere()
  const end = await fail(page, 'games.popular')
  await go(page, '/?tab=game')
  await panel(page).getByText(messages.popularFailed).waitFor()
  await tab(page, specified('All')).click()
  await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)
  end()
  await tab(page, specified('Games')).click()
  await expect.poll(() => panel(page).getByRole('article').count()).toBe(6)

  const other = await elsewhere()
  const ends = await Promise.all(allKinds.map(({ router }) => fail(other, `${router}.popular`)))
  await go(other, '/')
  await panel(other).getByText(messages.popularFailed).waitFor()
  for (const again of ends) again()
  await other.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => panel(other).getByRole('article').count()).toBe(6)

  const third = await elsewhere()
  for (const { router } of allKinds) (await hold(third, `${router}.popular`)).answer({ popular: [] })
  await go(third, '/')
  await panel(third).getByText(messages.popularEmpty).waitFor()
  for (const { words } of allKinds) {
    await tab(third, words.many).click()
    await panel(third).getByText(words.popularEmpty).waitFor()
  }
})

test.each(sizes)(
  'For You shows what friends rated, filters it, and falls back where a tab has nothing ($name)',
  async (size) => {
    const reader = await aMember(`feed.${size.name}`)
    const friend = await aMember(`feed.friend.${size.name}`)
    const page = await newReader(size)
    await enter(page, reader)
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
    // The address keeps what was chosen; what is shown is the first tab that has something.
    await expect.poll(() => tab(page, specified('All')).getAttribute('aria-selected')).toBe('true')
    await page.getByText(new RegExp(`^${specified('No game picks yet')}`)).waitFor()
    const card = page
      .getByRole('article', { name: title })
      .or(page.getByRole('article').filter({ hasText: title }))
    await card.getByText('4.00').first().waitFor()
    await card.getByText('1 rating · Book').waitFor()
    await card
      .getByRole('img', { name: friend.user.username })
      .or(card.getByText(friend.user.username))
      .first()
      .waitFor({ state: 'attached' })
    await tab(page, specified('Books')).click()
    await expect.poll(() => place(page)).toBe('/for-you?tab=books')

    await page.getByRole('radio', { name: '2+ friends' }).click()
    await page.getByText(specified('No book picks yet')).waitFor()
    await page.getByText(messages.feedHint).waitFor()
    await expect.poll(() => place(page)).toBe('/for-you?tab=books&friends=2')
    await page.getByRole('radio', { name: specified('All friends') }).click()
    await card.getByRole('link', { name: new RegExp(`^${kinds.book.words.open}`) }).click()
    await page.waitForURL((url) => url.pathname === `/books/${id}`)
  },
)

test('only the feed of movies can fail the page; the others are then empty; ten places stand for what loads', async () => {
  const page = await newReader()
  const reader = await aMember('feed.failing')
  await enter(page, reader)
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loading = await hold(page, 'movies.forYou')
  await go(page, '/for-you')
  const status = page.getByRole('status', { name: messages.loading })
  await status.waitFor()
  expect(
    await status.getByRole('list').or(status.locator(':scope > *')).first().locator(':scope > *').count(),
  ).toBe(10)
  loading.fail()
  await page.getByText(messages.feedFailed).waitFor()
  await page.getByText(messages.feedHttp(500)).waitFor()
  loading.end()
  const ends = await Promise.all(
    ['tvShows', 'books', 'games'].map((router) => fail(page, `${router}.forYou`)),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(messages.feedEmpty).waitFor()
  for (const end of ends) end()
})
