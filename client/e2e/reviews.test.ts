import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { starWords } from '#client/ui/stars-input.tsx'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  aMovie,
  waitForHydration,
  call,
  procedureUrl,
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

let reader: Member
let friend: Member
let stranger: Member
beforeAll(async () => {
  reader = await aMember('reviews.reader')
  friend = await aMember('reviews.friend')
  stranger = await aMember('reviews.stranger')
  await post('/users/follow', { userIdToFollow: friend.user.id }, reader.token)
})

type Review = { id: number; rating: number; text: string; likeCount: number; userReaction: string }

const review = async ({ token }: Member, movieId: number, rating: number, text = '') =>
  (await post<{ review: Review }>('/reviews', { movieId, rating, text }, token)).body.review
const star = (page: Page, count: 1 | 2 | 3 | 4 | 5) =>
  page
    .getByRole('region', { name: specified('Share Your Take') })
    .getByRole('radio', { name: new RegExp(`^${count} stars?, ${starWords[count - 1]}`) })
const pulse = (page: Page) => page.getByRole('region', { name: specified('Audience Pulse') })
const isDisabled = (button: Locator) => button.getAttribute('aria-disabled').then((value) => value === 'true')

/** Opens a movie’s page as a member; null is a visitor. */
async function open(movieId: number, member: Member | null, search = '') {
  const page = await newPage()
  if (member) await logInAs(page, member)
  await page.goto(`/movies/${movieId}${search}`)
  await waitForHydration(page)
  await pulse(page).getByRole('status').first().waitFor()
  return page
}

test('arrow keys move over the stars, and what they reach is saved with one call', async () => {
  const movieId = await aMovie(reader, 'Three presses')
  const page = await open(movieId, reader)
  const saved: { 0?: { rating: number } }[] = []
  page.on('request', (request) => {
    if (procedureUrl('reviews.save').test(request.url()))
      saved.push(request.postDataJSON() as { 0?: { rating: number } })
  })
  const ratings = () => saved.map((call) => call[0]?.rating)
  await star(page, 1).focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  await expect.poll(() => star(page, 4).isChecked()).toBe(true)
  expect(ratings()).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => mine(movieId)).toMatchObject({ rating: 4 })
  // Without Enter, after a moment.
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => mine(movieId)).toMatchObject({ rating: 5 })
  await page.keyboard.press('2')
  await expect.poll(() => mine(movieId)).toMatchObject({ rating: 2 })
  expect(ratings()).toEqual([4, 5, 2])
})

variation(
  'with half stars off, a title with halves has the five radios and five bars of one with whole stars, and no ½',
  async () => {
    const member = await aMember('reviews.whole')
    const [halved, whole] = [await aMovie(reader, 'Rated in halves'), await aMovie(reader, 'Rated in stars')]
    for (const [movieId, rating] of [
      [halved, 3.5],
      [whole, 4],
    ] as const)
      await review(stranger, movieId, rating)
    const page = await open(whole, member)
    const take = page.getByRole('region', { name: specified('Share Your Take') })
    const bars = pulse(page).getByRole('list', { name: 'Ratings of everyone' })
    const radios = take.getByRole('radio')
    const parts = async (movieId: number) => {
      await page.goto(`/movies/${movieId}`)
      await waitForHydration(page)
      await bars.waitFor()
      expect(await page.getByRole('main').textContent()).not.toContain('½')
      const names = await radios.evaluateAll((all) => all.map((radio) => radio.getAttribute('aria-label')))
      expect(names).toEqual(starWords.map((word, at) => `${at + 1} ${at === 0 ? 'star' : 'stars'}, ${word}`))
      expect(await bars.getByRole('listitem').count()).toBe(5)
      const html = await Promise.all([take.getByRole('radiogroup'), bars].map((part) => part.innerHTML()))
      return html.map((part) => part.replaceAll(/_[rR]_\w+_/g, 'id'))
    }
    const before = await parts(whole)
    expect(await parts(halved)).toEqual(before)

    const { token } = member
    for (const halfStars of [true, false])
      await call('/users/me/rating-settings', {
        token,
        method: 'PATCH',
        body: JSON.stringify({ halfStars }),
      })
    expect(await parts(halved)).toEqual(before)
  },
)

