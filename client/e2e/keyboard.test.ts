import type { ElementHandle, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { starWords } from '#client/ui/stars-input.tsx'
import { aMember, call, logInAs, newPage, sizes, specified, useBrowser } from './site.ts'

useBrowser()

/** More than the tab stops of any page here. */
const stopsMax = 120

/**
 * Describes the focused element: whether it has a visible focus ring and is in the viewport, and whether it is the target, null
 * if that is no longer on the page.
 */
function focused(page: Page, target?: ElementHandle) {
  return page.evaluate((wanted) => {
    const element = document.activeElement as HTMLElement
    const isDrawn = (of: Element, pseudo?: string) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(of, pseudo)
      return (
        outlineStyle !== 'none' &&
        Number.parseFloat(outlineWidth) >= 1.5 &&
        !/, 0\)$|transparent/.test(outlineColor)
      )
    }
    const poster = element.matches('.card-link')
      ? element.closest('.poster-card')?.querySelector('.poster')
      : null
    // The ring of a link that covers its card is on ::after or on the poster; the ring of a file input is on its label.
    const rings = [
      ...(poster ? [isDrawn(poster)] : []),
      isDrawn(element),
      isDrawn(element, '::after'),
      ...[...(element.parentElement?.querySelectorAll('label') ?? [])].map((label) => isDrawn(label)),
    ]
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return {
      what: `${element.tagName} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}”`,
      isOnPage: element !== document.body,
      isVisible: rings.some(Boolean),
      isInView: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
      isTarget: wanted?.isConnected ? wanted === element : null,
    }
  }, target)
}

/** Presses Tab until `target` has the focus. Expects a visible focus at every stop on the way. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  // Found once: finding an element by its role takes longer than everything else at a stop.
  let [wanted] = await target.elementHandles()
  for (let stop = 0; stop < stopsMax; stop++) {
    await page.keyboard.press(key)
    let isReached: boolean | null = null
    // The focused element may be animated or scrolled into view.
    await expect
      .poll(async () => {
        const { what, isOnPage, isVisible, isInView, isTarget } = await focused(page, wanted)
        isReached = isTarget
        // After the last stop, the focus leaves the page for the browser’s toolbar.
        return !isOnPage || (isVisible && isInView)
          ? 'visible'
          : `${what}: ring ${isVisible}, in view ${isInView}`
      })
      .toBe('visible')
    if (isReached ?? (await isFocused(target))) return
    if (isReached === null) wanted = (await target.elementHandles())[0]
  }
  throw new Error(`Tab does not reach ${target}`)
}

const isFocused = (target: Locator) => target.evaluateAll(([first]) => first === document.activeElement)

test.each(sizes)(
  'the keyboard alone leads from Home to a posted review ($name)',
  { timeout: 180_000 },
  async (size) => {
    const member = await aMember(`keyboard.${size.name}`)
    const page = await newPage(size)
    await logInAs(page, member)
    await page.goto('/')
    await page.getByRole('link', { name: /^Your profile/ }).waitFor()
    // Content that loads later would move what has the focus out of view.
    await page.waitForLoadState('networkidle')

    // The first stop skips the top bar.
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await tabTo(page, skip)
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true)
    await tabTo(page, page.getByRole('link', { name: specified('Browse the library') }))

    // Tabs: arrow keys move the focus, Enter opens.
    await tabTo(page, page.getByRole('tab', { name: specified('All'), exact: true }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => isFocused(page.getByRole('tab', { name: specified('TV shows') }))).toBe(true)
    await expect.poll(async () => (await focused(page)).isVisible).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('tabpanel').locator('a[href^="/tv-shows/"]').count()).toBe(6)

    // The slash key focuses the search box.
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: /search/i })
    await expect.poll(() => isFocused(box)).toBe(true)
    await expect.poll(async () => (await focused(page)).isVisible).toBe(true)
    await page.keyboard.type('gran bu')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('budapest')
    const option = page.getByRole('option', { name: /Grand Budapest/ })
    // It may be among the suggestions for the first text too, but not at their top.
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await option.waitFor()
    await page.keyboard.press('ArrowDown')
    await expect
      .poll(
        async () => (await box.getAttribute('aria-activedescendant')) === (await option.getAttribute('id')),
      )
      .toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Grand Budapest/ }).waitFor()

    // The stars are one stop; arrow keys choose.
    const take = page.getByRole('region', { name: specified('Share Your Take') })
    const star = (count: 1 | 2 | 3 | 4 | 5) =>
      take.getByRole('radio', { name: new RegExp(`^${count} stars?, ${starWords[count - 1]}`) })
    await tabTo(page, star(1))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => isFocused(star(3))).toBe(true)
    await expect.poll(async () => (await focused(page)).isVisible).toBe(true)
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
    // The pressed button is gone; its replacement has the focus.
    await expect.poll(() => isFocused(edit)).toBe(true)
    await expect.poll(mine).toMatchObject({ rating: 3, text })
    const item = page.getByRole('article', { name: `Review by ${member.user.username}` })
    await item.getByText(text).waitFor()

    // Escape closes the confirmation and returns the focus to the button.
    const removing = item.getByRole('button', { name: specified('Delete') })
    await tabTo(page, removing)
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(removing)).toBe(true)
  },
)

test.each(sizes)(
  'every tab stop of every screen has a visible focus ring ($name)',
  { timeout: 180_000 },
  async (size) => {
    const page = await newPage(size)
    await logInAs(page, await aMember(`stops.${size.name}`))
    for (const path of [
      '/movies/3',
      '/search?q=star',
      '/for-you',
      '/calendar',
      '/items/1',
      '/user/3/followers',
      '/settings',
      '/create-item/movies',
    ]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      // Content that loads later would move the footer while one of its links has the focus.
      await page.waitForLoadState('networkidle')
      if (path === '/movies/3') {
        // Loaded when it is near.
        await expect
          .poll(async () => {
            await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
            return page.getByRole('list', { name: 'Similar titles' }).count()
          })
          .toBe(1)
      }
      await tabTo(page, page.getByRole('contentinfo').getByRole('link').last())
    }
  },
)
