import { expect, test } from 'vitest'
import { uploadWidths } from '#shared/domain/images.ts'
import { createSession, logInAs, newPage, sizes, useBrowser, waitForHydration } from './site.ts'

useBrowser()

/** What a page requests after its first batch: what depends on the answers, and what waits until the page is idle. */
const laterCalls =
  /^(reviews\.(mineFor|live)|diary\.(marks|list|ofUser)|\w+\.networkRaters|moderation\.myDecisions|notifications\.read|privacy\.requests)$/
const firstBatchBytesMax = 8 * 1024

test.each([
  '/',
  '/movies/1',
  '/for-you',
  '/items',
  '/user/me/reviews',
  '/diary',
  '/user/me/diary',
  '/user/me/year/2026',
  '/user/me',
  '/favorites',
  '/settings',
  '/lists',
  '/notifications',
])(
  '%s of a member names its scripts and calls in the first response, and fetches nothing twice and no larger picture than it shows',
  async (path) => {
    const page = await newPage(sizes[1], 'light', { isFirstVisit: true })
    const member = await createSession('demo@medley.example', 'medley-demo')
    await logInAs(page, member)
    const batches: string[][] = []
    const scripts: string[] = []
    let isIdle = false
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      // An idle page wakes up the server, and loads parts that wait for a press.
      if (pathname === '/healthz') isIdle = true
      if (!isIdle && pathname.endsWith('.js')) scripts.push(pathname)
      if (!pathname.startsWith('/trpc/')) return
      const inputs = JSON.parse(searchParams.get('input') ?? '{}') as Record<string, unknown>
      const names = pathname.slice('/trpc/'.length).split(',')
      batches.push(names.map((name, index) => `${name} ${JSON.stringify(inputs[index])}`))
    })
    const firstBatch = page.waitForResponse((response) => response.url().includes('/trpc/'))
    const html = await (await page.goto(path.replace('me', String(member.user.id))))!.text()
    await waitForHydration(page)
    await page.getByRole('link', { name: 'Your profile, demo' }).waitFor()
    await page.waitForLoadState('networkidle')

    const calls = batches.flat()
    expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
    const later = batches.slice(1).flat()
    expect(later.filter((call) => !laterCalls.test(call.split(' ')[0]!))).toEqual([])
    const { responseHeadersSize, responseBodySize } = await (await firstBatch).request().sizes()
    expect(responseHeadersSize + responseBodySize).toBeLessThanOrEqual(firstBatchBytesMax)

    expect(scripts.filter((name) => !html.includes(name.slice(1)))).toEqual([])
    expect(scripts.length).toBeLessThanOrEqual(16)

    const pictures = await page.locator('img:visible').evaluateAll((all) =>
      (all as HTMLImageElement[]).map(({ currentSrc, width }) => ({
        name: currentSrc,
        loaded: Number(/-(\d+)\.webp$/.exec(currentSrc)?.[1] ?? 0),
        shown: width,
      })),
    )
    const smallest = uploadWidths[0]
    expect(pictures.filter(({ loaded, shown }) => loaded > Math.max(smallest, 2 * shown))).toEqual([])

    // Without answers to the first batch, the page makes each of its calls itself: none is superfluous.
    const [first] = batches.splice(0)
    let isFirst = true
    await page.route(/\/trpc\//, (route) => {
      if (!isFirst) return route.fallback()
      isFirst = false
      return route.fulfill({ json: null })
    })
    await page.reload()
    await page.waitForLoadState('networkidle')
    const shown = (name: string) =>
      name.replaceAll(/,?"(direction":"forward|cursor":null)"?/g, '').replace('{,', '{')
    const made = new Set(batches.slice(1).flat().map(shown))
    expect(first!.map(shown).filter((name) => !made.has(name))).toEqual([])

    // The app shell shows the heading of the page, and the text below it.
    const [, heading, lead = ''] = /<h1 class="text-h1">([^<]*)<\/h1>(?:<p [^>]*>([^<]*)<)?/.exec(html) ?? []
    if (heading === undefined) return
    expect(await page.locator('main h1').innerText()).toBe(heading)
    expect(await page.locator('main').innerText()).toContain(lead)
  },
)
