import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { password, waitForHydration } from './site.ts'

/** Gives a page a device with a screen lock. Returns functions about it. */
export async function virtualAuthenticator(page: Page) {
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
  return {
    async count() {
      return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
    },
  }
}

/** Signs up, opens the emailed link and logs in. `data` is the folder of the server. */
export async function signUpByForm(page: Page, data: string, username: string): Promise<void> {
  await page.goto('/signup')
  await waitForHydration(page)
  await page.getByLabel('Username').fill(username)
  await page.getByRole('textbox', { name: 'Email' }).fill(`${username}@example.org`)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect.poll(() => linkIn(data)).toBeTruthy()
  await page.goto((await linkIn(data))!)
  await page.getByRole('link', { name: 'Continue to login' }).click()
  await page.waitForURL('**/items')
}

/** Returns the path of a mailed link. */
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
