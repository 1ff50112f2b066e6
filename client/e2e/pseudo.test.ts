import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { writePseudoLanguage } from '#scripts/testing/write-pseudo-language.ts'
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
import { namesOfData, textsOf, untranslated } from './untranslated.ts'

const { folder, remove } = aDataFolder()
let program: Program
let names: string[]
beforeAll(async () => {
  await writePseudoLanguage()
  program = await startProgram(
    { DATA_DIR: folder, DEMO: 'on' },
    { nodeArguments: ['--import', './scripts/testing/pseudo-language.ts'] },
  )
  names = await namesOfData(folder)
}, 120_000)
afterAll(async () => {
  await program.end()
  remove()
})
useBrowser()

const screens = {
  visitor: [
    '/',
    '/login',
    '/signup',
    '/forgot-password',
    '/movies/1',
    '/lists',
    '/search?q=Solaris',
    '/nothing',
  ],
  member: [
    '/',
    '/movies/1',
    '/tv-shows/100',
    '/episodes/19',
    '/up-next',
    '/for-you',
    '/diary',
    '/up-next',
    '/calendar?month=2025-02',
    '/items',
    '/user/2',
    '/user/2/reviews',
    '/user/2/year/2026',
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

/** Returns texts of catalogues that do not fit into an element that hides the rest. Names of titles and texts of members may be cut. */
async function cutTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const own = '[dir=auto], bdi, time, .sr-only, [aria-hidden=true]'
    return [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => element.checkVisibility() && element.clientWidth > 1)
      .filter((element) => element.closest(own) === null && element.querySelector(own) === null)
      .filter((element) => {
        const { overflowX, overflowY, fontSize } = getComputedStyle(element)
        const isWide = overflowX !== 'visible' && overflowX !== 'auto' && overflowX !== 'scroll'
        const isLong = overflowY !== 'visible' && overflowY !== 'auto' && overflowY !== 'scroll'
        return (
          (isWide && element.scrollWidth > element.clientWidth + 1) ||
          // Accents may be higher than a line.
          (isLong && element.scrollHeight > element.clientHeight + Number.parseFloat(fontSize) / 2)
        )
      })
      .map((element) => element.textContent)
      .filter((text) => /\p{L}{2}/u.test(text))
  })
  return texts.filter((text) => !names.includes(text))
}

test.each(
  sizes.flatMap((size) => Object.entries(screens).map(([who, paths]) => [who, size, paths] as const)),
)(
  'in a language with longer texts, no page of a %s has an English text or a text that is cut, is wider than the window, or violates a rule of axe (%o)',
  async (who, size, paths) => {
    const page = await newPage(size, size.theme, { baseURL: program.url, locale: pseudoCatalogue.code })
    await page.context().addCookies([{ name: 'language', value: pseudoCatalogue.code, url: program.url }])
    if (who === 'member') await logInWithPages(page)
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await page
        .getByText(/^⟦[^⟧]+⟧$/)
        .first()
        .waitFor()
      expect.soft(untranslated(await textsOf(page), names), path).toEqual([])
      expect.soft(await horizontalOverflow(page), path).toBe(0)
      expect.soft(await cutTexts(page), path).toEqual([])
      await expectAccessible(page, { inBothThemes: false, onlyAppearance: who === 'member' })
    }
  },
)

const [desktop, phone] = sizes

test.each([
  ['de', 'ltr', desktop],
  ['fr', 'ltr', phone],
  ['es', 'ltr', phone],
  ['ja', 'ltr', phone],
  ['ar', 'rtl', desktop],
  ['ar', 'rtl', phone],
] as const)(
  'in %s (%s), pages become interactive without an error of React, violate no rule of axe, and nothing is cut or wider than the window (%o)',
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
      await expectAccessible(page, { inBothThemes: false })
      expect.soft(takeBrowserErrors(), path).toEqual([])
    }
    for (const path of ['/', '/movies/1', '/lists', '/login']) await open(path)
    await logInWithPages(page, 'host@medley.example')
    const ofMembers = ['/', '/movies/1', '/items', '/diary', '/user/2/year/2026', '/settings', '/imports']
    const ofHosts = ['/admin/overview', '/admin/reports', '/admin/members', '/admin/settings', '/admin/audit']
    for (const path of [...ofMembers, ...ofHosts]) await open(path)
  },
)
