import { members } from '#scripts/dev/page-budgets.ts'
import { median } from './send-load.ts'
import { type MeasuredPage, startPhone, visit, type Visit, visitor } from './phone.ts'

const memberPages = (userId: number): Record<string, string> => ({
  Home: '/',
  'For You': '/for-you',
  Items: '/items',
  library: `/user/${userId}/reviews`,
  diary: '/diary',
  'Up next': '/up-next',
  calendar: '/calendar',
  year: `/user/${userId}/year/${new Date().getFullYear()}`,
  profile: `/user/${userId}`,
  favorites: '/favorites',
  settings: '/settings',
  lists: '/lists',
  notifications: '/notifications',
})

export async function pagesOfMember(siteUrl: string, detail: string): Promise<MeasuredPage[]> {
  const response = await fetch(`${siteUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'demo@medley.example', password: 'medley-demo' }),
  })
  const { token, user } = (await response.json()) as { token: string; user: { id: number } }
  const cookies = response.headers.getSetCookie().map((cookie) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
    return { name: name!, value: value! }
  })
  const member = { stored: { token, user: JSON.stringify(user) }, cookies }
  return [
    { name: 'visitor’s Home', url: `${siteUrl}/`, ...visitor },
    { name: 'visitor’s title', url: detail, ...visitor },
    { name: 'title', url: detail, ...member },
    ...Object.entries(memberPages(user.id)).map(([name, path]) => ({
      name,
      url: siteUrl + path,
      ...member,
    })),
  ]
}

/**
 * Medians of `runs` visits. The first page, the visitors' Home, is the measure of the others. Returns whether all pages of the member reach
 * the goals.
 */
export async function measureVisits(
  measured: MeasuredPage[],
  { runs, slowdown }: { runs: number; slowdown: number },
): Promise<boolean> {
  const pages = measured.map((page) => ({ ...page, visits: [] as Visit[] }))
  const browser = await startPhone()
  try {
    for (let run = 0; run < runs; run++)
      for (const { visits, ...page } of pages) visits.push(await visit(browser, page, slowdown))
  } finally {
    await browser.close()
  }
  const mediansOf = ({ visits }: { visits: Visit[] }) => {
    const of = (key: Exclude<keyof Visit, 'notRestored'>) => median(visits.map((one) => one[key]))
    return {
      lcpMs: of('lcpMs'),
      blockedMs: of('blockedMs'),
      scripts: of('scripts'),
      waves: of('waves'),
      shift: of('shift'),
      tapMs: of('tapMs'),
      warmLcpMs: of('warmLcpMs'),
    }
  }
  const home = mediansOf(pages[0]!)
  const homeBlockedMs = Math.max(50, home.blockedMs)
  const goals = {
    lcpMs: 1.15 * home.lcpMs,
    blockedMs: 1.3 * homeBlockedMs,
    scripts: members.filesMax,
    waves: 3,
    shift: 0.05,
    tapMs: 100,
    warmLcpMs: 500,
  }
  console.log(
    '| page | scripts, waves | LCP, s | × | blocked, ms | × | shift | tap, ms | second visit, s | missed |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  let isReached = true
  for (const page of pages) {
    const medians = mediansOf(page)
    const { lcpMs, blockedMs, scripts, waves, shift, tapMs, warmLcpMs } = medians
    const missed = (Object.keys(goals) as (keyof typeof goals)[])
      .filter((key) => medians[key] > goals[key])
      .map(String)
    const reasons = page.visits.map(({ notRestored }) => notRestored).filter(Boolean)
    if (reasons.length > 0) missed.push(`back/forward cache: ${reasons.join()}`)
    if (missed.length > 0 && !page.name.startsWith('visitor')) isReached = false
    const cells = [
      page.name,
      `${scripts}, ${waves}`,
      (lcpMs / 1000).toFixed(2),
      (lcpMs / home.lcpMs).toFixed(1),
      blockedMs,
      (blockedMs / homeBlockedMs).toFixed(1),
      shift.toFixed(3),
      tapMs,
      (warmLcpMs / 1000).toFixed(2),
      missed.join(', '),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  return isReached
}
