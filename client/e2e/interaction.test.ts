import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startButtonPage } from '#scripts/testing/button-page.ts'
import { aMember, aMovie, logInAs, newPage, post, sizes, useBrowser, waitForHydration } from './site.ts'

useBrowser()

const rounds = 7
/** About 4 on an idle machine. The browser measures in steps of 8 ms, half of what the button takes. */
const ratioMax = 10
let buttonPage: Awaited<ReturnType<typeof startButtonPage>>

beforeAll(async () => {
  buttonPage = await startButtonPage()
})
afterAll(() => buttonPage.stop())

/** How many times slower the processor of the phone is. */
const throttlingRate = 4

/** Opens a phone that records its interactions. */
async function aPhone(): Promise<Page> {
  const page = await newPage(sizes[1], 'light', { hasTouch: true })
  await page.addInitScript(() => {
    const durations: number[] = []
    Object.assign(globalThis, { durations })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
        if (entry.interactionId > 0) durations.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  return page
}

/**
 * Returns the longest interaction of a press on a slow processor, as Interaction to Next Paint measures it, in ms. The browser
 * reports none below 16 ms.
 */
async function interactionMs(page: Page, session: CDPSession, press: () => Promise<void>): Promise<number> {
  // Only for the press: the browser slows a page down by keeping a processor busy, even while the page is idle.
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttlingRate })
  await press()
  const ms = await page.evaluate(async () => {
    const { durations } = globalThis as unknown as { durations: number[] }
    // Events are reported after the frame that they caused.
    for (let frames = 0; frames < 3; frames++)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return Math.max(16, ...durations.splice(0))
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return ms
}

/**
 * Presses a control of the page and a bare button in turn. Compares the fastest press of the control, because other programs can only
 * slow one down, with the median of the button. The first round warms up.
 */
async function expectQuick(page: Page, press: (round: number) => Promise<void>): Promise<void> {
  const buttons = await aPhone()
  await buttons.goto(buttonPage.url)
  const session = await page.context().newCDPSession(page)
  const buttonsSession = await buttons.context().newCDPSession(buttons)
  await Promise.all([waitForHydration(page), waitForHydration(buttons)])
  const times: { ms: number; bareMs: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const ms = await interactionMs(page, session, () => press(round))
    const bareMs = await interactionMs(buttons, buttonsSession, () => buttons.getByRole('button').tap())
    if (round > 0) times.push({ ms, bareMs })
  }
  const fastestMs = Math.min(...times.map(({ ms }) => ms))
  const medianMs = times.map(({ bareMs }) => bareMs).sort((a, b) => a - b)[Math.floor(rounds / 2)]!
  expect(fastestMs / medianMs, JSON.stringify(times)).toBeLessThan(ratioMax)
}

test('a star responds quickly on a slow phone', async () => {
  const member = await aMember('quick_stars')
  const page = await aPhone()
  await logInAs(page, member)
  await page.goto(`/movies/${await aMovie(member, 'A quick movie')}`)
  const stars = page.getByRole('radiogroup', { name: /Your rating/ }).getByRole('radio')
  await stars.first().waitFor()
  await expectQuick(page, (round) => stars.nth(round % 2 === 0 ? 3 : 1).tap())
})

test('a tab responds quickly on a slow phone', async () => {
  const page = await aPhone()
  await page.goto('/')
  const tabs = page.getByRole('tablist', { name: 'Kind' }).getByRole('tab')
  await expectQuick(page, (round) => tabs.nth(round % 2 === 0 ? 1 : 0).tap())
})

test('choosing the order of the reviews responds quickly on a slow phone', async () => {
  const page = await aPhone()
  await page.goto('/movies/1')
  await expectQuick(page, async (round) => {
    await page.getByRole('combobox', { name: 'Sort by' }).tap()
    await page.getByRole('option', { name: round % 2 === 0 ? 'Rating' : 'Date' }).tap()
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  })
})

test('the menu of a poster responds quickly on a slow phone', async () => {
  const page = await aPhone()
  await logInAs(page, await aMember('quick_menu'))
  await page.goto('/items')
  const button = page.getByRole('button', { name: /^Actions for / }).first()
  await button.waitFor()
  const menu = page.locator('.popup')
  await expectQuick(page, async () => {
    await button.tap()
    await menu.waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
  })
})

test('a like responds quickly on a slow phone', async () => {
  const author = await aMember('quick_author')
  const movieId = await aMovie(author, 'A liked movie')
  await post('/reviews', { movieId, rating: 4, text: 'Quick.' }, author.token)
  const page = await aPhone()
  await logInAs(page, await aMember('quick_like'))
  await page.goto(`/movies/${movieId}`)
  const like = page.getByRole('button', { name: /^Like,/, disabled: false })
  await like.waitFor()
  await expectQuick(page, async (round) => {
    await like.tap()
    await page.getByRole('button', { name: /^Like,/, pressed: round % 2 === 0, disabled: false }).waitFor()
  })
})
