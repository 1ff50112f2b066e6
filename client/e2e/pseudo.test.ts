import { glob, readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { openDatabase } from '#server/db/open.ts'
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
let names: string[]
beforeAll(async () => {
  program = await startProgram(
    { DATA_DIR: folder, DEMO: 'on' },
    { nodeArguments: ['--import', './scripts/testing/pseudo-language.ts'] },
  )
  names = await namesOfData()
}, 120_000)
afterAll(async () => {
  await program.end()
  remove()
})
useBrowser()

/** What members and sources named, the longest first. */
async function namesOfData(): Promise<string[]> {
  const files = await Array.fromAsync(glob('server/starter/*.json'))
  const starter = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const db = openDatabase({ databaseUrl: undefined, dataDir: folder })
  const [users, lists] = await Promise.all([
    db.selectFrom('users').select('username').execute(),
    db.selectFrom('lists').select(['title', 'tags']).execute(),
  ]).finally(() => db.destroy())
  const found = starter.map((file) => stringsIn(JSON.parse(file)))
  found.push(users.map(({ username }) => username))
  found.push(lists.flatMap(({ title, tags }) => [title, ...stringsIn(JSON.parse(tags))]))
  return [...new Set(found.flat())]
    .filter((name) => /[A-Za-z]{2}/.test(name))
    .toSorted((one, other) => other.length - one.length)
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  // Their names are translated.
  return Object.entries(value).flatMap(([key, one]) => (key === 'genres' ? [] : stringsIn(one)))
}

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

/** Products, the address of the site, initials, and words that `Intl` has in no language but English: in dates, durations and lists. */
const notTranslated =
  /Medley|TMDB|IGDB|IMDb|Open Library|Goodreads|StoryGraph|Letterboxd|LibraryThing|Calibre|Trakt|Simkl|Yamtrack|MyAnimeList|Serializd|Backloggd|NeoDB|TV Time|Safari|Chrome|Linux|https?:\S+|\b([A-Z]{2}|and|or|ago|in|UTC|[AP]M|(minute|hour|day|week|month|year)s?|(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*)\b/g

/**
 * Returns the texts and names of elements with letters that have no accents, so that they come from no catalogue. Texts of members, names and
 * what is in English in all languages have a direction or language of their own, or are in an element for it.
 */
async function englishTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const own =
      'bdi, time, code, kbd, script, style, textarea, [aria-hidden=true], [dir=auto], [translate=no], [lang]:not(html), [id=languages]'
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode
      const isText = parent !== null && parent.checkVisibility() && parent.closest(own) === null
      if (isText) found.push(textContent!)
    }
    const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'title', 'alt']
    for (const element of document.querySelectorAll(attributes.map((name) => `[${name}]`).join()))
      if (element.closest(own) === null)
        for (const name of attributes) found.push(element.getAttribute(name) ?? '')
    return found.filter((text) => /[A-Za-z]{2}/.test(text))
  })
  const withoutNames = (text: string) =>
    names.reduce((rest, name) => (rest.includes(name) ? rest.replaceAll(name, '') : rest), text)
  const withoutOthers = (text: string) =>
    text.replaceAll(/\u2068[^\u2069]*\u2069/g, '').replaceAll(notTranslated, '')
  // A name may contain a word that is not translated, and the other way round.
  return texts.filter((text) =>
    [withoutOthers(withoutNames(text)), withoutNames(withoutOthers(text))].every((rest) =>
      /[A-Za-z]{2}/.test(rest),
    ),
  )
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
        .getByText(/^\[[^\]]+\]$/)
        .first()
        .waitFor()
      expect.soft(await englishTexts(page), path).toEqual([])
      expect.soft(await horizontalOverflow(page), path).toBe(0)
      expect.soft(await cutTexts(page), path).toEqual([])
      await expectAccessible(page, { inBothThemes: false, onlyAppearance: who === 'member' })
    }
  },
)

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
