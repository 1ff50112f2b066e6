import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { signUpByForm, virtualAuthenticator } from './sign-in.ts'
import { openProgram } from './program.ts'
import { aMember, expectAccessible, logInAs, newPage, password, post, sizes, useBrowser } from './site.ts'

/** Browsers have no passkeys for the IP address of the site of all journeys. */
const own = openProgram()
useBrowser()

const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

async function logInByForm(page: Page, email: string) {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test.each(sizes)(
  'a member turns the second step on, logs in with a code and, without the phone, with a recovery code, and turns it off ($name)',
  async (size) => {
    const member = await aMember(`second.step.${size.name}`)
    const page = await newPage(size, size.theme)
    await logInAs(page, member)
    await page.goto('/settings?tab=account')
    await page.getByRole('button', { name: 'Turn on' }).click()
    // Within the first minutes of a login, the member is not asked again.
    const dialog = page.getByRole('dialog', { name: 'Scan this with your app' })
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await expectAccessible(page)
    const secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '')
    await dialog.getByRole('textbox', { name: 'The code that the app shows' }).fill('000000')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText(messages.codeWrong).waitFor()
    await dialog.getByRole('textbox', { name: 'The code that the app shows' }).fill(codeOf(secret))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const saved = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await expect.poll(() => saved.getByRole('listitem').count()).toBe(10)
    const recoveryCode = (await saved.getByRole('listitem').first().textContent())!
    await expectAccessible(page)
    await saved.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('You have 10 recovery codes left').waitFor()

    const phone = await newPage(size, size.theme)
    await logInByForm(phone, member.email)
    const code = phone.getByRole('textbox', { name: 'Code from your app' })
    await code.waitFor()
    await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true)
    await expectAccessible(phone)
    // The code that turned it on is used up; the app’s next one is half a minute ahead, which a clock may be.
    await code.fill(codeOf(secret, Date.now() + 30_000))
    await phone.getByRole('button', { name: 'Log in' }).click()
    await phone.waitForURL('**/items')

    const other = await newPage(size, size.theme)
    await logInByForm(other, member.email)
    await other.getByRole('button', { name: 'I do not have my phone' }).click()
    await other.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode)
    await other.getByRole('button', { name: 'Log in' }).click()
    await other.waitForURL('**/items')

    await page.reload()
    await page.getByText('You have 9 recovery codes left').waitFor()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
  },
)

test('a newcomer adds a passkey in two clicks after the sign-up, logs in with it, and removes it from the device too', async () => {
  const program = await own.start({ HOST: 'localhost' })
  const page = await newPage(sizes[0], 'light', { baseURL: program.url })
  const device = await virtualAuthenticator(page)
  await signUpByForm(page, own.folder, 'newcomer')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('button', { name: 'Add this device' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').waitFor()
  await expectAccessible(page)
  expect(await device.count()).toBe(1)

  await page.getByRole('button', { name: 'Logout' }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/login')
  // The device suggests the account at the email field, and chooses it at once.
  await page.waitForURL('**/items')

  // In a browser without suggestions, Login has a button.
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with your fingerprint, face or screen lock' }).click()
  await page.waitForURL('**/items')

  await page.goto('/settings?tab=account')
  await page.getByText('last used').waitFor()
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => page.getByRole('list', { name: 'Passkeys' }).count()).toBe(0)
})

test('a member without the phone and the codes logs in with a link of the host, once, by a press, and turns the second step off', async () => {
  const member = await aMember('locked.out')
  const { body } = await post<{ secret: string }>('/users/me/totp', {}, member.token)
  await post('/users/me/totp/confirm', { code: codeOf(body.secret) }, member.token)
  const env = { ...process.env, DATA_DIR: inject('site').dataDir, PUBLIC_URL: inject('site').url }
  const command = ['scripts/commands/login-link.ts', 'locked.out']
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })

  const page = await newPage(sizes[1], 'dark')
  await page.goto(stdout.trim())
  await expectAccessible(page)
  // Opening the link is not enough: it must not change who is logged in.
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/items')
  await page.goto('/settings?tab=account')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Turn on' }).waitFor()

  const other = await newPage()
  await other.goto(stdout.trim())
  await other.getByRole('button', { name: 'Log in' }).click()
  await other.getByRole('alert').getByText(messages.loginLinkDead).waitFor()
})

test('a browser that cannot suggest passkeys, because the host is not the one of PUBLIC_URL, shows no error at Login, and Settings names that host', async () => {
  const program = await own.start({
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://medley.example',
  })
  const baseURL = program.url.replace('127.0.0.1', 'localhost')
  const page = await newPage(sizes[0], 'light', { baseURL })
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = async (options) =>
      get(options).catch((error: Error) => {
        // The page has handled the failure after the next frame.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => (document.body.dataset['refused'] = error.name)),
        )
        throw error
      })
  })
  await page.goto('/login')
  await expect.poll(() => page.locator('body').getAttribute('data-refused')).toBe('SecurityError')
  expect(await page.getByText('did not work').count()).toBe(0)

  await signUpByForm(page, own.folder, 'newcomer')
  await page.goto('/settings?tab=account')
  const address = page.getByRole('link', { name: 'medley.example' })
  expect(await address.getAttribute('href')).toBe('https://medley.example/settings?tab=account#sign-in')
  expect(await page.getByRole('button', { name: 'Add this device' }).count()).toBe(0)
})
