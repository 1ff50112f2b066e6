import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { members } from '#scripts/dev/page-budgets.ts'
import { waitForHydration, call, logInWithPages, newPage, sizes, useBrowser } from './site.ts'

useBrowser()

const asBrowser = { headers: { accept: 'text/html' } }
const pages = ['/', '/movies/1', '/tv-shows/67', '/search', '/search?q=moon'] as const

type RenderedPage = { status: number; html: string; policy: string }

async function load(path: string): Promise<RenderedPage> {
  const response = await fetch(inject('site').url + path, asBrowser)
  return {
    status: response.status,
    html: await response.text(),
    policy: response.headers.get('content-security-policy')!,
  }
}

/** Returns the paths of one title of each kind. */
async function titles(): Promise<string[]> {
  return Promise.all(
    ['movies', 'tv-shows', 'books', 'games'].map(async (path) => {
      type Title = { id: number; imageUrl?: string | null; coverUrl?: string | null }
      const { body } = await call<{ popular: Title[] }>(`/${path}/popular`)
      // Other tests create movies without a poster.
      return `/${path}/${body.popular.find(({ imageUrl, coverUrl }) => imageUrl ?? coverUrl)!.id}`
    }),
  )
}

describe('the server-rendered page', () => {
  test('of a title has its name, its reviews and structured data for search engines', async () => {
    for (const path of await titles()) {
      const { status, html } = await load(path)
      expect(status).toBe(200)
      const name = /<h1[^>]*><bdi>(.*?)<\/bdi><\/h1>/.exec(html)![1]!
      expect(html).toContain(`<title>${name} · Medley</title>`)
      expect(html).toMatch(/<meta name="description" content="[^"]{30,170}"/)
      expect(html).toMatch(new RegExp(`<link rel="canonical" href="http[^"]*${path}"`))
      expect(html).toContain(`<meta property="og:title" content="${name} · Medley"`)
      expect(html).toMatch(/<meta property="og:image" content="http[^"]+"/)
      expect(html).toMatch(/<ol[^>]*aria-label="Ratings of everyone"/)
      expect(html).toContain('User Reviews')
      const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!)
      expect(data).toMatchObject({
        '@context': 'https://schema.org',
        aggregateRating: { ratingCount: expect.any(Number), bestRating: 5 },
      })
      expect(['Movie', 'TVSeries', 'Book', 'VideoGame']).toContain(data['@type'])
    }
  })

  test('has no script before its first paint: an inline one loads the modules after it', async () => {
    for (const path of pages) {
      const { html } = await load(path)
      expect(html).not.toMatch(/<script[^>]* src=|<link[^>]* rel="modulepreload"/)
      const files = JSON.parse(/\(\)=>\{for\(const file of (\[.*?\])\)/.exec(html)![1]!) as string[]
      expect(files.at(-1)).toMatch(/\/index-/)
      expect(new Set(files).size).toBe(files.length)
      for (const file of files) expect((await fetch(`${inject('site').url}/${file}`)).status).toBe(200)
    }
  })

  test('names its fonts before its styles, so that both arrive together', async () => {
    for (const path of [...pages, '/diary']) {
      const { html } = await load(path)
      const fonts = [...html.matchAll(/<link rel="preload" as="font"/g)].map(({ index }) => index)
      expect(fonts, path).toHaveLength(2)
      expect(Math.max(...fonts), path).toBeLessThan(html.indexOf('<style>'))
      // Browsers look for the encoding in the first kilobyte.
      expect(html.indexOf('<meta charset="utf-8"'), path).toBeLessThan(900)
    }
  })

  test('names all scripts that a member’s page starts with: they are requested together', async () => {
    for (const path of ['/for-you', '/items', '/settings', '/diary', '/user/2']) {
      const { html } = await load(path)
      const files = [...html.matchAll(/for\(const file of (\[.*?\])\)/g)].flatMap(([, list]) =>
        (JSON.parse(list!) as string[]).map((file) => `/${file}`),
      )
      const texts = await Promise.all(
        files.map((file) => fetch(inject('site').url + file).then((one) => one.text())),
      )
      const imported = texts.flatMap((text) =>
        [...text.matchAll(/from"\.\/([^"]+)"/g)].map(([, file]) => `/assets/${file}`),
      )
      expect(
        imported.filter((file) => !files.includes(file)),
        path,
      ).toEqual([])
      expect(files.length, path).toBeGreaterThan(5)
      expect(files.length, path).toBeLessThanOrEqual(members.filesMax)
    }
  })

  test('of a missing title is a 404 with a message; a members-only page is the app shell for visitors', async () => {
    const missing = await load('/movies/999999999')
    expect([missing.status, missing.html.includes('Movie not found.')]).toEqual([404, true])
    const shell = await load('/settings')
    expect([shell.status, shell.html.includes('<div id="shell"')]).toEqual([200, true])
    expect(missing.html).not.toContain('<div aria-hidden="true" class="min-h-[200dvh]"')
  })

  test('escapes hostile text in the body, in the head and in the embedded data', async () => {
    const { body: demo } = await call<{ token: string }>('/auth/login', {
      method: 'POST',
      body: JSON.stringify({ email: 'demo@medley.example', password: 'medley-demo' }),
    })
    const hostile = `</script><img src=x onerror=alert(1)><!--<script>$& "quoted" \u2028`
    const made = await call<{ movie: { id: number } }>('/movies', {
      method: 'POST',
      token: demo.token,
      body: JSON.stringify({ name: hostile, description: hostile }),
    })
    expect(made.status).toBe(201)
    const { html } = await load(`/movies/${made.body.movie.id}`)
    expect(html).not.toContain('<img src=x')
    expect(html.match(/<\/script>/g)).toHaveLength(html.match(/<script/g)!.length)
    const page = await newPage()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await page.goto(`/movies/${made.body.movie.id}`)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('</script>')
    expect(dialogs).toEqual([])
  })
})