variation(
  'with half stars on, the left half of a star is half a star less, by mouse, finger and keyboard',
  async () => {
    const member = await aMember('reviews.halves')
    const movieId = await aMovie(reader, 'Three and a half')
    const page = await open(movieId, member)
    const take = page.getByRole('region', { name: specified('Share Your Take') })
    const radios = take.getByRole('radio')
    await expect.poll(() => radios.count()).toBe(5)

    await page.goto('/settings')
    await page.getByRole('checkbox', { name: 'Half stars' }).click()
    await expect
      .poll(
        async () =>
          (await call<{ halfStars: boolean }>('/users/me/rating-settings', { token: member.token })).body
            .halfStars,
      )
      .toBe(true)
    await page.goto(`/movies/${movieId}`)
    await waitForHydration(page)
    await expect.poll(() => radios.count()).toBe(9)
    const half = (name: string) => take.getByRole('radio', { name, exact: true })
    for (const radio of await radios.all())
      expect((await radio.boundingBox())!.width).toBeGreaterThanOrEqual(24)
    await half('3 and a half stars').click()
    const rating = async () => (await mine(movieId, member))?.rating
    await expect.poll(rating).toBe(3.5)
    await take.getByText('3½', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Your rating 3½, 3 and a half stars/ }).waitFor()
    const bars = pulse(page).getByRole('list', { name: 'Ratings of everyone' }).getByRole('listitem')
    await expect.poll(() => bars.count()).toBe(9)
    await bars.getByText('3 and a half stars: 1 (100 %)').waitFor()

    await half('3 and a half stars').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(rating).toBe(4)
    await page.keyboard.press('2')
    await expect.poll(rating).toBe(2)
    await page.keyboard.press(',')
    await expect.poll(rating).toBe(2.5)
    await page.keyboard.press('.')
    await expect.poll(rating).toBe(2)
    await page.keyboard.press('5')
    await expect.poll(rating).toBe(5)
    await page.keyboard.press('.')
    await page.keyboard.press('1')
    await expect.poll(rating).toBe(1)
    expect(await half('1 star, Awful').isChecked()).toBe(true)

    // A poster, by keys, by mouse and in its menu.
    await page.goto('/search?q=Three+and+a+half')
    await waitForHydration(page)
    const link = page.getByRole('main').getByRole('link', { name: 'Three and a half' }).first()
    await link.focus()
    await page.keyboard.press('3')
    await expect.poll(rating).toBe(3)
    await page.keyboard.press('.')
    await expect.poll(rating).toBe(3.5)
    await page.getByRole('img', { name: 'You gave 3 and a half stars', exact: true }).first().waitFor()
    await link.hover()
    const stars = page.locator('.card-stars').first()
    await stars.getByRole('button', { name: '1 and a half stars', exact: true, includeHidden: true }).click()
    await expect.poll(rating).toBe(1.5)
    await page.getByRole('button', { name: 'Actions for Three and a half' }).first().click()
    const menu = page.getByRole('dialog')
    await expect.poll(() => menu.getByRole('radio').count()).toBe(9)
    await menu.getByRole('button', { name: 'Favorite' }).focus()
    await page.keyboard.press('4')
    await expect.poll(rating).toBe(4)
    await page.keyboard.press(',')
    await expect.poll(rating).toBe(4.5)
  },
)

