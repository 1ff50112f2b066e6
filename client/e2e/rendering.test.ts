import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { waitForHydration, call, createSession, logInAs, logIn, newPage, sizes, useBrowser } from './site.ts'

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
      const name = /<h1[^>]*>(.*?)<\/h1>/.exec(html)![1]!
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
      const files = JSON.parse(/then\(\(\)=>\{for\(const file of (\[.*?\])\)/.exec(html)![1]!) as string[]
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
      expect(files.length, path).toBeLessThanOrEqual(45)
    }
  })

  test('of a missing title is a 404 with a message; a members-only page is the app shell with its heading and a skeleton', async () => {
    const missing = await load('/movies/999999999')
    expect([missing.status, missing.html.includes('Movie not found.')]).toEqual([404, true])
    const shell = await load('/settings')
    expect([shell.status, shell.html.includes('<div id="shell"')]).toEqual([200, true])
    expect(shell.html).toContain('<h1 class="text-h1">Settings</h1>')
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
    await logIn(page)
    const shifts = await watchLayoutShifts(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: 'Your profile' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Sign up' }).count()).toBe(0)
    expectNoLayoutShift(await shifts())
  })
})

describe.each(sizes)('for a member ($name), before the scripts arrive', (size) => {
  test.each(['/for-you', '/items', '/user/2', '/user/2/reviews', '/diary', '/favorites', '/settings', '/'])(
    '%s shows what the server renders, and the scripts replace it in place',
    async (path) => {
      const page = await newPage(size)
      const member = await createSession('demo@medley.example', 'medley-demo')
      await logInAs(page, member)
      const arrived = Promise.withResolvers<void>()
      await page.route(/\.js$/, async (route) => {
        await arrived.promise
        await route.continue()
      })
      const shifts = await watchLayoutShifts(page)
      const url = path.replace('/2', `/${member.user.id}`)
      await page.goto(url, { waitUntil: 'commit' })
      const part = page.locator(path === '/' ? '#own' : '#root:not(:has(#shell))')
      await part.locator('img').first().waitFor()
      const heading = await part.locator('h1, h2').first().innerText()
      const pictures = await part.locator('img').count()
      // A control would do nothing yet, and text in a field would be lost; links work.
      const controls = part.locator('button, input, select, textarea')
      expect(
        await controls.evaluateAll((all) => all.filter((one) => !(one as HTMLElement).inert).length),
      ).toBe(0)

      arrived.resolve()
      await waitForHydration(page)
      await expect.poll(() => page.locator('[inert]').count()).toBe(0)
      await page.waitForLoadState('networkidle')
      expect(await page.locator('h1, h2').allInnerTexts()).toContain(heading)
      expect(await page.locator('img').count()).toBeGreaterThanOrEqual(pictures)
      expectNoLayoutShift(await shifts())
    },
  )
})

test.each([
  { path: '/', hasPictures: true },
  { path: '/for-you', hasPictures: true },
  { path: '/diary', hasPictures: false },
])(
  '$path loads its scripts after what the server renders for a member and the pictures above the fold',
  async ({ path, hasPictures }) => {
    const page = await newPage(sizes[1])
    await withoutTimeLimit(page)
    await logInAs(page, await createSession('demo@medley.example', 'medley-demo'))
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('.js')) scripts.push(request.url())
    })
    const [rendered, pictures] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hold = (files: RegExp, until: Promise<void>) =>
      page.route(files, async (route) => {
        await until
        await route.continue()
      })
    const expectNoScripts = async () => {
      await page.evaluate(async () => {
        for (let frame = 0; frame < 4; frame++)
          await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
      })
      expect(scripts).toEqual([])
    }
    await hold(/\/rendered\?/, rendered.promise)
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForLoadState('load')
    await expectNoScripts()
    await hold(/\.webp$/, pictures.promise)
    rendered.resolve()
    if (hasPictures) {
      await page.locator('main img[loading=eager]:visible').first().waitFor()
      await expectNoScripts()
    }
    pictures.resolve()
    await waitForHydration(page)
    expect(scripts.length).toBeGreaterThan(5)
  },
)

test('what the server renders for a member needs a session, a page for members and a URL of this site, and is never stored', async () => {
  const { token } = await createSession('demo@medley.example', 'medley-demo')
  const rendered = async (
    url: string,
    headers: Record<string, string> = { authorization: `Bearer ${token}` },
  ) => {
    const response = await fetch(`${inject('site').url}/rendered?url=${encodeURIComponent(url)}`, { headers })
    expect([response.status, response.headers.get('cache-control')], url).toEqual([200, 'no-store'])
    return (await response.json()) as { markup: string | null; shell: string | null }
  }
  const markup = async (...call: Parameters<typeof rendered>) => (await rendered(...call)).markup
  expect(await markup('/for-you')).toMatch(/<h1[^>]*>For You<[^]*<img /)
  expect(await markup('/items?kind=book&page=2')).toMatch(/<h1[^>]*>Items</)
  expect(await markup('/settings')).not.toMatch(/<script|<link /)
  for (const url of [
    '/movies/1',
    '/login',
    '/nowhere',
    '//example.org/for-you',
    'https://example.org/',
    '',
    `/${'a'.repeat(3_000)}`,
  ])
    expect(await rendered(url), url).toEqual({ markup: null, shell: null })
  // The version of the app shell contains nothing of a member.
  const { shell } = await rendered('/for-you')
  expect((await load('/for-you')).html).toContain(` data-shell="${shell!.replaceAll('"', '&quot;')}"`)
  expect(await rendered('/for-you', {})).toEqual({ markup: null, shell })
  expect(await rendered('/for-you', { authorization: 'Bearer not-a-token' })).toEqual({ markup: null, shell })
  // An unknown member has no page.
  expect(await markup('/user/999999999')).toBe(null)
})

describe('the app shell of a member’s page', () => {
  const sizeOfDocument = (page: Page) =>
    page.evaluate(() => {
      const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      return entry!.transferSize
    })

  test('comes from the browser’s cache at the next visit', async () => {
    const page = await newPage(sizes[1], 'light', { isFirstVisit: true })
    await logIn(page)
    await page.goto('/favorites')
    await waitForHydration(page)
    expect(await sizeOfDocument(page)).toBeGreaterThan(0)
    await page.goto('/lists')
    await page.goto('/favorites')
    await waitForHydration(page)
    expect(await sizeOfDocument(page)).toBe(0)
  })

  test('is loaded again if the server names another version, and only once if it still does', async () => {
    const page = await newPage()
    await logIn(page)
    let documents = 0
    page.on('request', (request) => (documents += Number(request.isNavigationRequest())))
    await page.route(/\/rendered\?/, (route) => route.fulfill({ json: { markup: null, shell: 'another' } }))
    await page.goto('/favorites')
    await expect.poll(() => documents).toBe(2)
    await waitForHydration(page)
    await page.waitForLoadState('networkidle')
    expect(documents).toBe(2)
  })
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
