import { expect, inject, test } from 'vitest'
import { notify } from '#server/accounts/notify-store.ts'
import type { Progress } from '#shared/contracts/progress.ts'
import {
  aMember,
  call,
  expectAccessible,
  horizontalOverflow,
  logInAs,
  newPage,
  post,
  siteDatabase,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

/** Of the starter catalogue: two seasons of nine and ten episodes. */
const severance = 95
/** 35 seasons. */
const simpsons = 77

const progressOf = async (id: number, token: string) =>
  (await call<{ progress: Progress }>(`/tv-shows/${id}/seasons`, { token })).body.progress

test('episodes are marked one by one, up to one and by season, each act can be undone, and all of it survives a reload', async () => {
  const member = await aMember('progress.member')
  const page = await newPage(sizes[0])
  await logInAs(page, member)
  const played = async () => (await progressOf(severance, member.token)).playedCount
  const seasons = page.getByRole('region', { name: 'Seasons' })
  const toast = page.getByRole('region', { name: /^Notifications/ })
  const check = (name: string | RegExp) => seasons.getByRole('checkbox', { name })
  const undo = async () => {
    await toast.getByRole('button', { name: 'Undo' }).first().click()
  }
  await page.goto(`/tv-shows/${severance}`)
  await waitForHydration(page)

  // The season of the next episode is open, the others are folded.
  await check('Watched: S1 E1 Good News About Hell').press('Space')
  await expect.poll(played).toBe(1)
  await seasons.getByText('1 of 19 episodes').waitFor()
  expect(await seasons.getByRole('button', { name: /^Season 1/ }).getAttribute('aria-expanded')).toBe('true')
  expect(await seasons.getByRole('button', { name: /^Season 2/ }).getAttribute('aria-expanded')).toBe('false')

  await seasons.getByRole('button', { name: 'Watched S1 E2' }).click()
  await expect.poll(played).toBe(2)
  await seasons.getByRole('button', { name: 'Watched S1 E3' }).waitFor()
  await undo()
  await expect.poll(played).toBe(1)

  await seasons.getByRole('button', { name: /^Watched up to here: S1 E5/ }).press('Enter')
  await expect.poll(played).toBe(5)
  await toast.getByText('4 episodes are marked as watched').waitFor()
  await page.reload()
  await waitForHydration(page)
  expect(await check(/^Watched: S1 E5/).isChecked()).toBe(true)
  expect(await check(/^Watched: S1 E6/).isChecked()).toBe(false)
  await check(/^Watched: S1 E5/).click()
  await expect.poll(played).toBe(4)

  // One press for a season that is folded.
  const season = seasons.getByRole('button', { name: 'Watched: Season 2' })
  await season.click()
  await expect.poll(played).toBe(14)
  await expect.poll(() => season.getAttribute('aria-pressed')).toBe('true')
  await expectAccessible(page)
  await undo()
  await expect.poll(played).toBe(4)
  await expect.poll(() => season.getAttribute('aria-pressed')).toBe('false')
  expect(await horizontalOverflow(page)).toBe(0)
})

test('the notification of a new season marks its next episode with one press, and then offers the one after', async () => {
  const member = await aMember('progress.told')
  const body = JSON.stringify({ season: 1 })
  await call(`/tv-shows/${severance}/progress`, { method: 'PUT', token: member.token, body })
  const { season } = (
    await call<{ season: { id: number } }>(`/tv-shows/${severance}/seasons/2`, { token: member.token })
  ).body
  await siteDatabase()
    .transaction()
    .execute((trx) =>
      notify(trx, {
        type: 'newSeason',
        to: member.user.id,
        by: null,
        now: new Date(),
        target: { type: 'season', id: season.id },
      }),
    )
  const page = await newPage(sizes[1])
  await logInAs(page, member)
  await page.goto('/notifications')
  await waitForHydration(page)
  await page.getByText('New season of Severance: season 2').waitFor()
  const press = (code: string) => page.getByRole('button', { name: `Watched: S2 ${code} ` })
  await press('E1').click()
  await expect.poll(async () => (await progressOf(severance, member.token)).playedCount).toBe(10)
  await press('E2').waitFor()
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
})

test('a show that is finished begins again with its first episode, and Undo finishes it', async () => {
  const member = await aMember('progress.again')
  for (const season of [1, 2])
    await call(`/tv-shows/${severance}/progress`, {
      method: 'PUT',
      token: member.token,
      body: JSON.stringify({ season }),
    })
  const standing = async () => {
    const { status, pass, playedCount } = await progressOf(severance, member.token)
    return [status, pass, playedCount]
  }
  expect(await standing()).toEqual(['finished', 1, 19])
  const page = await newPage(sizes[1])
  await logInAs(page, member)
  await page.goto(`/tv-shows/${severance}`)
  await waitForHydration(page)
  const again = page.getByRole('button', { name: 'Watch again' })
  await again.press('Enter')
  await expect.poll(standing).toEqual(['started', 2, 1])
  await page.getByRole('button', { name: 'Watched S1 E2' }).waitFor()
  expect(await again.count()).toBe(0)
  await page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('button', { name: 'Undo' })
    .first()
    .click()
  await expect.poll(standing).toEqual(['finished', 1, 19])
  await again.waitFor()
})

test('Home and Up next mark the next episode with one press, the row moves on in its place, and Undo takes it back', async () => {
  const member = await aMember('progress.next')
  for (const [id, season] of [
    [severance, 1],
    [simpsons, 34],
  ])
    await call(`/tv-shows/${id}/progress`, {
      method: 'PUT',
      token: member.token,
      body: JSON.stringify({ season }),
    })
  const page = await newPage(sizes[1])
  await logInAs(page, member)
  const played = async () => (await progressOf(severance, member.token)).playedCount
  const rows = page.getByRole('list', { name: 'Up next' }).getByRole('listitem')
  const names = () => rows.getByRole('link').allTextContents()
  const press = (code: string) => page.getByRole('button', { name: `Watched: Severance ${code}` }).click()

  await page.goto('/')
  await waitForHydration(page)
  await press('S2 E1')
  await expect.poll(played).toBe(10)
  await page.getByRole('region', { name: 'Up next' }).getByRole('link', { name: 'All' }).click()
  await page.getByRole('heading', { level: 1, name: 'Up next' }).waitFor()

  await expect.poll(names).toHaveLength(2)
  const before = await names()
  await press('S2 E2')
  await expect.poll(played).toBe(11)
  await rows.getByText(/^S2 E3/).waitFor()
  expect(await names()).toEqual(before)
  await page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('button', { name: 'Undo' })
    .first()
    .click()
  await expect.poll(played).toBe(10)
  await rows.getByText(/^S2 E2/).waitFor()
})

test('what is watched on one screen shows on those that were open before, without a reload', async () => {
  const [author, member] = [await aMember('progress.author'), await aMember('progress.screens')]
  const put = (token: string, body: object) =>
    call(`/tv-shows/${severance}/progress`, { method: 'PUT', token, body: JSON.stringify(body) })
  await put(member.token, { season: 1 })
  const { body } = await call<{ episodes: { id: number }[] }>(`/tv-shows/${severance}/seasons/2`)
  const text = 'Nobody expected the goats.'
  await post('/reviews', { episodeId: body.episodes[0]!.id, rating: 4, text }, author.token)

  const page = await newPage(sizes[0], 'light', { locale: 'en-US' })
  await logInAs(page, member)
  const home = () => page.getByRole('banner').getByRole('link').first().click()
  const mark = page.getByRole('button', { name: 'Watched: Severance S2 E1' })
  await page.goto(`/episodes/${body.episodes[0]!.id}`)
  await waitForHydration(page)
  const review = page.getByRole('article', { name: 'Review by progress.author', exact: true })
  await review.getByText('Hidden until you have seen').waitFor()
  await home()
  await mark.click()
  await expect.poll(async () => (await progressOf(severance, member.token)).playedCount).toBe(10)
  await page.goBack()
  await review.getByText(text).waitFor()
  await page.getByText(/^Watched on/).waitFor()

  // Other screens, and back to each.
  const next = page.getByRole('button', { name: 'Watched: Severance S2 E2' })
  await page.goto('/search?q=severance')
  await waitForHydration(page)
  const bar = (percent: string) => page.getByRole('article').getByRole('img', { name: percent })
  await bar('52 %').waitFor()
  await home()
  await next.click()
  await expect.poll(async () => (await progressOf(severance, member.token)).playedCount).toBe(11)
  await page.goBack()
  await bar('57 %').waitFor()

  await page.goto('/calendar?month=2025-01')
  await waitForHydration(page)
  const third = page.getByRole('button', { name: /^Watched: Severance S2 E3/ })
  await third.waitFor()
  await home()
  await page.getByRole('button', { name: 'Watched: Severance S2 E3' }).click()
  await expect.poll(async () => (await progressOf(severance, member.token)).playedCount).toBe(12)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
  await expect.poll(() => third.count()).toBe(0)
})

test('an episode has a page, which a visitor reads without scripts and a member marks', async () => {
  const { body } = await call<{ episodes: { id: number }[] }>(`/tv-shows/${severance}/seasons/1`)
  const [first, second] = body.episodes.map(({ id }) => id)
  const html = await (
    await fetch(`${inject('site').url}/episodes/${first}`, { headers: { accept: 'text/html' } })
  ).text()
  expect(html).toContain('<title>Severance · S1 E1 Good News About Hell · Medley</title>')
  expect(html).toMatch(/<h1[^>]*><bdi>Good News About Hell/)
  const missing = await fetch(`${inject('site').url}/episodes/999999`, { headers: { accept: 'text/html' } })
  expect(missing.status).toBe(404)

  const member = await aMember('progress.episode')
  const page = await newPage()
  await logInAs(page, member)
  await page.goto(`/episodes/${first}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Watched: S1 E1 Good News About Hell' }).click()
  await page.getByText(/^Watched on/).waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.waitForURL(`**/episodes/${second}`)
  await page.getByRole('heading', { level: 1, name: 'Half Loop' }).waitFor()
  await page.getByRole('link', { name: 'Severance', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Watched: S1 E1/, checked: true }).waitFor()
})

test('visitors read seasons and episodes without marks, and a show with many seasons asks only for those that are opened', async () => {
  const page = await newPage()
  const opened: string[] = []
  page.on('request', (request) => {
    if (/progress\.season[,?]/.test(request.url())) opened.push(request.url())
  })
  await page.goto(`/tv-shows/${simpsons}`)
  await waitForHydration(page)
  const seasons = page.getByRole('region', { name: 'Seasons' })
  await seasons.getByRole('button', { name: 'All 35 seasons' }).click()
  await seasons.getByRole('button', { name: /^Season 35/ }).waitFor()
  expect(opened).toEqual([])
  await seasons.getByRole('button', { name: /^Season 2 / }).press('Enter')
  await seasons.getByRole('list', { name: 'Season 2' }).getByRole('listitem').first().waitFor()
  expect(await seasons.getByRole('checkbox').count()).toBe(0)
  expect(await seasons.getByRole('button', { name: /^Watched/ }).count()).toBe(0)
  expect(opened).toHaveLength(1)
})

test('the calendar has the month on a desktop and the agenda on a phone, and an episode that has aired is watched with one press', async () => {
  const member = await aMember('progress.calendar')
  await call(`/tv-shows/${severance}/progress`, {
    method: 'PUT',
    token: member.token,
    body: JSON.stringify({ season: 1 }),
  })
  const played = async () => (await progressOf(severance, member.token)).playedCount
  for (const size of sizes) {
    const page = await newPage(size, size.theme, { locale: 'en-US' })
    await logInAs(page, member)
    await page.goto('/up-next')
    await waitForHydration(page)
    await page.getByRole('main').getByRole('link', { name: 'Calendar' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
    await page.goto('/calendar?month=2025-02')
    await waitForHydration(page)
    const month = page.getByRole('main').getByRole('heading', { level: 2 })
    await page.getByRole('button', { name: 'Previous month' }).press('Enter')
    await expect.poll(() => month.innerText()).toBe('January 2025')
    const view = size.name === 'phone' ? 'Agenda' : 'Month'
    expect(await page.getByRole('radio', { name: view, checked: true }).count()).toBe(1)
    const mark = page.getByRole('button', { name: /^Watched: Severance S2 E1/ })
    if (size.name === 'phone')
      await page.getByRole('heading', { level: 3, name: 'Friday, January 17, 2025' }).waitFor()
    else
      await page
        .getByRole('cell', { name: /Friday, January 17, 2025/ })
        .getByText('S2 E1')
        .waitFor()
    await mark.click()
    await expect.poll(played).toBe(10)
    await expect.poll(() => mark.count()).toBe(0)
    await page
      .getByRole('region', { name: /^Notifications/ })
      .getByRole('button', { name: 'Undo' })
      .first()
      .click()
    await expect.poll(played).toBe(9)
    await mark.waitFor()

    await page.getByRole('radio', { name: view === 'Month' ? 'Agenda' : 'Month' }).check()
    if (size.name === 'phone')
      await page.getByRole('button', { name: 'Friday, January 24, 2025: 1 title' }).press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'S2 E2' }).first().waitFor()
    expect(await horizontalOverflow(page)).toBe(0)
    await page.getByRole('button', { name: 'Today' }).click()
    await page.getByText('Nothing is coming up').waitFor()
    expect(new URL(page.url()).searchParams.get('month')).toBe(null)
  }
})

test('a member makes a link for calendar apps, which is shown once, makes a new one and ends it', async () => {
  const member = await aMember('progress.link')
  await call(`/tv-shows/${severance}/progress`, {
    method: 'PUT',
    token: member.token,
    body: JSON.stringify({ season: 1 }),
  })
  for (const size of sizes) {
    const page = await newPage(size, size.theme, { locale: 'en-US' })
    await logInAs(page, member)
    await page.goto('/calendar')
    await waitForHydration(page)
    const dialog = page.getByRole('dialog')
    const address = dialog.getByRole('textbox', { name: 'Address of your calendar' })
    await page.getByRole('button', { name: 'Subscribe' }).press('Enter')
    await dialog.getByRole('button', { name: 'Make a link' }).press('Enter')
    const first = await address.inputValue()
    expect(await dialog.getByRole('link', { name: 'Open in a calendar app' }).getAttribute('href')).toBe(
      first.replace(/^https?:/, 'webcal:'),
    )
    const read = async (url: string) => fetch(new URL(new URL(url).pathname, page.url()))
    expect(await (await read(first)).text()).toMatch(/^BEGIN:VCALENDAR\r\n/)
    await expectAccessible(page)
    expect(await horizontalOverflow(page)).toBe(0)

    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await dialog.getByText('You made a link').waitFor()
    expect(await address.count()).toBe(0)
    await dialog.getByRole('button', { name: 'New link' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'New link' }).click()
    const second = await address.inputValue()
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200])

    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.goto('/settings?tab=account')
    await page.getByText('Calendar apps read your calendar by a link').waitFor()
    await page.goto('/calendar')
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await dialog.getByRole('button', { name: 'End' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End the link' }).click()
    await dialog.getByRole('button', { name: 'Make a link' }).waitFor()
    expect((await read(second)).status).toBe(404)
  }
})

test('posters have a bar with how far the member is in shows, books and games', async () => {
  const member = await aMember('progress.bars')
  const send = (path: string, body: object, method = 'POST') =>
    call<{ entry: { id: number } }>(path, { method, token: member.token, body: JSON.stringify(body) })
  await send(`/tv-shows/${severance}/progress`, { season: 1 }, 'PUT')
  const { body } = await call<{ results: { id: number }[] }>('/movies/search?q=dune', { token: member.token })
  const [movie] = body.results
  const { entry } = (await send('/diary', { movieId: movie!.id, status: 'want' })).body
  await send(`/diary/${entry.id}/progress`, { percent: 40 })
  for (const size of sizes) {
    const page = await newPage(size, size.theme, { locale: 'en-US' })
    await logInAs(page, member)
    for (const [query, text] of [
      ['severance', '47 %'],
      ['dune', '40 %'],
    ] as const) {
      await page.goto(`/search?q=${query}`)
      const bar = page.getByRole('article').getByRole('img', { name: text })
      await bar.waitFor()
      const [line, poster] = [
        await bar.boundingBox(),
        await bar.locator('xpath=ancestor::article//*[contains(@class, "poster ")]').first().boundingBox(),
      ]
      expect(line!.y).toBeGreaterThanOrEqual(poster!.y + poster!.height)
    }
  }
})