/** Removes the time limit after which scripts load anyway: a busy machine may exceed it. */
async function withoutTimeLimit(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const start = globalThis.setTimeout
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms?: number) => (ms === 1_000 ? 0 : start(run, ms)),
    })
  })
}

test('a page loads its scripts after its fonts and the pictures above the fold', async () => {
  const page = await newPage(sizes[1])
  await withoutTimeLimit(page)
  for (const path of [...(await titles()), '/search']) {
    await page.goto(path)
    await waitForHydration(page)
    const { pictures, fonts, script } = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const ends = (wanted: (entry: PerformanceResourceTiming) => boolean) =>
        entries.filter(wanted).map(({ responseEnd }) => responseEnd)
      const eager = new Set(
        [...document.querySelectorAll<HTMLImageElement>('img[loading=eager]')].map((img) => img.currentSrc),
      )
      return {
        pictures: ends(({ name }) => eager.has(name)),
        fonts: ends(({ name }) => name.endsWith('.woff2')),
        script: Math.min(...entries.filter(({ name }) => name.endsWith('.js')).map((each) => each.startTime)),
      }
    })
    expect(pictures.length, path).toBeGreaterThan(0)
    expect(fonts.length, path).toBeGreaterThan(0)
    expect(Math.max(...pictures, ...fonts), path).toBeLessThanOrEqual(script)
  }
})

