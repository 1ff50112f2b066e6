import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { aDataFolder } from '#scripts/testing/program.ts'
import { providerFailures } from '#shared/domain/provider-failures.ts'
import { messages } from '#shared/texts/messages.ts'
import { startWithProvider } from './oidc-provider.ts'
import { signUpByForm } from './sign-in.ts'
import {
  expectAccessible,
  horizontalOverflow,
  newPage,
  pageCookie,
  password,
  sizes,
  useBrowser,
} from './site.ts'

let running: Awaited<ReturnType<typeof startWithProvider>> | undefined
const { folder, remove } = aDataFolder()
afterEach(async () => {
  await running?.end()
  running = undefined
  remove()
})
useBrowser()

const withExample = { name: 'Continue with Example ID' }

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).first().click()
}

async function looksRight(page: Page): Promise<void> {
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
}

test('one press at Login creates an account with a provider; its member sets a password, unlinks, links again and logs out there too', async () => {
  running = await startWithProvider(folder)
  const page = await newPage(sizes[0], 'light', { baseURL: running.url })
  await page.goto('/login?redirect=/for-you')
  await looksRight(page)
  await page.getByRole('link', withExample).click()
  await page.waitForURL('**/for-you')
  expect(await page.evaluate(() => location.hash)).toBe('')

  await page.goto('/settings?tab=account')
  const others = page.getByRole('list', { name: 'Other accounts' })
  const unlink = async () => {
    await others.getByRole('button', { name: 'Unlink Example ID' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
  }
  await unlink()
  await page.getByText(messages.lastWayIn).waitFor()
  await looksRight(page)

  const setPassword = async () => {
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password)
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await setPassword()
  await dialog.getByRole('button', withExample).waitFor()
  await looksRight(page)
  await dialog.getByRole('button', withExample).click()
  await page.getByText('Thank you. Please go on').waitFor()
  expect(await page.evaluate(() => location.hash)).toBe('')
  await setPassword()
  await dialog.getByText('You have just confirmed').waitFor()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(messages.passwordUpdated).waitFor()

  await unlink()
  await others.getByText('Not linked').waitFor()
  await others.getByRole('button', { name: 'Link Example ID' }).click()
  await page.getByText('Linked. From now on').waitFor()
  await others.getByRole('button', { name: 'Unlink Example ID' }).waitFor()
  expect(await page.evaluate(() => location.hash)).toBe('')

  // The session that links again began with the provider.
  await logOut(page)
  await page.getByRole('button', { name: /sign me out/i }).click()
  await page.waitForURL('**/login*')
  await page.getByRole('link', withExample).waitFor()
})

test('a login with the address of an account asks for its password once, and says why others failed; a provider that is down leaves the password', async () => {
  running = await startWithProvider(folder)
  const page = await newPage(sizes[0], 'dark', { baseURL: running.url })
  await signUpByForm(page, folder, 'ida')
  await logOut(page)
  await page.waitForURL((url) => url.pathname === '/')

  running.state.person.denies = true
  await page.goto('/login')
  await page.getByRole('link', withExample).click()
  await page.getByRole('alert').getByText('The login was canceled').waitFor()
  await looksRight(page)

  delete running.state.person.denies
  await page.getByRole('link', withExample).click()
  await page.getByRole('heading', { name: 'You are here already.' }).waitFor()
  const field = page.getByRole('textbox', { name: 'Password' })
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
  await looksRight(page)
  // A copied or reloaded address does not repeat the login.
  expect(await page.evaluate(() => location.hash)).toBe('')
  await field.fill('not-my-password')
  await field.press('Enter')
  await page.getByText(messages.currentPasswordWrong).waitFor()
  await field.fill(password)
  await field.press('Enter')
  await page.waitForURL('**/items')
  await logOut(page)
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/login')
  await page.getByRole('link', withExample).click()
  await page.waitForURL('**/items')

  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies({ name: pageCookie })
  await page.goto('about:blank')
  await running.end()
  running = await startWithProvider(folder)
  await running.endProvider()
  const later = await newPage(sizes[0], 'light', { baseURL: running.url })
  await later.goto('/login')
  await later.getByRole('link', withExample).click()
  await later.getByRole('alert').getByText('does not respond').waitFor()
  await looksRight(later)
  await later.getByRole('textbox', { name: 'Email' }).fill('ida@example.org')
  await later.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await later.getByRole('button', { name: 'Log in' }).click()
  await later.waitForURL('**/items')
})

test('where only providers log members in, Login has no password, sign-up and reset say so, and each failure has words', async () => {
  running = await startWithProvider(folder, { OIDC_ONLY: 'on' })
  const page = await newPage(sizes[1], 'light', { baseURL: running.url })
  for (const reason of providerFailures) {
    await page.goto('/robots.txt')
    await page.goto(`/login#oidc-error=${reason}`)
    await page.getByRole('alert').waitFor()
    expect((await page.getByRole('alert').textContent())!.length, reason).toBeGreaterThan(15)
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('')
  }
  await page.goto('/robots.txt')
  await page.goto('/login#oidc-error=toString')
  await page.getByText('This site has no passwords.').waitFor()
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Password' }).count()).toBe(0)
  expect(await page.getByRole('main').getByRole('link', { name: 'Create an account' }).count()).toBe(0)
  await looksRight(page)
  for (const path of ['/signup', '/forgot-password']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'No password needed.' }).waitFor()
    await looksRight(page)
  }
  await page.getByRole('main').getByRole('link', { name: 'Continue to login' }).click()
  await page.getByRole('link', withExample).click()
  await page.waitForURL('**/items')
  await page.goto('/settings?tab=account')
  await page.getByRole('list', { name: 'Other accounts' }).waitFor()
  expect(await page.getByRole('heading', { name: /password/i }).count()).toBe(0)
})
