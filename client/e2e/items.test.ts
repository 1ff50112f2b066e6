import { beforeAll, expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
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
  post,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

const picture = 'server/starter/pictures/portrait-1-1-320.webp'
let reader: Member
beforeAll(async () => {
  reader = await aMember('items.reader')
})

variation('the library can be browsed by category and page, and back', async () => {
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
  await expect.poll(() => pathOf(page)).toBe('/items?page=2&category=game')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  const list = page.getByRole('list', { name: 'Items' })
  // The previous list stays until the new one has loaded.
  await expect
    .poll(async () => new Set(await list.getByText(/^Category: /).allTextContents()))
    .toEqual(new Set([`Category: ${kinds.game.words.category}`]))
  await list.getByRole('link').first().click()
  // To its page with everything, not to the one of an item.
  await page.waitForURL(/\/games\/\d+$/)
  await page.getByRole('region', { name: specified('Share Your Take') }).waitFor()
  await page.goBack()
  await expect.poll(() => pathOf(page)).toBe('/items?page=2&category=game')
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

variation(
  'a second review of an item asks before it replaces the first, and Undo restores everything',
  async () => {
    const itemId = await aMovie(reader, 'An item twice')
    const saved = { movieId: itemId, rating: 4, text: 'What I thought at first.', hasSpoilers: true }
    const before = (await post<{ review: object }>('/reviews', saved, reader.token)).body.review
    const mine = async () =>
      (await call<{ review: object }>(`/reviews/mine?itemId=${itemId}`, { token: reader.token })).body.review
    const page = await newPage()
    await logInAs(page, reader)
    await page.goto(`/items/${itemId}`)
    const form = page.getByRole('region', { name: 'Write a review' })
    const text = form.getByRole('textbox', { name: 'Review' })
    const submit = form.getByRole('button', { name: 'Submit review' })
    await form.getByText(/^You reviewed this on /).waitFor()
    await expect.poll(() => text.inputValue()).toBe('')
    await form.getByRole('radio', { name: /^2 stars/ }).click()
    await text.fill('A second thought.')
    await submit.click()
    const question = page.getByRole('alertdialog', { name: 'Replace your review?' })
    await question.getByText(/What I thought at first/).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => text.inputValue()).toBe('A second thought.')
    expect(await mine()).toEqual(before)
    await submit.click()
    await question.getByRole('button', { name: 'Replace' }).click()
    await expect.poll(mine).toMatchObject({ rating: 2, text: 'A second thought.', hasSpoilers: false })
    await expect.poll(() => text.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(mine).toEqual(before)

    // Edit fills the form, and what was edited is saved without a question.
    await form.getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => text.inputValue()).toBe(saved.text)
    expect(await form.getByRole('radio', { name: /^4 stars/ }).isChecked()).toBe(true)
    expect(await form.getByRole('checkbox').isChecked()).toBe(true)
    await text.fill('What I think now.')
    await submit.click()
    await expect.poll(mine).toMatchObject({ rating: 4, text: 'What I think now.', hasSpoilers: true })
  },
)

variation('a review that another tab has changed is not replaced without a question', async () => {
  const movieId = await aMovie(reader, 'Two tabs')
  const write = (text: string) => post('/reviews', { movieId, rating: 3, text }, reader.token)
  const mine = async () =>
    (await call<{ review: { text: string } }>(`/reviews/mine?movieId=${movieId}`, { token: reader.token }))
      .body.review.text
  await write('Of both tabs.')
  const page = await newPage()
  await logInAs(page, reader)
  const question = page.getByRole('alertdialog', { name: 'Replace your review?' })
  const take = page.getByRole('region', { name: specified('Share Your Take') })
  const list = page.getByRole('article', { name: `Review by ${reader.user.username}` })
  for (const [form, edit, send] of [
    [take, 'Edit your Review', 'Post review'],
    [list, 'Edit', 'Save'],
  ] as const) {
    await page.goto(`/movies/${movieId}`)
    await form.getByRole('button', { name: edit, exact: true }).click()
    await form.getByRole('textbox', { name: 'Your review' }).fill(`Of this tab: ${send}.`)
    await write(`Of the other tab: ${send}.`)
    await form.getByRole('button', { name: send, exact: true }).click()
    await question.getByText(`Of the other tab: ${send}.`).waitFor()
    expect(await mine()).toBe(`Of the other tab: ${send}.`)
    await question.getByRole('button', { name: 'Replace' }).click()
    await expect.poll(mine).toBe(`Of this tab: ${send}.`)
  }
})

variation('a movie whose name is in the catalogue is created only after a question', async () => {
  await aMovie(reader, 'The Very Same Name')
  const page = await newPage()
  await logInAs(page, reader)
  await page.goto('/create-item/movies')
  await page.getByLabel(specified('Movie Name')).fill('the very same náme')
  await page.getByRole('link', { name: 'The Very Same Name' }).waitFor()
  await page.getByRole('button', { name: 'Create movie' }).click()
  const question = page.getByRole('alertdialog', { name: /is in the catalogue already/ })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(pathOf(page)).toBe('/create-item/movies')
  await page.getByRole('button', { name: 'Create movie' }).click()
  await question.getByRole('button', { name: 'Create another' }).click()
  await page.getByText(messages.movieCreated).waitFor()
})

variation('a missing item says so, and an item that failed to load can be retried', async () => {
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

variation('the form for games sends no request, and says so', async () => {
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
