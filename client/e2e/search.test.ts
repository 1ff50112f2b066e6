import { expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { searchTabs } from '#client/catalogue/search/params.ts'
import { suggestionDelayMs } from '#shared/domain/limits.ts'
import { tabs } from '#shared/domain/tabs.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  call,
  waitForHydration,
  expectAccessible,
  stubResponse,
  procedureUrl,
  logInAs,
  stubError,
  holdResponse,
  clearStubs,
  newPage,
  pathOf,
  createSession,
  sizes,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

const nonsense = 'qqqzzzxxx'
/** A result that is not in the catalogue. */
const aResult = (name: string) => ({
  kind: 'movie',
  name,
  ids: [{ source: 'tmdb-movie', id: '603' }],
  text: null,
  imageUrl: null,
  releaseYear: 1999,
  creators: [],
  platforms: [],
  localId: null,
  average: null,
})
const noResults = [
  tabs.screen.empty(nonsense),
  tabs.books.empty(nonsense),
  tabs.games.empty(nonsense),
  messages.noUsers(nonsense),
]

test.each(sizes)(
  'suggestions are debounced, and are a combobox that the keyboard can operate ($name)',
  async (size) => {
    const page = await newPage(size)
    await page.goto('/')
    await waitForHydration(page)
    const requests: { q: string; at: number }[] = []
    page.on('request', (request) => {
      if (!procedureUrl('movies.search').test(request.url())) return
      const input = new URL(request.url()).searchParams.get('input')!
      requests.push({ q: /"q":"([^"]*)"/.exec(input)![1]!, at: performance.now() })
    })
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: /search/i })
    await box.waitFor()
    await expect
      .poll(() => box.getAttribute('placeholder'))
      .toBe(specified('Search movies, books, games, or users…'))
    const typedAt = performance.now()
    // Types faster than a busy machine delivers key presses: a pause would end the debounce.
    await page.evaluate(async () => {
      for (const letter of 'matrix') {
        document.execCommand('insertText', false, letter)
        // Lets React render, but no timer fire.
        await Promise.resolve()
      }
    })
    const option = page.getByRole('option', { name: /The Matrix/ }).first()
    await option.waitFor()
    // Only the whole word is requested.
    expect(requests.map(({ q }) => q)).toEqual(['matrix'])
    expect(requests[0]!.at - typedAt).toBeGreaterThanOrEqual(suggestionDelayMs)
    await expect.poll(() => box.getAttribute('aria-expanded')).toBe('true')

    await box.press('ArrowDown')
    await expect
      .poll(
        async () => (await box.getAttribute('aria-activedescendant')) === (await option.getAttribute('id')),
      )
      .toBe(true)
    await box.press('Escape')
    await option.waitFor({ state: 'detached' })
    await expect.poll(() => box.getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => box.inputValue()).toBe('matrix')

    // Enter without a selected suggestion opens the search page.
    await box.press('Enter')
    await page.waitForURL((url) => url.pathname + url.search === '/search?q=matrix')
    await page.getByRole('heading', { level: 1, name: '“matrix”' }).waitFor()

    await box.fill('')
    await box.pressSequentially('godf')
    await page
      .getByRole('option', { name: /The Godfather/ })
      .first()
      .click()
    await page.waitForURL(/\/movies\/\d+$/)
    await page.getByRole('heading', { level: 1, name: 'The Godfather' }).waitFor()
  },
)

