import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { demoSignIn } from '#server/demo/community.ts'
import { json, startFakeTmdb } from '#server/titles/sources/fakes.ts'
import { openProgram } from './program.ts'
import {
  expectAccessible,
  horizontalOverflow,
  logInAs,
  newPage,
  type Session,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

/** A server of its own, with a key of TMDB. */
const own = openProgram()
useBrowser()

const provider = (provider_id: number, provider_name: string) => ({
  provider_id,
  provider_name,
  logo_path: `/logo${provider_id}.jpg`,
  display_priority: provider_id,
})
const link = 'https://www.themoviedb.org/movie/7001/watch?locale=DE'
const fake = await startFakeTmdb({
  token: 'the-token',
  titles: {
    '/movie/7001': {
      id: 7001,
      title: 'The Glass Harbour',
      overview: 'A pilot and her brother bring one last ship in.',
      release_date: '2011-05-20',
      'watch/providers': {
        DE: {
          link,
          flatrate: [provider(8, 'North Stream'), provider(9, 'قناة الميناء <البحر>')],
          rent: Array.from({ length: 9 }, (_, at) => provider(20 + at, `Rent ${at}`)),
        },
        FR: { link, buy: [provider(2, 'Achat')] },
      },
    },
    '/movie/7002': { id: 7002, title: 'Nowhere', release_date: '2012-05-20', 'watch/providers': {} },
  },
  searchResults: [],
  services: { DE: [provider(8, 'North Stream'), provider(9, 'قناة الميناء'), provider(337, 'Südkanal')] },
})
afterAll(() => fake.close())

const picture = readFileSync('server/starter/pictures/portrait-1-1-320.webp')

test.each(sizes)(
  'a visitor sees where a film can be watched, a member sees their own services first and on the want list ($name)',
  async (size) => {
    await own.start({ TMDB_TOKEN: 'the-token', TMDB_API_URL: fake.url, DEMO: 'on' })
    const post = async <T>(path: string, body: object, token?: string) => {
      const response = await fetch(own.program.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
      expect(response.ok, path).toBe(true)
      return (await response.json()) as T
    }
    const open = async (path: string, member?: Session) => {
      const page = await newPage(size, size.theme, { baseURL: own.program.url, locale: 'en-GB' })
      await page.route('https://image.tmdb.org/**', (route) =>
        route.fulfill({ body: picture, contentType: 'image/webp' }),
      )
      if (member) await logInAs(page, member)
      await page.goto(path)
      await waitForHydration(page)
      return page
    }
    const demo = await post<Session>('/auth/login', demoSignIn)
    const ids = []
    for (const tmdbId of [7001, 7002]) {
      const { movie } = await post<{ movie: { id: number } }>(
        `/tmdb/sync/${tmdbId}?mediaType=movie`,
        { mediaType: 'movie' },
        demo.token,
      )
      await post('/diary', { movieId: movie.id, status: 'want' }, demo.token)
      ids.push(movie.id)
    }
    const region = (page: Page) => page.getByRole('region', { name: 'Where to watch' })
    const choose = async (page: Page, label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    const check = async (page: Page) => {
      await expectAccessible(page, { inBothThemes: false })
      expect(await horizontalOverflow(page)).toBe(0)
    }

    const visitor = await open(`/movies/${ids[0]}`)
    await region(visitor).getByText('Not on any service in United Kingdom that we know of.').waitFor()
    await choose(visitor, 'Country', 'Germany')
    await region(visitor).getByText('North Stream').waitFor()
    expect(await region(visitor).getByRole('list').count()).toBe(2)
    await region(visitor).getByRole('button', { name: '3 more' }).click()
    await region(visitor).getByText('Rent 8').waitFor()
    const links = region(visitor).getByRole('link')
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      'https://www.justwatch.com/',
      link,
    ])
    await region(visitor).scrollIntoViewIfNeeded()
    await check(visitor)
    // The choice stays in the browser.
    await visitor.reload()
    await region(visitor).getByText('North Stream').waitFor()

    const member = await open('/settings', demo)
    const settings = member.getByRole('region', { name: 'Streaming services' })
    await settings.getByRole('combobox', { name: 'Country' }).click()
    await member.getByRole('option', { name: 'Germany', exact: true }).click()
    await settings.getByLabel('Search a service').fill('sud')
    await expect.poll(() => settings.getByRole('checkbox').count()).toBe(1)
    await settings.getByLabel('Search a service').fill('')
    await settings.getByRole('checkbox', { name: 'North Stream' }).press('Space')
    await settings.getByText('1 service chosen').waitFor()
    await check(member)
    const saved = async () => {
      const headers = { authorization: `Bearer ${demo.token}` }
      return (await fetch(`${own.program.url}/users/me/providers`, { headers })).json()
    }
    await expect.poll(saved).toEqual({ country: 'DE', subscriptions: [8] })

    await member.goto(`/movies/${ids[0]}`)
    await region(member).getByText('One of my services').waitFor()
    expect(await region(member).getByRole('listitem').first().textContent()).toContain('North Stream')
    await region(member).scrollIntoViewIfNeeded()
    await check(member)

    await member.goto('/diary?list=want')
    await member.getByRole('link', { name: 'Nowhere' }).first().waitFor()
    if (size.name === 'phone') await member.getByRole('button', { name: 'Filter' }).click()
    await member.getByRole('button', { name: 'On my services' }).click()
    if (size.name === 'phone') await member.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => member.getByRole('link', { name: 'Nowhere' }).count()).toBe(0)
    await member.getByRole('link', { name: 'The Glass Harbour' }).first().waitFor()
    await check(member)
  },
)

test('a source that is down is said, and can be asked again; without a key nothing is shown', async () => {
  await own.start({ TMDB_TOKEN: 'the-token', TMDB_API_URL: fake.url, DEMO: 'on' })
  const login = await fetch(`${own.program.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demoSignIn),
  })
  const demo = (await login.json()) as Session
  const sync = await fetch(`${own.program.url}/tmdb/sync/7001`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${demo.token}` },
    body: JSON.stringify({ mediaType: 'movie' }),
  })
  const { movie } = (await sync.json()) as { movie: { id: number } }
  fake.replyAlways(json({ status_code: 11 }, 500))
  const page = await newPage(sizes[1], 'light', { baseURL: own.program.url, locale: 'ar-EG' })
  await page.goto(`/movies/${movie.id}`)
  await waitForHydration(page)
  const region = page.getByRole('region', { name: 'أماكن المشاهدة' })
  await region.getByText('لا نعرف حاليًا أين يمكن مشاهدة هذا العمل').waitFor()
  fake.replyAlways(undefined)
  await region.getByRole('button').last().click()
  await region.getByText('لا نعرف خدمة تعرضه في هذا البلد: مصر.').waitFor()
  expect(await horizontalOverflow(page)).toBe(0)
  await page.close()
  await own.program.end()

  await own.start({ DEMO: 'on' })
  const other = await newPage(sizes[0], 'light', { baseURL: own.program.url })
  await logInAs(other, demo)
  await other.goto(`/movies/${movie.id}`)
  await waitForHydration(other)
  await other.getByRole('heading', { name: 'Share your take' }).waitFor()
  expect(await other.getByText('Where to watch').count()).toBe(0)
  await other.goto('/settings')
  await other.getByRole('heading', { name: 'Ratings' }).waitFor()
  expect(await other.getByText('Streaming services').count()).toBe(0)
})
