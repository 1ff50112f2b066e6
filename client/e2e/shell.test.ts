import { expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import {
  aMember,
  aMovie,
  waitForHydration,
  call,
  expectAccessible,
  logIn,
  logInAs,
  newPage,
  sizes,
  useBrowser,
} from './site.ts'

useBrowser()

test('an unknown path redirects to Home, and says so', async () => {
  const page = await newPage()
  await page.goto('/no/such/page')
  await page.getByRole('heading', { name: 'Popular this week' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  await page.getByText('There is no such page').waitFor()
})

variation.each([
  '/for-you',
  '/calendar',
  '/favorites',
  '/items',
  '/items/1',
  '/user/1',
  '/settings',
  '/create-item/movies',
])('a visitor who opens %s is redirected to the login, and back after it', async (path) => {
  const page = await newPage()
  await page.goto(path)
  await page.waitForURL(/\/login/)
  await page.getByLabel('Email').fill('demo@medley.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('medley-demo')
  await page.getByRole('button', { name: /^Log ?in$/ }).click()
  await page.waitForURL((url) => url.pathname === path)
})

test('a login without a redirect goes to the library', async () => {
  const page = await newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill('demo@medley.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('medley-demo')
  await page.getByRole('button', { name: /^Log ?in$/ }).click()
  await page.waitForURL((url) => url.pathname === '/items')
})

variation('a login never redirects to another site', async () => {
  const page = await newPage()
  for (const target of ['//evil.example', 'https://evil.example', '/\\evil.example', '/..//evil.example']) {
    await logIn(page)
    await page.goto(`/login?redirect=${encodeURIComponent(target)}`)
    await page.waitForURL((url) => url.pathname !== '/login')
    expect(new URL(page.url()).hostname).toBe('127.0.0.1')
  }
})

test('a wrong password shows an error and keeps the typed email', async () => {
  const page = await newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill('demo@medley.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('not-it')
  await page.getByRole('button', { name: /^Log ?in$/ }).click()
  await page.getByText('Invalid email or password.').waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('demo@medley.example')
})

test('a verification with a missing or invalid token shows an error', async () => {
  const page = await newPage()
  await page.goto('/verify-email')
  await page.getByText('Missing verification token.').waitFor()
  await page.goto('/verify-email?token=dead')
  await page.getByText('Verification failed. Please request a new verification email.').waitFor()
})

test.each(sizes)('logging out ends the session on the server and goes Home ($name)', async (size) => {
  const page = await newPage(size)
  await logIn(page)
  await page.goto('/for-you')
  await page.getByRole('heading', { level: 1, name: 'For You' }).waitFor()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const direct = page.getByRole('button', { name: 'Logout' })
  if (!(await direct.isVisible()))
    await page
      .getByRole('banner')
      .getByRole('button', { name: /menu|account/i })
      .click()
  await page
    .getByRole('button', { name: 'Logout' })
    .or(page.getByRole('menuitem', { name: 'Logout' }))
    .filter({ visible: true })
    .first()
    .click()
  await page.waitForURL((url) => url.pathname === '/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect.poll(async () => (await call('/users/me', { token: token! })).status).toBe(401)
})

variation.each([
  ['/movies/999999', 'Movie not found.'],
  ['/tv-shows/999999', 'TV show not found.'],
  ['/books/junk', 'Book not found.'],
  ['/games/-1', 'Game not found.'],
])('%s shows “%s”', async (path, words) => {
  const page = await newPage()
  await page.goto(path)
  await page.getByRole('heading', { level: 1, name: words }).waitFor()
  await expectAccessible(page)
})

test('typing suggests movies, and the keyboard opens a suggestion', async () => {
  const page = await newPage()
  await page.goto('/')
  await waitForHydration(page)
  await page.keyboard.press('/')
  await page.keyboard.type('matr')
  await page.getByRole('option', { name: /The Matrix/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/movies\/\d+/)
  await page.getByRole('heading', { level: 1, name: 'The Matrix' }).waitFor()
})

variation.each([
  { path: '/', box: 'search movies, books, games, or users' },
  { path: '/search', box: 'search' },
])('text typed into a search box of $path before the page is hydrated stays and is searched', async (at) => {
  const page = await newPage()
  const scripts = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await scripts.promise
    return route.fallback()
  })
  await page.goto(at.path, { waitUntil: 'commit' })
  const box = page.getByRole('searchbox', { name: new RegExp(`^${at.box}$`, 'i') })
  await box.click()
  await page.keyboard.type('matr')
  scripts.resolve()
  await waitForHydration(page)
  // The suggestions are loaded.
  await page.getByRole('combobox', { name: 'Search movies, books, games, or users' }).waitFor()
  const input = page.locator('input:focus')
  await expect.poll(() => input.inputValue()).toBe('matr')
  await page.keyboard.type('i')
  await expect.poll(() => input.inputValue()).toBe('matri')
  await page.keyboard.press('Enter')
  await page.waitForURL('/search?q=matri')
})

variation(
  'keys typed while a page is hydrated and loads the suggestions arrive in order, in the same input',
  async () => {
    const page = await newPage()
    const chunks = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await chunks.promise
      return route.fallback()
    })
    await page.goto('/movies/1', { waitUntil: 'commit' })
    const box = page.getByRole('banner').locator('input[name=q]')
    await box.evaluate((input) => Object.assign(globalThis, { firstInput: input }))
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await box.click()
    const text = 'a hitchhikers guide to the galaxy'
    for (const [at, letter] of [...text].entries()) {
      if (at === 3) chunks.resolve()
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
    }
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.getByRole('combobox', { name: 'Search movies, books, games, or users' }).waitFor()
    expect(await box.inputValue()).toBe(text)
    expect(await box.evaluate((input) => Reflect.get(globalThis, 'firstInput') === input)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('q') === text)
  },
)

test('a line in the palette logs a title with its day and stars, by keyboard alone', async () => {
  const member = await aMember('palette.member')
  await aMovie(member, 'A palette of colours')
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitForHydration(page)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('option', { name: 'My ratings' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.type('watched a palette of yesterday 4')
  await palette.getByRole('option', { name: /^Log A palette of colours, yesterday, 4 stars/ }).waitFor()
  await page.keyboard.press('Enter')
  const log = page.getByRole('dialog', { name: 'Log' })
  await log.getByRole('radio', { name: /^4 stars/, checked: true }).waitFor()
  const submit = log.getByRole('button', { name: 'Log', exact: true })
  await expect.poll(() => submit.evaluate((button) => button === document.activeElement)).toBe(true)
  await expectAccessible(page)
  await expect.poll(() => submit.getAttribute('aria-disabled')).not.toBe('true')
  await page.keyboard.press('Enter')
  await page.getByText('“A palette of colours” is in your diary').waitFor()
  const { body } = await call<{ entries: { status: string; rating: number }[] }>('/diary', {
    token: member.token,
  })
  expect(body.entries).toMatchObject([{ status: 'finished', rating: 4 }])
})

variation(
  'on a phone, Log finds a title and adds it to the want list, and the bar leaves while typing',
  async () => {
    const member = await aMember('log.member')
    await aMovie(member, 'A film to want')
    const page = await newPage(sizes[1])
    await logInAs(page, member)
    await page.goto('/')
    await waitForHydration(page)
    const bar = page.getByRole('navigation', { name: 'Quick access' })
    await bar.waitFor()
    // All names are on one line.
    const bottoms = await bar.locator('a, button').evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange()
        range.selectNode(one.lastChild!)
        return range.getBoundingClientRect().bottom
      }),
    )
    expect(bottoms).toHaveLength(5)
    expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThanOrEqual(1)
    await bar.getByRole('button', { name: 'Log' }).click()
    const log = page.getByRole('dialog', { name: 'Log' })
    const field = log.getByRole('searchbox')
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await page.locator('.bottom-bar').isVisible()).toBe(false)
    await field.fill('a film to wa')
    await log
      .getByRole('button', { name: /A film to want/ })
      .first()
      .click()
    await log.getByRole('radio', { name: 'Want to watch' }).click()
    await log.getByRole('button', { name: 'Add to your want list' }).click()
    await page.getByText('“A film to want” is on your want list').waitFor()
    const [toast, header] = [page.locator('.toast').first(), page.getByRole('banner')]
    const edges = async () => [(await toast.boundingBox())!.y, (await header.boundingBox())!.height] as const
    await expect.poll(async () => (([top, bottom]) => top >= bottom - 1)(await edges())).toBe(true)
    await bar.getByRole('link', { name: 'Me', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'log.member' }).waitFor()
  },
)

test('? and a link in the footer open the keyboard shortcuts, but not while typing', async () => {
  const page = await newPage()
  await page.goto('/')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await waitForHydration(page)
  await page.keyboard.press('?')
  await dialog.waitFor()
  await expectAccessible(page, { inBothThemes: false, within: '[role=dialog]' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.keyboard.press('/')
  await page.keyboard.type('who?')
  const search = page
    .getByRole('banner')
    .getByRole('combobox')
    .or(page.getByRole('banner').getByRole('searchbox'))
  await expect.poll(() => search.first().inputValue()).toBe('who?')
  await expect.poll(() => dialog.count()).toBe(0)

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await dialog.waitFor()
})
