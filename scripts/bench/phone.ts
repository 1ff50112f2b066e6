import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { findChromium } from '#scripts/testing/chromium.ts'

/** What the login left in the browser: the content of localStorage and the cookies, or nothing. */
export type LoggedIn = { stored: Record<string, string>; cookies: { name: string; value: string }[] }
export const visitor: LoggedIn = { stored: {}, cookies: [] }
export type MeasuredPage = { name: string; url: string } & LoggedIn

/** In ms; `waves` is the longest chain of scripts that were requested one after the other. */
export type Visit = {
  lcpMs: number
  /**
   * How much longer than 50 ms the tasks of the main thread took. A task takes its CPU time in a visit without a slowdown, times the
   * slowdown: the time on the clock, and the browser's own way to slow down, grow with what else the machine does.
   */
  blockedMs: number
  scripts: number
  waves: number
  shift: number
  tapMs: number
  warmLcpMs: number
  /** Empty if nothing kept the page out of the back/forward cache. */
  notRestored: string
}

const quietMs = 3_000

/** Playwright switches the back/forward cache off. */
export function startPhone(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium()!,
    args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
}

/** Twice in a new profile and once in another: 390 pixels, 150 ms, 1.6 Mbit/s, a processor `slowdown` times slower. */
export async function visit(browser: Browser, visited: MeasuredPage, slowdown: number): Promise<Visit> {
  const { url } = visited
  const first = await inNewProfile(browser, visited, async (context) => {
    const { page, measured, scripts, waves } = await open(context, url, slowdown)
    const tapMs = await tap(page)
    await page.close()
    const again = await open(context, url, slowdown)
    // The first visit wrote cookies, which keeps a page out of the cache.
    const notRestored = await leaveAndReturn(again.page, again.devtools, new URL('/robots.txt', url).href)
    return {
      lcpMs: Math.round(measured.lcp),
      scripts,
      waves,
      shift: measured.shift,
      tapMs,
      warmLcpMs: Math.round(again.measured.lcp),
      notRestored,
    }
  })
  const tasks = await inNewProfile(browser, visited, async (context) => (await open(context, url, 1)).taskMs)
  const blockedMs = tasks.reduce((sum, ms) => sum + Math.max(0, slowdown * ms - longTaskMs), 0)
  return { ...first, blockedMs: Math.round(blockedMs) }
}

async function inNewProfile<Result>(
  browser: Browser,
  { url, stored, cookies }: MeasuredPage,
  measure: (context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    storageState: {
      cookies: [],
      origins: [
        {
          origin: new URL(url).origin,
          localStorage: Object.entries(stored).map(([name, value]) => ({ name, value })),
        },
      ],
    },
  })
  try {
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, url })))
    return await measure(context)
  } finally {
    await context.close()
  }
}

async function open(context: BrowserContext, url: string, slowdown: number) {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  let lastAt = Date.now()
  let isIdle = false
  // A script is in the wave after the last script that had arrived when it was requested.
  const waves = new Map<Request, number>()
  let arrived = 0
  page.on('request', (request) => {
    lastAt = Date.now()
    // An idle page wakes up the server and loads parts that wait for a press; they are not counted.
    isIdle ||= request.url().endsWith('/healthz')
    if (request.resourceType() === 'script' && !isIdle) waves.set(request, arrived + 1)
  })
  page.on('requestfinished', (request) => {
    lastAt = Date.now()
    arrived = Math.max(arrived, waves.get(request) ?? 0)
  })
  await page.addInitScript(observe)
  const trace = await traceTasks(devtools)
  await page.goto(url, { waitUntil: 'load', timeout: 120_000 })
  while (Date.now() - lastAt < quietMs) await page.waitForTimeout(100)
  return {
    page,
    devtools,
    measured: await measuredOn(page),
    taskMs: await trace.end(),
    scripts: waves.size,
    waves: Math.max(0, ...waves.values()),
  }
}

const longTaskMs = 50

/** A task of a thread; `tdur` is its CPU time in µs. */
type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** `end` returns the CPU time of each task of the main thread, in ms. */
async function traceTasks(devtools: CDPSession): Promise<{ end: () => Promise<number[]> }> {
  const events: TraceEvent[] = []
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown[] as TraceEvent[])))
  const traceConfig = { includedCategories: ['toplevel'] }
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  return {
    async end() {
      const isComplete = new Promise<void>((resolve) =>
        devtools.once('Tracing.tracingComplete', () => resolve()),
      )
      await devtools.send('Tracing.end')
      await isComplete
      const threads = events.filter(
        ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
      )
      const main = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`))
      const tasks = events.filter(
        ({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`),
      )
      return tasks.map(({ tdur = 0 }) => tdur / 1_000)
    },
  }
}

type Measured = { lcp: number; shift: number; taps: number[] }

function measuredOn(page: Page): Promise<Measured> {
  return page.evaluate(() => (globalThis as unknown as { measured: Measured }).measured)
}

function observe(): void {
  const measured: Measured = { lcp: 0, shift: 0, taps: [] }
  Object.assign(globalThis, { measured })
  const on = (type: string, add: (entry: never) => void, options: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) add(entry as never)
    }).observe({ type, buffered: true, ...options })
  on('largest-contentful-paint', ({ startTime }: PerformanceEntry) => (measured.lcp = startTime))
  on('layout-shift', ({ value, hadRecentInput }: { value: number; hadRecentInput: boolean }) => {
    if (!hadRecentInput) measured.shift += value
  })
  on(
    'event',
    ({ interactionId, duration }: { interactionId: number; duration: number }) => {
      if (interactionId > 0) measured.taps.push(duration)
    },
    { durationThreshold: 16 },
  )
}

async function tap(page: Page): Promise<number> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  for (let taps = 0; taps < 2; taps++) {
    await menu.tap()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))))
  }
  return Math.max(16, ...(await measuredOn(page)).taps)
}

async function leaveAndReturn(page: Page, devtools: CDPSession, elsewhere: string): Promise<string> {
  const reasons: string[] = []
  await devtools.send('Page.enable')
  devtools.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
    // The headless shell has no such cache, and says so; it still lists what a page does against it.
    for (const { reason, type } of notRestoredExplanations)
      if (type === 'PageSupportNeeded') reasons.push(reason)
  })
  await page.goto(elsewhere)
  await page.goBack({ waitUntil: 'commit' }).catch(() => {})
  await page.waitForTimeout(500)
  return reasons.join(', ')
}
