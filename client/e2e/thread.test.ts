import { expect, inject, test } from 'vitest'
import {
  waitForHydration,
  call,
  expectAccessible,
  linkMailedTo,
  newPage,
  journeySizes,
  useBrowser,
} from './site.ts'

useBrowser()

/** A second run of a test registers another member. */
let members = 0

type Histogram = { counts: Record<string, number>; total: number; avg: number }

test.each(journeySizes)(
  'a visitor signs up, rates, reviews, and follows a member whose rating then counts in the network average ($name)',
  async (size) => {
    const page = await newPage(size, size.theme)
    const username = `thread.${size.name}${++members}`
    const email = `${username}@example.org`

    // Home links to a movie with a histogram and reviews.
    const movieId = await popularMovieWithReviews()
    await page.goto('/')
    await waitForHydration(page)
    await page.getByRole('tab', { name: 'Movies' }).click()
    await page.getByRole('tabpanel').locator(`a[href="/movies/${movieId}"]`).click()
    await page.waitForURL(new RegExp(`/movies/${movieId}$`))
    await page.getByRole('heading', { name: 'Audience Pulse' }).waitFor()
    await page.getByRole('heading', { name: /^User Reviews/ }).waitFor()
    await expectAccessible(page, { inBothThemes: false })
    const title = await page.getByRole('heading', { level: 1 }).innerText()

    // Sign-up sends a mail whose link verifies the email.
    await page.goto('/signup')
    await expectAccessible(page, { inBothThemes: false })
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill('six-or-more')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText(`We sent a verification email to ${email}.`).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login')
    // In another browser, where the link does not log in.
    await page.evaluate(() => localStorage.clear())
    await page.goto(await linkMailedTo(email))
    await page.getByText('Email verified successfully. You can now log in.').waitFor()
    await expectAccessible(page, { inBothThemes: false })
    await page.getByRole('link', { name: 'Continue to login' }).click()

    // A login from a page leads back to that page.
    await page.goto(`/movies/${movieId}`)
    await waitForHydration(page)
    await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
    await page.waitForURL(/\/login/)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill('six-or-more')
    await expectAccessible(page, { inBothThemes: false })
    await page.getByRole('button', { name: /^Log ?in$/ }).click()
    await page.waitForURL(new RegExp(`/movies/${movieId}(\\?|$|#)`))

    // One click rates; the histogram follows on the page and in the REST API.
    const before = (await call<Histogram>(`/movies/${movieId}/rating-histogram`)).body
    await page.getByRole('radio', { name: /^4 stars?/ }).click()
    await expect
      .poll(async () => (await call<Histogram>(`/movies/${movieId}/rating-histogram`)).body.counts['4'])
      .toBe(before.counts['4']! + 1)
    await page
      .getByText(`${before.total + 1} ratings`)
      .first()
      .waitFor()

    // A posted review appears in the list.
    const text = `Seen on a ${size.name}, and not for the last time.`
    await page
      .getByRole('textbox', { name: /review|take|stayed|thoughts/i })
      .first()
      .fill(text)
    await page.getByRole('button', { name: 'Post review' }).click()
    await page.getByRole('button', { name: 'Edit your Review' }).waitFor()
    await page.getByRole('article').filter({ hasText: text }).first().waitFor()
    await expectAccessible(page, { inBothThemes: false })

    // Following another reviewer adds their rating to the network average.
    const author = page.getByRole('article').filter({ hasNotText: text }).first()
    await author.getByRole('link').first().click()
    await page.waitForURL(/\/user\/\d+/)
    await page.getByRole('button', { name: /^Follow / }).click()
    await page.getByRole('button', { name: /^Unfollow/ }).waitFor()
    await expectAccessible(page, { inBothThemes: false })
    await page.goto(`/movies/${movieId}`)
    await waitForHydration(page)
    await expect.poll(() => page.getByText('Network average').locator('..').innerText()).toMatch(/\d\.\d/)
    await page
      .getByRole('radiogroup', { name: 'Whose ratings' })
      .getByRole('radio', { name: 'Following' })
      .click()
    await page.getByText('1 rating', { exact: true }).waitFor()
    await expectAccessible(page, { inBothThemes: false })
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(title)
  },
)

async function popularMovieWithReviews(): Promise<number> {
  const { popular } = (await call<{ popular: { id: number; imageUrl: string | null }[] }>('/movies/popular'))
    .body
  for (const { id, imageUrl } of popular) {
    // Other tests create movies without a poster, and review them at the same time.
    if (imageUrl === null) continue
    const { pagination } = (await call<{ pagination: { total: number } }>(`/reviews?movieId=${id}`)).body
    if (pagination.total > 1) return id
  }
  throw new Error('No popular movie has reviews.')
}

test('the same journey works through the REST API alone', async () => {
  const post = (path: string, body: object, token?: string) =>
    call<Record<string, never>>(path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token ? { token } : {}),
    })
  const email = 'thread.curl@example.org'
  const { popular } = (await call<{ popular: { id: number }[] }>('/books/popular')).body
  // The first one is rated by another test at the same time.
  const bookId = popular[1]!.id

  const registered = await post('/users/register', {
    username: 'thread.curl',
    email,
    password: 'six-or-more',
  })
  expect(registered.status).toBe(201)
  expect((await post('/auth/login', { email, password: 'six-or-more' })).status).toBe(403)
  const link = new URL(await linkMailedTo(email), inject('site').url)
  const verified = await call<{ message: string }>(`/auth/verify-email${link.search}`)
  expect(verified).toEqual({
    status: 200,
    body: { message: 'Email verified successfully. You can now log in.', isPending: false },
  })
  expect((await call(`/auth/verify-email${link.search}`)).status).toBe(400)

  const { token } = (await post('/auth/login', { email, password: 'six-or-more' })).body as unknown as {
    token: string
  }
  const before = (await call<Histogram>(`/books/${bookId}/rating-histogram`)).body
  expect((await post('/reviews', { bookId, rating: 2, text: 'By curl.' }, token)).status).toBe(201)
  const after = (await call<Histogram>(`/books/${bookId}/rating-histogram`)).body
  expect(after.total).toBe(before.total + 1)
  expect(after.counts['2']).toBe(before.counts['2']! + 1)

  expect((await call(`/books/${bookId}/network-rating`, { token })).body).toEqual({
    networkAvg: null,
    count: 0,
  })
  const { users } = (await call<{ users: { id: number }[] }>('/users/2/following?limit=100', { token })).body
  for (const { id } of users)
    expect((await post('/users/follow', { userIdToFollow: id }, token)).status).toBe(200)
  const network = (
    await call<{ networkAvg: number; count: number }>(`/books/${bookId}/network-rating`, { token })
  ).body
  expect(network.count).toBeGreaterThan(0)
  expect(network.networkAvg).toBeGreaterThanOrEqual(1)

  expect((await post('/auth/logout', {}, token)).status).toBe(200)
  expect((await call('/users/me', { token })).status).toBe(401)
})

test('of concurrent registrations with the same name one succeeds', async () => {
  const register = (email: string) =>
    call('/users/register', {
      method: 'POST',
      body: JSON.stringify({ username: 'only.one', email, password: 'six-or-more' }),
    })
  const responses = await Promise.all([1, 2, 3, 4].map((n) => register(`one${n}@example.org`)))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
})
