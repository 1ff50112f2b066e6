import { expect, test } from 'vitest'
import { createSession, logInAs, newPage, sizes, useBrowser, waitForHydration } from './site.ts'

useBrowser()

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
])('%s of a member loads at most 16 scripts and fetches nothing twice', async (path) => {
  const page = await newPage(sizes[1], 'light', { isFirstVisit: true })
  const member = await createSession('demo@medley.example', 'medley-demo')
  await logInAs(page, member)
  const calls: string[] = []
  const scripts: string[] = []
  let isIdle = false
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    // An idle page wakes up the server, and loads parts that wait for a press.
    if (pathname === '/healthz') isIdle = true
    if (!isIdle && pathname.endsWith('.js')) scripts.push(pathname)
    if (!pathname.startsWith('/trpc/')) return
    const inputs = JSON.parse(searchParams.get('input') ?? '{}') as Record<string, unknown>
    for (const [index, name] of pathname.slice('/trpc/'.length).split(',').entries())
      calls.push(`${name} ${JSON.stringify(inputs[index])}`)
  })
  await page.goto(path.replace('me', String(member.user.id)))
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Your profile, demo' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
  // The page contains what the catalogue says of titles.
  const isRendered = ['/', '/movies/1'].includes(path)
  expect(
    calls.filter((call) => isRendered && /\.(byId|popular|ratingHistogram|sameStory) /.test(call)),
  ).toEqual([])
  expect(scripts.length).toBeLessThanOrEqual(16)
})
