import puppeteer, { type Page } from 'puppeteer-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { installedFirefox } from '#scripts/testing/chromium.ts'
import { aMember, aMovie, call, password, post } from './site.ts'

const executablePath = installedFirefox()
if (!executablePath)
  console.log('Skipped: there is no Firefox ESR, and Debian’s package cannot be installed.')

/** Types into a field, after removing its text. */
async function fill(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).fill(text)
}

const path = (page: Page) => new URL(page.url()).pathname

test.skipIf(!executablePath)(
  'a member’s visit works in Firefox, and nothing of it shows after the logout',
  async () => {
    const [member, author] = [await aMember('firefox.member'), await aMember('firefox.author')]
    const movieId = await aMovie(author, `The Burning Vixen ${author.user.id}`)
    await post('/reviews', { movieId, rating: 4, text: 'A fox, and a fire.' }, author.token)
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: executablePath!,
      headless: true,
    })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.setViewport({ width: 1280, height: 900 })
    const site = inject('site').url

    // Keys that are typed while a title's page loads arrive in order.
    await page.goto(`${site}/movies/${movieId}`, { waitUntil: 'domcontentloaded' })
    await page.focus('input[name=q]')
    await page.keyboard.type('burning vix')
    await page.waitForSelector('html[data-hydrated]')
    await page.keyboard.type('en')
    expect(await page.$eval('input[name=q]', (input) => input.value)).toBe('burning vixen')

    await page.goto(`${site}/login`)
    await page.waitForSelector('html[data-hydrated]')
    await fill(page, 'input[name=email]', member.email)
    await fill(page, 'input[name=password]', password)
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe('/items')

    await page.waitForSelector('main nav, main [role=radiogroup]')
    await page.keyboard.press('/')
    await page.keyboard.type(`burning vixen ${author.user.id}`)
    await page.waitForSelector(`[role=option]:first-child ::-p-text(The Burning Vixen ${author.user.id})`)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe(`/movies/${movieId}`)

    await page.locator('#take [type=radio][aria-label^="5 stars"]').click()
    const mine = async () =>
      (
        await call<{ review?: { rating: number; text: string } }>(`/reviews/mine?movieId=${movieId}`, {
          token: member.token,
        })
      ).body.review
    await expect.poll(async () => (await mine())?.rating).toBe(5)
    await fill(page, '#take textarea', 'Seen in another browser.')
    await page.locator('#take button[type=submit]').click()
    await expect.poll(async () => (await mine())?.text).toBe('Seen in another browser.')

    const theirs = 'article[aria-label="Review by firefox.author"]'
    await page.locator(`${theirs} button[aria-expanded=false]`).click()
    await fill(page, `${theirs} textarea`, 'So did I.')
    await page.locator(`${theirs} form button[type=submit]`).click()
    const { body } = await call<{ reviews: { id: number; text: string }[] }>(`/reviews?movieId=${movieId}`)
    const review = body.reviews.find(({ text }) => text.startsWith('A fox'))!
    await expect
      .poll(async () => (await call<{ total: number }>(`/reviews/${review.id}/comments`)).body.total)
      .toBe(1)

    await page.goto(`${site}/user/${author.user.id}`)
    await page.locator('main button ::-p-text(Follow)').click()
    await expect
      .poll(
        async () =>
          (
            await call<{ isFollowing: boolean }>(`/users/${author.user.id}/follow-status`, {
              token: member.token,
            })
          ).body.isFollowing,
      )
      .toBe(true)

    // Back to the members' page from the back/forward cache, after a logout on another page of the same tab.
    await page.goto(`${site}/settings`)
    await page.waitForSelector('input[name=username]')
    await page.goto(`${site}/movies/${movieId}`)
    await page.waitForSelector('html[data-hydrated]')
    await page.locator('header button ::-p-text(Logout)').click()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.evaluate(() => history.go(-2))
    await expect.poll(() => path(page)).toBe('/login')
    expect(await page.$('input[name=username]')).toBeNull()
  },
)
