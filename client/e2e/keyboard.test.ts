import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { starWords } from '#client/ui/stars-input.tsx'
import { aMember, call, enter, newReader, sizes, specified, useBrowser } from './site.ts'

useBrowser()

/** Longer than the way from the top of any page here to its end. */
const stopsMax = 120

/** What the keyboard stands on, and whether somebody can see that it does. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const isDrawn = (of: Element, pseudo?: string) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(of, pseudo)
      return (
        outlineStyle !== 'none' &&
        Number.parseFloat(outlineWidth) >= 1.5 &&
        !/, 0\)$|transparent/.test(outlineColor)
      )
    }
    // Some links cover their card; the button of a file field is its label.
    const drawn = [
      isDrawn(element),
      isDrawn(element, '::after'),
      ...[...(element.parentElement?.querySelectorAll('label') ?? [])].map((label) => isDrawn(label)),
    ]
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return {
      what: `${element.tagName} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}”`,
      isOnPage: element !== document.body,
      isSeen: drawn.some(Boolean),
      isInView: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    }
  })
}

/** Presses Tab until the keyboard stands there; every stop on the way can be seen. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let stop = 0; stop < stopsMax; stop++) {
    await page.keyboard.press(key)
    // What it stands on may slide in, or be scrolled to.
    await expect
      .poll(async () => {
        const { what, isOnPage, isSeen, isInView } = await focused(page)
        // From its last stop the keyboard goes round by the browser's own bars.
        return !isOnPage || (isSeen && isInView) ? 'seen' : `${what}: seen ${isSeen}, in view ${isInView}`
      })
      .toBe('seen')
    if (await isFocused(target)) return
  }
  throw new Error(`No way to ${target}`)
}

const isFocused = async (target: Locator) =>
  (await target.count()) > 0 && (await target.first().evaluate((one) => one === document.activeElement))

test.each(sizes)(
  'from Home to a posted review without a pointer ($name)',
  { timeout: 120_000 },
  async (size) => {
    const member = await aMember(`keyboard.${size.name}`)
    const page = await newReader(size)
    await enter(page, member)
    await page.goto('/')
    await page.getByRole('link', { name: /^Your profile/ }).waitFor()

    // The first stop leads past the bar.
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await tabTo(page, skip)
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true)
    const call_ = page.getByRole('link', { name: specified('Browse the library') })
    await tabTo(page, call_)

    // Tabs: arrows go along, Enter opens.
    await tabTo(page, page.getByRole('tab', { name: specified('All'), exact: true }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => isFocused(page.getByRole('tab', { name: specified('TV shows') }))).toBe(true)
    await expect.poll(async () => (await focused(page)).isSeen).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('tabpanel').locator('a[href^="/tv-shows/"]').count()).toBe(6)

    // The search, from anywhere.
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: /search/i })
    await expect.poll(() => isFocused(box)).toBe(true)
    await expect.poll(async () => (await focused(page)).isSeen).toBe(true)
    await page.keyboard.type('gran bu')
    const option = page.getByRole('option').first()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('budapest')
    await page.getByRole('option', { name: /Grand Budapest/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => box.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Grand Budapest/ }).waitFor()

    // Stars are one stop; arrows choose.
    const take = page.getByRole('region', { name: specified('Share Your Take') })
    const star = (count: 1 | 2 | 3 | 4 | 5) =>
      take.getByRole('radio', { name: new RegExp(`^${count} stars?, ${starWords[count - 1]}`) })
    await tabTo(page, star(1))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => isFocused(star(3))).toBe(true)
    await expect.poll(async () => (await focused(page)).isSeen).toBe(true)
    const movieId = /\/movies\/(\d+)/.exec(page.url())![1]
    const mine = async () =>
      (
        await call<{ review?: { rating: number; text: string } }>(`/reviews/mine?movieId=${movieId}`, {
          token: member.token,
        })
      ).body.review
    const area = take.getByRole('textbox', { name: 'Your review' })
    await tabTo(page, area)
    const text = `Written without a pointer on a ${size.name}.`
    await page.keyboard.type(text)
    await tabTo(page, take.getByRole('button', { name: specified('Post review') }))
    await page.keyboard.press('Enter')
    const edit = take.getByRole('button', { name: specified('Edit your Review') })
    await edit.waitFor()
    // The button that was pressed is gone; the keyboard stands on what took its place.
    await expect.poll(() => isFocused(edit)).toBe(true)
    expect(await mine()).toMatchObject({ rating: 3, text })
    const item = page.getByRole('article', { name: `Review by ${member.user.username}` })
    await item.getByText(text).waitFor()

    // On to it in the list, into its menu of actions, and out of a question again.
    const removing = item.getByRole('button', { name: specified('Delete') })
    await tabTo(page, removing)
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(removing)).toBe(true)
  },
)

test.each(sizes)('every stop of every screen can be seen ($name)', { timeout: 120_000 }, async (size) => {
  const page = await newReader(size)
  await enter(page, await aMember(`stops.${size.name}`))
  for (const path of [
    '/movies/1',
    '/search?q=star',
    '/for-you',
    '/items/1',
    '/user/2/followers',
    '/settings',
    '/create-item/movies',
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    // Round once, to the last link of the page.
    await tabTo(page, page.getByRole('contentinfo').getByRole('link').last())
  }
})
