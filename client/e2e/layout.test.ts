import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fold, searchText } from '#server/db/fold.ts'
import { kindNames, kinds } from '#shared/domain/kinds.ts'
import {
  aMember,
  call,
  coveredControls,
  createSession,
  horizontalOverflow,
  logIn,
  logInAs,
  type Member,
  newPage,
  post,
  siteDatabase,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

const db = siteDatabase()

const phone = sizes[1]

const everyPage = [
  '/',
  '/movies/1',
  '/search?q=the',
  '/for-you',
  '/items',
  '/user/3',
  '/user/3/followers',
  '/settings?tab=account',
  '/diary',
  '/up-next',
  '/calendar?month=2025-02',
  '/create-item/movies',
  '/episodes/20',
  '/lists',
  '/notifications',
]

/** Expects that a page does not scroll sideways. */
async function expectNoWider(page: Page, what: (string | number)[]) {
  await expect.poll(() => horizontalOverflow(page), { message: what.join(' at ') }).toBe(0)
}

/** Sets the size of text, as the setting of a browser does. */
async function enlargeText(page: Page, percent: number) {
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}%`
  }, percent)
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
    .toBe(`${(16 * percent) / 100}px`)
}

test('no page is wider than a window of 320, 640 or 1920, or than a phone with text at 150 or 200 %', async () => {
  const page = await newPage()
  await logIn(page)
  for (const path of everyPage) {
    await page.goto(path, { waitUntil: 'networkidle' })
    for (const width of [320, 640, 1920]) {
      await page.setViewportSize({ width, height: 844 })
      await expectNoWider(page, [path, width])
    }
    await page.setViewportSize(phone)
    for (const percent of [150, 200]) {
      await enlargeText(page, percent)
      await expectNoWider(page, [path, `${percent} %`])
    }
  }
})

test.each(['fr', 'ar'])(
  'in %s no page is wider than a window of 320, or than a phone with text twice as large',
  async (locale) => {
    const page = await newPage(phone, 'light', { locale })
    await logIn(page)
    for (const path of everyPage) {
      await page.goto(path, { waitUntil: 'networkidle' })
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
      await page.setViewportSize({ ...phone, width: 320 })
      await expectNoWider(page, [path, 320])
      await page.setViewportSize(phone)
      await enlargeText(page, 200)
      await expectNoWider(page, [path, '200 %'])
    }
  },
)

test.each(sizes)(
  'read from right to left, no page is wider than a $name, and every control can be pressed',
  async (size) => {
    const page = await newPage(size)
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        observer.disconnect()
        document.documentElement.dir = 'rtl'
      }).observe(document, { childList: true })
    })
    await logIn(page)
    const covered: string[] = []
    for (const path of everyPage) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await waitForHydration(page)
      expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
      await expectNoWider(page, [path, 'right to left'])
      covered.push(...(await coveredControls(page)).map((control) => `${path}: ${control}`))
    }
    expect(covered).toEqual([])

    // The first star and the first tab are at the right; the left arrow leads on.
    await page.goto('/movies/1', { waitUntil: 'networkidle' })
    await waitForHydration(page)
    const star = (count: number) =>
      page.locator(`.stars-input [data-stars='${count}']`).and(page.getByRole('radio')).first()
    const place = async (count: number) => (await star(count).boundingBox())!.x
    expect(await place(1)).toBeGreaterThan(await place(2))
    await star(2).focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => star(3).isChecked()).toBe(true)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => star(2).isChecked()).toBe(true)
    await page.goto('/')
    await waitForHydration(page)
    const tab = page.getByRole('tab')
    await tab.first().focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => tab.nth(1).evaluate((one) => one === document.activeElement)).toBe(true)
    const [line, open] = await Promise.all([
      page.locator('.tab-line').first().boundingBox(),
      tab.first().boundingBox(),
    ])
    expect(Math.abs(line!.x - open!.x)).toBeLessThan(4)
  },
)

const longWord = 'Donaudampfschifffahrtsgesellschaftskapitän'
/** Two characters shorter than the longest username: see `aMember`. */
const wideWord = 'W'.repeat(28)

/** Writes long words into every text that members choose. Returns the paths of the screens that show them. */
async function aWideScene(): Promise<{
  writer: Member
  visitors: string[]
  members: string[]
  remove: () => Promise<unknown>
}> {
  const [writer, other] = [
    await aMember(wideWord),
    await aMember(wideWord.toLowerCase().replaceAll('w', 'm')),
  ]
  const { token } = writer
  const asAdmin = { role: 'admin' as const }
  await db.updateTable('users').set(asAdmin).where('id', '=', writer.user.id).execute()
  await call('/users/profile', {
    method: 'PUT',
    token,
    body: JSON.stringify({ bio: `${longWord}${wideWord}` }),
  })
  await post('/users/follow', { userIdToFollow: writer.user.id }, other.token)
  await post('/users/follow', { userIdToFollow: other.user.id }, token)
  const titles: number[] = []
  const paths: string[] = []
  for (const kind of kindNames) {
    const name = `${kind} ${longWord}${wideWord}`
    const details = {
      genres: [longWord],
      creators: [wideWord],
      platforms: [wideWord, longWord],
      rating: null,
    }
    const { id } = await db
      .insertInto('media')
      .values({
        kind,
        name,
        name_folded: fold(name),
        search_text: searchText(name),
        overview: longWord + wideWord,
        tagline: longWord + wideWord,
        release_year: 1999,
        details: JSON.stringify(details),
        source: 'medley',
        created_by: writer.user.id,
        created_at: new Date().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    titles.push(id)
    const { idKey, path, favorites } = kinds[kind]
    paths.push(`/${path}/${id}`)
    for (const author of [writer, other]) {
      const text = longWord + wideWord
      const saved = { [idKey]: id, rating: 5, text }
      const { review } = (await post<{ review: { id: number } }>('/reviews', saved, author.token)).body
      await post(`/reviews/${review.id}/comments`, { text }, other.token)
      await post(`/${favorites.path}`, { [idKey]: id }, author.token)
      const status = kind === 'movie' ? 'want' : kind === 'book' ? 'started' : 'finished'
      await post('/diary', { [idKey]: id, status, text }, author.token)
    }
  }
  const list = {
    title: `${longWord}${wideWord}`,
    description: longWord + wideWord,
    tags: [longWord.slice(0, 30)],
  }
  const { id: listId } = (await post<{ list: { id: number } }>('/lists', list, token)).body.list
  const items = titles.map((itemId) => ({ itemId, note: longWord + wideWord }))
  await post(`/lists/${listId}/items/batch`, { items }, token)
  await call(`/lists/${listId}/editors/${other.user.id}`, { method: 'PUT', token })
  const { writer: w } = { writer: writer.user.id }
  const reviews = await db.selectFrom('reviews').select('id').where('user_id', '=', other.user.id).execute()
  await post(
    '/reports',
    { target: { type: 'review', id: reviews[0]!.id }, category: 'spam', comment: longWord + wideWord },
    token,
  )
  return {
    writer,
    visitors: [
      '/',
      paths[0]!,
      `/search?q=${encodeURIComponent(longWord)}`,
      '/lists?tab=new',
      `/list/${listId}`,
      `/${longWord}${wideWord}`,
      '/signup',
      '/login',
      '/verify-email',
      '/create-item',
      '/create-item/games',
    ],
    members: [
      '/',
      ...paths,
      `/items/${titles[0]}`,
      '/items?sort=added',
      `/search?q=${encodeURIComponent(longWord)}`,
      `/search?tab=users&q=${wideWord}`,
      '/for-you',
      '/favorites',
      `/user/${w}`,
      `/user/${w}/reviews`,
      `/user/${w}/followers`,
      `/user/${w}/following`,
      `/user/${w}/diary`,
      `/user/${w}/year/${new Date().getFullYear()}`,
      `/user/${other.user.id}`,
      '/diary',
      '/diary?list=want',
      '/up-next',
      '/calendar',
      '/lists',
      '/lists?tab=mine',
      `/list/${listId}`,
      '/notifications',
      '/settings',
      '/settings?tab=account',
      '/settings?tab=privacy',
      '/settings?tab=notifications',
      '/admin',
      '/admin/members',
      `/admin/members/${w}`,
      '/admin/reports',
      '/admin/titles',
      '/admin/audit',
      '/admin/invites',
      '/admin/settings',
      '/imports',
      '/create-item/movies',
    ],
    remove: () => db.deleteFrom('media').where('id', 'in', titles).execute(),
  }
}

test('long words and wide names wrap on every screen: no page is wider than 320 or 390 pixels', async () => {
  const { writer, visitors, members, remove } = await aWideScene()
  try {
    const page = await newPage()
    const wide: string[] = []
    async function visit(paths: string[]) {
      for (const path of paths) {
        await page.goto(path, { waitUntil: 'networkidle' })
        await waitForHydration(page)
        const comments = page.getByRole('button', { name: /^Comments/ }).first()
        if (/^.(movies|items).\d/.test(path) && (await comments.isVisible())) {
          await comments.click()
          await page.getByRole('list', { name: 'Comments' }).first().waitFor()
        }
        for (const width of [320, 390]) {
          await page.setViewportSize({ width, height: 4_000 })
          const overflow = await horizontalOverflow(page)
          if (overflow > 0) wide.push(`${path} at ${width}: ${overflow} ${await widest(page)}`)
        }
      }
    }
    await visit(visitors)
    await logInAs(page, { ...writer, user: { ...writer.user, role: 'admin' } as never })
    await visit(members)
    expect(wide).toEqual([])
  } finally {
    await remove()
  }
})

/** Returns the innermost elements that are wider than the window. */
function widest(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 0.5)
      .filter((one, _, all) => !all.some((other) => other !== one && one.contains(other)))
      .slice(0, 3)
      .map((one) => one.outerHTML.slice(0, 160))
      .join(' | '),
  )
}

test('with text at 200 % on a phone the search covers no button, and the words of a title stay whole', async () => {
  const page = await newPage(phone)
  await page.goto('/movies/1')
  await waitForHydration(page)
  await enlargeText(page, 200)
  const heading = page.getByRole('heading', { level: 1, name: 'The Matrix' })
  // Two words, two lines.
  const lines = await heading.evaluate(
    (one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight),
  )
  expect(Math.round(lines)).toBe(2)
  const search = (await page.getByRole('searchbox').or(page.getByRole('combobox')).first().boundingBox())!
  expect(search.width).toBeGreaterThan(150)
  await page.getByRole('button', { name: 'Menu' }).click({ trial: true })
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click({ trial: true })
})

test('at 400 % neither bars nor art fill the window: the heading of a page is in it, and nothing stays in place', async () => {
  const page = await newPage()
  await logIn(page)
  await page.setViewportSize({ width: 320, height: 256 })
  for (const path of ['/', '/movies/1', '/user/3', '/for-you', '/diary', '/list/1']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await waitForHydration(page)
    const inPlace = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('header, nav, main *')].filter((one) => {
            const { width, height } = one.getBoundingClientRect()
            const isFixed = ['sticky', 'fixed'].includes(getComputedStyle(one).position)
            return isFixed && one.checkVisibility() && width * height > 1_000
          }).length,
      )
    const top = () =>
      page
        .getByRole('heading', { level: 1 })
        .first()
        .evaluate((heading) => heading.getBoundingClientRect().top)
    await expect.poll(top, { message: path }).toBeLessThan(256)
    await expect.poll(inPlace, { message: path }).toBe(0)
  }
})

test('the title over the backdrop of Home is a link that can be clicked', async () => {
  const page = await newPage()
  await page.goto('/')
  await waitForHydration(page)
  const hero = page.getByRole('region', { name: /^Everything you watch/ })
  await hero
    .getByRole('link')
    .and(page.locator('[href^="/movies/"], [href^="/tv-shows/"], [href^="/books/"], [href^="/games/"]'))
    .click()
  await page.waitForURL(/\/\d+$/)
})

test('headings and their counts are separate words, and the names of authors are easy to press', async () => {
  const page = await newPage(phone)
  await page.goto('/movies/1')
  await page.getByRole('heading', { name: /^User Reviews \d+$/ }).waitFor()
  const author = page
    .getByRole('article', { name: /^Review by/ })
    .getByRole('link')
    .first()
  expect((await author.boundingBox())!.height).toBeGreaterThanOrEqual(40)
})

test('a printed page is dark on white, without the navigation', async () => {
  const page = await newPage(sizes[0], 'dark')
  await page.goto('/movies/1')
  await page.getByRole('article').first().waitFor()
  const ratio = page.getByText('Likes to dislikes: ').first().locator('..')
  await ratio.waitFor()
  // The announcement of a host.
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('afterbegin', '<aside class="announcement">We move on Sunday.</aside>')
  })
  await page.emulateMedia({ media: 'print' })
  expect(await ratio.isVisible()).toBe(false)
  expect(await page.getByRole('link', { name: 'Rate', exact: true }).isVisible()).toBe(false)
  expect(await page.getByText('We move on Sunday.').isVisible()).toBe(false)
  expect(await page.getByRole('banner').isVisible()).toBe(false)
  expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
  expect(await page.getByRole('heading', { level: 1, name: 'The Matrix' }).isVisible()).toBe(true)
  const root = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await root()).toBe('light')
})

test('selected options and stars stay distinguishable with forced colours', async () => {
  const page = await newPage()
  await page.emulateMedia({ forcedColors: 'active' })
  await logIn(page)
  await page.goto('/movies/1')
  await page.getByRole('radio', { name: 'Everyone' }).first().waitFor()
  const look = (name: string) =>
    page
      .getByRole('radio', { name })
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor)
  await expect.poll(async () => (await look('Everyone')) !== (await look('Following'))).toBe(true)
  const star = (part: string) =>
    page
      .locator(`article .${part}`)
      .first()
      .evaluate((one) => getComputedStyle(one).fill)
  await expect.poll(async () => (await star('stars-on')) !== (await star('stars-off'))).toBe(true)
  const dot = page.locator('[data-kind=movie].kind-dot').first()
  await page.goto('/items')
  await dot.waitFor()
  const [filled, canvas] = await dot.evaluate((one) => [
    getComputedStyle(one).backgroundColor,
    getComputedStyle(document.body).backgroundColor,
  ])
  expect(filled).not.toBe(canvas)
})

test('in a window of 320 pixels the button of a diary entry is beside its title', async () => {
  const page = await newPage(sizes[1])
  await page.setViewportSize({ width: 320, height: 700 })
  await logIn(page)
  await page.goto('/diary')
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Edit the entry/ }) })
  await row.first().waitFor()
  const top = async (part: string) => (await row.first().locator(part).first().boundingBox())!.y
  expect((await top('button')) - (await top('a'))).toBeLessThan(40)
})

test('on a phone, the first entry of each list is in the upper half of the first screen', async () => {
  const page = await newPage(sizes[1])
  const session = await createSession('demo@medley.example', 'medley-demo')
  await logInAs(page, session)
  // The recipient of a notification.
  const follower = await aMember('layout.follower')
  await post('/users/follow', { userIdToFollow: session.user.id }, follower.token)
  const screens: Record<string, string> = {
    '/diary':
      'li .card-link, li a[href*="/movies/"], li a[href*="/books/"], li a[href*="/games/"], li a[href*="/tv-shows/"]',
    [`/user/${session.user.id}/reviews`]: '.poster-card',
    '/for-you': '.poster-card',
    '/notifications': 'section li a',
    '/lists': '.poster-card',
    '/list/1': '.title-row',
    '/list/2': '.title-row',
    '/items': '.title-row',
    '/search?q=star': '.title-row',
  }
  for (const [path, entry] of Object.entries(screens)) {
    await page.goto(path)
    await waitForHydration(page)
    const first = page.getByRole('main').locator(entry).and(page.locator(':visible')).first()
    await first.waitFor()
    await expect
      .poll(async () => (await first.boundingBox())?.y ?? Infinity, { message: path })
      .toBeLessThan(400)
  }
  await page.goto('/list/2')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Edit titles' }).click()
  const edited = page.locator('[data-item]').first()
  await edited.waitFor()
  expect((await edited.boundingBox())!.y).toBeLessThan(400)
})
