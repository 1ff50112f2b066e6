import { startPhone, visit, type Visit } from '../testing/phone.ts'

/** The goals of each page. `lcp`, `blocked` and `tap` are multiples of what the visitors' Home took in the same run. */
const goals = { lcp: 1.3, blocked: 1.3, warmLcpMs: 500, scripts: 16, waves: 3, shift: 0.05, tap: 1.3 }

/** The pages that members open most, for the demo member, whose id is `userId`. */
function memberPages(userId: number): { name: string; path: string }[] {
  return [
    { name: 'Home', path: '/' },
    { name: 'For You', path: '/for-you' },
    { name: 'Items', path: '/items' },
    { name: 'library', path: `/user/${userId}/reviews` },
    { name: 'diary', path: '/diary' },
    { name: 'year', path: `/user/${userId}/year/${new Date().getFullYear()}` },
    { name: 'profile', path: `/user/${userId}` },
    { name: 'favorites', path: '/favorites' },
    { name: 'settings', path: '/settings' },
    { name: 'lists', path: '/lists' },
    { name: 'notifications', path: '/notifications' },
  ]
}

/**
 * Visits pages of a visitor and of the demo member in turn, `runs` times, and prints a table of the medians. Returns whether all pages
 * reach the goals. `detail` is the URL of a title's page.
 */
export async function measureMembers(
  siteUrl: string,
  detail: string,
  { runs, slowdown }: { runs: number; slowdown: number },
): Promise<boolean> {
  const response = await fetch(`${siteUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'demo@medley.example', password: 'medley-demo' }),
  })
  const { token, user } = (await response.json()) as { token: string; user: { id: number } }
  const stored = { token, user: JSON.stringify(user) }
  const pages = [
    { name: 'visitor’s Home', url: `${siteUrl}/`, stored: {} },
    { name: 'visitor’s title', url: detail, stored: {} },
    { name: 'title', url: detail, stored },
    ...memberPages(user.id).map(({ name, path }) => ({ name, url: siteUrl + path, stored })),
  ]
  const visits = new Map<string, Visit[]>(pages.map(({ name }) => [name, []]))
  const browser = await startPhone()
  try {
    for (let run = 0; run < runs; run++)
      for (const page of pages)
        visits.get(page.name)!.push(await visit(browser, page.url, { stored: page.stored, slowdown }))
  } finally {
    await browser.close()
  }
  const median = (name: string, key: Exclude<keyof Visit, 'notRestored'>) =>
    visits
      .get(name)!
      .map((one) => one[key])
      .sort((a, b) => a - b)[Math.floor(runs / 2)]!

  const [home] = pages
  const homeLcp = median(home!.name, 'lcpMs')
  const homeBlocked = Math.max(50, median(home!.name, 'blockedMs'))
  const homeTap = median(home!.name, 'tapMs')
  console.log(
    '| page | LCP, s | × | blocked, ms | × | scripts, waves | KB | calls | shift | tap, ms | second visit, s | missed |\n|---|---|---|---|---|---|---|---|---|---|---|---|',
  )
  let isReached = true
  for (const { name } of pages) {
    const [lcp, blocked, scripts, waves, warmLcp, shift, tap] = (
      ['lcpMs', 'blockedMs', 'scripts', 'waves', 'warmLcpMs', 'shift', 'tapMs'] as const
    ).map((key) => median(name, key)) as [number, number, number, number, number, number, number]
    const restored = visits.get(name)!.map(({ notRestored }) => notRestored)
    const missed = [
      lcp > goals.lcp * homeLcp && 'LCP',
      blocked > goals.blocked * homeBlocked && 'blocked',
      scripts > goals.scripts && 'scripts',
      waves > goals.waves && 'waves',
      shift > goals.shift && 'shift',
      tap > goals.tap * homeTap && 'tap',
      warmLcp > goals.warmLcpMs && 'second visit',
      restored.find((reason) => reason !== '') && `back/forward cache: ${restored.join()}`,
    ].filter((one) => typeof one === 'string')
    // The visitors' pages are the measure.
    if (missed.length > 0 && !name.startsWith('visitor')) isReached = false
    const cells = [
      name,
      (lcp / 1000).toFixed(2),
      (lcp / homeLcp).toFixed(1),
      blocked,
      (blocked / homeBlocked).toFixed(1),
      `${scripts}, ${waves}`,
      median(name, 'kilobytes'),
      median(name, 'calls'),
      shift.toFixed(3),
      tap,
      (warmLcp / 1000).toFixed(2),
      missed.join(', '),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  return isReached
}
