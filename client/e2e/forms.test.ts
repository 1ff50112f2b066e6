import { expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { waitForHydration, logIn, newPage, useBrowser } from './site.ts'

useBrowser()

/** Titles that the demo member has neither rated nor reviewed. */
const [unrated, other] = ['/movies/2', '/movies/5']

test('the draft of a review survives navigation, a reload and a closed tab, and is deleted on logout', async () => {
  const page = await newPage()
  await logIn(page)
  await page.goto(unrated)
  const area = page.getByRole('textbox', { name: 'Your review' })
  await area.fill('Half a thought')
  await page.getByRole('link', { name: 'For You' }).click()
  await page.getByRole('heading', { level: 1, name: 'For You' }).waitFor()
  await page.goBack()
  await expect.poll(() => area.inputValue()).toBe('Half a thought')
  await page.reload()
  await expect.poll(() => area.inputValue()).toBe('Half a thought')

  const tab = await page.context().newPage()
  await page.close()
  await logIn(tab)
  await tab.goto(unrated)
  await expect
    .poll(() => tab.getByRole('textbox', { name: 'Your review' }).inputValue())
    .toBe('Half a thought')
  await tab.goto('/items')
  await tab.goto(other)
  await expect.poll(() => tab.getByRole('textbox', { name: 'Your review' }).inputValue()).toBe('')

  await waitForHydration(tab)
  await tab.getByRole('button', { name: 'Logout' }).click()
  await tab.getByRole('heading', { name: 'Popular this week' }).waitFor()
  await expect
    .poll(() => tab.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft'))))
    .toEqual([])
})

variation(
  'the draft of a comment survives closing the comments, and is deleted once the comment is posted',
  async () => {
    const page = await newPage()
    await logIn(page)
    await page.goto('/movies/1')
    await waitForHydration(page)
    const review = page.getByRole('article', { name: /^Review by/ }).first()
    const toggle = review.getByRole('button', { name: /^Comments/ })
    const area = review.getByRole('textbox', { name: 'Your comment' })
    await toggle.click()
    await area.fill('Well said.')
    await toggle.click()
    await area.waitFor({ state: 'detached' })
    await toggle.click()
    await expect.poll(() => area.inputValue()).toBe('Well said.')
    await review.getByRole('button', { name: 'Post comment' }).click()
    await review.getByText('Your comment is posted.').waitFor()
    await expect.poll(() => area.inputValue()).toBe('')
  },
)

test('the first invalid field of a form gets the focus and is described by its message', async () => {
  const page = await newPage()
  await page.goto('/signup')
  await page.getByRole('button', { name: 'Create account' }).click()
  const name = page.getByRole('textbox', { name: 'Username' })
  await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true)
  const description = () =>
    name.evaluate((one) =>
      (one.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    )
  await expect.poll(description).not.toBe('')
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
})

variation('a picture that the browser cannot preview says so, and can be removed', async () => {
  const page = await newPage()
  await page.goto('/signup')
  await page
    .getByLabel('Profile picture')
    .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText(/^No preview/).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText(/^No preview/).waitFor({ state: 'detached' })
})

variation(
  'the number of characters is shown only near the limit, and what is beyond it is not cut',
  async () => {
    const page = await newPage()
    await logIn(page)
    await page.goto(other)
    await waitForHydration(page)
    const area = page.getByRole('textbox', { name: 'Your review' })
    const counter = page.getByText('/ 10,000')
    await area.fill('x'.repeat(10_010))
    await counter.waitFor()
    await page.getByText('10 characters too many').waitFor({ state: 'attached' })
    await area.fill('A few words.')
    await expect.poll(() => counter.count()).toBe(0)
    await area.fill('')
  },
)