test('suggestions are of all kinds, movies first, and the last row searches everything', async () => {
  const page = await newPage()
  await page.goto('/')
  await waitForHydration(page)
  await page.keyboard.press('/')
  await page.keyboard.type('the')
  const options = page.getByRole('option')
  await options.filter({ hasText: 'Search everything for “the”' }).waitFor()
  // Members of other tests may have such a name.
  const rows = (await options.allInnerTexts())
    .map((text) => /Movie|TV show|Book|Game|Member|Search/.exec(text)![0])
    .filter((row) => row !== 'Member')
  expect(rows.slice(0, 4)).toEqual(['Movie', 'Movie', 'Movie', 'Movie'])
  expect(rows.at(-1)).toBe('Search')
  const others = rows.slice(0, -1).filter((row) => row !== 'Movie')
  expect(others.length).toBeGreaterThan(0)
  expect(rows.slice(rows.indexOf(others[0]!), -1)).toEqual(others)
  await expectAccessible(page)

  // A book that begins with the query is before a movie that only contains its words.
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('the ho')
  await options.filter({ hasText: 'Search everything for “the ho”' }).waitFor()
  await expect.poll(async () => (await options.first().innerText()).split('\n')[0]).toBe('The Hobbit')

  // Nothing local matches: the last row is the only one.
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('zzzqx')
  await page.getByRole('option', { name: 'Search everything for “zzzqx”' }).waitFor()
  await expect.poll(() => options.count()).toBe(1)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname + url.search === '/search?q=zzzqx')
  await expect.poll(() => options.count()).toBe(0)

  await page.getByRole('combobox', { name: /search/i }).fill('zelda')
  await page
    .getByRole('option', { name: /^[^,]*Zelda[^,]*[^ ], Game, \d{4}$/ })
    .first()
    .click()
  await page.waitForURL(/\/games\/\d+$/)
})

variation('suggestions that arrive while another one is highlighted do not take its place', async () => {
  const page = await newPage()
  await page.goto('/')
  await waitForHydration(page)
  const box = page.getByRole('combobox', { name: /search/i })
  await box.fill('matrix')
  await page
    .getByRole('option', { name: /The Matrix/ })
    .first()
    .waitFor()

  const searching = await holdResponse(page, 'movies.search')
  await box.fill('godfather')
  await page.getByRole('option', { name: 'Search everything for “godfather”' }).waitFor()
  await box.press('ArrowDown')
  await expect
    .poll(() => page.locator('[role=option][aria-selected=true]').innerText())
    .toContain('The Matrix')
  searching.release()
  await page
    .getByRole('option', { name: /The Godfather/ })
    .first()
    .waitFor()
  await expect.poll(() => box.getAttribute('aria-activedescendant')).toBeNull()
  await box.press('Enter')
  await page.waitForURL((url) => url.pathname + url.search === '/search?q=godfather')
})

test('a search opens the first tab with results, and a found member can be followed', async () => {
  const { token, user } = await aMember('search.found')
  const page = await newPage()
  await logInAs(page, await aMember('search.finder'))
  await page.goto('/search?q=starcraft')
  await page.getByRole('link', { name: 'Open StarCraft' }).waitFor()
  await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toContain('Games')
  await page.goto(`/search?q=${user.username}`)
  await page.getByRole('button', { name: `Follow ${user.username}` }).click()
  await page.getByRole('button', { name: `Unfollow ${user.username}` }).waitFor()
  await expect
    .poll(async () => (await call(`/users/${user.id}/followers`, { token })).body)
    .toMatchObject({ users: [{ username: 'search.finder' }] })
})

variation('titles of the catalogue that no external source has are found, and open', async () => {
  const page = await newPage()
  await page.goto('/search?q=starcraft&tab=games')
  await page.getByRole('tab', { name: 'Games 1' }).waitFor()
  const results = page.getByRole('list', { name: 'Games' })
  await results.getByText('Game · 1998').waitFor()
  await results.getByText('✓ Added').waitFor()
  await results.getByRole('link', { name: 'Open StarCraft' }).click()
  await page.waitForURL(/\/games\/\d+$/)
})

variation('each tab shows its results, or its own message if there are none', async () => {
  const page = await newPage()
  await page.goto(`/search?q=${nonsense}`)
  await waitForHydration(page)
  for (const [index, tab] of searchTabs.entries()) {
    await page.getByRole('tab').nth(index).click()
    await page.getByRole('tabpanel').getByText(noResults[index]!).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('tab') ?? 'screen').toBe(tab)
    // Tab leads into the panel: to what is in it, or to the panel if that takes no focus.
    await page.getByRole('tab').nth(index).press('Tab')
    const isInside = (panel: Element) => panel.contains(document.activeElement)
    expect(await page.getByRole('tabpanel').evaluate(isInside), tab).toBe(true)
  }
  await page.goto('/search?q=lantern&tab=users')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'lantern_moth' })
    .getByRole('link', { name: specified('View profile') })
    .waitFor()
  await page.goto('/search')
  await waitForHydration(page)
  await expect.poll(() => page.getByRole('tab').count()).toBe(0)
})

