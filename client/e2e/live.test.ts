import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import {
  journeySizes,
  aMember,
  call,
  expectAccessible,
  logIn,
  type Member,
  newPage,
  password,
  sizes,
  useBrowser,
} from './site.ts'

useBrowser()

type Histogram = { total: number; avg: number }
async function review(token: string, movieId: number, text: string, rating = 1): Promise<void> {
  const { status } = await call('/reviews', {
    method: 'POST',
    token,
    body: JSON.stringify({ movieId, rating, text }),
  })
  expect(status).toBe(201)
}

async function removeReview(token: string, movieId: number): Promise<void> {
  const { review } = (
    await call<{ review: { id: number } | null }>(`/reviews/mine?movieId=${movieId}`, { token })
  ).body
  if (review) expect((await call(`/reviews/${review.id}`, { method: 'DELETE', token })).status).toBe(200)
}

/** Opens a title’s page and waits until its subscription is open. */
async function openLive(page: Page, movieId: number): Promise<void> {
  // The subscription starts in lazy-loaded code. Its response is an event stream.
  const stream = page.waitForResponse(/\/trpc\/reviews\.live\?/)
  await page.goto(`/movies/${movieId}`)
  await page.getByRole('heading', { name: /^User Reviews/ }).waitFor()
  expect((await stream).headers()['content-type']).toBe('text/event-stream')
}

/** Records the layout shifts from now on, except of the pill and the histogram’s bars. Returns a function that reads them. */
async function watchLayoutShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    type Shift = PerformanceEntry & { sources: { node: Node | null }[] }
    const layoutShifts: string[] = ((globalThis as { layoutShifts?: string[] }).layoutShifts = [])
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[])
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement
          if (
            !element?.closest('.histogram-bar') &&
            !/new review/.test(element?.closest('button')?.textContent ?? '')
          )
            layoutShifts.push(element?.outerHTML.slice(0, 200) ?? 'something')
        }
    }).observe({ type: 'layout-shift' })
  })
  return () => page.evaluate(() => (globalThis as { layoutShifts?: string[] }).layoutShifts!)
}

const pill = (page: Page) => page.getByRole('button', { name: /^\d+ new reviews?$/ })

/** Titles that no other test rates, with three reviews each. */
let movies: number[]
let writers: Member[]
beforeAll(async () => {
  const earlier = [await aMember('earlier.one'), await aMember('earlier.two'), await aMember('earlier.three')]
  movies = []
  for (let index = 0; index < 6; index++) {
    const { body } = await call<{ movie: { id: number } }>('/movies', {
      method: 'POST',
      token: earlier[0]!.token,
      body: JSON.stringify({ name: `A film with live updates ${index}`, description: 'For a test.' }),
    })
    movies.push(body.movie.id)
    for (const { token } of earlier) await review(token, body.movie.id, 'An earlier review.', 4)
  }
  writers = [await aMember('live.one'), await aMember('live.two'), await aMember('live.three')]
})

test.each(journeySizes)(
  'a pill counts new reviews without a layout shift, averages update in place, and clicking the pill shows the reviews ($name)',
  async (size) => {
    const movie = movies[sizes.indexOf(size)]!
    // A first run may have written them.
    for (const { token } of writers) await removeReview(token, movie)
    const page = await newPage(size, size.theme)
    await logIn(page)
    await openLive(page, movie)
    // Until the member’s reactions are there: a list that loads again shows the new reviews itself.
    await page.waitForLoadState('networkidle')
    const before = (await call<Histogram>(`/movies/${movie}/rating-histogram`)).body
    await page.getByText(`${before.total} ratings`).first().waitFor()
    await page.getByRole('heading', { name: /^User Reviews/ }).scrollIntoViewIfNeeded()
    const layoutShifts = await watchLayoutShifts(page)

    await review(writers[0]!.token, movie, `First review to announce at ${size.name}.`)
    await page.getByRole('button', { name: '1 new review' }).waitFor()
    await page
      .getByText(`${before.total + 1} ratings`)
      .first()
      .waitFor()
    await review(writers[1]!.token, movie, `Second review to announce at ${size.name}.`)
    await page.getByRole('button', { name: '2 new reviews' }).waitFor()
    expect(await layoutShifts()).toEqual([])
    await expect.poll(() => page.getByText(`review to announce at ${size.name}`).count()).toBe(0)
    const { avg } = (await call<Histogram>(`/movies/${movie}/rating-histogram`)).body
    await page
      .getByText('Overall', { exact: true })
      .locator('..')
      .getByText((Math.round(avg * 10) / 10).toFixed(1))
      .waitFor()
    // Otherwise the header covers a part of the section that the page was scrolled to.
    await page.evaluate(() => scrollTo(0, 0))
    await expectAccessible(page, { inBothThemes: false })

    // A deleted review is no longer counted.
    await removeReview(writers[1]!.token, movie)
    await page.getByRole('button', { name: '1 new review' }).waitFor()

    await pill(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'Review by live.one' }).waitFor()
    await pill(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^User Reviews/)
  },
)

