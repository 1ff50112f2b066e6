import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import * as constants from 'lighthouse/core/config/constants.js'
import { startButtonPage } from './testing/button-page.ts'
import { measureMembers } from './bench/member-pages.ts'
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

The benchmark index says how fast the machine was, and varies if others use it. Blocking time and main-thread work are also
given as multiples of those of a page with the same libraries and one button, which every round measures too. --slowdown is
how much slower than this machine the simulated phone is: 8 on a machine of index 3000 is as 4 on one of 1500.`)
  process.exit()
}

type Scores = Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>
const full = { accessibility: 100, 'best-practices': 100, seo: 100 }
const shiftMax = 0.02

const runs = Number(values.runs)
const site = values.url ? { url: values.url, stop: async () => {} } : await startSite()
const popular = await fetch(`${site.url}/movies/popular`).then((response) => response.json())
const detail = `${site.url}/movies/${popular.popular[0].id}`
if (values.member) {
  process.exitCode = (await measureMembers(site.url, detail, { runs, slowdown: Number(values.slowdown) }))
    ? 0
    : 1
  await site.stop()
  process.exit()
}
const bare = await startButtonPage()
type MeasuredPage = { name: string; url: string; goals?: Scores }
const button: MeasuredPage = { name: 'one button', url: `${bare.url}/` }
const pages: MeasuredPage[] = [
  button,
  { name: 'Home', url: `${site.url}/`, goals: { performance: 95, ...full } },
  { name: 'detail', url: detail, goals: { performance: 92, ...full } },
  { name: 'Search', url: `${site.url}/search`, goals: { performance: 95, ...full } },
]

type Run = Scores & Record<'shift' | 'lcpMs' | 'blockedMs' | 'workMs' | 'kilobytes' | 'index', number>
const seen = new Map<string, Run[]>(pages.map(({ name }) => [name, []]))
const faults = new Set<string>()

/** Runs Lighthouse once, in a new browser with an empty cache. */
async function measure({ name, url, goals }: MeasuredPage): Promise<Run> {
  const chrome = await launch({
    chromePath: findChromium()!,
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-background-networking', '--no-first-run'],
  })
  const throttling = { ...constants.throttling.mobileSlow4G, cpuSlowdownMultiplier: Number(values.slowdown) }
  const result = await lighthouse(url, { port: chrome.port, logLevel: 'error', throttling })
  chrome.kill()
  const { categories, audits, environment } = result!.lhr
  const score = (id: keyof Scores) => Math.round(100 * (categories[id]!.score ?? 0))
  const value = (id: string) => audits[id]!.numericValue ?? 0
  if (goals)
    for (const id of ['accessibility', 'best-practices', 'seo'] as const)
      for (const { id: audit, weight } of categories[id]!.auditRefs)
        if (weight > 0 && audits[audit]!.score !== null && audits[audit]!.score! < 1)
          faults.add(`${name}: ${audit}: ${audits[audit]!.title}`)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    shift: value('cumulative-layout-shift'),
    lcpMs: Math.round(value('largest-contentful-paint')),
    blockedMs: Math.round(value('total-blocking-time')),
    workMs: Math.round(value('mainthread-work-breakdown')),
    kilobytes: Math.round(value('total-byte-weight') / 1024),
    index: Math.round(environment.benchmarkIndex),
  }
}

function medianOf(name: string): Run {
  const all = seen.get(name)!
  return Object.fromEntries(
    Object.keys(all[0]!).map((key) => {
      const sorted = all.map((one) => one[key as keyof Run]).sort((a, b) => a - b)
      return [key, sorted[Math.floor(sorted.length / 2)]!]
    }),
  ) as Run
}

try {
  for (let run = 0; run < runs; run++)
    for (const page of pages) seen.get(page.name)!.push(await measure(page))
} finally {
  await Promise.all([site.stop(), bare.stop()])
}

const ofButton = medianOf(button.name)
const ratio = (ms: number, ofButtonMs: number) =>
  ofButtonMs === 0 ? null : Number((ms / ofButtonMs).toFixed(1))
const results = pages.map(({ name, goals }) => {
  const { shift, ...median } = medianOf(name)
  const missed = goals && [
    ...(Object.keys(goals) as (keyof Scores)[])
      .filter((id) => median[id] < goals[id])
      .map((id) => `${id} ${median[id]} of ${goals[id]}`),
    ...(shift < shiftMax ? [] : [`shift ${shift.toFixed(3)} of ${shiftMax}`]),
  ]
  if (missed && missed.length > 0) process.exitCode = 1
  return {
    page: name,
    ...median,
    shift: Number(shift.toFixed(4)),
    'blocked × button': ratio(median.blockedMs, ofButton.blockedMs),
    'work × button': ratio(median.workMs, ofButton.workMs),
    missed: missed?.join(', ') ?? '',
  }
})
for (const fault of faults) console.log(fault)
console.table(results)
mkdirSync(dirname(values.json), { recursive: true })
writeFileSync(
  values.json,
  `${JSON.stringify({ runs, slowdown: Number(values.slowdown), results }, null, 2)}\n`,
)