variation('a rating updates the averages optimistically and is rolled back if saving fails', async () => {
  const movieId = await aMovie(reader, 'Stars')
  await review(stranger, movieId, 2)
  const page = await open(movieId, reader)
  await pulse(page).getByText('1 rating', { exact: true }).waitFor()
  const saving = await holdResponse(page, 'reviews.save')
  await star(page, 4).click()
  await pulse(page).getByText('2 ratings', { exact: true }).waitFor()
  await pulse(page).getByText('3.0', { exact: true }).waitFor()
  await expect.poll(() => star(page, 4).isChecked()).toBe(true)
  expect((await call<{ total: number }>(`/movies/${movieId}/rating-histogram`)).body.total).toBe(1)

  saving.fail()
  await page.getByText('Your rating was not saved').waitFor()
  await pulse(page).getByText('1 rating', { exact: true }).waitFor()
  await pulse(page).getByText('2.0', { exact: true }).waitFor()
  await expect.poll(() => star(page, 4).isChecked()).toBe(false)

  saving.restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await pulse(page).getByText('2 ratings', { exact: true }).waitFor()
  await expect
    .poll(async () => (await call<{ total: number }>(`/movies/${movieId}/rating-histogram`)).body.total)
    .toBe(2)
  await expect.poll(() => star(page, 4).isChecked()).toBe(true)
})

variation('an optimistic rating never flickers while it is saved, even if timers fire late', async () => {
  const movieId = await aMovie(reader, 'A steady star')
  const page = await newPage()
  await page.addInitScript(() => {
    const original = globalThis.setTimeout
    globalThis.setTimeout = ((callback: () => void, delayMs = 0) =>
      original(callback, Math.max(delayMs, 100))) as typeof setTimeout
  })
  await logInAs(page, reader)
  await page.goto(`/movies/${movieId}`)
  const states = await star(page, 4).evaluateHandle((radio) => {
    const seen: boolean[] = []
    const look = () => {
      const { checked } = radio as HTMLInputElement
      if (seen.at(-1) !== checked) seen.push(checked)
      requestAnimationFrame(look)
    }
    look()
    return seen
  })
  await star(page, 4).click()
  await page.getByText(`You gave “A steady star” 4 of 5 stars: ${starWords[3]}.`).waitFor()
  await expect.poll(() => star(page, 4).isChecked()).toBe(true)
  expect(await states.jsonValue()).toEqual([false, true])
})

