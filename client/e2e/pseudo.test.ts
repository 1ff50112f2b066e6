import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'
import {
  expectAccessible,
  horizontalOverflow,
  logInWithPages,
  newPage,
  sizes,
  takeBrowserErrors,
  useBrowser,
  waitForHydration,
} from './site.ts'

const { folder, remove } = aDataFolder()
let program: Program
let english: string[]
beforeAll(async () => {
  program = await startProgram(
    { DATA_DIR: folder, DEMO: 'on' },
    { nodeArguments: ['--import', './scripts/testing/pseudo-language.ts'] },
  )
  const { messages } = await findMessages(process.cwd())
  english = messages.map(({ source }) => source).filter((source) => /\p{L}{2}/u.test(source))
}, 120_000)
afterAll(async () => {
  await program.end()
  remove()
})
useBrowser()

const screens = {
  visitor: ['/', '/login', '/signup', '/forgot-password', '/movies/1', '/lists', '/search?q=the', '/nothing'],
  member: [
    '/',
    '/movies/1',
    '/for-you',
    '/diary',
    '/up-next',
    '/calendar?month=2025-02',
    '/items',
    '/user/2',
    '/user/2/reviews',
    '/notifications',
    '/list/1',
    '/favorites',
    '/imports',
    '/settings',
    '/settings?tab=account',
    '/settings?tab=notifications',
    '/create-item',
  ],
}

/** Returns the texts and names of elements that are English. Texts of members and names of titles have a direction of their own. */
function englishTexts(page: Page): Promise<string[]> {
  return page.evaluate((sources) => {
    const known = new Set(sources)
    const own = 'bdi, time, code, kbd, [dir=auto], [translate=no], [lang]:not(html), [id=languages]'
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode
      const isText = parent !== null && parent.checkVisibility() && parent.closest(own) === null
      if (isText && known.has(textContent!.trim())) found.push(textContent!.trim())
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder]'))
      for (const name of ['aria-label', 'placeholder'])
        if (known.has(element.getAttribute(name) ?? '') && element.closest(own) === null)
          found.push(element.getAttribute(name)!)
    return found
  }, english)
}

test.each(
  sizes.flatMap((size) => Object.entries(screens).map(([who, paths]) => [who, size, paths] as const)),
)(
  'in a language with longer texts, no page of a %s has an English text, is wider than the window, or violates a rule of axe (%o)',
  async (who, size, paths) => {
    const page = await newPage(size, size.theme, { baseURL: program.url, locale: pseudoCatalogue.code })
    await page.context().addCookies([{ name: 'language', value: pseudoCatalogue.code, url: program.url }])
    if (who === 'member') await logInWithPages(page)
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await page
        .getByText(/^\[[^\]]+\]$/)
        .first()
        .waitFor()
      expect.soft(await englishTexts(page), path).toEqual([])
      expect.soft(await horizontalOverflow(page), path).toBe(0)
      await expectAccessible(page, { inBothThemes: false, onlyAppearance: who === 'member' })
    }
  },
)

/** Headings, labels and the texts of buttons that do not fit. Names of titles and members may be cut. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, h1, h2, h3, label, [role=tab]')]
      .filter((element) => element.checkVisibility() && element.closest('[dir=auto], .sr-only') === null)
      .filter((element) => getComputedStyle(element).overflowX === 'hidden' && element.clientWidth > 1)
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent),
  )
}

test.each([
  ['de', 'ltr', sizes[0]],
  ['ar', 'rtl', sizes[0]],
  ['ar', 'rtl', sizes[1]],
] as const)(
  'in %s (%s), pages become interactive without an error of React, and nothing is cut or wider than the window (%o)',
  async (language, direction, size) => {
    const page = await newPage(size, size.theme, { baseURL: program.url, locale: language })
    await page.context().addCookies([{ name: 'language', value: language, url: program.url }])
    takeBrowserErrors()
    const open = async (path: string) => {
      await page.goto(path, { waitUntil: 'networkidle' })
      await waitForHydration(page)
      expect.soft(await page.locator('html').getAttribute('lang'), path).toBe(language)
      expect.soft(await page.evaluate(() => getComputedStyle(document.body).direction), path).toBe(direction)
      expect.soft(await horizontalOverflow(page), path).toBe(0)
      expect.soft(await cutTexts(page), path).toEqual([])
      expect.soft(takeBrowserErrors(), path).toEqual([])
    }
    for (const path of ['/', '/movies/1', '/lists', '/login']) await open(path)
    await logInWithPages(page)
    for (const path of ['/', '/movies/1', '/items', '/diary', '/user/2/year/2026', '/settings'])
      await open(path)
  },
)
