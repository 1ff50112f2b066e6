import { beforeAll, expect, test } from 'vitest'
import { kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import {
  aMember,
  aMovie,
  call,
  logInAs,
  stubError,
  holdResponse,
  type Member,
  newPage,
  pathOf,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

const picture = 'server/starter/pictures/portrait-1-1-320.webp'
let reader: Member
beforeAll(async () => {
  reader = await aMember('items.reader')
})

test('the library can be browsed by category and page, and back', async () => {
  const page = await newPage()
  await logInAs(page, reader)
  const loading = await holdResponse(page, 'items.list')
  await page.goto('/items')
  await page.getByRole('status', { name: messages.itemsLoading }).waitFor()
  loading.release()
  await page
    .getByRole('list', { name: 'Items' })
    .getByText(/^Category: /)
    .first()
    .waitFor()
  await page.getByRole('radio', { name: kinds.game.words.many }).click()
  await page.getByText(`Category: ${kinds.game.words.category}`).first().waitFor()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => pathOf(page)).toBe('/items?category=game&page=2')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  const list = page.getByRole('list', { name: 'Items' })
  // The previous list stays until the new one has loaded.
  await expect
    .poll(async () => new Set(await list.getByText(/^Category: /).allInnerTexts()))
    .toEqual(new Set([`Category: ${kinds.game.words.category}`]))
  await list.getByRole('link').first().click()
  await page.waitForURL(/\/items\/\d+$/)
  await page.getByRole('region', { name: 'Write a review' }).waitFor()
  await page.getByText(`Category: ${kinds.game.words.category}`).waitFor()
  await page.goBack()
  await expect.poll(() => pathOf(page)).toBe('/items?category=game&page=2')
  await page.goBack()
  await expect.poll(() => pathOf(page)).toBe('/items?category=game')
  await page.goto('/items?page=9999')
  await page.getByText(messages.itemsEmpty).waitFor()
})

test('the review form of an item validates, keeps its values on a failure, and is cleared once the list shows the review', async () => {
  const itemId = await aMovie(reader, 'An item')
  const page = await newPage()
  await logInAs(page, reader)
  await page.goto(`/items/${itemId}`)
  const form = page.getByRole('region', { name: 'Write a review' })
  const text = form.getByRole('textbox', { name: 'Review' })
  const submit = form.getByRole('button', { name: 'Submit review' })
  await text.fill('Seen, liked.')
  await submit.click()
  await form.getByText(messages.ratingRequired).waitFor()
  await form.getByRole('radio', { name: /^4 stars/ }).click()
  const restore = await stubError(page, 'reviews.save')
  await submit.click()
  await form.getByText(messages.reviewFailed).waitFor()
  await expect.poll(() => text.inputValue()).toBe('Seen, liked.')
  restore()
  await submit.click()
  const item = page.getByRole('article', { name: `Review by ${reader.user.username}` })
  await item.getByText('Seen, liked.').waitFor()
  await expect.poll(() => text.inputValue()).toBe('')
  await expect.poll(() => form.getByRole('radio', { checked: true }).count()).toBe(0)
  await item.getByText('Likes to dislikes: –').waitFor()
  await item.getByRole('button', { name: /^Like, / }).click()
  await item.getByText('1:0').waitFor()
})

test('a missing item says so, and an item that failed to load can be retried', async () => {
  const page = await newPage()
  await logInAs(page, reader)
  for (const path of ['/items/999999', '/items/junk']) {
    await page.goto(path)
    await page.getByText(messages.itemNotFound).waitFor()
  }
  const restore = await stubError(page, 'items.byId')
  await page.goto('/items/1')
  await page.getByText(messages.itemFailed).waitFor()
  restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/^Category: /).waitFor()
})

test('creating a movie uploads its poster first', async () => {
  const page = await newPage()
  await logInAs(page, reader)
  await page.goto('/create-item')
  await page.getByRole('main').locator('a[href="/create-item/movies"]').click()
  const button = page.getByRole('button', { name: 'Create movie' })
  await button.click()
  await page.getByText(messages.nameRequired).waitFor()
  const name = 'Made by hand'
  await page.getByLabel(specified('Movie Name')).fill(name)
  await page.getByLabel(specified('Description')).fill('With care.')
  await page.getByLabel(specified('Movie Poster')).setInputFiles(picture)
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText(name).first().waitFor()
  await preview.locator('img[src^="blob:"]').waitFor()

  // A failed upload creates no movie and keeps the form’s values.
  const createCalls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('movies.create')) createCalls.push(request.url())
  })
  await page.route('/upload', (route) =>
    route.fulfill({ status: 400, json: { message: messages.uploadNotAPicture } }),
  )
  await button.click()
  await page.getByText(messages.posterFailed).waitFor()
  await page.getByText(messages.uploadNotAPicture).waitFor()
  expect(createCalls).toEqual([])
  await expect.poll(() => page.getByLabel(specified('Movie Name')).inputValue()).toBe(name)
  await page.unroute('/upload')

  const uploading = Promise.withResolvers<void>()
  await page.route('/upload', async (route) => {
    await uploading.promise
    return route.fallback()
  })
  const creating = await holdResponse(page, 'movies.create')
  await button.click()
  await expect
    .poll(() => page.getByRole('button', { name: specified('Uploading…') }).getAttribute('aria-disabled'))
    .toBe('true')
  expect(createCalls).toEqual([])
  uploading.resolve()
  await page.getByRole('button', { name: 'Creating…' }).waitFor()
  creating.release()
  await page.getByText(messages.movieCreated).waitFor()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const id = /\/movies\/(\d+)$/.exec(page.url())![1]
  const { movie } = (await call<{ movie: { imageUrl: string; overview: string } }>(`/movies/${id}`)).body
  expect(movie.imageUrl).toMatch(/^\/uploads\//)
  const poster = page.getByRole('main').locator(`img[src="${movie.imageUrl}"]`).first()
  await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('the form for games sends no request, and says so', async () => {
  const page = await newPage()
  await page.goto('/create-item')
  await page
    .getByRole('link', { name: /games cannot be added by hand yet, and the form sends nothing/ })
    .click()
  await page.waitForURL('/create-item/games')
  await page.getByLabel(specified('Name'), { exact: true }).fill('A game')
  await page.waitForLoadState('networkidle')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  await page.getByLabel(specified('Platform')).fill('A box')
  await page.getByLabel(specified('Publisher')).fill('A house')
  await page.getByRole('button', { name: 'Create game' }).click()
  await page.getByText('Nothing was sent.').waitFor()
  expect(sent).toEqual([])
})
