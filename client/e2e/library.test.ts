import { beforeAll, expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  logInAs,
  type Member,
  newPage,
  pathOf,
  post,
  procedureUrl,
  journeySizes as sizes,
  specified,
  stubError,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

let keen: Member
let total: number
beforeAll(async () => {
  keen = await aMember('library.keen')
  // Titles of the starter catalogue, more than one page of them.
  const { body } = await call<{ items: { id: number }[] }>('/items?limit=30')
  for (const [index, { id }] of body.items.entries())
    await post(
      '/reviews',
      { itemId: id, rating: 1 + (index % 5), text: index < 3 ? `Words number ${index}.` : '' },
      keen.token,
    )
  total = body.items.length
})

variation('everything a member rated can be filtered, sorted and loaded to the end', async () => {
  const page = await newPage()
  await logInAs(page, keen)
  await page.goto(`/user/${keen.user.id}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: specified('Items') })
    .click()
  await expect.poll(() => pathOf(page)).toBe(`/user/${keen.user.id}/reviews`)
  // One list, or one per month, year or number of stars.
  const list = page.getByRole('list', { name: /^Ratings(, .*)?$/ })
  await expect.poll(() => list.getByRole('article').count()).toBe(24)
  await page.getByText(`${total} ratings`, { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Load more' }).press('Enter')
  await expect.poll(() => list.getByRole('article').count()).toBe(total)
  // The button is gone, so the focus moves to the first card that is new.
  await expect
    .poll(() =>
      list
        .getByRole('article')
        .nth(24)
        .getByRole('link')
        .evaluate((link) => link === document.activeElement),
    )
    .toBe(true)
  expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filters = page.getByRole('dialog', { name: 'Filter' })
  await filters.getByRole('button', { name: 'With text' }).click()
  await expectAccessible(page, { inBothThemes: false })
  await filters.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Filter (1)' }).waitFor()
  await expect.poll(() => list.getByRole('article').count()).toBe(3)
  await list.getByText('Words number 1.').waitFor()
  expect(pathOf(page)).toBe(`/user/${keen.user.id}/reviews?text=yes`)
  await expectAccessible(page)

  // A filter without matches, from the URL.
  await page.goto(`/user/${keen.user.id}/reviews?text=yes&rating=5&sort=lowest`)
  await page.getByText('Nothing matches these filters.').waitFor()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect.poll(() => pathOf(page)).toBe(`/user/${keen.user.id}/reviews?sort=lowest`)
  await list.getByRole('img', { name: '1 out of 5 stars' }).first().waitFor()
  await page.getByRole('combobox', { name: 'Sort' }).click()
  await page.getByRole('option', { name: 'Highest rated' }).click()
  await page.getByRole('list', { name: 'Ratings, 5 stars' }).waitFor()
  await expect.poll(() => pathOf(page)).toBe(`/user/${keen.user.id}/reviews?sort=highest`)

  // The bars filter by stars, and again take the filter away.
  const bar = page
    .getByRole('list', { name: `Ratings by ${keen.user.username}` })
    .getByRole('link', { name: /^2 stars/ })
  await bar.click()
  await expect.poll(() => pathOf(page)).toBe(`/user/${keen.user.id}/reviews?rating=2&sort=highest`)
  await expect.poll(() => bar.getAttribute('aria-current')).not.toBeNull()
  await bar.click()
  await expect.poll(() => pathOf(page)).toBe(`/user/${keen.user.id}/reviews?sort=highest`)
  const name = (await list.getByRole('article').first().getByRole('link').textContent())!
  await page.getByRole('searchbox', { name: 'Search these titles' }).fill(name)
  await expect.poll(() => list.getByRole('article').count()).toBe(1)
  await list.getByRole('link', { name, exact: true }).waitFor()
})

test.each(sizes)('a poster is rated from its menu, and shows the stars everywhere ($name)', async (size) => {
  const isPhone = size.name === 'phone'
  const rater = await aMember(`library.rater.${size.name}`)
  const page = await newPage(size, size.theme, { hasTouch: isPhone })
  await logInAs(page, rater)
  // The titles of the first steps depend on what other tests have rated.
  await page.addInitScript((id) => localStorage.setItem('first steps closed', id), String(rater.user.id))
  const calls: string[] = []
  page.on('request', (request) => {
    if (procedureUrl('reviews.mineFor').test(request.url())) calls.push(request.url())
  })
  await page.goto('/items')
  const rows = page.getByRole('list', { name: 'Items' }).getByRole('article')
  const menus = page.getByRole('button', { name: /^Actions for / })
  await expect.poll(() => menus.count()).toBe(24)
  await expect.poll(() => calls.length).toBe(1)
  expect(
    decodeURIComponent(calls[0]!)
      .split(/"ids":"/)[1]!
      .split('"')[0]!
      .split(','),
  ).toHaveLength(24)

  const menu = menus.first()
  const name = (await menu.getAttribute('aria-label'))!.slice('Actions for '.length)
  if (isPhone) {
    // Visible without hovering, and large enough for a finger.
    const box = (await menu.boundingBox())!
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
    await menu.tap()
  } else {
    await menu.press('Enter')
  }
  const dialog = page.getByRole('dialog', { name, exact: true })
  await dialog.waitFor()
  expect(await menu.getAttribute('aria-expanded')).toBe('true')
  // The menu is over its own row, and covers no other.
  const [over, next] = [(await dialog.boundingBox())!, (await rows.nth(isPhone ? 1 : 2).boundingBox())!]
  expect(over.y + over.height).toBeLessThanOrEqual(next.y)
  await expectAccessible(page, { inBothThemes: false })
  await dialog.getByRole('radio', { name: /^4 stars/ }).click()
  await rows.first().getByRole('img', { name: 'You gave 4 stars' }).waitFor()
  const favorite = dialog.getByRole('button', { name: 'Favorite' })
  await favorite.click()
  await expect.poll(() => favorite.getAttribute('aria-pressed')).toBe('true')

  // A failed change shows the old stars again.
  const restore = await stubError(page, 'reviews.save')
  await dialog.getByRole('radio', { name: /^1 star,/ }).click()
  await page.getByText('Your rating was not saved').waitFor()
  await rows.first().getByRole('img', { name: 'You gave 4 stars' }).waitFor()
  restore()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true)

  const id = (await rows.first().getByRole('link').getAttribute('href'))!.split('/').pop()!
  const { body } = await call<{ review: { rating: number } }>(`/reviews/mine?itemId=${id}`, {
    token: rater.token,
  })
  expect(body.review.rating).toBe(4)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Not rated by me' }).click()
  await expect.poll(() => pathOf(page)).toBe('/items?unrated=yes')
  await expect.poll(() => rows.getByRole('link', { name, exact: true }).count()).toBe(0)
})

variation('a title has one place to rate, to which its rating beside Favorite leads', async () => {
  const rater = await aMember('library.title')
  const movieId = await aMovie(rater, 'Rated in one place')
  const page = await newPage(sizes[1])
  await logInAs(page, rater)
  await page.goto(`/movies/${movieId}`)
  await waitForHydration(page)
  const take = page.getByRole('region', { name: specified('Share Your Take') })
  await take.getByRole('radio').first().waitFor()
  expect(await page.getByRole('radiogroup', { name: /^Your rating/ }).count()).toBe(1)
  await page.getByRole('link', { name: 'Rate', exact: true }).click()
  await expect
    .poll(() =>
      take
        .getByRole('radio')
        .first()
        .evaluate((star) => star === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('5')
  await page.getByRole('link', { name: 'Your rating 5 stars. Change your rating' }).click()
  const chosen = take.getByRole('radio', { name: /^5 stars/, checked: true })
  await expect.poll(() => chosen.evaluate((star) => star === document.activeElement)).toBe(true)
  // The focus has one colour on the pages of all kinds, which is not the colour of errors.
  const colours = await chosen.evaluate((star) => {
    const look = getComputedStyle(star)
    return ['--color-focus', '--color-danger', '--color-accent'].map((name) => look.getPropertyValue(name))
  })
  expect(new Set(colours).size).toBe(3)
  await page
    .getByRole('list', { name: 'Ratings of everyone' })
    .getByText('5 stars: 1 (100 %)')
    .waitFor({ state: 'attached' })
  await take.getByRole('button', { name: 'Clear rating' }).click()
  await page.getByRole('link', { name: 'Rate', exact: true }).waitFor()
  await expect
    .poll(async () => (await call(`/reviews/mine?movieId=${movieId}`, { token: rater.token })).status)
    .toBe(404)
})

test('visitors are asked to log in, and lead back', async () => {
  const page = await newPage()
  await page.goto('/movies/1')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Favorite' }).click()
  await page.getByText(messages.pleaseLogInFirst).waitFor()
  await page.goto('/')
  await waitForHydration(page)
  // Posters have no buttons for visitors, but their keys.
  const poster = page.locator('.poster-card .card-link').first()
  await expect
    .poll(async () => {
      await poster.press('w')
      return page.getByText(messages.pleaseLogInFirst).count()
    })
    .toBeGreaterThan(0)
  expect(await page.getByRole('button', { name: /^Actions for / }).count()).toBe(0)
  await page.getByRole('button', { name: 'Login' }).last().press('Enter')
  await expect.poll(() => pathOf(page)).toBe('/login?redirect=%2F')
})

variation('ten posters are rated with ten presses, each of which can be undone', async () => {
  const rater = await aMember('library.ten')
  const page = await newPage()
  await logInAs(page, rater)
  await page.goto('/items')
  const rows = page.getByRole('list', { name: 'Items' }).getByRole('article')
  await rows.nth(9).locator('.card-menu').waitFor()
  for (let index = 0; index < 10; index++) {
    // Away from the toast at the bottom. The stars are under a mouse only.
    await rows.nth(index).evaluate((row) => row.scrollIntoView({ block: 'center', behavior: 'instant' }))
    await rows.nth(index).hover()
    await rows
      .nth(index)
      .locator('.card-stars button')
      .nth(index % 5)
      .click()
  }
  const rated = async () =>
    (await call<{ total: number }>('/users/me/reviews', { token: rater.token })).body.total
  await expect.poll(rated).toBe(10)
  await rows.nth(9).getByRole('img', { name: 'You gave 5 stars' }).waitFor()
  // One toast at a time.
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows.nth(9).getByRole('img', { name: 'You gave 5 stars' }).waitFor({ state: 'detached' })
})

variation(
  'on a touch screen, one tap on a poster adds its title to the want list, and another one or the toast undoes that',
  async () => {
    const rater = await aMember('library.taps')
    const page = await newPage(sizes[1], 'light', { hasTouch: true, isMobile: true })
    await logInAs(page, rater)
    await page.goto('/items')
    const rows = page.getByRole('list', { name: 'Items' }).getByRole('article')
    const bookmark = rows.first().getByRole('button', { name: /^Want to / })
    const marks = async () =>
      (await call<{ pagination?: unknown; entries: unknown[] }>('/diary?status=want', { token: rater.token }))
        .body.entries.length
    await bookmark.tap()
    await expect.poll(marks).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect.poll(marks).toBe(0)
    await expect.poll(() => bookmark.getAttribute('aria-pressed')).toBe('false')
    await bookmark.tap()
    await expect.poll(() => bookmark.getAttribute('aria-pressed')).toBe('true')
    await bookmark.tap()
    await page.getByText(/is no longer on your want list/).waitFor()
    await expect.poll(marks).toBe(0)

    const mouse = await newPage()
    await logInAs(mouse, rater)
    await mouse.goto('/items')
    await mouse.locator('.card-menu').first().waitFor()
    expect(await mouse.getByRole('button', { name: /^Want to / }).count()).toBe(0)
  },
)

variation('the keys of a focused poster rate it, add it to the want list, and open its diary', async () => {
  const rater = await aMember('library.keys')
  const page = await newPage()
  await logInAs(page, rater)
  await page.goto('/items')
  const rows = page.getByRole('list', { name: 'Items' }).getByRole('article')
  await rows.nth(1).locator('.card-menu').waitFor()
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const link = rows.first().getByRole('link')
  const name = await link.innerText()
  const other = dialog(await rows.nth(1).getByRole('link').innerText())
  await link.press('4')
  await rows.first().getByRole('img', { name: 'You gave 4 stars' }).waitFor()
  await link.press('f')
  await page.getByText(`“${name}” is a favorite`).waitFor()
  await rows.nth(1).getByRole('link').press('w')
  await rows.nth(1).getByRole('img', { name: 'You want this' }).waitFor()
  await page.getByRole('button', { name: 'Add note' }).click()
  await other.getByRole('radio', { name: /^Want to/, checked: true }).waitFor()
  await page.keyboard.press('Escape')
  await other.waitFor({ state: 'detached' })
  // A rated title is not offered as wanted.
  await link.press('d')
  const log = dialog('Log')
  await log.getByRole('radio', { name: /^(Watched|Read|Played)$/, checked: true }).waitFor()
  expect(await log.getByRole('radio', { name: /^Want to/, checked: true }).count()).toBe(0)
})