test('a page in English loads two font files, of the characters that most pages need', async () => {
  const page = await newPage()
  const fonts = new Set<string>()
  page.on('request', (request) => {
    const file = /([^/]*)-[^/]*\.woff2$/.exec(request.url())?.[1]
    if (file) fonts.add(file)
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready)
  expect([...fonts].sort()).toEqual(['bricolage-grotesque-basic', 'instrument-sans-basic'])
})

test('a client that accepts anything gets pages where there is no REST path, and JSON elsewhere', async () => {
  const typeOf = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(inject('site').url + path, { headers: { accept: '*/*', ...headers } })
    await response.body?.cancel()
    return `${response.status} ${response.headers.get('content-type')?.split(';')[0]}`
  }
  for (const path of ['/', '/?tab=books', '/login', '/for-you', '/user/1', '/create-item/movies'])
    expect(await typeOf(path), path).toBe('200 text/html')
  for (const path of ['/moviez', '/user', '/movies/1/x', '/favicon.ico', '/%', '/%2f..'])
    expect(await typeOf(path), path).toMatch(/^4\d\d application\/json$/)
  for (const path of ['/movies/1', '/items', '/movies/popular'])
    expect(await typeOf(path), path).toMatch(/application\/json$/)
  expect(await typeOf('/movies/1', { 'user-agent': 'WhatsApp/2.23.20.0' })).toBe('200 text/html')
})

test('pages can be read and searched without JavaScript', async () => {
  const page = await newPage(sizes[1], 'light', { javaScriptEnabled: false })
  await page.goto('/')
  await expect.poll(() => page.getByRole('heading', { name: 'Popular this week' }).isVisible()).toBe(true)
  await page.getByRole('article').first().getByRole('link').click()
  await page.waitForURL(/\/(movies|tv-shows|books|games)\/\d+$/)
  await expect.poll(() => page.getByRole('heading', { name: 'User Reviews' }).isVisible()).toBe(true)
  await page.getByRole('searchbox').fill('moon')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL('/search?q=moon')
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('moon')
})

describe.each(sizes)('hydration ($name)', (size) => {
  test.each(pages)('%s fetches no data again and shifts no layout', async (path) => {
    const page = await newPage(size)
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/trpc/')) calls.push(request.url())
    })
    const shifts = await watchLayoutShifts(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    await waitForHydration(page)
    expect(calls).toEqual([])
    expectNoLayoutShift(await shifts())
  })

  test('a URL with params that its page does not know shows the page without them, and fetches no data again', async () => {
    const path = '/movies/1?utm_source=an-advert&sortBy=rating&u=1&order=upwards'
    const { html } = await load(path)
    expect(['an-advert', 'upwards'].filter((value) => html.includes(value))).toEqual([])
    const page = await newPage(size)
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/trpc/')) calls.push(request.url())
    })
    const shifts = await watchLayoutShifts(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    await waitForHydration(page)
    expect(calls).toEqual([])
    expectNoLayoutShift(await shifts())
  })

  test.each(pages)('%s shifts no layout when its fonts load late', async (path) => {
    const page = await newPage(size)
    const hydrated = Promise.withResolvers<void>()
    let fonts = 0
    await page.route(/\.woff2$/, async (route) => {
      fonts++
      await hydrated.promise
      await route.continue()
    })
    const shifts = await watchLayoutShifts(page)
    await page.goto(path, { waitUntil: 'commit' })
    await waitForHydration(page)
    hydrated.resolve()
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => document.fonts.ready)
    expect(fonts).toBeGreaterThan(0)
    expectNoLayoutShift(await shifts())
  })

  test.each(pages)('%s shifts no layout for a logged-in member', async (path) => {
    const page = await newPage(size)
    await logInWithPages(page)
    await expectRendered(page, path)
    const shifts = await watchLayoutShifts(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: 'Your profile' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Sign up' }).count()).toBe(0)
    expectNoLayoutShift(await shifts())
  })
})

const memberPages = [
  '/',
  '/movies/1',
  '/for-you',
  '/items',
  '/diary',
  '/up-next',
  '/calendar?month=2025-02',
  '/tv-shows/95',
  '/favorites',
  '/settings',
  '/user/me',
  '/user/me/reviews',
]

/** Waits until the server renders a page of the member in time: the first one of a process loads the renderer. */
async function expectRendered(page: Page, url: string): Promise<void> {
  const html = async () => (await page.request.get(url, { headers: { accept: 'text/html' } })).text()
  await expect.poll(html).toContain(' data-member="')
}

