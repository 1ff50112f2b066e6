import { parseArgs } from 'node:util'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import * as constants from 'lighthouse/core/config/constants.js'
import { writeResults } from './bench/bench.ts'
import { measureMembers } from './bench/member-pages.ts'
import { median } from './bench/send-load.ts'
import { findChromium } from './testing/chromium.ts'
import { startSite } from './testing/site.ts'

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

--member visits the pages of the demo member beside those of a visitor, in turn, on a phone of 390 pixels, 150 ms and 1.6 Mbit/s
with an empty cache and then again, and prints a table in Markdown. Its goals for times are multiples of what the visitors' Home took.

The benchmark index says how fast the machine was, and varies if others use it. --slowdown is
how much slower than this machine the simulated phone is: 8 on a machine of index 3000 is as 4 on one of 1500.`)
  process.exit()
}

type Run = Awaited<ReturnType<typeof measure>>
const shiftMax = 0.02
const [runs, slowdown] = [Number(values.runs), Number(values.slowdown)]
const site = values.url ? { url: values.url, stop: async () => {} } : await startSite()
try {
  const { popular } = await fetch(`${site.url}/movies/popular`).then((response) => response.json())
  const detail = `${site.url}/movies/${popular[0].id}`
  const isReached = values.member
    ? await measureMembers(site.url, detail, { runs, slowdown })
    : await measureVisitors(detail)
  process.exitCode = isReached ? 0 : 1
} finally {
  await site.stop()
}

/** Runs Lighthouse on the pages in turn, and prints the medians. Returns whether all pages reach the goals. */
async function measureVisitors(detail: string): Promise<boolean> {
  const full = { accessibility: 100, 'best-practices': 100, seo: 100 }
  const pages = [
    { name: 'Home', url: `${site.url}/`, goals: { performance: 95, ...full } },
    { name: 'detail', url: detail, goals: { performance: 92, ...full } },
    { name: 'Search', url: `${site.url}/search`, goals: { performance: 95, ...full } },
  ].map((page) => ({ ...page, seen: [] as Run[] }))
  for (let run = 0; run < runs; run++)
    for (const { name, url, seen } of pages) seen.push(await measure(name, url))
  const results = pages.map(({ name, goals, seen }) => {
    const medians = Object.fromEntries(
      (Object.keys(seen[0]!) as (keyof Run)[]).map((key) => [key, median(seen.map((one) => one[key]))]),
    ) as Run
    const missed = [
      ...(Object.keys(goals) as (keyof typeof goals)[])
        .filter((id) => medians[id] < goals[id])
        .map((id) => `${id} ${medians[id]} of ${goals[id]}`),
      ...(medians.shift < shiftMax ? [] : [`shift ${medians.shift.toFixed(3)} of ${shiftMax}`]),
    ]
    return { page: name, ...medians, missed: missed.join(', ') }
  })
  console.table(results)
  writeResults(values.json, { runs, slowdown, results })
  return results.every(({ missed }) => missed === '')
}

/** Runs Lighthouse once, in a new browser with an empty cache. Prints the audits that fail. */
async function measure(name: string, url: string) {
  const chrome = await launch({
    chromePath: findChromium()!,
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-background-networking', '--no-first-run'],
  })
  const throttling = { ...constants.throttling.mobileSlow4G, cpuSlowdownMultiplier: slowdown }
  const result = await lighthouse(url, { port: chrome.port, logLevel: 'error', throttling })
  chrome.kill()
  const { categories, audits, environment } = result!.lhr
  const score = (id: string) => Math.round(100 * (categories[id]!.score ?? 0))
  const value = (id: string) => audits[id]!.numericValue ?? 0
  for (const id of ['accessibility', 'best-practices', 'seo'])
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
