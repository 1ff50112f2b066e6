import { expect, test } from 'vitest'
import { members } from '#scripts/dev/page-budgets.ts'
import { uploadWidths } from '#shared/domain/images.ts'
import { logInWithPages, newPage, sizes, useBrowser, waitForHydration } from './site.ts'

useBrowser()

/** What a page requests although the server has rendered it: what marks its posters, what is below, and what waits until it is idle. */
const laterCalls =
  /^(reviews\.(mineFor|live)|diary\.(marks|list|ofUser)|\w+\.networkRaters|moderation\.myDecisions|notifications\.read|privacy\.requests|imports\.originals)$/

test.each([
  '/',
  '/movies/1',
  '/for-you',
  '/items',
  '/user/me/reviews',
  '/diary',
  '/user/me/diary',
  '/up-next',
  '/calendar',
  '/calendar?month=2025-02',
  '/user/me/year/2026',
  '/user/me',
  '/favorites',
  '/settings',
  '/lists',
  '/notifications',
])(
  '%s of a member has its content and names its scripts in the first response, and fetches no data again and no larger picture than it shows',
  async (path) => {
    const page = await newPage(sizes[1], 'light', { isFirstVisit: true })
    const member = await logInWithPages(page)
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
    const html = await (await page.goto(path.replace('me', String(member.user.id))))!.text()
    await waitForHydration(page)
    await page.getByRole('link', { name: 'Your profile, demo' }).waitFor()
    await page.waitForLoadState('networkidle')

    const calls = batches.flat()
    expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
    expect(calls.filter((call) => !laterCalls.test(call.split(' ')[0]!))).toEqual([])

    expect(scripts.filter((name) => !html.includes(name.slice(1)))).toEqual([])
    expect(scripts.length).toBeLessThanOrEqual(members.filesMax)

    const pictures = await page.locator('img:visible').evaluateAll((all) =>
      (all as HTMLImageElement[]).map(({ currentSrc, width }) => ({
        name: currentSrc,
        loaded: Number(/-(\d+)\.webp$/.exec(currentSrc)?.[1] ?? 0),
        shown: width,
      })),
    )
    const smallest = uploadWidths[0]
    expect(pictures.filter(({ loaded, shown }) => loaded > Math.max(smallest, 2 * shown))).toEqual([])
  },
)
