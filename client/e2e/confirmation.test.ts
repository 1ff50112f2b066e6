import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import { openDatabase } from '#server/db/open.ts'
import { messages } from '#shared/texts/messages.ts'
import { signUpByForm, virtualAuthenticator } from './sign-in.ts'
import { openProgram } from './program.ts'
import {
  aMember,
  call,
  expectAccessible,
  horizontalOverflow,
  logInAs,
  type Member,
  newPage,
  password,
  post,
  siteDatabase,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

/** Browsers have no passkeys for the IP address of the site of all journeys. */
const own = openProgram()
useBrowser()
const site = siteDatabase()

const title = 'Confirm that it’s you'
const longAgo = '2026-01-01T00:00:00.000Z'

/** Settings ask again who the member is: the login was long ago. */
async function makeStale(db: typeof site, userId: number): Promise<void> {
  const old = { created_at: longAgo, confirmed_at: null }
  await db.updateTable('sessions').set(old).where('user_id', '=', userId).execute()
}

async function openAccount(page: Page): Promise<void> {
  await page.goto('/settings?tab=account&developers=yes')
  await waitForHydration(page)
  await page.getByRole('heading', { name: 'Your data' }).waitFor()
}

async function createToken(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New access token' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Backup')
  await form.getByRole('button', { name: 'Create token' }).click()
}

test.each(sizes)(
  'in an old session, a new token and a download ask who the member is, once, in one dialog ($name)',
  async (size) => {
    const member = await aMember(`confirmed.${size.name}`)
    await makeStale(site, member.user.id)
    const page = await newPage(size, size.theme)
    await logInAs(page, member)
    await openAccount(page)
    await createToken(page)
    const dialog = page.getByRole('dialog', { name: title })
    const field = dialog.getByRole('textbox', { name: 'Current password' })
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
    await expectAccessible(page)
    expect(await horizontalOverflow(page)).toBe(0)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText(messages.currentPasswordMissing).waitFor()
    await field.fill('not-my-password')
    await field.press('Enter')
    await dialog.getByText(messages.currentPasswordWrong).waitFor()
    await field.fill(password)
    await field.press('Enter')
    await page.getByRole('textbox', { name: 'Access token' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download all' }).click()
    await downloading
    expect(await dialog.count()).toBe(0)
  },
)

test('a download in an old session waits for a code of the app, and nothing is lost if the member cancels first', async () => {
  const member = await aMember('confirmed.by.code')
  const { body } = await post<{ secret: string }>('/users/me/totp', {}, member.token)
  const codeAt = (at: number) =>
    new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({ timestamp: at })
  expect((await post('/users/me/totp/confirm', { code: codeAt(Date.now()) }, member.token)).status).toBe(200)
  await makeStale(site, member.user.id)
  const page = await newPage()
  await logInAs(page, member)
  await openAccount(page)
  const button = page.getByRole('button', { name: 'Download all' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await button.click()
  await dialog.getByRole('button', { name: 'Use a code instead' }).click()
  const code = dialog.getByRole('textbox', { name: 'Code from your app' })
  await code.fill('000000')
  await code.press('Enter')
  await dialog.getByText(messages.codeWrong).waitFor()
  await code.fill(codeAt(Date.now() + 30_000))
  const downloading = page.waitForEvent('download')
  await code.press('Enter')
  await downloading
})

test('a member without a password confirms everything with a passkey: a token, a download, a new email, a password, the deletion', async () => {
  const program = await own.start({ HOST: 'localhost' })
  const page = await newPage(sizes[0], 'dark', { baseURL: program.url })
  await virtualAuthenticator(page)
  await signUpByForm(page, own.folder, 'no.password')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('button', { name: 'Add this device' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').waitFor()
  const db = openDatabase({ databaseUrl: undefined, dataDir: own.folder })
  try {
    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await db.deleteFrom('credentials').where('kind', '=', 'password').execute()
    await makeStale(db, id)
    await page.goto('/settings')
    await waitForHydration(page)
    await openAccount(page)
    await createToken(page)
    const dialog = page.getByRole('dialog', { name: title })
    const usePasskey = { name: 'Use your fingerprint, face or screen lock' }
    await dialog.getByRole('button', usePasskey).waitFor()
    expect(await dialog.getByLabel('Current password').count()).toBe(0)
    await expectAccessible(page)
    await dialog.getByRole('button', usePasskey).click()
    await page.getByRole('textbox', { name: 'Access token' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()

    await makeStale(db, id)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download all' }).click()
    await dialog.getByRole('button', usePasskey).click()
    await downloading

    await page.getByRole('tab', { name: 'Profile' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('other@example.org')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const email = page.getByRole('dialog', { name: 'Confirm your new email' })
    await email.getByRole('button', usePasskey).click()
    await page.getByText(messages.emailChangeSent('other@example.org')).waitFor()

    await page.getByRole('tab', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const deletion = page.getByRole('dialog', { name: 'Delete your account?' })
    await deletion.getByRole('button', usePasskey).click()
    await page.getByText(messages.deletionScheduled).waitFor()

    await page.getByRole('heading', { name: 'Set a password' }).waitFor()
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password)
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await dialog.getByRole('button', usePasskey).click()
    await page.getByText(messages.passwordUpdated).waitFor()
    await page.getByRole('heading', { name: 'Change password' }).waitFor()
  } finally {
    await db.destroy()
  }
})

test('a program that sends the password needs no confirmation, in however old a session', async () => {
  const member: Member = await aMember('confirmed.by.program')
  await makeStale(site, member.user.id)
  const { token } = member
  const email = 'by.program@example.org'
  const put = (path: string, body: object) => call(path, { method: 'PUT', body: JSON.stringify(body), token })
  expect((await put('/users/profile', { email, password })).status).toBe(200)
  expect((await post('/users/me/deletion', { currentPassword: password }, token)).status).toBe(200)
  expect(
    (await put('/users/password', { currentPassword: password, newPassword: 'another-one' })).status,
  ).toBe(200)
  expect((await post('/users/me/deletion', {}, token)).status).toBe(400)
})
