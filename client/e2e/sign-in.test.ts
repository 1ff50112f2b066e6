import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  expectAccessible,
  logInAs,
  newPage,
  password,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

/** Browsers have no passkeys for the IP address of the site of all journeys. */
let program: Program | undefined
const { folder, remove } = aDataFolder()
afterEach(async () => {
  await program?.end()
  program = undefined
  remove()
})
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
  program = await startProgram({ DATA_DIR: folder, HOST: 'localhost' })
  const page = await newPage(sizes[0], 'light', { baseURL: program.url })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const onDevice = async () =>
    (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length

  await page.goto('/signup')
  await waitForHydration(page)
  await page.getByLabel('Username').fill('newcomer')
  await page.getByRole('textbox', { name: 'Email' }).fill('newcomer@example.org')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect.poll(() => linkIn(folder)).toBeTruthy()
  await page.goto((await linkIn(folder))!)
  await page.getByRole('link', { name: 'Continue to login' }).click()
  await page.waitForURL('**/items')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('button', { name: 'Add this device' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').waitFor()
  await expectAccessible(page)
  expect(await onDevice()).toBe(1)

  await page.getByRole('button', { name: 'Logout' }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/login')
  // The device suggests the account at the email field, and chooses it at once.
  await page.waitForURL('**/items')

  await page.goto('/settings?tab=account')
  await page.getByText('last used').waitFor()
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => page.getByRole('list', { name: 'Passkeys' }).count()).toBe(0)
})

test('a browser that cannot suggest passkeys, because the host is not the one of PUBLIC_URL, shows no error at Login', async () => {
  program = await startProgram({ DATA_DIR: folder, HOST: '127.0.0.1' })
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
})

/** Returns the path of the last mailed link. */
async function linkIn(data: string): Promise<string | undefined> {
  const outbox = join(data, 'outbox')
  for (const file of await readdir(outbox).catch(() => [])) {
    const link = /https?:\/\/[^\s/]+(\/verify-email\?token=[\w-]+)/.exec(
      await readFile(join(outbox, file), 'utf8'),
    )
    if (link) return link[1]
  }
  return undefined
}
