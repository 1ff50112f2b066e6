import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { english } from '#scripts/dev/messages/pseudo.ts'
import { linkMailedTo, newPage, password, useBrowser, waitForHydration } from './site.ts'

useBrowser()

/** The most presses of Tab from one step of a journey to the next. */
const tabsMax = 120

/** Reads a page as a screen reader does: what has the focus, and what live regions say. */
async function aReader(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await page.addInitScript(() => {
    const heard: string[] = []
    Object.assign(globalThis, { heard })
    const live = '[role=status], [role=alert], [aria-live]'
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const text = element?.closest(live)?.textContent?.trim()
        if (text && heard.at(-1) !== text) heard.push(text)
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })

  /** Returns the node of an element in the accessibility tree. */
  async function nodeOf(expression: string) {
    const { result } = await browser.send('Runtime.evaluate', { expression })
    if (result.objectId === undefined) return undefined
    const { objectId } = result
    return (await browser.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false }))
      .nodes[0]
  }

  /** Returns what a screen reader says of the focused element: role, name, states, and the name of the group of a radio button. */
  async function focused(): Promise<string> {
    const { role, name, value, properties = [] } = (await nodeOf('document.activeElement'))!
    const group = await nodeOf(`document.activeElement.closest('[role=radiogroup]')`)
    const states = properties
      .filter(({ name: state }) =>
        ['required', 'checked', 'pressed', 'expanded', 'invalid', 'disabled'].includes(state),
      )
      .map(({ name: state, value: { value: is } }) => (is === true ? state : `${state} ${is}`))
      .filter((state) => !/^(required|checked|invalid|disabled) false$/.test(state))
    const parts = [
      role?.value,
      `“${name?.value ?? ''}”`,
      value?.value,
      ...states,
      group && `in “${group.name?.value}”`,
    ]
    return english(parts.filter(Boolean).join(', '))
  }

  const transcript: string[] = []
  return {
    transcript,
    /** Presses Tab until the focused element is read as `sentence`. Everything on the way needs a name. */
    async tabTo(sentence: RegExp) {
      const passed: string[] = []
      for (let tabs = 0; tabs < tabsMax; tabs++) {
        await page.keyboard.press('Tab')
        const read = await focused()
        // The end of the page or of a dialog: the next press starts again.
        if (await page.evaluate(() => document.activeElement === document.body)) continue
        passed.push(read)
        expect(read, passed.join(' | ')).not.toContain('“”')
        if (sentence.test(read)) {
          transcript.push(read)
          return
        }
      }
      throw new Error(`${sentence} is not among: ${passed.join(' | ')}`)
    },
    /** Waits until the focused element is read as `sentence`. */
    async reads(sentence: RegExp) {
      await expect.poll(focused).toMatch(sentence)
      transcript.push(await focused())
    },
    /** Waits until a live region has said `sentence`. */
    async hears(sentence: RegExp) {
      const heard = async () => {
        const lines = await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
        return lines.findLast((line) => sentence.test(line)) ?? lines.join('\n')
      }
      await expect.poll(heard).toMatch(sentence)
      transcript.push(await heard())
    },
  }
}

test('a newcomer with a screen reader signs up, rates ten titles, logs, reviews and follows by the keyboard', async () => {
  const page = await newPage()
  const reader = await aReader(page)
  const { tabTo, reads, hears } = reader
  const { keyboard } = page
  await page.goto('/signup')
  await waitForHydration(page)
  await tabTo(/^textbox, “Username”.*required/)
  await keyboard.type('a.listener')
  await tabTo(/^textbox, “Email”.*required/)
  await keyboard.type('a.listener@example.org')
  await tabTo(/^textbox, “Password”.*required/)
  await keyboard.type(password)
  await tabTo(/^button, “Create account”/)
  await keyboard.press('Enter')
  await hears(/^Log in/)

  await page.goto(await linkMailedTo('a.listener@example.org'))
  await page.getByRole('link', { name: 'Continue to login' }).waitFor()
  await tabTo(/^link, “Continue to login”/)
  await keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/items')
  await page.getByRole('list', { name: 'Well-known titles to rate' }).waitFor()
  for (let title = 0; title < 10; title++) {
    await tabTo(/^radio, “1 star.*in “.*[a-z]/)
    await keyboard.press('5')
    await reads(/^radio, “5 stars.*checked true/)
  }
  await hears(/^10 of 10 rated, 0 of 3 followed$/)

  await page.goto('/movies/1')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Log (not in your diary)' }).waitFor()
  await tabTo(/^radio, “1 star/)
  await keyboard.press('4')
  await reads(/^radio, “4 stars.*checked true/)
  await tabTo(/^textbox, “Your review”/)
  await keyboard.type('Heard, not seen.')
  await tabTo(/^button, “Post review”/)
  await keyboard.press('Enter')
  await hears(/^Your review is posted\./)
  await reads(/^button, “Edit your Review”/)

  await keyboard.press('n')
  await reads(/^searchbox, “What did you watch, read or play\?”/)
  await keyboard.type('the matrix')
  await hears(/^\d+ titles?$/)
  await tabTo(/^button, “The Matrix/)
  await keyboard.press('Enter')
  await reads(/^radio, “4 stars.*checked true/)
  await tabTo(/^button, “Log/)
  await keyboard.press('Enter')
  await hears(/“The Matrix” is in your diary/)

  await page.goto('/user/3')
  await waitForHydration(page)
  await tabTo(/^button, “Follow /)
  await keyboard.press('Enter')
  await hears(/^You follow /)
  await reads(/^button, “Unfollow /)
  // The recorded transcript.
  if (process.env['SHOW_TRANSCRIPT']) process.stdout.write(`${reader.transcript.join('\n')}\n`)
})