test('a review can be posted, edited in the form and in the list, and deleted after a confirmation', async () => {
  const movieId = await aMovie(reader, 'Texts')
  const page = await open(movieId, reader)
  const take = page.getByRole('region', { name: specified('Share Your Take') })
  const area = take.getByRole('textbox', { name: 'Your review' })
  const posting = take.getByRole('button', { name: specified('Post review') })
  await area.fill('A first thought.')
  await expect.poll(() => posting.isDisabled()).toBe(true)
  await take.getByText(messages.ratingRequired).waitFor()
  await star(page, 3).click()
  await expect.poll(() => posting.isEnabled()).toBe(true)
  await expect.poll(async () => (await mine(movieId))?.rating).toBe(3)

  // A failure keeps the text.
  const restore = await stubError(page, 'reviews.save')
  await posting.click()
  await take.getByRole('alert').waitFor()
  await expect.poll(() => area.inputValue()).toBe('A first thought.')
  restore()

  const saving = await holdResponse(page, 'reviews.save')
  await posting.click()
  await expect.poll(() => isDisabled(take.getByRole('button', { name: 'Posting…' }))).toBe(true)
  saving.release()
  await take.getByRole('button', { name: specified('Edit your Review') }).click()
  await expect.poll(() => area.inputValue()).toBe('A first thought.')
  await area.fill('A second thought.')
  await posting.click()
  const item = page.getByRole('article', { name: `Review by ${reader.user.username}` })
  await item.getByText('A second thought.').waitFor()
  await expect.poll(async () => (await mine(movieId))?.text).toBe('A second thought.')

  // Editing in the list.
  saving.restore()
  await item.getByRole('button', { name: specified('Edit'), exact: true }).click()
  await item.getByRole('textbox').fill('Not meant.')
  await item.getByRole('button', { name: specified('Cancel') }).click()
  // Until the form is closed, the text is found in its textarea.
  await item.getByRole('textbox').waitFor({ state: 'detached' })
  await item.getByText('A second thought.').waitFor()
  await item.getByRole('button', { name: specified('Edit'), exact: true }).click()
  // Clicking the selected star removes the rating.
  await item.getByRole('radio', { name: /^3 stars/ }).click()
  await item.getByRole('button', { name: specified('Save'), exact: true }).click()
  await item.getByText(messages.ratingOutOfRange).waitFor()
  await item.getByRole('radio', { name: /^5 stars/ }).click()
  await item.getByRole('textbox').fill('A third thought.')
  const editing = await holdResponse(page, 'reviews.edit')
  await item.getByRole('button', { name: specified('Save'), exact: true }).click()
  await expect.poll(() => isDisabled(item.getByRole('button', { name: specified('Saving…') }))).toBe(true)
  editing.release()
  await item.getByRole('textbox').waitFor({ state: 'detached' })
  await item.getByText('A third thought.').waitFor()
  await expect.poll(() => mine(movieId)).toMatchObject({ rating: 5, text: 'A third thought.' })

  const confirmation = page.getByRole('alertdialog', { name: messages.deleteReview })
  await item.getByRole('button', { name: specified('Delete') }).click()
  await confirmation.getByRole('button', { name: specified('Cancel') }).click()
  await confirmation.waitFor({ state: 'detached' })
  expect(await mine(movieId)).toBeDefined()
  await item.getByRole('button', { name: specified('Delete') }).click()
  await confirmation.getByRole('button', { name: specified('Delete') }).click()
  await page.getByText(messages.reviewDeleted).first().waitFor()
  await expect.poll(() => page.getByText('Your review is posted.').count()).toBe(0)
  await item.waitFor({ state: 'detached' })
  await expect.poll(() => area.inputValue()).toBe('')
  await expect.poll(() => posting.isDisabled()).toBe(true)
  // It is deleted when the toast closes; the toast stays open while the pointer is over it.
  await page.mouse.move(0, 0)
  await expect.poll(() => mine(movieId)).toBeUndefined()
})

test('the first page lists the own review once, and first, in any order', async () => {
  const movieId = await aMovie(reader, 'Mine and theirs')
  await review(reader, movieId, 1, 'My own words.')
  await Promise.all(
    [1, 2, 3, 4, 5].map(async (n) => review(await aMember(`mine.${n}`), movieId, 5, `Number ${n}.`)),
  )
  const page = await open(movieId, reader)
  const items = page.getByRole('article', { name: /^Review by/ })
  for (const query of ['', '?sortBy=rating']) {
    await page.goto(`/movies/${movieId}${query}`)
    await expect.poll(() => items.count()).toBe(6)
    await items.first().getByText('My own words.').waitFor()
    await expect.poll(() => page.getByText('My own words.').count()).toBe(1)
  }
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => items.count()).toBe(1)
})

const mine = async (movieId: number, { token } = reader) =>
  (await call<{ review?: Review }>(`/reviews/mine?movieId=${movieId}`, { token })).body.review

