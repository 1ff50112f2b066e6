import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { exportFormat } from '#shared/domain/export-formats.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  horizontalOverflow,
  linkMailedTo,
  logInAs,
  type Member,
  newPage,
  password,
  post,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

const deletionOf = async ({ token }: Member) =>
  (await call<{ deletionAt: string | null }>('/users/me/deletion', { token })).body.deletionAt
const scheduled = (page: Page) => page.getByText(/^Your account will be deleted on \d/)

async function openAccount(page: Page): Promise<void> {
  await page.goto('/settings?tab=account')
  await waitForHydration(page)
  await page.getByRole('heading', { name: 'Your data' }).waitFor()
}

/** Deletes the account by the keyboard. */
async function requestDeletion(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete my account' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByText('1 rating or review').waitFor()
  await dialog.getByText('1 title that you created, without your name.').waitFor()
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete my account' }).press('Enter')
  const field = dialog.getByLabel('Current password')
  await field.fill('not-my-password')
  await field.press('Enter')
  await dialog.getByText(messages.currentPasswordWrong).waitFor()
  await field.fill(password)
  await field.press('Enter')
  await page.getByText(messages.deletionScheduled).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await scheduled(page).waitFor()
  await expect
    .poll(() =>
      page.getByRole('heading', { name: 'Your data' }).evaluate((it) => it === document.activeElement),
    )
    .toBe(true)
  expect(await page.getByRole('button', { name: 'Delete my account' }).count()).toBe(0)
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
}

async function aWriter(username: string): Promise<Member> {
  const member = await aMember(username)
  const movieId = await aMovie(member, `A title of ${username}`)
  await post('/reviews', { movieId, rating: 4 }, member.token)
  return member
}

test('a member downloads everything, deletes the account and keeps it in the settings', async () => {
  const member = await aWriter('leaver.one')
  const page = await newPage(sizes[0], 'dark')
  await logInAs(page, member)
  await openAccount(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^medley-\d{4}-\d\d-\d\d\.zip$/)
  const zip = await readFile(await download.path())
  expect(zip.toString('latin1')).toMatch(/^PK[^]*medley\.json[^]*ratings\.csv/)

  // By keyboard: the choice says what the file is.
  await page.getByRole('combobox', { name: 'What to download' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'For Letterboxd' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText(exportFormat('letterboxd').about).waitFor()
  const downloadingOne = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  expect((await downloadingOne).suggestedFilename()).toMatch(/^medley-for-letterboxd-[\d-]{10}\.csv$/)

  await requestDeletion(page)
  expect(await deletionOf(member)).not.toBeNull()
  await page.reload()
  await scheduled(page).waitFor()
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByText(messages.deletionCanceled).waitFor()
  await scheduled(page).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete my account' }).waitFor()
  await expect.poll(() => deletionOf(member)).toBeNull()
})

test('on a phone, a login says that the account will be deleted, and the mailed link keeps it without one', async () => {
  const member = await aWriter('leaver.two')
  const page = await newPage(sizes[1])
  await logInAs(page, member)
  await openAccount(page)
  await requestDeletion(page)

  const other = await newPage(sizes[1])
  await other.goto('/login')
  await waitForHydration(other)
  await other.getByLabel('Email').fill(member.email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('button', { name: 'Log in' }).click()
  await scheduled(other).waitFor()

  const visitor = await newPage(sizes[1])
  await visitor.goto(await linkMailedTo(member.email, '/keep-account'))
  await waitForHydration(visitor)
  await expectAccessible(visitor)
  await visitor.getByRole('button', { name: 'Keep my account' }).click()
  await visitor.getByText(messages.deletionCanceled).waitFor()
  expect(await deletionOf(member)).toBeNull()
  await visitor.reload()
  await waitForHydration(visitor)
  await visitor.getByRole('button', { name: 'Keep my account' }).click()
  await visitor.getByText(messages.deletionCanceled).waitFor()
  await expectAccessible(visitor)
})