variation(
  'the pill counts neither the member’s own reviews, nor ratings without text, nor reviews of other titles',
  async () => {
    const [, , movie, other] = movies as [number, number, number, number]
    const [reader, writer, rater] = writers as [Member, Member, Member]
    for (const { token } of writers) for (const id of [movie, other]) await removeReview(token, id)
    const page = await newPage()
    await logIn(page, reader.email, password)
    await openLive(page, movie)
    const { total } = (await call<Histogram>(`/movies/${movie}/rating-histogram`)).body

    // Posted from another device: this page learns of it only from the live updates.
    await review(reader.token, movie, 'From my phone.')
    await page
      .getByText(`${total + 1} ratings`)
      .first()
      .waitFor()
    await call('/reviews', {
      method: 'POST',
      token: rater.token,
      body: JSON.stringify({ movieId: movie, rating: 5 }),
    })
    await page
      .getByText(`${total + 2} ratings`)
      .first()
      .waitFor()
    await expect.poll(() => pill(page).count()).toBe(0)

    // Navigating to another title closes the subscription.
    const stream = page.waitForResponse(
      (response) =>
        response.url().includes('reviews.live') &&
        response.url().includes(encodeURIComponent(`"movieId":${other}`)),
    )
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('reviews.live'))
    await page.evaluate((path) => {
      history.pushState({}, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/movies/${other}`)
    await Promise.all([stream, ended])
    const elsewhere = (await call<Histogram>(`/movies/${other}/rating-histogram`)).body
    await review(writer.token, movie, 'Not for this page.')
    await review(writer.token, other, 'For this page.')
    await page.getByRole('button', { name: '1 new review' }).waitFor()
    await page
      .getByText(`${elsewhere.total + 1} ratings`)
      .first()
      .waitFor()
  },
)

variation('in the scope Following the pill counts only reviews of followed members', async () => {
  const movie = movies[4]!
  const [reader, friend, stranger] = writers as [Member, Member, Member]
  const { user } = (await call<{ user: { id: number } }>('/users/me', { token: friend.token })).body
  await call('/users/follow', {
    method: 'POST',
    token: reader.token,
    body: JSON.stringify({ userIdToFollow: user.id }),
  })
  const page = await newPage()
  await logIn(page, reader.email, password)
  await openLive(page, movie)
  await page
    .getByRole('radiogroup', { name: 'Whose reviews' })
    .getByRole('radio', { name: 'Following' })
    .click()
  await page.getByText('Nobody you follow has reviewed this yet').waitFor()
  const { total } = (await call<Histogram>(`/movies/${movie}/rating-histogram`)).body
  await review(stranger.token, movie, 'Of a stranger.')
  await page
    .getByText(`${total + 1} ratings`)
    .first()
    .waitFor()
  await review(friend.token, movie, 'Of a friend.')
  await page.getByRole('button', { name: '1 new review' }).click()
  await page.getByRole('article', { name: 'Review by live.two' }).waitFor()
  await expect.poll(() => page.getByText('Of a stranger.').count()).toBe(0)
})

variation.each([
  ['blocks event streams', (route: Route) => route.fulfill({ status: 403, body: 'Blocked.' })],
  ['buffers event streams', () => {}],
])('if a proxy %s, the page works without live updates and logs no error', async (_, handle) => {
  const movie = movies[5]!
  const page = await newPage()
  const subscribed = page.waitForRequest(/\/trpc\/reviews\.live\?/)
  await page.route(/\/trpc\/reviews\.live\?/, handle)
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await logIn(page, writers[0]!.email, password)
  await page.goto(`/movies/${movie}`)
  await subscribed
  const { total } = (await call<Histogram>(`/movies/${movie}/rating-histogram`)).body
  await page.getByRole('radio', { name: /^4 stars?/ }).click()
  await page
    .getByRole('textbox', { name: /review|take|stayed|thoughts/i })
    .first()
    .fill('All the same.')
  await page.getByRole('button', { name: 'Post review' }).click()
  await page.getByRole('article', { name: 'Review by live.one' }).waitFor()
  await page
    .getByText(`${total + 1} ratings`)
    .first()
    .waitFor()
  await removeReview(writers[0]!.token, movie)
  // The browser itself logs a 403.
  expect(logged.filter((text) => !text.includes('status of 403'))).toEqual([])
})