describe.each(sizes)('the page of a member ($name)', (size) => {
  test.each(memberPages)(
    '%s has its content before the scripts arrive, and is hydrated in place, without fetching it again',
    async (path) => {
      const page = await newPage(size, 'light', { timezoneId: 'America/New_York' })
      const { user } = await logInWithPages(page)
      const url = path.replace('me', String(user.id))
      await expectRendered(page, url)
      const arrived = Promise.withResolvers<void>()
      await page.route(/\.js$/, async (route) => {
        await arrived.promise
        await route.continue()
      })
      const calls: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/trpc/')) calls.push(...pathname.slice('/trpc/'.length).split(','))
      })
      const shifts = await watchLayoutShifts(page)
      await page.goto(url, { waitUntil: 'commit' })
      await page.getByRole('link', { name: `Your profile, ${user.username}` }).waitFor()
      // Nothing of a visitor's page is shown.
      expect(await page.getByRole('link', { name: /^(Login|Sign up|Create your account)$/ }).count()).toBe(0)
      const heading = await page.locator('main h1').first().innerText()
      // Lines can break elsewhere when the fonts arrive; what follows moves nothing.
      await page.evaluate(async () => {
        await document.fonts.ready
        ;(globalThis as unknown as { shifts: unknown[] }).shifts.length = 0
      })
      const pictures = await page.locator('main img').count()

      arrived.resolve()
      await waitForHydration(page)
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
      expect(await page.locator('main h1').first().innerText()).toBe(heading)
      expect(await page.locator('main img').count()).toBeGreaterThanOrEqual(pictures)
      const again = calls.filter((call) => !/^(reviews\.mineFor|diary\.marks|\w+\.networkRaters)$/.test(call))
      expect(again).toEqual([])
      expectNoLayoutShift(await shifts())
    },
  )
})

test('the pages of a member can be read without JavaScript, and show nothing of a visitor’s page', async () => {
  const page = await newPage(sizes[1], 'light', { javaScriptEnabled: false })
  const { user } = await logInWithPages(page)
  for (const [path, text] of [
    ['/', 'New from people you follow'],
    [`/user/${user.id}`, user.username],
    ['/settings', 'demo@medley.example'],
    ['/diary', 'Diary'],
  ] as const) {
    await expectRendered(page, path)
    await page.goto(path, { waitUntil: 'commit' })
    await page.getByRole('link', { name: `Your profile, ${user.username}` }).waitFor()
    expect(await page.content(), path).toContain(text)
    expect(await page.getByRole('link', { name: 'Sign up' }).count(), path).toBe(0)
  }
})

/** The app is not in Polish: the page is English, with the dates of the reader. */
test('dates of a member’s page are in the language and the time zone of the browser from the start', async () => {
  const page = await newPage(sizes[0], 'light', { locale: 'pl-PL', timezoneId: 'Pacific/Auckland' })
  await logInWithPages(page)
  await page.goto('/movies/1')
  await waitForHydration(page)
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('Pacific%2FAuckland')
  await expectRendered(page, '/movies/1')
  const rendered = (await (await page.goto('/movies/1'))!.text()).match(/<time [^>]*>/g)!
  expect(rendered.length).toBeGreaterThan(0)
  expect(rendered.filter((time) => !time.includes('lang="pl-PL"'))).toEqual([])
  const titles = await page
    .locator('time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('title') ?? ''))
  expect(titles.filter((title) => !rendered.some((time) => time.includes(title)))).toEqual([])
})

/** Records the layout shifts that Cumulative Layout Shift counts, without its session windows. Returns a function that reads them. */
async function watchLayoutShifts(page: Page): Promise<() => Promise<{ value: number; what: string[] }[]>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const shifts: { value: number; what: string[] }[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue
        const what = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.nodeName} “${node?.textContent?.slice(0, 40)}” ${JSON.stringify(previousRect)} → ${JSON.stringify(currentRect)}`,
        )
        shifts.push({ value, what })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { shifts: [] }).shifts)
}

function expectNoLayoutShift(shifts: { value: number; what: string[] }[]): void {
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThan(0.02)
}
