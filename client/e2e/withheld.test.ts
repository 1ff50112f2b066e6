import { expect, test } from 'vitest'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  horizontalOverflow,
  logInAs,
  logInWithPages,
  newPage,
  password,
  post,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

const secret = 'The ship was an egg.'

test('an author hides a review from those who are not as far; a visitor shows it anyway, by keyboard', async () => {
  const author = await aMember('withheld.author')
  const movieId = await aMovie(author, 'Not as far')
  const page = await newPage()
  await logInAs(page, author)
  await page.goto(`/movies/${movieId}`)
  await waitForHydration(page)
  await page.getByRole('radio', { name: /^4 stars/ }).click()
  await page.getByRole('textbox', { name: 'Your review' }).fill(secret)
  await page.getByRole('button', { name: 'Hide from those who are not as far' }).click()
  const choice = page.getByRole('group', { name: 'Only for those who are as far' })
  await choice.getByRole('textbox', { name: 'Percent' }).fill('50')
  await page.getByRole('button', { name: 'Post review' }).click()
  const read = async () =>
    (
      await call<{ reviews: { id: number; text: string; safeUpTo?: object }[] }>(
        `/reviews?movieId=${movieId}`,
      )
    ).body.reviews
  await expect.poll(read).toMatchObject([{ text: '', safeUpTo: { percent: 50 } }])
  const [review] = await read()
  await post(`/reviews/${review!.id}/comments`, { text: 'A shell, rather.' }, author.token)

  const visitor = await newPage()
  await visitor.goto(`/movies/${movieId}`)
  expect(await visitor.content()).not.toContain(secret)
  await waitForHydration(visitor)
  const item = visitor.getByRole('article', { name: /withheld.author/ })
  await expect.poll(() => item.getByText('Hidden until you are at 50%').count()).toBe(1)
  const show = item.getByRole('button', { name: 'Show anyway' })
  expect(await show.getAttribute('aria-describedby')).toBeTruthy()
  await show.focus()
  await visitor.keyboard.press('Enter')
  const shown = item.getByText(secret)
  await shown.waitFor()
  // The button is gone, so the text has the focus.
  await expect.poll(() => shown.evaluate((node) => node === document.activeElement)).toBe(true)
  await item.getByRole('button', { name: /^Comments/ }).click()
  const comment = item.getByRole('article', { name: /Comment by/ })
  await comment.getByRole('button', { name: 'Show anyway' }).click()
  await comment.getByText('A shell, rather.').waitFor()

  // The address asks for the text of the review, and not for its comments.
  await visitor.goto(`/movies/${movieId}?review=${review!.id}&reveal=true`)
  await item.first().getByText(secret).waitFor()
  await item
    .first()
    .getByRole('button', { name: /^Comments/ })
    .click()
  await comment.getByRole('button', { name: 'Show anyway' }).waitFor()
  expect(await comment.textContent()).not.toContain(secret)
})

test('without scripts, a member shows a withheld review by a form, whose page has its text', async () => {
  const [author, reader] = [await aMember('withheld.form'), await aMember('withheld.reader')]
  const movieId = await aMovie(author, 'Not as far, without scripts')
  const { body } = await post<{ review: { id: number } }>(
    '/reviews',
    { movieId, rating: 4, text: secret, safeUpTo: { percent: 50 } },
    author.token,
  )
  const page = await newPage(sizes[1], 'light', { javaScriptEnabled: false })
  await logInWithPages(page, reader.email, password)
  await page.goto(`/movies/${movieId}?sortBy=rating`, { waitUntil: 'commit' })
  const show = page.getByRole('button', { name: 'Show anyway' })
  await show.waitFor()
  expect(await page.content()).not.toContain(secret)
  await show.click()
  await page.waitForURL(`**/movies/${movieId}?review=${body.review.id}&reveal=true`)
  await page.getByRole('article', { name: 'Review by withheld.form' }).first().getByText(secret).waitFor()
  expect(await show.count()).toBe(0)
})

test('the author of a text about a show picks a season and an episode', async () => {
  const author = await aMember('withheld.viewer')
  const { body } = await call<{ results: { id: number; name: string }[] }>('/items/search?q=Andor')
  const show = body.results.find(({ name }) => name === 'Andor')!
  const page = await newPage(sizes[1], 'dark')
  await logInAs(page, author)
  await page.goto(`/tv-shows/${show.id}`)
  await waitForHydration(page)
  await page.getByRole('radio', { name: /^4 stars/ }).click()
  await page.getByRole('textbox', { name: 'Your review' }).fill(secret)
  await page.getByRole('button', { name: 'Hide from those who are not as far' }).click()
  const choice = page.getByRole('group', { name: 'Only for those who are as far' })
  await choice.getByRole('combobox', { name: 'Season' }).click()
  await page.getByRole('option', { name: 'Season 2' }).click()
  await choice.getByRole('combobox', { name: 'Episode' }).click()
  await page.getByRole('option', { name: 'S2 E8' }).click()
  await page.getByRole('button', { name: 'Post review' }).click()
  const mine = async () =>
    (await call<{ review?: object }>(`/reviews/mine?tvShowId=${show.id}`, { token: author.token })).body
      .review
  await expect.poll(mine).toMatchObject({ text: secret, safeUpTo: { season: 2, number: 8 } })
})

test('a review that is written with the entry of the diary is hidden from those who are not as far, too', async () => {
  const author = await aMember('withheld.logger')
  const movieId = await aMovie(author, 'Logged and hidden')
  const page = await newPage(sizes[1])
  await logInAs(page, author)
  await page.goto(`/movies/${movieId}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Log (not in your diary)' }).first().click()
  const log = page.getByRole('dialog', { name: 'Log' })
  await log.getByRole('radio', { name: /^4 stars/ }).click()
  await log.getByRole('textbox', { name: /^Review/ }).fill(secret)
  await log.getByRole('button', { name: 'Hide from those who are not as far' }).click()
  await log.getByRole('textbox', { name: 'Percent' }).fill('70')
  expect(await horizontalOverflow(page)).toBe(0)
  await expectAccessible(page, { within: '[role=dialog]' })
  await log.getByRole('button', { name: 'Log', exact: true }).click()
  await expect
    .poll(async () => (await call<object>(`/reviews?movieId=${movieId}`)).body)
    .toMatchObject({ reviews: [{ text: '', isWithheld: true, safeUpTo: { percent: 70 } }] })
})