variation(
  'a reaction is disabled until the server responds with its counts; clicking it again removes it',
  async () => {
    const movieId = await aMovie(reader, 'Reactions')
    const { id } = await review(stranger, movieId, 4, 'Worth a reaction.')
    const page = await open(movieId, reader)
    const item = page.getByRole('article', { name: `Review by ${stranger.user.username}` })
    const like = item.getByRole('button', { name: /^Like, / })
    const dislike = item.getByRole('button', { name: /^Dislike, / })
    await item.getByText('Likes to dislikes: –').waitFor()

    const reacting = await holdResponse(page, 'reviews.react')
    await like.click()
    await expect.poll(() => isDisabled(like)).toBe(true)
    await expect.poll(() => isDisabled(dislike)).toBe(true)
    await expect.poll(() => like.textContent()).toContain('0')
    // A concurrent reaction by another member: only the response includes it.
    await post(`/reviews/${id}/reactions`, { reaction: 'like' }, friend.token)
    reacting.release()
    await item.getByText('2:0').waitFor()
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => isDisabled(like)).toBe(false)

    await dislike.click()
    await item.getByText('1:1').waitFor()
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('false')
    await expect.poll(() => dislike.getAttribute('aria-pressed')).toBe('true')
    await dislike.click()
    await item.getByText('1:0').waitFor()
    await expect.poll(() => dislike.getAttribute('aria-pressed')).toBe('false')

    const restore = await stubError(page, 'reviews.react')
    await like.click()
    await page.getByText('Your reaction was not saved').waitFor()
    await item.getByText('1:0').waitFor()
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('false')
    restore()
  },
)

test('comments are fetched when first opened and then cached; a new one is appended and counted', async () => {
  const movieId = await aMovie(reader, 'Comments')
  const { id } = await review(stranger, movieId, 4, 'Worth a word.')
  await post(`/reviews/${id}/comments`, { text: 'Said before.' }, friend.token)
  const page = await open(movieId, reader)
  const requests: string[] = []
  page.on('request', (request) => {
    if (procedureUrl('reviews.comments').test(request.url())) requests.push(request.url())
  })
  const item = page.getByRole('article', { name: `Review by ${stranger.user.username}` })
  const toggle = item.getByRole('button', { name: /^Comments/ })
  await item.getByRole('button', { name: 'Comments (1)' }).waitFor()
  expect(requests).toEqual([])

  const restore = await stubError(page, 'reviews.comments')
  await toggle.click()
  await item.getByText(messages.commentsFailed).waitFor()
  restore()
  requests.length = 0
  const loading = await holdResponse(page, 'reviews.comments')
  await item.getByRole('button', { name: 'Try again' }).click()
  loading.release()
  await item.getByText('Said before.').waitFor()
  await toggle.click()
  await item.getByText('Said before.').waitFor({ state: 'hidden' })
  await toggle.click()
  await item.getByText('Said before.').waitFor()
  expect(requests).toHaveLength(1)

  const area = item.getByRole('textbox', { name: 'Your comment' })
  const send = item.getByRole('button', { name: 'Post comment' })
  await area.fill('   ')
  await send.click()
  await item.getByText(messages.commentEmpty).waitFor()
  await area.fill('Said after.')
  await send.click()
  await item.getByRole('button', { name: 'Comments (2)' }).waitFor()
  await expect
    .poll(() => item.getByRole('article').allTextContents())
    .toEqual([expect.stringContaining('Said before.'), expect.stringContaining('Said after.')])
  expect(requests).toHaveLength(1)

  // A different URL than before, because rendered pages of visitors are cached.
  const visitor = await open(movieId, null, '?sortBy=rating')
  const theirs = visitor.getByRole('article', { name: `Review by ${stranger.user.username}` })
  await theirs.getByRole('button', { name: 'Comments (2)' }).click()
  await theirs.getByText('Said after.').waitFor()
  await expect.poll(() => theirs.getByRole('textbox').count()).toBe(0)
  await theirs.getByRole('link', { name: messages.logInToDiscuss }).click()
  await visitor.waitForURL((url) => url.pathname === '/login')
  expect(new URL(visitor.url()).searchParams.get('redirect')).toBe(`/movies/${movieId}?sortBy=rating`)
})