variation('a failed search shows an error in its tab only, and can be retried', async () => {
  const page = await newPage()
  await page.goto('/search')
  await waitForHydration(page)
  const restore = await stubError(page, 'sources.search screen')
  const query = page.getByRole('main').getByRole('searchbox')
  await query.fill('matrix')
  await query.press('Enter')
  await page.getByText(messages.searchFailed).waitFor()
  await page.getByRole('tab', { name: specified('Games') }).click()
  await page.getByText(tabs.games.empty('matrix')).or(page.getByRole('article').first()).waitFor()
  await page.getByRole('tab', { name: specified('Movies & TV') }).click()
  restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Open The Matrix', exact: true }).waitFor()
})

test('a result that is not in the catalogue is added and opened, after a login if necessary', async () => {
  const page = await newPage()
  const results = [aResult('The Matrix')]
  await page.goto('/search')
  await waitForHydration(page)
  await stubResponse(page, 'sources.search screen', { results, source: 'starter' })
  const query = page.getByRole('main').getByRole('searchbox')
  await query.fill('matrix')
  await query.press('Enter')
  const add = page.getByRole('button', { name: 'Add The Matrix', exact: true })
  await add.click()
  await page.getByText(tabs.screen.logInToAdd).waitFor()
  await page.waitForURL((url) => url.pathname === '/login')
  await page.getByLabel('Email').fill('demo@medley.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('medley-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname + url.search === '/search?q=matrix')

  const restore = await stubError(page, 'sources.sync', { status: 503, message: messages.sourceDown })
  await add.click()
  await page.getByText('“The Matrix” was not added.').waitFor()
  restore()
  const adding = await holdResponse(page, 'sources.sync')
  await add.click()
  const busy = page.getByRole('button', { name: 'Adding…' })
  await expect.poll(() => busy.getAttribute('aria-disabled')).toBe('true')
  adding.release()
  await page.getByRole('heading', { level: 1, name: 'The Matrix' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/movies\/\d+$/)

  // The title is added, so responses need no stubs.
  clearStubs(page)
  await page.goto('/search?q=matrix')
  await waitForHydration(page)
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Open The Matrix', exact: true }) })
  await row.getByText(specified('✓ Added')).waitFor()
})

variation(
  'adding a title whose response has no id shows an error, and a book without an identifier is unavailable',
  async () => {
    const page = await newPage()
    await logInAs(page, await createSession('demo@medley.example', 'medley-demo'))
    const text = `${'word '.repeat(60)}end`
    const book = { ...aResult('A book without numbers'), kind: 'book', text, ids: [] }
    await page.goto('/search')
    await waitForHydration(page)
    await stubResponse(page, 'sources.search books', { results: [book], source: 'openlibrary' })
    await stubResponse(page, 'sources.search screen', { results: [aResult('The Matrix')], source: 'tmdb' })
    await stubResponse(page, 'sources.sync', {})
    const query = page.getByRole('main').getByRole('searchbox')
    await query.fill('matrix')
    await query.press('Enter')
    await page.getByRole('button', { name: 'Add The Matrix', exact: true }).click()
    await page.getByText(tabs.screen.addedWithoutId).waitFor()
    expect(pathOf(page)).toBe('/search?q=matrix')

    await page.getByRole('tab', { name: specified('Books') }).click()
    const row = page.getByRole('listitem').filter({ hasText: book.name })
    expect((await row.getByText(/^word word/).innerText()).length).toBeLessThanOrEqual(161)
    // The button is aria-disabled, and pressing it explains why.
    await row.getByRole('button', { name: specified('Unavailable') }).press('Enter')
    await page.getByText(messages.bookWithoutId).waitFor()
  },
)
