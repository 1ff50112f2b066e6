import { expect, test } from 'vitest'
import {
  aMember,
  call,
  expectAccessible,
  horizontalOverflow,
  logInAs,
  newPage,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

/** Of the starter catalogue: two seasons of nine and ten episodes. */
const severance = 95

type Season = {
  season: { id: number; mine: { rating: number | null } }
  episodes: { id: number; mine: { rating: number | null } }[]
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
  await review.getByText('The lift alone was worth it.').waitFor()

  await page.goto(`/episodes/${episodes[1]!.id}`)
  await waitForHydration(page)

  await review.getByRole('link', { name: /today|yesterday|now|ago|second|minute/i }).click()
  await expect.poll(() => page.url()).toMatch(/\/episodes\/\d+\?review=\d+$/)
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
