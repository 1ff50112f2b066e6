import { expect, test } from 'vitest'
import { searchTabs } from '#client/catalogue/search/params.ts'
import { suggestionDelayMs } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import {
  alive,
  answer,
  callsOf,
  enter,
  fail,
  hold,
  letPass,
  newReader,
  place,
  sessionOf,
  sizes,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

const nonsense = 'qqqzzzxxx'
const nothing = [
  messages.noResults(nonsense),
  messages.noBooks(nonsense),
  messages.noGames(nonsense),
  messages.noUsers(nonsense),
]

test.each(sizes)(
  'suggestions wait until the typing pauses, and are a combobox for the keyboard ($name)',
  async (size) => {
    const page = await newReader(size)
    await page.goto('/')
    await alive(page)
    const asked: { q: string; at: number }[] = []
    page.on('request', (request) => {
      if (!callsOf('movies.search').test(request.url())) return
      const input = new URL(request.url()).searchParams.get('input')!
      asked.push({ q: /"q":"([^"]*)"/.exec(input)![1]!, at: performance.now() })
    })
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: /search/i })
    await box.waitFor()
    expect(await box.getAttribute('placeholder')).toBe(specified('Search movies, books, games, or users…'))
    await box.pressSequentially('matri')
    const last = performance.now()
    await box.press('x')
    const option = page.getByRole('option', { name: /The Matrix/ }).first()
    await option.waitFor()
    // Of a word that is typed in one go nothing is asked before its end.
    expect(asked.map(({ q }) => q)).toEqual(['matrix'])
    expect(asked[0]!.at - last).toBeGreaterThanOrEqual(suggestionDelayMs)
    expect(await box.getAttribute('aria-expanded')).toBe('true')

    await box.press('ArrowDown')
    await expect.poll(() => option.getAttribute('id')).toBe(await box.getAttribute('aria-activedescendant'))
    await box.press('Escape')
    await option.waitFor({ state: 'detached' })
    expect(await box.getAttribute('aria-expanded')).toBe('false')
    expect(await box.inputValue()).toBe('matrix')

    // Nothing picked: Enter searches everything.
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

test.each(sizes)(
  'each tab tells what it found, or in its own words that it found nothing ($name)',
  async (size) => {
    const page = await newReader(size)
    await page.goto(`/search?q=${nonsense}`)
    await alive(page)
    for (const [index, tab] of searchTabs.entries()) {
      await page.getByRole('tab').nth(index).click()
      await page.getByRole('tabpanel').getByText(nothing[index]!).waitFor()
      expect(new URL(page.url()).searchParams.get('tab') ?? 'screen').toBe(tab)
    }
    await page.goto('/search?q=lantern&tab=users')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'lantern_moth' })
      .getByRole('link', { name: specified('View profile') })
      .waitFor()
    await page.goto('/search')
    await alive(page)
    expect(await page.getByRole('tab').count()).toBe(0)
  },
)

test('a search that fails says so in its tab alone, and can be tried again', async () => {
  const page = await newReader()
  await page.goto('/search')
  await alive(page)
  const end = await fail(page, 'sources.searchTmdb')
  const query = page.getByRole('main').getByRole('searchbox')
  await query.fill('matrix')
  await query.press('Enter')
  await page.getByText(messages.searchFailed).waitFor()
  await page.getByRole('tab', { name: specified('Games') }).click()
  await page.getByText(messages.noGames('matrix')).or(page.getByRole('article').first()).waitFor()
  await page.getByRole('tab', { name: specified('Movies & TV') }).click()
  end()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Open The Matrix', exact: true }).waitFor()
})

test.each(sizes)(
  'what is not here yet is added and then opened, after a login where there was none ($name)',
  async (size) => {
    const page = await newReader(size)
    await answer(page, 'movies.existsByTmdb', { exists: {} })
    await page.goto('/search?q=matrix')
    await alive(page)
    const add = page.getByRole('button', { name: 'Add The Matrix', exact: true })
    await add.click()
    await page.getByText(messages.logInToAddMedia).waitFor()
    await page.waitForURL((url) => url.pathname === '/login')
    await page.getByLabel('Email').fill('demo@medley.example')
    await page.getByRole('textbox', { name: 'Password' }).fill('medley-demo')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname + url.search === '/search?q=matrix')

    const end = await fail(page, 'sources.syncTmdb', { status: 503, message: messages.sourceDown })
    await add.click()
    await page.getByText('“The Matrix” was not added.').waitFor()
    end()
    const adding = await hold(page, 'sources.syncTmdb')
    await add.click()
    const busy = page.getByRole('button', { name: 'Adding…' })
    await expect.poll(() => busy.getAttribute('aria-disabled')).toBe('true')
    adding.pass()
    await page.getByRole('heading', { level: 1, name: 'The Matrix' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/movies\/\d+$/)

    // Known now, and nobody answers in the place of the server any more.
    letPass(page)
    await page.goto('/search?q=matrix')
    await alive(page)
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Open The Matrix', exact: true }) })
    await row.getByText(specified('✓ Added')).waitFor()
  },
)

test('an addition that answers without an id says so, and one that cannot be found again is unavailable', async () => {
  const page = await newReader()
  await enter(page, await sessionOf('demo@medley.example', 'medley-demo'))
  const book = {
    key: null,
    title: 'A book without numbers',
    subtitle: null,
    authors: ['Nobody'],
    publishYear: 1901,
    firstPublishYear: 1901,
    coverUrl: null,
    description: `${'word '.repeat(60)}end`,
    isbn13: null,
    olid: null,
  }
  await page.goto('/search')
  await alive(page)
  await answer(page, 'sources.searchBooks', { results: [book], source: 'openlibrary' })
  await answer(page, 'movies.existsByTmdb', { exists: {} })
  await answer(page, 'sources.syncTmdb', {})
  const query = page.getByRole('main').getByRole('searchbox')
  await query.fill('matrix')
  await query.press('Enter')
  await page.getByRole('button', { name: 'Add The Matrix', exact: true }).click()
  await page.getByText(messages.addedWithoutId).waitFor()
  expect(place(page)).toBe('/search?q=matrix')

  await page.getByRole('tab', { name: specified('Books') }).click()
  const row = page.getByRole('listitem').filter({ hasText: book.title })
  expect((await row.getByText(/^word word/).innerText()).length).toBeLessThanOrEqual(161)
  // It says that it is disabled, and tells why when it is pressed all the same.
  await row.getByRole('button', { name: specified('Unavailable') }).press('Enter')
  await page.getByText(messages.bookWithoutId).waitFor()
})
