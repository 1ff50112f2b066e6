import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { findChromium } from './testing/chromium.ts'
import { startSite } from './testing/site.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    runs: { type: 'string', default: '5' },
    url: { type: 'string' },
    json: { type: 'string', default: 'dist/bench/lighthouse.json' },
  },
})
if (values.help) {
  console.log(`npm run lighthouse [-- --runs 5] [--url http://…] [--json dist/bench/lighthouse.json]

Runs Lighthouse's mobile preset on Home, a detail page and Search, and compares the medians of the runs with the goals. Starts
a server with the demo community, or uses the one at --url. Exits with 1 if a goal is missed.`)
  process.exit()
}

type Scores = Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>
const full = { accessibility: 100, 'best-practices': 100, seo: 100 }
const shiftMax = 0.02

const runs = Number(values.runs)
const site = values.url ? { url: values.url, stop: async () => {} } : await startSite()
const popular = await fetch(`${site.url}/movies/popular`).then((response) => response.json())
const pages: { name: string; path: string; goals: Scores }[] = [
  { name: 'Home', path: '/', goals: { performance: 95, ...full } },
  { name: 'detail', path: `/movies/${popular.popular[0].id}`, goals: { performance: 92, ...full } },
  { name: 'Search', path: '/search', goals: { performance: 95, ...full } },
]

const results: Record<string, unknown>[] = []
try {
  for (const { name, path, goals } of pages) {
    const seen: (Scores & Record<'shift' | 'lcpMs' | 'blockedMs' | 'kilobytes', number>)[] = []
    const faults = new Set<string>()
    for (let run = 0; run < runs; run++) {
      // A new browser for each run starts with an empty cache.
      const chrome = await launch({
        chromePath: findChromium()!,
        chromeFlags: ['--headless=new', '--no-sandbox', '--disable-background-networking', '--no-first-run'],
      })
      const result = await lighthouse(site.url + path, { port: chrome.port, logLevel: 'error' })
      chrome.kill()
      const { categories, audits } = result!.lhr
      const score = (id: keyof Scores) => Math.round(100 * (categories[id]!.score ?? 0))
      const value = (id: string) => audits[id]!.numericValue ?? 0
      seen.push({
        performance: score('performance'),
        accessibility: score('accessibility'),
        'best-practices': score('best-practices'),
        seo: score('seo'),
        shift: value('cumulative-layout-shift'),
        lcpMs: Math.round(value('largest-contentful-paint')),
        blockedMs: Math.round(value('total-blocking-time')),
        kilobytes: Math.round(value('total-byte-weight') / 1024),
      })
      for (const id of ['accessibility', 'best-practices', 'seo'] as const)
        for (const { id: audit, weight } of categories[id]!.auditRefs)
          if (weight > 0 && audits[audit]!.score !== null && audits[audit]!.score! < 1)
            faults.add(`${audit}: ${audits[audit]!.title}`)
    }
    const median = Object.fromEntries(
      Object.keys(seen[0]!).map((key) => {
        const sorted = seen.map((one) => one[key as keyof (typeof seen)[0]]).sort((a, b) => a - b)
        return [key, sorted[Math.floor(sorted.length / 2)]!]
      }),
    ) as (typeof seen)[0]
    const missed = [
      ...(Object.keys(goals) as (keyof Scores)[])
        .filter((id) => median[id] < goals[id])
        .map((id) => `${id} ${median[id]} of ${goals[id]}`),
      ...(median.shift < shiftMax ? [] : [`shift ${median.shift.toFixed(3)} of ${shiftMax}`]),
    ]
    if (missed.length > 0) process.exitCode = 1
    results.push({ page: name, ...median, shift: Number(median.shift.toFixed(4)), missed: missed.join(', ') })
    for (const fault of faults) console.log(`${name}: ${fault}`)
  }
} finally {
  await site.stop()
}
console.table(results)
mkdirSync(dirname(values.json), { recursive: true })
writeFileSync(values.json, `${JSON.stringify({ runs, results }, null, 2)}\n`)
