import { expect, inject, test } from 'vitest'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import {
  aMember,
  call,
  expectAccessible,
  horizontalOverflow,
  logInAs,
  newPage,
  pathOf,
  post,
  siteDatabase,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()
const db = siteDatabase()

/** Of the starter catalogue: two seasons of nine and ten episodes. */
const severance = 95

type Season = {
  season: { id: number; mine: { rating: number | null } }
  episodes: { id: number; mine: { rating: number | null } }[]
}

async function aShow(name: string): Promise<number> {
  const folded = { name_folded: name.toLowerCase(), search_text: name.toLowerCase() }
  const details = JSON.stringify({ genres: [], creators: [], platforms: [], rating: null })
  const { id } = await db
    .insertInto('media')
    .values({ kind: 'tvShow', name, ...folded, details, created_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('on a phone, seasons and episodes are rated in the list, and an episode is reviewed on its own page', async () => {
  const member = await aMember('part.reviewer')
  const other = await aMember('part.reader')
  const page = await newPage(sizes[1])
  await logInAs(page, member)
  const read = async () =>
    (await call<Season>(`/tv-shows/${severance}/seasons/1`, { token: member.token })).body
  const { episodes } = await read()

  await page.goto(`/tv-shows/${severance}`)
  await waitForHydration(page)
  const seasons = page.getByRole('region', { name: 'Seasons' })
  await seasons.getByRole('button', { name: /^Rate S1 E2/ }).click()
  await seasons.getByRole('radio', { name: /^4 stars/ }).click()
  await expect.poll(async () => (await read()).episodes[1]!.mine.rating).toBe(4)
  await seasons.getByRole('button', { name: /^Your rating of S1 E2.*4 stars/ }).waitFor()
  await seasons.getByRole('button', { name: 'Rate Season 1' }).click()
  await seasons
    .getByRole('radio', { name: /^5 stars/ })
    .first()
    .click()
  await expect.poll(async () => (await read()).season.mine.rating).toBe(5)
  await seasons.getByRole('button', { name: /^Your rating of Season 1: 5 stars/ }).waitFor()
  expect(await horizontalOverflow(page)).toBe(0)
  await expectAccessible(page)

  await page.goto(`/episodes/${episodes[1]!.id}`)
  await waitForHydration(page)
  const take = page.getByRole('region', { name: 'Share Your Take' })
  await take.getByRole('textbox', { name: 'Your review' }).fill('The lift alone was worth it.')
  await take.getByRole('button', { name: 'Post review' }).click()
  const review = page.getByRole('article', { name: 'Review by part.reviewer' })
  await review.getByText('The lift alone was worth it.').waitFor()
  expect(await horizontalOverflow(page)).toBe(0)
  await expectAccessible(page)

  // Who has not seen the episode gets no text.
  const listed = await call<{ reviews: { id: number; text: string; isWithheld?: true }[] }>(
    `/reviews?episodeId=${episodes[1]!.id}`,
    { token: other.token },
  )
  expect(listed.body.reviews).toMatchObject([{ text: '', isWithheld: true }])

  // Links from elsewhere lead to the show, which has it as well.
  const [own] = listed.body.reviews
  await page.goto(`/tv-shows/${severance}?review=${own!.id}`)
  await page.getByRole('heading', { name: 'S1 E2: review by part.reviewer' }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^part\.reviewer(\.2)* on Severance · Medley$/)
  await review.getByText('The lift alone was worth it.').waitFor()

  await page.goto(`/episodes/${episodes[1]!.id}`)
  await waitForHydration(page)

  await review.getByRole('link', { name: /today|yesterday|now|ago|second|minute/i }).click()
  await expect.poll(() => page.url()).toMatch(/\/episodes\/\d+\?review=\d+$/)
  await page.reload()
  const titleOf = /^part\.reviewer(\.2)* on Severance · S1 E2 Half Loop · Medley$/
  await expect.poll(() => page.title()).toMatch(titleOf)
  await review
    .first()
    .getByRole('button', { name: /Delete/ })
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await page.getByRole('button', { name: 'Undo' }).first().waitFor()
})

test('a season and an episode are reviewed, and every screen that shows it to others names the part', async () => {
  const [author, other] = [await aMember('part.author'), await aMember('part.other')]
  const moderator = await aMember('part.moderator')
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.user.id).execute()
  const { body } = await call<Season>(`/tv-shows/${severance}/seasons/2`, { token: author.token })
  const [season, episode] = [body.season.id, body.episodes[2]!.id]
  const named = /^Severance · S2 E3 /

  const writing = await newPage(sizes[1])
  await logInAs(writing, author)
  await writing.goto(`/tv-shows/${severance}`)
  await waitForHydration(writing)
  const seasons = writing.getByRole('region', { name: 'Seasons', exact: true })
  await seasons.getByRole('button', { name: /^Season 2/ }).click()
  await seasons.getByRole('button', { name: 'Reviews of Season 2' }).click()
  // The show has ratings, the season none.
  await seasons.getByText('No reviews yet').waitFor()
  const take = seasons.getByRole('region', { name: 'Your review of Season 2' })
  await take.getByRole('radio', { name: /^4 stars/ }).click()
  await take.getByRole('textbox', { name: 'Your review' }).fill('Colder than the first.')
  await take.getByRole('button', { name: 'Post review' }).click()
  await seasons
    .getByRole('article', { name: 'Review by part.author' })
    .getByText('Colder than the first.')
    .waitFor()
  expect(await horizontalOverflow(writing)).toBe(0)
  await expectAccessible(writing)
  const text = 'The goats came back.'
  const saved = await post<{ review: { id: number } }>(
    '/reviews',
    { episodeId: episode, rating: 5, text },
    author.token,
  )
  const { review } = saved.body
  const ofSeason = await call<{ reviews: { id: number; userId: number }[] }>(`/reviews?seasonId=${season}`)
  const pinned = ofSeason.body.reviews.find(({ userId }) => userId === author.user.id)!
  await writing.goto(`/tv-shows/${severance}?review=${pinned.id}`)
  const all = writing.getByRole('link', { name: 'See all reviews' })
  expect(await all.getAttribute('href')).toBe(`/tv-shows/${severance}#seasons`)
  await expect.poll(() => writing.title()).toMatch(/^part\.author(\.2)* on Severance · /)

  await post(`/reviews/${review.id}/comments`, { text: 'They did.' }, other.token)
  const inbox = await newPage(sizes[1])
  await logInAs(inbox, author)
  await inbox.goto('/notifications')
  const told = inbox.getByRole('link', { name: /part\.other commented on your review of Severance · S2 E3/ })
  await told.click()
  await expect.poll(() => pathOf(inbox)).toBe(`/episodes/${episode}?review=${review.id}`)
  await inbox.getByRole('heading', { name: 'Review by part.author' }).waitFor()

  // The page of the review, as programs that show links read it.
  for (const path of [`/episodes/${episode}`, `/tv-shows/${severance}`]) {
    const response = await fetch(new URL(`${path}?review=${review.id}`, writing.url()), {
      headers: { accept: 'text/html' },
    })
    const html = await response.text()
    expect(html).toMatch(/property="og:title" content="part\.author on Severance · S2 E3 /)
    expect(html).toContain(`/episodes/${episode}?review=${review.id}"/>`)
    expect(html).not.toContain('goats')
  }

  const target = { type: 'review', id: review.id }
  await post('/reports', { target, category: 'spam' }, other.token)
  const deciding = await newPage(sizes[0])
  await logInAs(deciding, moderator)
  await deciding.goto('/admin/reports')
  await waitForHydration(deciding)
  await deciding.getByRole('button', { name: text }).click()
  await deciding.getByRole('link', { name: named }).waitFor()
  await expectAccessible(deciding)
  const opened = await post<{ case: { id: number } }>('/moderation/cases', { target }, moderator.token)
  const decided = await post<{ decisionId: number }>(
    `/moderation/cases/${opened.body.case.id}/decision`,
    { action: 'warn', reason: 'Goats.' },
    moderator.token,
  )
  await inbox.goto(`/decisions/${decided.body.decisionId}`)
  await inbox.getByRole('link', { name: named }).waitFor()
  await expectAccessible(inbox)

  // Without ratings of titles, the screen has no filters.
  await inbox.goto(`/user/${author.user.id}/reviews`)
  await waitForHydration(inbox)
  await inbox.getByRole('link', { name: 'Seasons and episodes' }).click()
  await inbox.getByRole('heading', { name: /^Seasons and episodes/ }).waitFor()
  await inbox.getByText('Colder than the first.').waitFor()
  await inbox.getByRole('link', { name: /S2 E3 / }).waitFor()
  expect(await horizontalOverflow(inbox)).toBe(0)
  await expectAccessible(inbox)
})

test('an episode that its source has dropped keeps the page with its reviews, and cannot be marked or newly reviewed', async () => {
  const [author, reader] = [await aMember('dropped.author'), await aMember('dropped.reader')]
  const showId = await aShow('The Dropped Show')
  const [id] = await saveSeasons(db, showId, { 1: ['2020-01-01', '2020-01-08'] })
  await post('/reviews', { episodeId: id, rating: 4, text: 'Gone, and still good.' }, author.token)
  await saveSeasons(db, showId, { 1: ['', '2020-01-08'] })

  const path = `/episodes/${id}`
  const html = await (
    await fetch(`${inject('site').url}${path}`, { headers: { accept: 'text/html' } })
  ).text()
  expect(html.includes('<meta name="robots" content="noindex"/>')).toBe(true)
  for (const member of [author, reader]) {
    const page = await newPage(sizes[1])
    await logInAs(page, member)
    await page.goto(path)
    await waitForHydration(page)
    await page.getByText(/^The source does not list this episode any longer/).waitFor()
    await page.getByRole('article', { name: 'Review by dropped.author' }).waitFor()
    expect(await page.getByRole('button', { name: /^Watched/ }).count()).toBe(0)
    // Its author can change the review.
    const take = page.getByRole('region', { name: 'Share Your Take' })
    if (member === author) await take.waitFor()
    else expect(await take.count()).toBe(0)
    await expectAccessible(page)
  }
})

test('the reviews of a season announce new reviews of the season, not of its show', async () => {
  const [author, other] = [await aMember('announced.author'), await aMember('announced.other')]
  const showId = await aShow('The Announced Show')
  await saveSeasons(db, showId, { 1: ['2020-01-01', '2020-01-08'] })
  const { body } = await call<Season>(`/tv-shows/${showId}/seasons/1`)
  const seasonId = body.season.id
  const page = await newPage(sizes[0])
  await page.goto(`/tv-shows/${showId}`)
  await waitForHydration(page)
  const seasons = page.getByRole('region', { name: 'Seasons', exact: true })
  await Promise.all([
    page.waitForResponse(/reviews\.live.*seasonId/),
    seasons.getByRole('button', { name: 'Reviews of Season 1' }).click(),
  ])
  await seasons.getByText('No reviews yet').waitFor()

  await post('/reviews', { itemId: showId, rating: 2, text: 'Of the show.' }, other.token)
  await page.getByRole('button', { name: '1 new review' }).waitFor()
  await post('/reviews', { seasonId, rating: 4, text: 'Of the season.' }, author.token)
  await seasons.getByRole('button', { name: '1 new review' }).click()
  await seasons.getByRole('article', { name: /^Review by announced\.author/ }).waitFor()
  expect(await seasons.getByRole('article').count()).toBe(1)
})