variation(
  'the scopes of ratings and reviews are independent; a new scope starts at page 1, and logout resets both',
  async () => {
    const movieId = await aMovie(reader, 'Scopes')
    await review(friend, movieId, 5, 'By a friend.')
    await Promise.all(
      [1, 2, 3, 4, 5].map(async (n) => review(await aMember(`scopes.${n}`), movieId, 1, `Number ${n}.`)),
    )
    const page = await open(movieId, await newSession())
    const whoseRatings = page.getByRole('radiogroup', { name: 'Whose ratings' })
    const whoseReviews = page.getByRole('radiogroup', { name: 'Whose reviews' })
    await pulse(page).getByText('6 ratings').waitFor()

    await page.getByRole('link', { name: 'Page 2' }).click()
    await expect.poll(() => pathOf(page)).toBe(`/movies/${movieId}?page=2`)
    await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)
    await whoseRatings.getByRole('radio', { name: specified('Following') }).click()
    await pulse(page).getByText('1 rating', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
    await whoseReviews.getByRole('radio', { name: specified('Following') }).click()
    await expect.poll(() => pathOf(page)).toBe(`/movies/${movieId}?scope=network&reviews=network`)
    await page.getByText('By a friend.').waitFor()
    await expect.poll(() => page.getByRole('article', { name: /^Review by/ }).count()).toBe(1)

    await logOut(page)
    await page.goBack()
    await pulse(page).getByText('6 ratings').waitFor()
    await expect.poll(() => pathOf(page)).toBe(`/movies/${movieId}`)
    await expect.poll(() => whoseRatings.count()).toBe(0)
  },
)

/** Returns a session that a test may end by logging out. */
async function newSession(): Promise<Member> {
  const { email } = reader
  const { body } = await post<Member>('/auth/login', { email, password: 'six-or-more' })
  return { ...body, email }
}

async function logOut(page: Page) {
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: specified('Logout') }).click()
  await page.waitForURL((url) => url.pathname === '/')
}

test('a visitor can read all reviews, and is asked to log in before reacting or reviewing', async () => {
  const movieId = await aMovie(reader, 'Only to look at')
  await review(stranger, movieId, 4, 'For all to read.')
  const page = await open(movieId, null)
  const item = page.getByRole('article', { name: `Review by ${stranger.user.username}` })
  await item.getByText('For all to read.').waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.getByRole('radio').count()).toBe(0)
  await expect.poll(() => item.getByRole('button', { name: specified('Edit') }).count()).toBe(0)
  await item.getByRole('button', { name: /^Like, / }).click()
  await page.getByText(messages.pleaseLogIn).waitFor()
  await page.getByRole('button', { name: specified('Login') }).click()
  await page.waitForURL((url) => url.pathname === '/login')
})

variation('a button loads the comments before the last 50', async () => {
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

variation(
  'a title that is chosen as loved keeps a rating that the member has given, even before it is known',
  async () => {
    const member = await aMember('loves.rated')
    const id = await aMovie(member, 'Loved, with two stars')
    await post('/reviews', { movieId: id, rating: 2 }, member.token)
    const page = await newPage()
    await logInAs(page, member)
    const held = await holdResponse(page, 'reviews.mineFor')
    await page.goto('/')
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Choose number 1' }).click()
    await page.getByRole('searchbox', { name: 'Number 1' }).fill('Loved, with two')
    await page
      .getByRole('list', { name: 'Titles' })
      .getByRole('button', { name: /^Loved, with two/ })
      .click()
    await expect
      .poll(async () => (await call<{ favoriteMovies: object[] }>(`/favorite-movies/${member.user.id}`)).body)
      .toMatchObject({ favoriteMovies: [{ id }] })
    held.release()
    await page.getByRole('button', { name: 'Remove “Loved, with two stars” from your favorites' }).waitFor()
    await page.getByRole('searchbox', { name: 'Number 2' }).waitFor()
    const { body } = await call<{ review: { rating: number } }>(`/reviews/mine?movieId=${id}`, member)
    expect(body.review.rating).toBe(2)
    await stubError(page, 'favoriteMovies.remove')
    await page.getByRole('button', { name: 'Remove “Loved, with two stars” from your favorites' }).click()
    await page.getByText('Still among your favorites').waitFor()
  },
)
