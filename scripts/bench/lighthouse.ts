import { parseArgs } from 'node:util'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import * as constants from 'lighthouse/core/config/constants.js'
import puppeteer from 'puppeteer-core'
import { writeResults } from './bench.ts'
import { measureVisits, pagesOfMember } from './member-pages.ts'
import { type LoggedIn, type MeasuredPage, visitor } from './phone.ts'
import { median } from './send-load.ts'
import { findChromium } from '#scripts/testing/chromium.ts'
import { startSite } from '#scripts/testing/site.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    runs: { type: 'string', default: '5' },
    slowdown: { type: 'string', default: '4' },
    url: { type: 'string' },
    member: { type: 'boolean' },
    json: { type: 'string', default: 'dist/bench/lighthouse.json' },
  },
})
if (values.help) {
  console.log(`npm run lighthouse [-- --runs 5] [--slowdown 4] [--url http://…] [--member] [--json dist/bench/lighthouse.json]

Runs Lighthouse's mobile preset on Home, a detail page and Search, and compares the medians of the runs with the goals. Starts
a server with the demo community, or uses the one at --url. Exits with 1 if a goal is missed.

--member measures the pages of the demo member beside a visitor’s pages. First it visits them in turn, on a phone of 390 pixels,
150 ms and 1.6 Mbit/s with an empty cache and then again, and prints a table in Markdown, whose goals for times are multiples of what
the visitors' Home took. Then it runs Lighthouse on them.

The benchmark index says how fast the machine was, and varies if others use it. --slowdown is
how much slower than this machine the simulated phone is: 8 on a machine of index 3000 is as 4 on one of 1500.`)
  process.exit()
}

type Run = Awaited<ReturnType<typeof measure>>
/** `goals` are the lowest scores that a page may have, by category. */
type ScoredPage = MeasuredPage & { goals: Record<string, number> }
const shiftMax = 0.02
/** Search engines see visitors' pages only. */
const ofMembers = { accessibility: 100, 'best-practices': 100 }
const ofVisitors = { ...ofMembers, seo: 100 }
const [runs, slowdown] = [Number(values.runs), Number(values.slowdown)]
const site = values.url ? { url: values.url, stop: async () => {} } : await startSite()
try {
  const { popular } = await fetch(`${site.url}/movies/popular`).then((response) => response.json())
  const detail = `${site.url}/movies/${popular[0].id}`
  const isReached = values.member
    ? await measureMembers(await pagesOfMember(site.url, detail))
    : await scorePages([
        { name: 'Home', url: `${site.url}/`, ...visitor, goals: { performance: 95, ...ofVisitors } },
        { name: 'detail', url: detail, ...visitor, goals: { performance: 92, ...ofVisitors } },
        { name: 'Search', url: `${site.url}/search`, ...visitor, goals: { performance: 95, ...ofVisitors } },
      ])
  process.exitCode = isReached ? 0 : 1
} finally {
  await site.stop()
}

async function measureMembers(pages: MeasuredPage[]): Promise<boolean> {
  const areVisitsFast = await measureVisits(pages, { runs, slowdown })
  const goals = { performance: 95, ...ofMembers }
  return (await scorePages(pages.map((page) => ({ ...page, goals })))) && areVisitsFast
}

async function scorePages(measured: ScoredPage[]): Promise<boolean> {
  const pages = measured.map((page) => ({ ...page, seen: [] as Run[] }))
  for (let run = 0; run < runs; run++) for (const { seen, ...page } of pages) seen.push(await measure(page))
  const results = pages.map(({ name, goals, seen }) => {
    const medians = Object.fromEntries(
      (Object.keys(seen[0]!) as (keyof Run)[]).map((key) => [key, median(seen.map((one) => one[key]))]),
    ) as Run
    const missed = [
      ...Object.entries(goals)
        .map(([id, goal]) => [id, medians[id as keyof Run], goal] as const)
        .filter(([, reached, goal]) => reached < goal)
        .map(([id, reached, goal]) => `${id} ${reached} of ${goal}`),
      ...(medians.shift < shiftMax ? [] : [`shift ${medians.shift.toFixed(3)} of ${shiftMax}`]),
    ]
    return { page: name, ...medians, missed: missed.join(', ') }
  })
  console.table(results)
  writeResults(values.json, { runs, slowdown, results })
  return results.every(({ missed }) => missed === '')
}

async function measure({ name, url, stored, cookies, goals }: ScoredPage) {
  const chrome = await launch({
    chromePath: findChromium()!,
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-background-networking', '--no-first-run'],
  })
  await store(chrome.port, url, { stored, cookies })
  const throttling = { ...constants.throttling.mobileSlow4G, cpuSlowdownMultiplier: slowdown }
  const result = await lighthouse(url, {
    port: chrome.port,
    logLevel: 'error',
    throttling,
    // Members' pages keep a stream open, so that the network is never idle.
    maxWaitForLoad: 15_000,
  })
  chrome.kill()
  const { categories, audits, environment } = result!.lhr
  const score = (id: string) => Math.round(100 * (categories[id]!.score ?? 0))
  const value = (id: string) => audits[id]!.numericValue ?? 0
  for (const id of Object.keys(goals).filter((category) => category !== 'performance'))
    for (const { id: audit, weight } of categories[id]!.auditRefs)
      if (weight > 0 && (audits[audit]!.score ?? 1) < 1)
        console.log(`${name}: ${audit}: ${audits[audit]!.title}`)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    shift: Number(value('cumulative-layout-shift').toFixed(4)),
    lcpMs: Math.round(value('largest-contentful-paint')),
    blockedMs: Math.round(value('total-blocking-time')),
    workMs: Math.round(value('mainthread-work-breakdown')),
    kilobytes: Math.round(value('total-byte-weight') / 1024),
    index: Math.round(environment.benchmarkIndex),
  }
}

/** Lighthouse clears neither localStorage nor cookies. */
async function store(port: number, url: string, { stored, cookies }: LoggedIn): Promise<void> {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}` })
  const page = await browser.newPage()
  await page.goto(new URL('/robots.txt', url).href)
  await page.evaluate((entries) => Object.assign(localStorage, entries), stored)
  await browser.setCookie(
    ...cookies.map((cookie) => ({ ...cookie, domain: new URL(url).hostname, path: '/' })),
  )
  await page.close()
  await browser.disconnect()
}
